package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

func attemptTests() []test {
	return []test{
		{"SameAgain", testAttempt},
		{"DeadlinesAnew", testAttemptDeadlines},
		{"RefsWork", testAttemptRefs},
		{"OtherIds", testAttemptOthers},
		{"SeveralGroups", testAttemptGroups},
		{"EndedByAcknowledge", testAttemptAck},
		{"EndedByChange", testAttemptChange},
		{"NotEndedByWhatFailed", testAttemptFailed},
		{"EndedByDeadline", testAttemptDeadline},
		{"EndedByAnotherReceive", testAttemptTaken},
		{"EndedByRelease", testAttemptRelease},
		{"EndedByPurge", testAttemptPurge},
		{"EndedByExpiry", testAttemptExpiry},
		{"Window", testAttemptWindow},
		{"WindowOver", testAttemptOver},
		{"EmptyStoresNothing", testAttemptEmpty},
		{"NewReceiveUnderTheId", testAttemptRenewed},
		{"QueuesApart", testAttemptApart},
		{"IdsAreExact", testAttemptExact},
		{"StandardIgnoresIt", testAttemptStandard},
		{"Reports", testAttemptReports},
	}
}

// attempt receives up to 10 messages for a minute under an attempt id, whose
// bodies must be these.
func (e *env) attempt(q *engine.Queue, id, bodies string) []engine.Delivery {
	e.t.Helper()
	timeout := time.Minute
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 10, Visibility: &timeout, AttemptID: id})
	if got := bodiesOf(r.Messages); got != bodies {
		e.t.Fatalf("received %q under the attempt id %q, want %q", got, id, bodies)
	}
	return r.Messages
}

// again repeats a receive and wants the same messages under the same
// references, with deadlines counted from now.
func (e *env) again(q *engine.Queue, id string, want []engine.Delivery) {
	e.t.Helper()
	got := e.attempt(q, id, bodiesOf(want))
	for i, d := range want {
		d.Deadline = e.clock.Now().Add(time.Minute)
		if diff := cmp.Diff(d, got[i]); diff != "" {
			e.t.Fatalf("the repeated receive differs (-first +again):\n%s", diff)
		}
	}
}

func testAttempt(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	first := e.attempt(q, "x", "a1 a2")
	e.again(q, "x", first)
	e.push(q, "a3 b1")
	e.clock.Advance(10 * time.Second)
	e.again(q, "x", first)
	e.drain()
	e.again(q, "x", first)
	e.wantSizes(q, 2, 2, 0)
	e.expect(q, "b1")
	e.clock.Advance(time.Minute)
	for _, d := range e.expect(q, "b1 a1 a2 a3")[1:3] {
		if d.Receives != 2 || !d.FirstReceived.Equal(first[0].FirstReceived) {
			e.t.Errorf("%s: %d receives, first at %v; want 2, %v", d.Body, d.Receives, d.FirstReceived, first[0].FirstReceived)
		}
	}
}

func testAttemptDeadlines(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	first := e.attempt(q, "x", "a1 a2")
	for range 4 {
		e.clock.Advance(59 * time.Second)
		e.again(q, "x", first)
	}
	e.clock.Advance(time.Minute - time.Millisecond)
	e.expect(q, "")
	e.wantSizes(q, 0, 2, 0)
	e.clock.Advance(time.Millisecond)
	e.wantSizes(q, 2, 0, 0)
	e.expect(q, "a1 a2")
}

func testAttemptRefs(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	first := e.attempt(q, "x", "a1 a2 a3")
	e.clock.Advance(59 * time.Second)
	e.again(q, "x", first)
	e.clock.Advance(59 * time.Second)
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(first[:1]), RefuseExpired: true}, ok)
	e.change(q, engine.StaleFails, 0, refsOf(first[1:2]), ok)
	e.expectOf(q, 10, time.Minute, "a2")
	e.change(q, engine.StaleFails, 0, refsOf(first[1:2]), int(engine.StaleReceipt))
	e.ack(q, engine.StaleFails, refsOf(first[2:]), ok)
}

