package integration

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
)

// deleteQueue deletes a queue.
func (e *env) deleteQueue(t *testing.T, url string) {
	t.Helper()
	if _, err := e.sqs.DeleteQueue(t.Context(), &sqs.DeleteQueueInput{QueueUrl: &url}); err != nil {
		t.Fatal(err)
	}
}

// purge purges a queue.
func (e *env) purge(t *testing.T, url string) {
	t.Helper()
	if _, err := e.sqs.PurgeQueue(t.Context(), &sqs.PurgeQueueInput{QueueUrl: &url}); err != nil {
		t.Fatal(err)
	}
}

// A purge takes messages in every state, at once and for good, and nothing
// that is sent after it.
func TestPurgeRemovesEverything(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.sendBatch(t, url, "in flight", "visible")
		e.send(t, url, "delayed", delayed(5))
		held := e.receiveOne(t, url, upTo(1), hideFor(5))
		e.wantCounts(t, url, counts{"1", "1", "1"})
		e.purge(t, url)
		e.send(t, url, "after")
		e.wantCounts(t, url, counts{"1", "0", "0"})
		wantBodies(t, e.receive(t, url, hideFor(600)), "after")
		time.Sleep(10 * time.Second)
		e.wantCounts(t, url, counts{"0", "1", "0"})
		e.wantNothing(t, url)

		e.delete(t, url, held)
		_, err := e.sqs.ChangeMessageVisibility(t.Context(), &sqs.ChangeMessageVisibilityInput{QueueUrl: &url, ReceiptHandle: held.ReceiptHandle, VisibilityTimeout: 1})
		e.wantError(t, err, "InvalidParameterValue", 400)
		e.wantCounts(t, url, counts{"0", "1", "0"})
	})
}

func TestPurgeOnceAMinute(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, nil)
		e.purge(t, url)
		e.send(t, url, "b")
		_, err := e.sqs.PurgeQueue(t.Context(), &sqs.PurgeQueueInput{QueueUrl: &url})
		e.wantError(t, err, "AWS.SimpleQueueService.PurgeQueueInProgress", 403)
		if !typed[*types.PurgeQueueInProgress](err) {
			t.Errorf("%v has not the SDK's type", err)
		}
		e.call(t, "PurgeQueue", args{"QueueUrl": url}).wantText(t, "Only one PurgeQueue operation on "+name+" is allowed every 60 seconds.")
		e.wantCounts(t, url, counts{"1", "0", "0"})
		time.Sleep(61 * time.Second)
		e.purge(t, url)
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

// A deleted queue is gone at once, in every answer.
func TestDeletedQueueIsGoneAtOnce(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		witness := e.create(t, nil)
		url := e.createNamed(t, name, nil)
		e.send(t, url, "b")
		e.deleteQueue(t, url)
		if diff := cmp.Diff([]string{witness}, e.listed(t, &sqs.ListQueuesInput{})); diff != "" {
			t.Errorf("queues (-want +got):\n%s", diff)
		}
		for action, do := range missing {
			if action == "GetQueueUrl" {
				continue
			}
			if err := do(e, t, &url); !typed[*types.QueueDoesNotExist](err) {
				t.Errorf("%s: %v", action, err)
			}
		}
		e.call(t, "GetQueueUrl", args{"QueueName": name}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
	})
}

// A queue of an old name is a new queue.
func TestRecreatedQueueIsNew(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, attrs{"DelaySeconds": "0", "VisibilityTimeout": "600", "ReceiveMessageWaitTimeSeconds": "1"})
		e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{"k": "v"}}).wantOK(t)
		e.sendBatch(t, url, "1", "2", "3")
		old := e.receiveOne(t, url, upTo(1))
		e.deleteQueue(t, url)
		if e.bubble {
			time.Sleep(61 * time.Second) // a name rests for a minute
		}
		if again := e.createNamed(t, name, nil); again != url {
			t.Errorf("the URL is %s, it was %s", again, url)
		}
		e.wantTags(t, url, nil)
		e.wantCounts(t, url, counts{"0", "0", "0"})
		if got := e.attributes(t, url, "All"); got["VisibilityTimeout"] != "30" || got["ReceiveMessageWaitTimeSeconds"] != "0" {
			t.Errorf("old attributes are there: %v", got)
		}
		e.send(t, url, "new")
		_, err := e.sqs.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: old.ReceiptHandle})
		if err != nil && !typed[*types.ReceiptHandleIsInvalid](err) {
			t.Errorf("an old handle: %v", err)
		}
		e.wantCounts(t, url, counts{"1", "0", "0"})
		wantBodies(t, e.receive(t, url), "new")
	})
}

func TestDeletedNameRestsForAMinute(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, nil)
		e.deleteQueue(t, url)
		time.Sleep(time.Second)
		_, err := e.sqs.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
		e.wantError(t, err, "AWS.SimpleQueueService.QueueDeletedRecently", 400)
		if !typed[*types.QueueDeletedRecently](err) {
			t.Errorf("%v has not the SDK's type", err)
		}
		e.create(t, nil)
		time.Sleep(60 * time.Second)
		e.createNamed(t, name, nil)
	})
}

// The three counters partition the messages.
func TestCountersPartitionTheMessages(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.wantCounts(t, url, counts{"0", "0", "0"})
		e.send(t, url, "plain")
		e.send(t, url, "delayed", delayed(3))
		e.wantCounts(t, url, counts{"1", "0", "1"})
		m := e.receiveOne(t, url, hideFor(10))
		e.wantCounts(t, url, counts{"0", "1", "1"})
		time.Sleep(4 * time.Second)
		e.wantCounts(t, url, counts{"1", "1", "0"})
		time.Sleep(6 * time.Second)
		e.wantCounts(t, url, counts{"2", "0", "0"})
		e.delete(t, url, m)
		e.wantCounts(t, url, counts{"1", "0", "0"})
	})
}
