package integration

import "testing"

// A repeated CreateQueue sets nothing, so it is answered by what the queue is,
// whatever has become of its dead-letter queue since.
func TestCreateQueueAgainWithItsRedrivePolicy(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		dlq, name := e.create(t, nil), freshName()
		policy, other := redriveTo(e.arn(t, dlq), 3), redriveTo(e.arn(t, dlq), 4)
		e.createNamed(t, name, attrs{"RedrivePolicy": policy})
		again := func(what string) {
			t.Helper()
			t.Log(what)
			e.createNamed(t, name, attrs{"RedrivePolicy": policy})
			e.call(t, "CreateQueue", args{"QueueName": name, "Attributes": attrs{"RedrivePolicy": other}}).
				wantCode(t, "QueueAlreadyExists").wantText(t, "RedrivePolicy")
			e.call(t, "CreateQueue", args{"QueueName": freshName(), "Attributes": attrs{"RedrivePolicy": policy}}).
				wantCode(t, "InvalidParameterValue")
		}
		e.setAttributes(t, dlq, attrs{"RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`})
		again("after the dead-letter queue denies it")
		e.call(t, "DeleteQueue", args{"QueueUrl": dlq}).wantOK(t)
		again("after the dead-letter queue is gone")
	})
}

// Some of the attributes of a queue are enough to find it, also one that could
// not be set alone.
func TestCreateQueueAgainWithPartOfHighThroughput(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		name := freshName() + ".fifo"
		e.createNamed(t, name, attrs{"FifoQueue": "true", "DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId"})
		e.createNamed(t, name, attrs{"FifoQueue": "true", "FifoThroughputLimit": "perMessageGroupId"})
		e.createNamed(t, name, attrs{"FifoQueue": "true", "DeduplicationScope": "messageGroup"})
		e.call(t, "CreateQueue", args{"QueueName": name, "Attributes": attrs{"FifoQueue": "true", "DeduplicationScope": "queue"}}).
			wantCode(t, "QueueAlreadyExists").wantText(t, "DeduplicationScope")
		e.call(t, "CreateQueue", args{"QueueName": name, "Attributes": attrs{"FifoQueue": "true", "FifoThroughputLimit": "perQueue"}}).
			wantCode(t, "QueueAlreadyExists").wantText(t, "FifoThroughputLimit")
		e.call(t, "CreateQueue", args{"QueueName": freshName() + ".fifo", "Attributes": attrs{"FifoQueue": "true", "FifoThroughputLimit": "perMessageGroupId"}}).
			wantCode(t, "InvalidAttributeValue")
	})
}