func testAttemptOthers(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1 c1")
	timeout := time.Minute
	receive := func(id, want string) engine.Ref {
		e.t.Helper()
		r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 1, Visibility: &timeout, AttemptID: id})
		if bodiesOf(r.Messages) != want {
			e.t.Fatalf("attempt %q: received %q, want %q", id, bodiesOf(r.Messages), want)
		}
		return r.Messages[0].Ref
	}
	x, y := receive("x", "a1"), receive("y", "b1")
	if receive("x", "a1") != x || receive("y", "b1") != y {
		e.t.Error("a repeated receive gave other references")
	}
	receive("", "c1")
	e.attempt(q, "z", "")
}

func testAttemptGroups(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1 a2 c1")
	first := e.attempt(q, "x", "a1 a2 b1 c1")
	e.push(q, "b2 d1")
	e.clock.Advance(time.Second)
	e.again(q, "x", first)
	e.expect(q, "d1")
}

func testAttemptAck(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	first := e.attempt(q, "x", "a1 a2")
	e.push(q, "a3 b1")
	e.ack(q, engine.StaleFails, refsOf(first[1:]), ok)
	second := e.attempt(q, "x", "b1")
	e.again(q, "x", second)
	e.ack(q, engine.StaleFails, refsOf(first[:1]), ok)
	e.again(q, "x", second)
	e.expect(q, "a3")
}

func testAttemptChange(_ testing.TB, e *env) {
	for name, timeout := range map[string]time.Duration{"Longer": time.Hour, "Shorter": time.Second, "Zero": 0} {
		q := e.fifo(name)
		e.push(q, "a1 a2")
		first := e.attempt(q, "x", "a1 a2")
		e.change(q, engine.StaleFails, timeout, refsOf(first[:1]), ok)
		if timeout > 0 {
			e.attempt(q, "x", "")
			continue
		}
		d := e.attempt(q, "x", "a1")[0]
		if d.Ref == first[0].Ref || d.Receives != 2 {
			e.t.Errorf("after a change: %d receives under the reference %q, want 2 under a new one", d.Receives, d.Ref)
		}
	}
}

func testAttemptFailed(_ testing.TB, e *env) {
	q, other := e.fifo("q"), e.fifo("other")
	e.push(q, "a1")
	old := refsOf(e.expectOf(q, 1, 0, "a1"))
	first := e.attempt(q, "x", "a1")
	e.changeWith(engine.ChangeVisibilityParams{
		Queue: q.ID, Changes: []engine.Change{{Ref: first[0].Ref, Timeout: time.Hour}}, MaxTotal: time.Minute,
	}, int(engine.VisibilityLimit))
	e.change(q, engine.StaleFails, 0, old, int(engine.StaleReceipt))
	e.ack(q, engine.StaleFails, old, int(engine.StaleReceipt))
	e.ack(q, engine.StaleIgnored, old, ok)
	e.ack(other, engine.StaleFails, refsOf(first), int(engine.InvalidReceipt))
	e.release(q, old...)
	e.again(q, "x", first)
}

func testAttemptDeadline(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	first := e.attempt(q, "x", "a1 a2")
	e.clock.Advance(time.Minute - time.Millisecond)
	e.again(q, "x", first)
	e.clock.Advance(time.Minute)
	for i, d := range e.attempt(q, "x", "a1 a2") {
		if d.Receives != 2 || d.Ref == first[i].Ref {
			e.t.Errorf("%s: %d receives under the reference %q, want 2 under a new one", d.Body, d.Receives, d.Ref)
		}
	}
}

func testAttemptTaken(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	e.attempt(q, "x", "a1 a2")
	e.clock.Advance(time.Minute)
	e.expectOf(q, 10, time.Hour, "a1 a2")
	e.attempt(q, "x", "")
}

func testAttemptRelease(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	first := e.attempt(q, "x", "a1 a2")
	e.release(q, first[0].Ref, first[1].Ref)
	for i, d := range e.attempt(q, "x", "a1 a2") {
		if d.Receives != 1 || d.Ref == first[i].Ref {
			e.t.Errorf("%s: %d receives under the reference %q, want 1 under a new one", d.Body, d.Receives, d.Ref)
		}
	}
}

func testAttemptPurge(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	e.attempt(q, "x", "a1 a2")
	e.purge(q)
	e.attempt(q, "x", "")
	e.push(q, "a3")
	e.again(q, "x", e.attempt(q, "x", "a3"))
}

