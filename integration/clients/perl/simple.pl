# Amazon::SQS::Simple, which posts forms to queues' own paths and marks them as
# JSON's. It knows standard queues, and names of attributes one at a time.
use strict;
use warnings;
use utf8;
use Amazon::SQS::Simple;
use Digest::MD5 qw(md5_hex);
use Encode qw(decode encode);
use Time::HiRes qw(time);

$| = 1;
my $endpoint = $ENV{QUEUES_ENDPOINT};
my $body     = decode('UTF-8', $ENV{QUEUES_BODY});
my $failed   = 0;

sub step {
    my ($name, $run) = @_;
    if (eval { $run->(); 1 }) {
        print "ok $name\n";
        return;
    }
    my $why = "$@";
    $why =~ s/\s+/ /g;
    $why = encode('UTF-8', $why);
    $failed = 1;
    print "not ok $name: $why\n";
}

sub skip { print "skip $_[0]: $_[1]\n" }

sub same {
    my ($what, $got, $want) = @_;
    $got = '(nothing)' unless defined $got;
    die "$what: got '$got', want '$want'" unless $got eq $want;
}

sub connect_sqs { return Amazon::SQS::Simple->new('test', 'test', Endpoint => $endpoint, @_) }

print "version $Amazon::SQS::Simple::VERSION\n";
my $sqs = connect_sqs();
my ($jobs, $message);

sub receive { my $q = shift; return scalar $q->ReceiveMessage(WaitTimeSeconds => 5, 'AttributeName.1' => 'All', @_) }

step create => sub {
    $jobs = $sqs->CreateQueue('jobs', 'Attribute.1.Name' => 'VisibilityTimeout', 'Attribute.1.Value' => 60);
    same('url', $jobs->Endpoint, "$endpoint/000000000000/jobs");
    $jobs->SetAttribute('MessageRetentionPeriod', 3600);
    my $all = $jobs->GetAttributes();
    same('timeout',   $all->{VisibilityTimeout},      60);
    same('retention', $all->{MessageRetentionPeriod}, 3600);
};
step find => sub {
    my $list = $sqs->ListQueues(QueueNamePrefix => 'jo');
    same('found', join(' ', map { $_->Endpoint } @$list), $jobs->Endpoint);
    same('none', defined $sqs->ListQueues(QueueNamePrefix => 'nothing') ? 1 : 0, 0);
};
skip tags => 'it does not know them';
step send => sub {
    my $sent = $jobs->SendMessage(
        $body,
        'MessageAttribute.1.Name'              => 'price',
        'MessageAttribute.1.Value.DataType'    => 'Number.euro',
        'MessageAttribute.1.Value.StringValue' => '1.50',
    );
    same('digest', $sent->MD5OfMessageBody, md5_hex(encode('UTF-8', $body)));
};
step receive => sub {
    $message = receive($jobs);
    same('body',   $message->MessageBody, $body);
    same('digest', $message->MD5OfBody,   md5_hex(encode('UTF-8', $body)));
};
step visibility => sub {
    $jobs->ChangeMessageVisibility($message->ReceiptHandle, 0);
    my $again = receive($jobs);
    same('message', $again->MessageId, $message->MessageId);
    $message = $again;
    $jobs->ChangeMessageVisibility($message->ReceiptHandle, 120);
};
step delete => sub {
    same('in flight', $jobs->GetAttributes()->{ApproximateNumberOfMessagesNotVisible}, 1);
    $jobs->DeleteMessage($message);
    same('left', $jobs->GetAttributes()->{ApproximateNumberOfMessagesNotVisible}, 0);
};
step batch => sub {
    my @sent = $jobs->SendMessageBatch(['one', $body, 'three']);
    same('sent', scalar(@sent), 3);
    # Nothing in it fails an entry but a body that is none.
    @sent = $jobs->SendMessageBatch({ good => 'four', bad => '' });
    same('sent of two', scalar(@sent), 1);
    my @got;
    while (@got < 4) {
        my @more = $jobs->ReceiveMessageBatch(WaitTimeSeconds => 5) or last;
        push @got, @more;
    }
    same('bodies', join('|', sort map { $_->MessageBody } @got), join('|', sort 'one', $body, 'three', 'four'));
    $jobs->DeleteMessageBatch(\@got);
    same('left', $jobs->GetAttributes()->{ApproximateNumberOfMessagesNotVisible}, 0);
};
step 'long-poll' => sub {
    my $pid = fork // die "fork: $!";
    if (!$pid) {    # sends while its parent polls
        select undef, undef, undef, 0.3;
        exec $^X, '-MAmazon::SQS::Simple', '-e', 'Amazon::SQS::Simple->new("test","test")->GetQueue($ARGV[0])->SendMessage("wake up")',
            $jobs->Endpoint;
    }
    my $begun = time;
    my $got   = receive($jobs, WaitTimeSeconds => 20);
    waitpid $pid, 0;
    same('body', $got && $got->MessageBody, 'wake up');
    same('in time', time - $begun < 18 ? 1 : 0, 1);
    $jobs->DeleteMessage($got);
};
step 'cut-off' => sub {
    {
        my $impatient = connect_sqs(Timeout => 1)->GetQueue($jobs->Endpoint);
        same('cut off', eval { $impatient->ReceiveMessage(WaitTimeSeconds => 20); 1 } ? 1 : 0, 0);
    }
    $jobs->SendMessage('next');
    my $got = receive($jobs, WaitTimeSeconds => 1);
    same('body', $got && $got->MessageBody, 'next');
    $jobs->DeleteMessage($got);
};
step fifo => sub {
    my $orders = $sqs->CreateQueue('orders.fifo', 'Attribute.1.Name' => 'FifoQueue', 'Attribute.1.Value' => 'true');
    my @ids;
    for my $pair ([a => 1], [b => 2], [c => 1]) {
        push @ids, $orders->SendMessage($pair->[0], MessageGroupId => 'g', MessageDeduplicationId => $pair->[1])->MessageId;
    }
    same('duplicate', $ids[2], $ids[0]);
    same('order', join('', map { $_->MessageBody } $orders->ReceiveMessageBatch(WaitTimeSeconds => 5)), 'ab');
};
my ($dead, $source, $arn);
step 'dead-letter' => sub {
    $dead   = $sqs->CreateQueue('dead');
    $source = $sqs->CreateQueue('source');
    $arn    = $dead->GetAttributes()->{QueueArn};
    $source->SetAttribute('RedrivePolicy', qq({"deadLetterTargetArn":"$arn","maxReceiveCount":1}));
    $source->SendMessage('poison');
    same('once', receive($source, VisibilityTimeout => 0)->MessageBody, 'poison');
    same('not twice', defined receive($source, WaitTimeSeconds => 0) ? 1 : 0, 0);
    same('dead', receive($dead)->MessageBody, 'poison');
};
skip 'move-task' => 'it does not know it';
step purge => sub {
    $jobs->SendMessage('x');
    $jobs->Purge;
    same('left', $jobs->GetAttributes()->{ApproximateNumberOfMessages}, 0);
};
step 'delete-queue' => sub {
    $jobs->Delete;
    same('left', scalar(grep { $_->Endpoint eq $jobs->Endpoint } @{ $sqs->ListQueues }), 0);
};
step 'missing-queue' => sub {
    same('found', eval { $jobs->SendMessage('x'); 1 } ? 1 : 0, 0);
    same('code', $@ =~ m{<Code>(.*?)</Code>} ? $1 : $@, 'AWS.SimpleQueueService.NonExistentQueue');
};
print "done\n";
exit $failed;
