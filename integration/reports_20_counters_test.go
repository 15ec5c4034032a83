package integration

import (
	"testing"
	"time"
)

var reportsOfCounters = []report{
	{20, "B176", "ThreeCounters", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.send(t, u, "b", delayed(3))
		e.send(t, u, "b")
		e.receiveOne(t, u)
		e.wantCounts(t, u, counts{"0", "1", "1"})
		time.Sleep(4 * time.Second)
		e.wantCounts(t, u, counts{"1", "1", "0"})
		fifo := e.createFIFO(t, nil)
		e.put(t, fifo, "g-1", "g-2", "g-3")
		e.receiveOne(t, fifo, upTo(1))
		e.wantCounts(t, fifo, counts{"2", "1", "0"})
	}, nil},
	{20, "B178", "PurgeTwice", func(t *testing.T, e *env) {
		u := e.createNamed(t, "q", nil)
		e.purge(t, u)
		e.send(t, u, "b")
		e.call(t, "PurgeQueue", args{"QueueUrl": u}).wantStatus(t, 403).wantCode(t, "AWS.SimpleQueueService.PurgeQueueInProgress").
			wantShape(t, sqsShape+"PurgeQueueInProgress").wantMessage(t, "Only one PurgeQueue operation on q is allowed every 60 seconds.")
		e.wantCounts(t, u, counts{"1", "0", "0"})
		time.Sleep(61 * time.Second)
		e.purge(t, u)
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, func(t *testing.T, w wire) { // the server of development has the rule off
		e := newEnv(t, shared.get(t), w)
		u := e.create(t, nil)
		e.purge(t, u)
		e.purge(t, u)
	}},
	{20, "B179", "Retention", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"MessageRetentionPeriod": "60"})
		e.send(t, u, "b")
		m := e.receiveOne(t, u, hideFor(120))
		e.send(t, u, "b")
		e.send(t, u, "b", delayed(50))
		e.wantCounts(t, u, counts{"1", "1", "1"})
		time.Sleep(61 * time.Second)
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.wantNothing(t, u)
		time.Sleep(69 * time.Second)
		e.wantNothing(t, u)
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle}).wantOK(t)

		old := e.create(t, nil)
		e.send(t, old, "b")
		time.Sleep(100 * time.Second)
		e.send(t, old, "young")
		e.setAttributes(t, old, attrs{"MessageRetentionPeriod": "60"})
		wantBodies(t, e.receive(t, old), "young")

		dlq := e.create(t, attrs{"MessageRetentionPeriod": "100"})
		source := e.withDeadLetters(t, dlq, 1)
		e.send(t, source, "b")
		e.receiveOne(t, source)
		time.Sleep(80 * time.Second)
		e.wantNothing(t, source)
		e.wantCounts(t, dlq, counts{"1", "0", "0"})
		time.Sleep(21 * time.Second)
		e.wantCounts(t, dlq, counts{"0", "0", "0"})
		e.wantNothing(t, dlq)
	}, nil},
}
