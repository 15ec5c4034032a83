package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func receiveTests() []test {
	return []test{
		{"Empty", testReceiveEmpty},
		{"Fields", testReceiveFields},
		{"Refs", testReceiveRefs},
		{"TimeoutZero", testReceiveZero},
		{"MaxAndMore", testReceiveMore},
		{"MoreWithTimeoutZero", testReceiveMoreZero},
		{"NextDue", testNextDue},
		{"NextDueOfAQuietQueue", testNextDueQuiet},
		{"InFlightLimit", testLimit},
		{"InFlightLimitRoom", testLimitRoom},
		{"InFlightLimitTimeoutZero", testLimitZero},
		{"InFlightLimitCountsHiddenAgain", testLimitHiddenAgain},
	}
}

func testReceiveEmpty(t testing.TB, e *env) {
	q := e.create("q")
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 10, InFlightLimit: 5, Wait: 20 * time.Second})
	if len(r.Messages) != 0 || r.More || r.Limited || !r.NextDue.IsZero() {
		t.Errorf("an empty queue gave %+v", r)
	}
	e.send(e.create("other"), "x")
	if got := e.receive(q, 10); len(got) != 0 {
		t.Errorf("received %q of another queue", bodiesOf(got))
	}
}

func testReceiveFields(t testing.TB, e *env) {
	q := e.create("q", withTimeout(10*time.Second))
	e.send(q, "a")
	sent := e.clock.Now()
	e.clock.Advance(5 * time.Second)
	first := e.clock.Now()
	for n, timeout := range []time.Duration{10 * time.Second, time.Second, 0, 12 * time.Hour, time.Millisecond} {
		var d engine.Delivery
		if timeout == 10*time.Second {
			d = e.one(q, "a")
		} else {
			d = e.expectFor(q, timeout, "a")[0]
		}
		if !d.Sent.Equal(sent) || !d.FirstReceived.Equal(first) || d.Receives != n+1 {
			t.Errorf("receive %d: sent %v, first received %v, %d receives; want %v, %v, %d",
				n+1, d.Sent, d.FirstReceived, d.Receives, sent, first, n+1)
		}
		if want := e.clock.Now().Add(timeout); !d.Deadline.Equal(want) {
			t.Errorf("receive %d: the deadline is %v, want %v", n+1, d.Deadline, want)
		}
		if d.Source != (engine.QueueName{}) || d.Handle != "" {
			t.Errorf("receive %d: source %v, handle %q; want neither", n+1, d.Source, d.Handle)
		}
		e.clock.Advance(timeout)
	}
}

func testReceiveRefs(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c")
	seen := make(map[engine.Ref]bool)
	for range 5 {
		for _, d := range e.receiveFor(q, 10, 0) {
			if len(d.Ref) == 0 || len(d.Ref) > engine.MaxRefBytes {
				t.Errorf("a reference has %d bytes", len(d.Ref))
			}
			if seen[d.Ref] {
				t.Errorf("the reference %q was given twice", d.Ref)
			}
			seen[d.Ref] = true
		}
	}
	if len(seen) != 15 {
		t.Errorf("5 receives of 3 messages gave %d references", len(seen))
	}
}

func testReceiveZero(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	first := e.expectFor(q, 0, "a b")
	e.wantSizes(q, 2, 0, 0)
	second := e.expectFor(q, 0, "a b")
	if second[0].Receives != 2 || first[0].Ref == second[0].Ref {
		t.Errorf("the second receive: %d receives, reference equal: %v", second[0].Receives, first[0].Ref == second[0].Ref)
	}
	stale := int(engine.StaleReceipt)
	e.ack(q, engine.StaleFails, refsOf(first), stale, stale)
	e.ack(q, engine.StaleFails, refsOf(second), ok, ok)
	e.wantSizes(q, 0, 0, 0)
}

func testReceiveMore(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c d e")
	e.sendLater(q, time.Minute, "later")
	for _, tc := range []struct {
		max  int
		want string
		more bool
	}{{1, "a", true}, {2, "b c", true}, {2, "d e", false}, {1, "", false}} {
		r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: tc.max})
		if got := bodiesOf(r.Messages); got != tc.want || r.More != tc.more || r.Limited {
			t.Fatalf("max %d gave %q, more %v, limited %v; want %q, more %v", tc.max, got, r.More, r.Limited, tc.want, tc.more)
		}
	}
	e.clock.Advance(30 * time.Second)
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 4})
	if bodiesOf(r.Messages) != "a b c d" || !r.More {
		t.Fatalf("after the timeout: %q, more %v", bodiesOf(r.Messages), r.More)
	}
	e.expect(q, "e")
}

func testReceiveMoreZero(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c")
	zero := time.Duration(0)
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 2, Visibility: &zero})
	if bodiesOf(r.Messages) != "a b" || !r.More {
		t.Fatalf("received %q, more %v", bodiesOf(r.Messages), r.More)
	}
}

// wantNextDue receives and wants nothing, and a next due time that a waiting
// receiver can rely on: not behind the true one, and not so early that it would
// try again at once.
func (e *env) wantNextDue(q *engine.Queue, in time.Duration) {
	e.t.Helper()
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 10})
	if len(r.Messages) != 0 {
		e.t.Fatalf("received %q, want nothing", bodiesOf(r.Messages))
	}
	now := e.clock.Now()
	if want := now.Add(in); r.NextDue.IsZero() || r.NextDue.After(want) || !r.NextDue.After(now) {
		e.t.Fatalf("it is %v and the next message falls due at %v, NextDue is %v", now, want, r.NextDue)
	}
}

func testNextDue(t testing.TB, e *env) {
	q := e.create("q")
	e.sendLater(q, 50*time.Second, "later")
	e.wantNextDue(q, 50*time.Second)
	e.send(q, "a b")
	if r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 10}); r.NextDue.IsZero() || r.NextDue.After(e.clock.Now().Add(30*time.Second)) {
		t.Errorf("a receive of fewer than asked gave NextDue %v", r.NextDue)
	}
	e.wantNextDue(q, 30*time.Second)
	e.clock.Advance(29 * time.Second)
	e.wantNextDue(q, time.Second)
	e.clock.Advance(time.Second)
	got := e.expect(q, "a b")
	e.wantNextDue(q, 20*time.Second)
	e.change(q, engine.StaleFails, 5*time.Second, refsOf(got[1:]), ok)
	e.wantNextDue(q, 5*time.Second)
	e.change(q, engine.StaleFails, time.Hour, refsOf(got), ok, ok)
	e.wantNextDue(q, 20*time.Second)
	e.clock.Advance(20 * time.Second)
	later := e.expect(q, "later")
	e.wantNextDue(q, 30*time.Second)
	e.ack(q, engine.StaleFails, refsOf(later), ok)
	e.wantNextDue(q, time.Hour-20*time.Second)
}

func testNextDueQuiet(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	e.sendLater(q, time.Second, "b")
	refs := refsOf(e.expect(q, "a"))
	e.clock.Advance(time.Second)
	refs = append(refs, refsOf(e.expect(q, "b"))...)
	e.ack(q, engine.StaleFails, refs, ok, ok)
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 1})
	if !r.NextDue.IsZero() {
		t.Errorf("nothing is hidden, NextDue is %v", r.NextDue)
	}
}
