package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

func expiryTests() []test {
	return []test{
		{"WithoutASweep", testExpiry},
		{"CountsWithoutASweep", testExpiryCounts},
		{"EveryState", testExpiryStates},
		{"InFlight", testExpiryInFlight},
		{"BeforeItsDelayIsOver", testExpiryDelayed},
		{"FromTheSendNotTheReceive", testExpiryFromSend},
		{"ShorterIsRetroactive", testExpiryShorter},
		{"LongerIsRetroactive", testExpiryLonger},
		{"OnlyTheOld", testExpiryOnlyOld},
		{"Large", testExpiryLarge},
		{"ReturnedBehindFresh", testExpiryReturned},
		{"UntrustedClock", testExpiryUntrusted},
		{"UntrustedClockReceives", testExpiryUntrustedReceives},
		{"UntrustedClockOfGroups", testExpiryUntrustedGroups},
	}
}

func testExpiry(t testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute))
	e.send(q, "a b")
	e.clock.Advance(time.Minute - time.Millisecond)
	e.expectFor(q, 0, "a b")
	e.clock.Advance(time.Millisecond)
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 1})
	if len(r.Messages) != 0 || r.More || r.Limited || !r.NextDue.IsZero() {
		t.Errorf("a receive when the retention is over gave %+v", r)
	}
	if c := e.countsNow(q); c != (engine.Counts{}) {
		t.Errorf("counts when the retention is over: %+v", c)
	}
	e.drain()
	e.expect(q, "")
}

func testExpiryCounts(t testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute))
	e.send(q, "a b c")
	e.receiveFor(q, 1, time.Hour)
	e.sendLater(q, time.Hour, "d")
	e.clock.Advance(30 * time.Second)
	e.send(q, "e")
	e.clock.Advance(30 * time.Second)
	want := engine.Counts{Visible: 1, Oldest: e.clock.Now().Add(-30 * time.Second)}
	if c := e.countsNow(q); c != want {
		t.Errorf("counts when the retention of some is over: %+v, want %+v", c, want)
	}
}

func testExpiryStates(t testing.TB, e *env) {
	q := e.create("q", withRetention(2*time.Minute))
	held := e.fill(q)
	e.change(q, engine.StaleFails, time.Hour, refsOf(held), ok, ok, ok)
	e.sendLater(q, time.Hour, "z")
	e.wantSizes(q, 3, 3, 4)
	e.clock.Advance(2*time.Minute - time.Second)
	e.wantSizes(q, 0, 0, 1)
	e.clock.Advance(time.Second)
	if c := e.counts(q); c != (engine.Counts{}) {
		t.Errorf("counts when everything is over: %+v", c)
	}
	e.clock.Advance(time.Hour)
	e.expect(q, "")
}

func testExpiryInFlight(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute))
	e.send(q, "a b c")
	got := e.receiveFor(q, 3, time.Hour)
	e.clock.Advance(time.Minute - time.Millisecond)
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.clock.Advance(time.Millisecond)
	gone := int(engine.MessageGone)
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), gone)
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(got[1:2]), RefuseExpired: true}, gone)
	e.change(q, engine.StaleFails, 0, refsOf(got), gone, gone, gone)
	e.release(q, refsOf(got)...)
	e.expect(q, "")
	e.drain()
	e.ack(q, engine.StaleIgnored, refsOf(got), gone, gone, gone)
	e.clock.Advance(time.Hour)
	e.expect(q, "")
}

func testExpiryDelayed(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute))
	e.sendLater(q, 10*time.Minute, "a")
	e.wantSizes(q, 0, 0, 1)
	e.clock.Advance(time.Minute)
	e.send(q, "b")
	e.wantSizes(q, 1, 0, 0)
	e.clock.Advance(10 * time.Minute)
	e.expect(q, "")
}

func testExpiryFromSend(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute))
	e.sendLater(q, 30*time.Second, "a")
	e.clock.Advance(30 * time.Second)
	d := e.expectFor(q, 20*time.Second, "a")
	e.clock.Advance(20 * time.Second)
	e.change(q, engine.StaleFails, 5*time.Second, refsOf(d), ok)
	e.clock.Advance(5 * time.Second)
	e.expectFor(q, 0, "a")
	e.clock.Advance(5 * time.Second)
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 0)
}

func testExpiryShorter(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Hour))
	e.send(q, "a")
	e.clock.Advance(10 * time.Minute)
	e.send(q, "b")
	e.clock.Advance(time.Minute)
	e.update(q, func(q *engine.Queue) { q.Retention = 5 * time.Minute })
	e.wantSizes(q, 1, 0, 0)
	e.expectFor(q, 0, "b")
	e.clock.Advance(4 * time.Minute)
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 0)
}

