<?php
// Symfony Messenger's transport for SQS, which makes its queue itself.

require __DIR__.'/steps.php';
require 'Symfony/Component/Messenger/Bridge/AmazonSqs/autoload.php';
require 'Symfony/Component/HttpClient/autoload.php';

use Symfony\Component\Messenger\Bridge\AmazonSqs\Transport\AmazonSqsFifoStamp;
use Symfony\Component\Messenger\Bridge\AmazonSqs\Transport\AmazonSqsTransport;
use Symfony\Component\Messenger\Bridge\AmazonSqs\Transport\Connection;
use Symfony\Component\Messenger\Envelope;
use Symfony\Component\Messenger\Stamp\DelayStamp;
use Symfony\Component\Messenger\Transport\Serialization\PhpSerializer;

class Job
{
    public $text;

    public function __construct(string $text)
    {
        $this->text = $text;
    }
}

echo 'version ', packaged('php-symfony-amazon-sqs-messenger'), "\n";

function transport(string $queue, array $more = []): AmazonSqsTransport
{
    $dsn = 'sqs://test:test@'.preg_replace('|^http://|', '', ENDPOINT)."/$queue?sslmode=disable";
    return new AmazonSqsTransport(Connection::fromDsn($dsn, $more + ['region' => 'us-east-1', 'wait_time' => 20, 'poll_timeout' => 0.1]), new PhpSerializer());
}

// get polls until there is a message, as a worker does.
function get(AmazonSqsTransport $transport): Envelope
{
    $end = microtime(true) + 18;
    while (microtime(true) < $end) {
        foreach ($transport->get() as $envelope) {
            return $envelope;
        }
    }
    throw new Exception('no message within 18 s');
}

$jobs = transport('jobs');

step('create', function () use ($jobs) {
    $jobs->setup();
    same('count', $jobs->getMessageCount(), 0);
});
step('send', function () use ($jobs) {
    $jobs->send(new Envelope(new Job(BODY)));
    same('count', $jobs->getMessageCount(), 1);
});
step('receive', function () use ($jobs) {
    $envelope = get($jobs);
    same('text', $envelope->getMessage()->text, BODY);
    $jobs->ack($envelope);
});
step('delay', function () use ($jobs) {
    $jobs->send((new Envelope(new Job('later')))->with(new DelayStamp(1000)));
    $envelope = get($jobs);
    same('text', $envelope->getMessage()->text, 'later');
    $jobs->reject($envelope);
});
step('long-poll', function () use ($jobs) {
    same('nothing', iterator_to_array($jobs->get(), false), []); // begins a poll that goes on
    transport('jobs')->send(new Envelope(new Job('wake up')));
    $envelope = get($jobs);
    same('text', $envelope->getMessage()->text, 'wake up');
    $jobs->ack($envelope);
});
step('cut-off', function () {
    $other = transport('jobs');
    same('nothing', iterator_to_array($other->get(), false), []);
    $other->reset();
    unset($other);
    $third = transport('jobs');
    $third->send(new Envelope(new Job('next')));
    $envelope = get($third);
    same('text', $envelope->getMessage()->text, 'next');
    $third->ack($envelope);
});
step('fifo', function () {
    $orders = transport('orders.fifo', ['buffer_size' => 9]);
    $orders->setup();
    foreach (['a' => '1', 'b' => '2', 'c' => '1'] as $text => $id) {
        $orders->send((new Envelope(new Job($text)))->with(new AmazonSqsFifoStamp('g', $id)));
    }
    $got = '';
    foreach ([1, 2] as $_) {
        $envelope = get($orders);
        $got .= $envelope->getMessage()->text;
        $orders->ack($envelope);
    }
    same('order', $got, 'ab');
    same('left', $orders->getMessageCount(), 0);
});
step('missing-queue', function () {
    try {
        transport('nothing', ['auto_setup' => false])->getMessageCount();
    } catch (Throwable $err) {
        while ($err->getPrevious()) {
            $err = $err->getPrevious();
        }
        same('class', (new ReflectionClass($err))->getShortName(), 'QueueDoesNotExistException');
        return;
    }
    throw new Exception('it was found');
});
done();