func testAttemptExpiry(_ testing.TB, e *env) {
	q := e.fifo("q", withRetention(time.Minute))
	e.push(q, "a1")
	e.clock.Advance(30 * time.Second)
	e.push(q, "a2")
	first := e.attempt(q, "x", "a1 a2")
	e.clock.Advance(30*time.Second - time.Millisecond)
	e.again(q, "x", first)
	e.clock.Advance(time.Millisecond)
	e.attempt(q, "x", "")
	e.wantSizes(q, 0, 1, 0)
}

func testAttemptWindow(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1")
	hour := time.Hour
	p := engine.ReceiveParams{Queue: q.ID, Max: 10, Visibility: &hour, AttemptID: "x"}
	first := e.receiveAll(p).Messages
	e.clock.Advance(engine.AttemptWindow - time.Millisecond)
	second := e.receiveAll(p).Messages
	if len(first) != 1 || len(second) != 1 || first[0].Ref != second[0].Ref || second[0].Receives != 1 {
		e.t.Errorf("received %q and, just before the end of the window, %q", bodiesOf(first), bodiesOf(second))
	}
}

func testAttemptOver(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1")
	hour := time.Hour
	p := engine.ReceiveParams{Queue: q.ID, Max: 10, Visibility: &hour, AttemptID: "x"}
	e.receiveAll(p)
	e.clock.Advance(engine.AttemptWindow)
	if got := e.receiveAll(p).Messages; len(got) != 0 {
		e.t.Fatalf("received %q when the window was over", bodiesOf(got))
	}
	e.drain()
	e.push(q, "b1")
	if got := e.receiveAll(p).Messages; bodiesOf(got) != "b1" {
		e.t.Errorf("received %q under an attempt id whose window was over, want %q", bodiesOf(got), "b1")
	}
	if got := e.receiveAll(p).Messages; bodiesOf(got) != "b1" {
		e.t.Errorf("received %q again, want %q", bodiesOf(got), "b1")
	}
}

func testAttemptEmpty(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.attempt(q, "x", "")
	e.push(q, "a1")
	first := e.attempt(q, "x", "a1")
	e.again(q, "x", first)
	e.attempt(q, "y", "")
	e.ack(q, engine.StaleFails, refsOf(first), ok)
	e.push(q, "a2")
	e.again(q, "y", e.attempt(q, "y", "a2"))
}

func testAttemptRenewed(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1")
	first := e.attempt(q, "x", "a1")
	e.ack(q, engine.StaleFails, refsOf(first), ok)
	e.push(q, "a2 b1")
	second := e.attempt(q, "x", "a2 b1")
	e.again(q, "x", second)
	e.change(q, engine.StaleFails, 0, refsOf(second[:1]), ok)
	e.attempt(q, "x", "a2")
}

func testAttemptApart(_ testing.TB, e *env) {
	q, other := e.fifo("q"), e.fifo("other")
	e.push(q, "a1")
	e.push(other, "b1")
	first := e.attempt(q, "x", "a1")
	second := e.attempt(other, "x", "b1")
	e.again(q, "x", first)
	e.ack(q, engine.StaleFails, refsOf(first), ok)
	e.again(other, "x", second)
	e.delete(other)
	other = e.fifo("other")
	e.push(other, "c1")
	e.attempt(other, "x", "c1")
}

func testAttemptExact(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1")
	first := e.attempt(q, "x", "a1")
	e.attempt(q, "X", "")
	e.attempt(q, "x ", "")
	e.attempt(q, "x\x00", "")
	e.again(q, "x", first)
}

func testAttemptStandard(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c")
	p := engine.ReceiveParams{Queue: q.ID, Max: 1, AttemptID: "x"}
	for _, want := range []string{"a", "b", "c", ""} {
		if got := e.receiveAll(p).Messages; bodiesOf(got) != want {
			e.t.Fatalf("received %q, want %q", bodiesOf(got), want)
		}
	}
}

func testAttemptReports(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1")
	first := e.attempt(q, "x", "a1")
	e.clock.Advance(30 * time.Second)
	e.log.take()
	e.again(q, "x", first)
	e.wantReport(q, 0, time.Minute)
	e.clock.Advance(30 * time.Second)
	e.drain()
	e.expect(q, "")
	e.clock.Advance(30 * time.Second)
	e.drain()
	e.wantReport(q, 1, 0)
}
