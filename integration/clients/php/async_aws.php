<?php
// async-aws/sqs, of any version. Its answers come when they are read.

require __DIR__.'/steps.php';
require 'AsyncAws/Sqs/autoload.php';
require 'Symfony/Component/HttpClient/autoload.php';

use AsyncAws\Core\Exception\Http\ClientException;
use AsyncAws\Sqs\Exception\QueueDoesNotExistException;
use AsyncAws\Sqs\SqsClient;
use AsyncAws\Sqs\ValueObject\MessageAttributeValue;

echo 'version ', packaged('php-async-aws-sqs'), "\n";

function connect(): SqsClient
{
    return new SqsClient(['endpoint' => ENDPOINT, 'region' => 'us-east-1', 'accessKeyId' => 'test', 'accessKeySecret' => 'test']);
}

$sqs = connect();
$knows = fn (string $method) => method_exists($sqs, $method);
$receive = fn (string $url, array $more = []) => $sqs->receiveMessage($more + [
    'QueueUrl' => $url, 'WaitTimeSeconds' => 5, 'AttributeNames' => ['All'], 'MessageAttributeNames' => ['All'],
])->getMessages();
$read = fn (string $url) => $sqs->getQueueAttributes(['QueueUrl' => $url, 'AttributeNames' => ['All']])->getAttributes();
$bodies = fn (array $messages) => array_map(fn ($m) => $m->getBody(), $messages);
$binary = implode('', array_map('chr', range(0, 255)));
$values = [
    'text' => new MessageAttributeValue(['DataType' => 'String', 'StringValue' => BODY]),
    'price' => new MessageAttributeValue(['DataType' => 'Number.euro', 'StringValue' => '1.50']),
    'bytes' => new MessageAttributeValue(['DataType' => 'Binary.all', 'BinaryValue' => $binary]),
];
$jobs = $message = $dead = $source = $arn = null;

