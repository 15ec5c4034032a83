package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"queues/engine"
)

// benchBody is a message body of 1 KB.
var benchBody = strings.Repeat("x", 1024)

// Benchmark measures what the calls of a store cost, one caller at a time. Each
// result has a metric per message, since most calls carry several.
func Benchmark(b *testing.B, h Harness) {
	b.Run("Send", func(b *testing.B) { benchSend(b, h, 1) })
	b.Run("SendBatch10", func(b *testing.B) { benchSend(b, h, 10) })
	b.Run("Receive1", func(b *testing.B) { benchReceive(b, h, 1) })
	b.Run("Receive10", func(b *testing.B) { benchReceive(b, h, 10) })
	b.Run("ReceiveEmpty", func(b *testing.B) { benchEmpty(b, h) })
	b.Run("Acknowledge1", func(b *testing.B) { benchAcknowledge(b, h, 1) })
	b.Run("Acknowledge10", func(b *testing.B) { benchAcknowledge(b, h, 10) })
	b.Run("ChangeVisibility1", func(b *testing.B) { benchVisibility(b, h, 1) })
	b.Run("ChangeVisibility10", func(b *testing.B) { benchVisibility(b, h, 10) })
	b.Run("Counts", func(b *testing.B) { benchCounts(b, h) })
	b.Run("FindQueue", func(b *testing.B) { benchFind(b, h) })
	for _, queues := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("Cycle/Queues%d", queues), func(b *testing.B) { benchCycle(b, h, queues) })
	}
	for _, kind := range kinds[1:] {
		for _, groups := range []int{1, 1000} {
			name := fmt.Sprintf("%s/Groups%d", map[string]string{"groups": "Fair", "fifo": "FIFO"}[kind], groups)
			b.Run("Send10/"+name, func(b *testing.B) { benchSendGrouped(b, h, kind, groups) })
			b.Run("Cycle10/"+name, func(b *testing.B) { benchCycleGrouped(b, h, kind, groups) })
		}
	}
	for _, kind := range kinds {
		name := map[string]string{"plain": "Plain", "groups": "Fair", "fifo": "FIFO"}[kind]
		b.Run("Redrive10/"+name, func(b *testing.B) { benchRedrive(b, h, kind) })
		b.Run("MoveStep/"+name, func(b *testing.B) { benchMove(b, h, kind) })
	}
}

// perMessage adds the metric per message, and the allocations.
func perMessage(b *testing.B, messages int) {
	b.ReportAllocs()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(messages, 1)), "ns/message")
}

// batch makes n messages of 1 KB.
func batch(n int) []engine.NewMessage {
	messages := make([]engine.NewMessage, n)
	for i := range messages {
		messages[i] = message(benchBody)
	}
	return messages
}

func benchSend(b *testing.B, h Harness, size int) {
	e := newEnv(b, h)
	defer e.finish()
	q := e.create("q")
	n := 0
	for b.Loop() {
		e.sendAll(q, batch(size)...)
		n += size
	}
	perMessage(b, n)
}

// stock sends until at least n messages are there, with the timer stopped.
func (e *env) stock(b *testing.B, q *engine.Queue, n int) {
	b.StopTimer()
	defer b.StartTimer()
	for ; n > 0; n -= 100 {
		e.sendAll(q, batch(100)...)
	}
}

func benchReceive(b *testing.B, h Harness, size int) {
	e := newEnv(b, h)
	defer e.finish()
	q := e.create("q")
	n, left := 0, 0
	for b.Loop() {
		if left < size {
			e.stock(b, q, 5000)
			left = 5000
		}
		got := len(e.receiveFor(q, size, 12*time.Hour))
		n += got
		left -= got
	}
	perMessage(b, n)
}

func benchEmpty(b *testing.B, h Harness) {
	b.ReportAllocs()
	e := newEnv(b, h)
	defer e.finish()
	q := e.create("q")
	for b.Loop() {
		e.receive(q, 10)
	}
}

func benchAcknowledge(b *testing.B, h Harness, size int) {
	e := newEnv(b, h)
	defer e.finish()
	q := e.create("q")
	var refs []engine.Ref
	n := 0
	for b.Loop() {
		if len(refs) < size {
			e.stock(b, q, 5000)
			b.StopTimer()
			for len(refs) < 5000 {
				refs = append(refs, refsOf(e.receiveFor(q, 100, 12*time.Hour))...)
			}
			b.StartTimer()
		}
		e.acknowledge(q, refs[:size])
		refs = refs[size:]
		n += size
	}
	perMessage(b, n)
}

// acknowledge removes deliveries that must be there.
func (e *env) acknowledge(q *engine.Queue, refs []engine.Ref) {
	e.t.Helper()
	results, err := e.store.Acknowledge(e.t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: refs})
	for i, code := range e.outcomes("Acknowledge", len(refs), results, err) {
		if code != ok {
			e.t.Fatalf("Acknowledge: %v", results[i])
		}
	}
}

// benchCycle sends one message, receives it and acknowledges it, in one queue
// after the other.
func benchCycle(b *testing.B, h Harness, queues int) {
	e := newEnv(b, h)
	defer e.finish()
	all := make([]*engine.Queue, queues)
	for i := range all {
		all[i] = e.create(fmt.Sprintf("q-%d", i))
	}
	n := 0
	for b.Loop() {
		q := all[n%queues]
		e.sendAll(q, batch(1)...)
		e.acknowledge(q, refsOf(e.receive(q, 1)))
		n++
	}
	perMessage(b, n)
}
