package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func countsTests() []test {
	return []test{
		{"Partition", testCountsPartition},
		{"FollowEveryStep", testCountsFollow},
		{"WithoutASweep", testCountsUnswept},
		{"Oldest", testCountsOldest},
		{"SurviveAnUpdate", testCountsUpdate},
	}
}

func testCountsPartition(_ testing.TB, e *env) {
	q, empty := e.create("q"), e.create("empty")
	e.fill(q)
	e.wantSizes(q, 3, 3, 3)
	e.wantSizes(empty, 0, 0, 0)
	e.clock.Advance(30 * time.Second)
	e.wantSizes(q, 6, 0, 3)
	e.clock.Advance(30 * time.Second)
	e.wantSizes(q, 9, 0, 0)
}

func testCountsFollow(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c d")
	e.wantSizes(q, 4, 0, 0)
	got := e.receive(q, 3)
	e.wantSizes(q, 1, 3, 0)
	e.ack(q, engine.StaleFails, []engine.Ref{got[0].Ref, got[0].Ref}, ok, int(engine.MessageGone))
	e.wantSizes(q, 1, 2, 0)
	e.release(q, got[1].Ref)
	e.release(q, got[1].Ref)
	e.wantSizes(q, 2, 1, 0)
	e.change(q, engine.StaleFails, 0, []engine.Ref{got[2].Ref, got[2].Ref}, ok, ok)
	e.wantSizes(q, 3, 0, 0)
	e.change(q, engine.StaleFails, time.Minute, []engine.Ref{got[2].Ref, got[2].Ref}, ok, ok)
	e.wantSizes(q, 2, 1, 0)
	e.ack(q, engine.StaleFails, []engine.Ref{got[2].Ref}, ok)
	e.wantSizes(q, 2, 0, 0)
	got = e.expectFor(q, 0, "b d")
	e.wantSizes(q, 2, 0, 0)
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.wantSizes(q, 1, 0, 0)
	e.sendLater(q, time.Minute, "e")
	e.wantSizes(q, 1, 0, 1)
	e.purge(q)
	e.wantSizes(q, 0, 0, 0)
}

func testCountsUnswept(t testing.TB, e *env) {
	q := e.create("q")
	e.fill(q)
	e.clock.Advance(30 * time.Second)
	want := engine.Counts{Visible: 6, Delayed: 3, Oldest: Epoch}
	if got := e.countsNow(q); got != want {
		t.Errorf("counts right after a deadline: %+v, want %+v", got, want)
	}
	e.clock.Advance(30 * time.Second)
	want = engine.Counts{Visible: 9, Oldest: Epoch}
	if got := e.countsNow(q); got != want {
		t.Errorf("counts right after a delay: %+v, want %+v", got, want)
	}
}

func testCountsOldest(t testing.TB, e *env) {
	q := e.create("q", withRetention(time.Hour))
	start := e.clock.Now()
	at := func(want time.Duration) {
		t.Helper()
		if got := e.counts(q).Oldest; !got.Equal(start.Add(want)) {
			t.Fatalf("the oldest was sent at +%v, want +%v", got.Sub(start), want)
		}
	}
	e.send(q, "0")
	for _, body := range []string{"1", "2", "3", "4"} {
		e.clock.Advance(time.Minute)
		e.send(q, body)
	}
	e.sendLater(q, 30*time.Minute, "5")
	at(0)
	got := e.expect(q, "0 1 2 3 4")
	at(0)
	e.ack(q, engine.StaleFails, []engine.Ref{got[1].Ref}, ok)
	at(0)
	e.ack(q, engine.StaleFails, []engine.Ref{got[0].Ref}, ok)
	at(2 * time.Minute)
	e.release(q, got[2].Ref)
	at(2 * time.Minute)
	e.ack(q, engine.StaleFails, []engine.Ref{got[3].Ref, got[4].Ref}, ok, ok)
	at(2 * time.Minute)
	d := e.one(q, "2")
	e.ack(q, engine.StaleFails, []engine.Ref{d.Ref}, ok)
	at(4 * time.Minute)
	e.clock.Advance(time.Hour)
	if c := e.counts(q); c != (engine.Counts{}) {
		t.Errorf("counts of an empty queue: %+v", c)
	}
}

func testCountsUpdate(_ testing.TB, e *env) {
	q := e.create("q")
	e.fill(q)
	e.update(q, func(q *engine.Queue) { q.Delay, q.VisibilityTimeout = time.Hour, time.Hour })
	e.wantSizes(q, 3, 3, 3)
}
