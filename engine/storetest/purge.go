package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

func purgeTests() []test {
	return []test{
		{"RemovesEveryState", testPurge},
		{"KeepsWhatIsSentAfterIt", testPurgeKeeps},
		{"OldRefs", testPurgeRefs},
		{"Cooldown", testPurgeCooldown},
		{"CooldownIsOfTheQueue", testPurgeCooldownQueue},
		{"AgainAndAgain", testPurgeRepeated},
		{"LargeQueue", testPurgeLarge},
		{"OtherQueuesStay", testPurgeOthers},
	}
}

// fill gives a queue three messages in each state: a, b and c in flight, d, e
// and f visible, of which d came back, and g, h and i delayed.
func (e *env) fill(q *engine.Queue) []engine.Delivery {
	e.t.Helper()
	e.send(q, "a b c d e f")
	e.sendLater(q, time.Minute, "g h i")
	e.receiveFor(q, 4, time.Second)
	e.clock.Advance(time.Second)
	return e.receive(q, 3)
}

func testPurge(t testing.TB, e *env) {
	q := e.create("q")
	e.fill(q)
	e.wantSizes(q, 3, 3, 3)
	e.purge(q)
	if c := e.countsNow(q); c != (engine.Counts{}) {
		t.Errorf("counts right after the purge: %+v", c)
	}
	e.expect(q, "")
	r := e.drain()
	if !r.Next.IsZero() {
		t.Errorf("nothing is left and the next sweep is at %v", r.Next)
	}
	e.clock.Advance(time.Hour)
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 0)
}

func testPurgeKeeps(_ testing.TB, e *env) {
	q := e.create("q")
	e.fill(q)
	e.purge(q)
	e.send(q, "x y")
	e.sendLater(q, time.Minute, "z")
	e.expectOne(q, "x")
	e.drain()
	e.wantSizes(q, 1, 1, 1)
	e.clock.Advance(time.Minute)
	e.drain()
	e.expect(q, "x y z")
}

func testPurgeRefs(_ testing.TB, e *env) {
	q := e.create("q")
	old := e.fill(q)
	e.purge(q)
	e.send(q, "a b c d e f g h i")
	fresh := e.receive(q, 9)
	gone := int(engine.MessageGone)
	for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
		e.ack(q, rule, refsOf(old), gone, gone, gone)
		e.change(q, rule, 0, refsOf(old), gone, gone, gone)
		e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(old), Stale: rule, RefuseExpired: true}, gone, gone, gone)
	}
	e.release(q, refsOf(old)...)
	e.wantSizes(q, 0, 9, 0)
	e.drain()
	e.ack(q, engine.StaleFails, refsOf(old), gone, gone, gone)
	e.ack(q, engine.StaleFails, refsOf(fresh), ok, ok, ok, ok, ok, ok, ok, ok, ok)
	e.wantSizes(q, 0, 0, 0)
}

// purgeWith purges under a cooldown of a minute.
func (e *env) purgeWith(q *engine.Queue) error {
	return e.store.PurgeQueue(e.t.Context(), engine.PurgeQueueParams{Queue: q.ID, Cooldown: time.Minute})
}

func testPurgeCooldown(t testing.TB, e *env) {
	q := e.create("q")
	if err := e.purgeWith(q); err != nil {
		t.Fatalf("the first PurgeQueue: %v", err)
	}
	e.send(q, "a b")
	e.wantCode("PurgeQueue at once", e.purgeWith(q), engine.PurgeInProgress)
	e.clock.Advance(time.Minute - time.Millisecond)
	e.drain()
	e.wantCode("PurgeQueue just before the end", e.purgeWith(q), engine.PurgeInProgress)
	e.wantSizes(q, 2, 0, 0)
	e.clock.Advance(time.Millisecond)
	if err := e.purgeWith(q); err != nil {
		t.Fatalf("PurgeQueue when the cooldown is over: %v", err)
	}
	e.wantSizes(q, 0, 0, 0)
	e.send(q, "c")
	e.purge(q)
	e.wantSizes(q, 0, 0, 0)
	e.clock.Advance(30 * time.Second)
	e.wantCode("PurgeQueue after one without a rule", e.purgeWith(q), engine.PurgeInProgress)
}

func testPurgeCooldownQueue(t testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.purge(q)
	if err := e.purgeWith(other); err != nil {
		t.Errorf("PurgeQueue of another queue: %v", err)
	}
	e.delete(q)
	if err := e.purgeWith(e.create("q")); err != nil {
		t.Errorf("PurgeQueue of the queue's heir: %v", err)
	}
}

func testPurgeRepeated(_ testing.TB, e *env) {
	q := e.create("q")
	var old []engine.Ref
	for round := range 10 {
		e.send(q, fmt.Sprintf("%d.a %d.b %d.c", round, round, round))
		got := e.receive(q, 2)
		if want := fmt.Sprintf("%d.a %d.b", round, round); bodiesOf(got) != want {
			e.t.Fatalf("received %q, want %q", bodiesOf(got), want)
		}
		for _, ref := range old {
			e.ack(q, engine.StaleActs, []engine.Ref{ref}, int(engine.MessageGone))
		}
		old = append(old, refsOf(got)...)
		if round%3 == 1 {
			e.drain()
		}
		if round%4 == 2 {
			e.purge(q)
		}
		e.purge(q)
	}
	e.send(q, "z")
	e.wantSizes(q, 1, 0, 0)
	e.clock.Advance(time.Hour)
	e.expect(q, "z")
}

func testPurgeLarge(_ testing.TB, e *env) {
	const n = 2500
	q := e.create("q")
	later := func(i int) time.Duration { return time.Duration(i%2) * time.Minute }
	e.sendMany(q, n, later)
	e.receiveFor(q, 500, time.Minute)
	e.purge(q)
	e.sendMany(q, 100, later)
	if _, err := e.store.Sweep(e.t.Context()); err != nil {
		e.t.Fatalf("Sweep: %v", err)
	}
	e.purge(q)
	e.sendMany(q, n, later)
	e.clock.Advance(time.Minute)
	e.collect(q, n)
	e.wantSizes(q, 0, n, 0)
}

func testPurgeOthers(_ testing.TB, e *env) {
	queues := []*engine.Queue{e.create("a"), e.create("b"), e.create("c")}
	for _, q := range queues {
		e.fill(q)
	}
	e.purge(queues[1])
	e.drain()
	e.wantSizes(queues[0], 3, 3, 3)
	e.wantSizes(queues[1], 0, 0, 0)
	e.wantSizes(queues[2], 3, 3, 3)
}