step('create', function () use ($sqs, &$jobs, $read) {
    $jobs = $sqs->createQueue(['QueueName' => 'jobs', 'Attributes' => ['VisibilityTimeout' => '60'], 'tags' => ['team' => 'a']])->getQueueUrl();
    same('url', $jobs, ENDPOINT.'/000000000000/jobs');
    same('attribute', $read($jobs)['VisibilityTimeout'], '60');
});
step('find', function () use ($sqs, &$jobs) {
    same('url', $sqs->getQueueUrl(['QueueName' => 'jobs'])->getQueueUrl(), $jobs);
    same('list', iterator_to_array($sqs->listQueues(['QueueNamePrefix' => 'jo'])->getQueueUrls(), false), [$jobs]);
    same('exists', $sqs->queueExists(['QueueName' => 'jobs'])->isSuccess(), true);
});
step('tags', function () {
    throw new Skip('it sets them with CreateQueue, and does not read them');
});
step('send', function () use ($sqs, &$jobs, $values) {
    $sent = $sqs->sendMessage(['QueueUrl' => $jobs, 'MessageBody' => BODY, 'MessageAttributes' => $values]);
    same('digest', $sent->getMd5OfMessageBody(), md5(BODY));
});
step('receive', function () use (&$jobs, &$message, $receive, $binary) {
    [$message] = $receive($jobs);
    same('body', $message->getBody(), BODY);
    same('digest', $message->getMD5OfBody(), md5(BODY));
    $got = $message->getMessageAttributes();
    same('text', $got['text']->getStringValue(), BODY);
    same('price', [$got['price']->getDataType(), $got['price']->getStringValue()], ['Number.euro', '1.50']);
    same('bytes', [$got['bytes']->getDataType(), $got['bytes']->getBinaryValue()], ['Binary.all', $binary]);
    same('receive count', $message->getAttributes()['ApproximateReceiveCount'], '1');
});
step('visibility', function () use ($sqs, &$jobs, &$message, $receive) {
    $sqs->changeMessageVisibility(['QueueUrl' => $jobs, 'ReceiptHandle' => $message->getReceiptHandle(), 'VisibilityTimeout' => 0])->resolve();
    [$message] = $receive($jobs);
    same('receive count', $message->getAttributes()['ApproximateReceiveCount'], '2');
    $out = $sqs->changeMessageVisibilityBatch(['QueueUrl' => $jobs, 'Entries' => [
        ['Id' => 'good', 'ReceiptHandle' => $message->getReceiptHandle(), 'VisibilityTimeout' => 120],
        ['Id' => 'bad', 'ReceiptHandle' => 'nonsense', 'VisibilityTimeout' => 120],
    ]]);
    same('failed', array_map(fn ($f) => [$f->getId(), $f->getCode(), $f->getSenderFault()], $out->getFailed()), [['bad', 'ReceiptHandleIsInvalid', true]]);
});
step('delete', function () use ($sqs, &$jobs, &$message, $read) {
    $sqs->deleteMessage(['QueueUrl' => $jobs, 'ReceiptHandle' => $message->getReceiptHandle()])->resolve();
    same('left', $read($jobs)['ApproximateNumberOfMessagesNotVisible'], '0');
});
step('batch', function () use ($sqs, &$jobs, $receive, $bodies) {
    $out = $sqs->sendMessageBatch(['QueueUrl' => $jobs, 'Entries' => [
        ['Id' => 'a', 'MessageBody' => BODY], ['Id' => 'late', 'MessageBody' => 'x', 'DelaySeconds' => 901],
    ]]);
    same('sent', array_map(fn ($e) => [$e->getId(), $e->getMD5OfMessageBody()], $out->getSuccessful()), [['a', md5(BODY)]]);
    same('failed', array_map(fn ($f) => [$f->getId(), $f->getCode(), $f->getSenderFault()], $out->getFailed()), [['late', 'InvalidParameterValue', true]]);
    $got = $receive($jobs, ['MaxNumberOfMessages' => 10]);
    same('bodies', $bodies($got), [BODY]);
    $gone = $sqs->deleteMessageBatch(['QueueUrl' => $jobs, 'Entries' => [['Id' => 'a', 'ReceiptHandle' => $got[0]->getReceiptHandle()]]]);
    same('deleted', [count($gone->getSuccessful()), $gone->getFailed()], [1, []]);
});
step('long-poll', function () use ($sqs, &$jobs) {
    $begun = microtime(true);
    $poll = $sqs->receiveMessage(['QueueUrl' => $jobs, 'WaitTimeSeconds' => 20]);
    same('not yet', $poll->resolve(0.5), false); // sends it, and waits a little
    connect()->sendMessage(['QueueUrl' => $jobs, 'MessageBody' => 'wake up'])->resolve();
    [$got] = $poll->getMessages();
    same('body', $got->getBody(), 'wake up');
    same('in time', microtime(true) - $begun < 18, true);
    $sqs->deleteMessage(['QueueUrl' => $jobs, 'ReceiptHandle' => $got->getReceiptHandle()])->resolve();
});
step('cut-off', function () use ($sqs, &$jobs, $receive) {
    $poll = $sqs->receiveMessage(['QueueUrl' => $jobs, 'WaitTimeSeconds' => 20]);
    same('not yet', $poll->resolve(0.5), false);
    $poll->cancel();
    unset($poll);
    $sqs->sendMessage(['QueueUrl' => $jobs, 'MessageBody' => 'next'])->resolve();
    [$got] = $receive($jobs, ['WaitTimeSeconds' => 1]);
    same('receive count', $got->getAttributes()['ApproximateReceiveCount'], '1');
    $sqs->deleteMessage(['QueueUrl' => $jobs, 'ReceiptHandle' => $got->getReceiptHandle()])->resolve();
});
step('fifo', function () use ($sqs, $receive, $bodies) {
    $url = $sqs->createQueue(['QueueName' => 'orders.fifo', 'Attributes' => ['FifoQueue' => 'true', 'ContentBasedDeduplication' => 'true']])->getQueueUrl();
    $ids = array_map(fn ($b) => $sqs->sendMessage(['QueueUrl' => $url, 'MessageBody' => $b, 'MessageGroupId' => 'g'])->getMessageId(), ['a', 'b', 'a']);
    same('duplicate', $ids[2], $ids[0]);
    same('order', $bodies($receive($url, ['MaxNumberOfMessages' => 10])), ['a', 'b']);
});
step('dead-letter', function () use ($sqs, $receive, $read, $bodies, &$dead, &$source, &$arn) {
    $dead = $sqs->createQueue(['QueueName' => 'dead'])->getQueueUrl();
    $arn = $read($dead)['QueueArn'];
    $source = $sqs->createQueue(['QueueName' => 'source', 'Attributes' => [
        'RedrivePolicy' => json_encode(['deadLetterTargetArn' => $arn, 'maxReceiveCount' => 1]),
    ]])->getQueueUrl();
    $sqs->sendMessage(['QueueUrl' => $source, 'MessageBody' => 'poison'])->resolve();
    same('once', $bodies($receive($source, ['VisibilityTimeout' => 0])), ['poison']);
    same('not twice', $receive($source, ['WaitTimeSeconds' => 0]), []);
    same('dead', $bodies($receive($dead, ['VisibilityTimeout' => 0])), ['poison']);
});
step('move-task', function () use ($sqs, $knows, $receive, $bodies, &$source, &$arn) {
    if (!$knows('startMessageMoveTask')) {
        throw new Skip('it does not know it');
    }
    $sqs->startMessageMoveTask(['SourceArn' => $arn])->resolve();
    same('moved', $bodies($receive($source)), ['poison']);
});
step('purge', function () use ($sqs, &$jobs, $read) {
    $sqs->sendMessage(['QueueUrl' => $jobs, 'MessageBody' => 'x'])->resolve();
    $sqs->purgeQueue(['QueueUrl' => $jobs])->resolve();
    same('left', $read($jobs)['ApproximateNumberOfMessages'], '0');
});
step('delete-queue', function () use ($sqs, &$jobs) {
    $sqs->deleteQueue(['QueueUrl' => $jobs])->resolve();
    same('exists', $sqs->queueExists(['QueueName' => 'jobs'])->isSuccess(), false);
});
step('missing-queue', function () use ($sqs, &$jobs) {
    try {
        $sqs->getQueueUrl(['QueueName' => 'jobs'])->resolve();
    } catch (QueueDoesNotExistException $err) {
        // Query has AWS's old code, JSON the name of the shape.
        same('code', in_array($err->getAwsCode(), ['AWS.SimpleQueueService.NonExistentQueue', 'QueueDoesNotExist'], true), true);
        try {
            $sqs->sendMessage(['QueueUrl' => $jobs, 'MessageBody' => 'x'])->resolve();
        } catch (ClientException $err) {
            same('status', $err->getCode(), 400);
            return;
        }
    }
    throw new Exception('it was found');
});
done();
