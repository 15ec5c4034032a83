package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

// receiveLimited receives up to max messages under an in-flight limit.
func (e *env) receiveLimited(q *engine.Queue, limit int64, most int, want string, limited bool) []engine.Delivery {
	e.t.Helper()
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: most, InFlightLimit: limit})
	if got := bodiesOf(r.Messages); got != want || r.Limited != limited {
		e.t.Fatalf("limit %d, max %d: received %q, limited %v; want %q, limited %v",
			limit, most, got, r.Limited, want, limited)
	}
	return r.Messages
}

func testLimit(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c d e f")
	e.receiveLimited(q, 3, 2, "a b", false)
	got := e.receiveLimited(q, 3, 10, "c", false)
	e.receiveLimited(q, 3, 10, "", true)
	e.receiveLimited(q, 2, 10, "", true)
	e.receiveLimited(q, 4, 10, "d", false)
	e.ack(q, engine.StaleFails, refsOf(got), ok)
	e.receiveLimited(q, 3, 10, "", true)
	e.receiveLimited(q, 0, 10, "e f", false)
	e.receiveLimited(q, 3, 10, "", false)
	e.clock.Advance(30 * time.Second)
	e.receiveLimited(q, 3, 10, "a b d", false)
	e.receiveLimited(q, 3, 10, "", true)
}

func testLimitRoom(t testing.TB, e *env) {
	full := func(name string) (*engine.Queue, []engine.Ref) {
		q := e.create(name, withRetention(time.Hour))
		e.send(q, "a b c")
		refs := refsOf(e.receiveLimited(q, 2, 2, "a b", false))
		e.receiveLimited(q, 2, 2, "", true)
		return q, refs
	}
	q, refs := full("Acknowledge")
	e.ack(q, engine.StaleFails, refs[:1], ok)
	e.receiveLimited(q, 2, 10, "c", false)

	q, refs = full("ChangeVisibility")
	e.change(q, engine.StaleFails, 0, refs[1:], ok)
	e.receiveLimited(q, 2, 10, "b", false)

	q, refs = full("Release")
	e.release(q, refs[0])
	e.receiveLimited(q, 2, 10, "a", false)

	q, _ = full("Purge")
	e.purge(q)
	e.send(q, "x y z")
	e.receiveLimited(q, 2, 10, "x y", false)

	q, _ = full("Deadline")
	e.clock.Advance(30 * time.Second)
	e.receiveLimited(q, 2, 10, "a b", false)

	q, refs = full("Expiry")
	e.change(q, engine.StaleFails, 10*time.Hour, refs, ok, ok)
	e.clock.Advance(59 * time.Minute)
	e.send(q, "x y z")
	e.clock.Advance(time.Minute)
	e.receiveLimited(q, 2, 10, "x y", false)
	if t.Failed() {
		return
	}
	e.receiveLimited(q, 2, 10, "", true)
}

func testLimitZero(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(0))
	e.send(q, "a b c")
	e.receiveLimited(q, 2, 10, "a b", false)
	e.receiveLimited(q, 2, 10, "a b", false)
	e.wantSizes(q, 3, 0, 0)
}

func testLimitHiddenAgain(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c")
	refs := refsOf(e.receiveFor(q, 2, time.Second))
	e.clock.Advance(time.Second)
	e.change(q, engine.StaleFails, time.Hour, refs, ok, ok)
	e.receiveLimited(q, 2, 10, "", true)
	e.receiveLimited(q, 3, 10, "c", false)
}
