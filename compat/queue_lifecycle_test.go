package compat_test

import (
	"testing"
	"time"

	"queues/compat"
	"queues/protocol"
)

func TestDeleteQueue(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	e.send(url, "b")
	held := e.one(url)
	if out := e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: url}).Output; out != nil {
		t.Errorf("the output is %v, want none", out)
	}
	for op, in := range queueInputs(url) {
		e.refused(op, in, noQueue, noQueueText)
	}
	e.refused(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: held.ReceiptHandle}, noQueue, noQueueText)
}

// A purge takes what is visible, in flight and delayed, for good, and nothing
// that is sent after it.
func TestPurgeQueue(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	e.send(url, "held")
	held := e.one(url)
	e.send(url, "visible")
	e.run(protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("delayed"), DelaySeconds: new(int32(5))})
	if out := e.run(protocol.PurgeQueue, &protocol.PurgeQueueInput{QueueURL: url}).Output; out != nil {
		t.Errorf("the output is %v, want none", out)
	}
	e.wantCounts(url, "0 0 0")
	e.send(url, "after")
	e.clock.Advance(time.Hour)
	if got := bodies(e.receive(url)); got != "after" {
		t.Errorf("received %q, want only what was sent after the purge", got)
	}
	e.run(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: held.ReceiptHandle})
	in := &protocol.ChangeMessageVisibilityInput{QueueURL: url, ReceiptHandle: held.ReceiptHandle, VisibilityTimeout: new(int32(5))}
	e.refused(protocol.ChangeMessageVisibility, in, badValue, gone(*held.ReceiptHandle))
	e.wantCounts(url, "0 1 0")
}

func TestPurgeQueueCooldown(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{PurgeCooldown: time.Minute})
	url, other := e.create("q"), e.create("other")
	in := &protocol.PurgeQueueInput{QueueURL: url}
	e.run(protocol.PurgeQueue, in)
	e.send(url, "kept")
	e.clock.Advance(time.Minute - time.Millisecond)
	e.refused(protocol.PurgeQueue, in, "AWS.SimpleQueueService.PurgeQueueInProgress", "Only one PurgeQueue operation on q is allowed every 60 seconds.")
	e.wantCounts(url, "1 0 0")
	e.run(protocol.PurgeQueue, &protocol.PurgeQueueInput{QueueURL: other})
	e.clock.Advance(time.Millisecond)
	e.run(protocol.PurgeQueue, in)
	e.wantCounts(url, "0 0 0")

	free := newEnv(t, compat.Options{})
	in.QueueURL = free.create("q")
	free.run(protocol.PurgeQueue, in)
	free.run(protocol.PurgeQueue, in)
}
