package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

// benchVisibility sets new deadlines for the same deliveries again and again.
func benchVisibility(b *testing.B, h Harness, size int) {
	e := newEnv(b, h)
	defer e.finish()
	q := e.create("q")
	e.sendAll(q, batch(1000)...)
	var changes []engine.Change
	for len(changes) < 1000 {
		for _, ref := range refsOf(e.receiveFor(q, 100, 12*time.Hour)) {
			changes = append(changes, engine.Change{Ref: ref, Timeout: time.Hour})
		}
	}
	n := 0
	for b.Loop() {
		at := n % len(changes)
		results, err := e.store.ChangeVisibility(b.Context(), engine.ChangeVisibilityParams{Queue: q.ID, Changes: changes[at : at+size]})
		for _, code := range e.outcomes("ChangeVisibility", size, results, err) {
			if code != ok {
				b.Fatalf("ChangeVisibility: %v", results)
			}
		}
		n += size
	}
	perMessage(b, n)
}

// benchCounts counts a queue's messages.
func benchCounts(b *testing.B, h Harness) {
	e := newEnv(b, h)
	defer e.finish()
	q := e.create("q")
	e.sendAll(q, batch(1000)...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.store.Counts(b.Context(), q.ID); err != nil {
			b.Fatal(err)
		}
	}
}

// benchFind finds one of a thousand queues.
func benchFind(b *testing.B, h Harness) {
	e := newEnv(b, h)
	defer e.finish()
	names := make([]engine.QueueName, 1000)
	for i := range names {
		q := e.create(fmt.Sprintf("q-%d", i))
		names[i] = q.Name
	}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.store.FindQueue(b.Context(), names[n%len(names)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
}
