package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func sweepTests() []test {
	return []test{
		{"NothingToDo", testSweepNothing},
		{"Next", testSweepNext},
		{"FollowingNext", testSweepFollow},
		{"GarbageOfDeletedQueues", testSweepGarbage},
		{"ChangesNothingToSee", testSweepInvisible},
	}
}

func testSweepNothing(t testing.TB, e *env) {
	if r := e.drain(); !r.Next.IsZero() {
		t.Errorf("an empty store wants to sweep at %v", r.Next)
	}
	e.create("q")
	if r := e.drain(); !r.Next.IsZero() {
		t.Errorf("an empty queue wants to be swept at %v", r.Next)
	}
}

// wantNext wants the next sweep no later than in from now, and not at once.
func (e *env) wantNext(in time.Duration) {
	e.t.Helper()
	r := e.drain()
	now := e.clock.Now()
	if want := now.Add(in); r.Next.IsZero() || r.Next.After(want) || !r.Next.After(now) {
		e.t.Fatalf("it is %v and something falls due at %v, the next sweep is at %v", now, want, r.Next)
	}
}

func testSweepNext(_ testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.sendLater(q, time.Hour, "a")
	e.wantNext(time.Hour)
	e.sendLater(other, time.Minute, "b")
	e.wantNext(time.Minute)
	e.send(q, "c")
	d := e.one(q, "c")
	e.wantNext(30 * time.Second)
	e.change(q, engine.StaleFails, time.Second, []engine.Ref{d.Ref}, ok)
	e.wantNext(time.Second)
	e.clock.Advance(time.Second)
	e.wantNext(59 * time.Second)
	e.delete(other)
	e.wantNext(time.Hour - time.Second)
}

// testSweepFollow goes from one announced time to the next: everything must
// happen on time without any other call.
func testSweepFollow(t testing.TB, e *env) {
	q := e.create("q", withRetention(time.Hour))
	start := e.clock.Now()
	e.send(q, "a b")
	for i := range 20 {
		e.sendLater(q, time.Duration(i)*time.Minute, "x")
	}
	e.receiveFor(q, 1, 30*time.Minute)
	e.log.take()
	ready := 0
	for range maxSweeps {
		r, err := e.store.Sweep(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ready += e.log.take()[q.ID].Ready
		if r.More {
			continue
		}
		if r.Next.IsZero() {
			break
		}
		if !r.Next.After(e.clock.Now()) {
			t.Fatalf("it is %v, nothing is left to do, and the next sweep is at %v", e.clock.Now(), r.Next)
		}
		e.clock.Set(r.Next)
	}
	if ready < 20 {
		t.Errorf("the sweeps reported %d messages, want 20", ready)
	}
	if now := e.clock.Now(); now.Before(start.Add(time.Hour)) {
		t.Errorf("the sweeps ended %v after the start with messages left to expire", now.Sub(start))
	}
	if c := e.countsNow(q); c != (engine.Counts{}) {
		t.Errorf("the sweeps left %+v", c)
	}
}

func testSweepGarbage(t testing.TB, e *env) {
	for range 5 {
		q := e.create("q")
		e.sendMany(q, 700, func(i int) time.Duration { return time.Duration(i%2) * time.Hour })
		e.receiveFor(q, 200, time.Hour)
		e.purge(q)
		e.sendMany(q, 700, func(int) time.Duration { return 0 })
		e.delete(q)
		if _, err := e.store.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	q := e.create("q")
	e.send(q, "a")
	e.drain()
	e.one(q, "a")
	e.delete(q)
	if r := e.drain(); !r.Next.IsZero() {
		t.Errorf("nothing is left and the next sweep is at %v", r.Next)
	}
}

func testSweepInvisible(_ testing.TB, e *env) {
	q := e.create("q")
	held := e.fill(q)
	for range 3 {
		e.drain()
	}
	e.wantSizes(q, 3, 3, 3)
	e.ack(q, engine.StaleFails, refsOf(held), ok, ok, ok)
	e.clock.Advance(time.Hour)
	e.drain()
	e.wantSizes(q, 6, 0, 0)
	e.expect(q, "d e f g h i")
}