func testExpiryLonger(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute))
	e.send(q, "a")
	e.sendLater(q, 30*time.Minute, "b")
	e.clock.Advance(30 * time.Second)
	e.drain()
	e.update(q, func(q *engine.Queue) { q.Retention = time.Hour })
	e.clock.Advance(29*time.Minute + 30*time.Second)
	e.wantSizes(q, 2, 0, 0)
	e.expectFor(q, 0, "a b")
	e.clock.Advance(30 * time.Minute)
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 0)
}

func testExpiryOnlyOld(t testing.TB, e *env) {
	q, other := e.create("q", withRetention(time.Minute)), e.create("other")
	e.send(other, "x")
	for i := range 10 {
		e.send(q, fmt.Sprint(i))
		e.clock.Advance(10 * time.Second)
	}
	want := e.clock.Now().Add(-50 * time.Second)
	if c := e.counts(q); c.Visible != 5 || !c.Oldest.Equal(want) {
		t.Errorf("%d visible, the oldest of %v; want 5, %v", c.Visible, c.Oldest, want)
	}
	e.expect(q, "5 6 7 8 9")
	e.expect(other, "x")
}

func testExpiryLarge(_ testing.TB, e *env) {
	const n = 2500
	q := e.create("q", withRetention(time.Minute))
	e.sendMany(q, n, func(i int) time.Duration { return time.Duration(i%3/2) * time.Hour })
	e.receiveFor(q, 600, time.Hour)
	e.clock.Advance(30 * time.Second)
	e.send(q, "x y z")
	e.clock.Advance(30 * time.Second)
	e.expectFor(q, 0, "x y z")
	e.wantSizes(q, 3, 0, 0)
	e.clock.Advance(2 * time.Hour)
	e.wantSizes(q, 0, 0, 0)
	e.expect(q, "")
}

func testExpiryReturned(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute), withTimeout(0))
	e.send(q, "a")
	for range 3 {
		e.one(q, "a")
	}
	e.clock.Advance(30 * time.Second)
	e.send(q, "b")
	e.clock.Advance(30 * time.Second)
	e.expect(q, "b")
	e.clock.Advance(29 * time.Second)
	e.one(q, "b")
	e.wantSizes(q, 1, 0, 0)
}

func testExpiryUntrusted(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Hour))
	e.send(q, "a b c d")
	held := e.receiveFor(q, 1, time.Minute)
	e.sendLater(q, time.Minute, "e")
	e.clock.SetTrusted(false)
	e.clock.Advance(1000 * time.Hour)
	e.countsNow(q)
	e.drain()
	e.update(q, func(q *engine.Queue) { q.Retention = 2000 * time.Hour })
	e.wantSizes(q, 5, 0, 0)
	e.ack(q, engine.StaleFails, refsOf(held), ok)
	e.expectFor(q, 0, "b c d e")
	e.clock.SetTrusted(true)
	e.expectFor(q, 0, "b c d e")
	e.update(q, func(q *engine.Queue) { q.Retention = time.Hour })
	e.wantSizes(q, 0, 0, 0)
}

// testExpiryUntrustedReceives receives, moves and acknowledges what would be
// over if the clock could be trusted.
func testExpiryUntrustedReceives(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", withRetention(time.Hour))
	e.send(q, "a b")
	e.expectFor(q, time.Minute, "a b")
	e.send(q, "c")
	e.clock.SetTrusted(false)
	e.clock.Advance(1000 * time.Hour)
	e.drain()
	held := e.look(q, 10, time.Minute)
	if bodiesOf(held) != "c" {
		e.t.Fatalf("received %q under a clock that is not to be trusted, want %q", bodiesOf(held), "c")
	}
	e.wantSizes(dead, 2, 0, 0)
	e.expectFor(dead, 0, "a b")
	e.ack(q, engine.StaleFails, refsOf(held), ok)
	e.clock.SetTrusted(true)
	e.expectFor(dead, 0, "")
	e.wantSizes(dead, 0, 0, 0)
}

// testExpiryUntrustedGroups has heads that would be over: they are received, and
// hold back their group while they are in flight.
func testExpiryUntrustedGroups(_ testing.TB, e *env) {
	q := e.fifo("q", withRetention(time.Hour))
	e.push(q, "a1 b1")
	e.expectOf(q, 1, 2000*time.Hour, "a1")
	e.clock.Advance(30 * time.Minute)
	e.push(q, "a2 b2")
	e.clock.SetTrusted(false)
	e.clock.Advance(1000 * time.Hour)
	e.drain()
	e.expectOf(q, 10, time.Minute, "b1 b2")
	e.push(q, "a3")
	e.expectOf(q, 10, time.Minute, "")
	e.wantSizes(q, 2, 3, 0)
	e.clock.SetTrusted(true)
	e.expectOf(q, 10, time.Minute, "a3")
	e.wantSizes(q, 0, 1, 0)
}
