package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

// groupedBatch makes n messages of 1 KB for a queue of one of the kinds, over so
// many groups. Number tells how many messages were made before.
func groupedBatch(kind string, n, number, groups int) []engine.NewMessage {
	messages := batch(n)
	for i := range messages {
		if kind != "plain" {
			messages[i].Group = fmt.Sprint((number + i) % groups)
			messages[i].Dedup = fmt.Sprint(number + i)
		}
	}
	return messages
}

// kind makes a queue of one of the kinds.
func (e *env) kind(kind, name string, options ...func(*engine.CreateQueueParams)) *engine.Queue {
	if kind == "fifo" {
		options = append(options, asFIFO)
	}
	return e.create(name, options...)
}

func benchSendGrouped(b *testing.B, h Harness, kind string, groups int) {
	e := newEnv(b, h)
	defer e.finish()
	q := e.kind(kind, "q")
	n := 0
	for b.Loop() {
		e.sendAll(q, groupedBatch(kind, 10, n, groups)...)
		n += 10
	}
	perMessage(b, n)
}

// benchCycleGrouped sends ten messages, receives ten and acknowledges them,
// beside a backlog in all groups.
func benchCycleGrouped(b *testing.B, h Harness, kind string, groups int) {
	e := newEnv(b, h)
	defer e.finish()
	q := e.kind(kind, "q")
	e.sendAll(q, groupedBatch(kind, 2000, 0, groups)...)
	n := 0
	for b.Loop() {
		e.sendAll(q, groupedBatch(kind, 10, 2000+n, groups)...)
		e.acknowledge(q, refsOf(e.receive(q, 10)))
		n += 10
	}
	perMessage(b, n)
}

// benchRedrive meets ten messages in every receive that have to move to the
// dead-letter queue.
func benchRedrive(b *testing.B, h Harness, kind string) {
	e := newEnv(b, h)
	defer e.finish()
	e.kind(kind, "dead")
	q := e.kind(kind, "q", withRedrive("dead", 1))
	n := 0
	for b.Loop() {
		b.StopTimer()
		e.sendAll(q, groupedBatch(kind, 10, n, 5)...)
		e.holdAll(q, 10, 0)
		b.StartTimer()
		if got := e.look(q, 10, time.Minute); len(got) > 0 {
			b.Fatalf("received %d messages that are to move", len(got))
		}
		n += 10
	}
	perMessage(b, n)
}

// benchMove lets a task move messages, step by step.
func benchMove(b *testing.B, h Harness, kind string) {
	const stock = 2000
	e := newEnv(b, h)
	defer e.finish()
	q, target := e.kind(kind, "q"), e.kind(kind, "target")
	n := 0
	more := false
	for b.Loop() {
		if !more {
			b.StopTimer()
			e.sendAll(q, groupedBatch(kind, stock, n, 100)...)
			e.startMove(q, target, 0)
			n += stock
			b.StartTimer()
		}
		more = e.moveOn().More
	}
	perMessage(b, n-int(e.counts(q).Visible))
}
