package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func redriveFIFOTests() []test {
	return []test{
		{"GroupGoesOn", testRedriveFIFOGoesOn},
		{"OrderIsKept", testRedriveFIFOOrder},
		{"KeptAndReset", testRedriveFIFOKept},
		{"DelayDoesNotApply", testRedriveFIFODelay},
		{"NoLookUp", testRedriveFIFONoLookUp},
		{"EqualDedupIds", testRedriveFIFOEqual},
		{"LockedGroup", testRedriveFIFOLocked},
		{"MiddleOfARun", testRedriveFIFOMiddle},
		{"Self", testRedriveFIFOSelf},
		{"Handle", testRedriveFIFOHandle},
		{"Reports", testRedriveFIFOReports},
		{"PoisonInEveryGroup", testRedriveFIFOPoison},
	}
}

func testRedriveFIFOGoesOn(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.push(q, "a1 a2 a3")
	e.expectOf(q, 1, 0, "a1")
	e.expectLook(q, 1, 0, "a2")
	e.wantSizes(dead, 1, 0, 0)
	e.expectLook(q, 1, time.Minute, "a3")
	e.expectLook(q, 10, 0, "")
	e.wantSizes(q, 0, 1, 0)
	e.expect(dead, "a1 a2")
}

func testRedriveFIFOOrder(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.push(dead, "a0")
	e.bury(q, "a1 b1 a2 b2 a3 c1")
	e.bury(q, "a4 c2")
	e.push(dead, "b3")
	runs := e.groupsIn(e.receive(dead, 20))
	if runs["a"] != "a0 a1 a2 a3 a4" || runs["b"] != "b1 b2 b3" || runs["c"] != "c1 c2" {
		e.t.Errorf("the dead letters are %v", runs)
	}
}

func testRedriveFIFOKept(t testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO, withRetention(time.Hour))
	n := withDedup("a1", "x")
	n.Sender, n.Trace = "me", "trace"
	n.Attributes = []engine.Attribute{{Name: "n", Type: "String", Value: []byte("v")}}
	e.sendAll(q, n)
	e.clock.Advance(20 * time.Minute)
	first := e.expectOf(q, 1, 0, "a1")[0]
	e.clock.Advance(20 * time.Minute)
	e.expectLook(q, 1, 0, "")
	moved := e.clock.Now()
	e.clock.Advance(time.Hour - time.Millisecond)
	d := e.expectOf(dead, 10, 0, "a1")[0]
	if d.ID != n.ID || d.Group != "a" || d.Dedup != n.ID.String() || d.Sender != "me" || d.Trace != "trace" || len(d.Attributes) != 1 {
		t.Errorf("the dead letter is %+v", d.Message)
	}
	if !d.Sent.Equal(moved) || !d.FirstReceived.Equal(first.FirstReceived) || d.Receives != 2 || d.Source != q.Name || d.Sequence == 0 {
		t.Errorf("the dead letter was sent %v, first received %v, %d times, source %v, sequence %d",
			d.Sent, d.FirstReceived, d.Receives, d.Source, d.Sequence)
	}
	e.clock.Advance(time.Millisecond)
	e.wantSizes(dead, 0, 0, 0)
}

func testRedriveFIFODelay(_ testing.TB, e *env) {
	dead := e.fifo("dead", withDelay(time.Hour))
	q := e.fifo("q", withRedrive("dead", 1))
	e.bury(q, "a1 a2")
	e.wantSizes(dead, 2, 0, 0)
	e.push(dead, "a3 b1")
	e.wantSizes(dead, 2, 0, 2)
	e.expectOf(dead, 10, 0, "a1 a2")
	e.bury(q, "a4")
	e.wantSizes(dead, 3, 0, 2)
	e.expectOf(dead, 10, 0, "a1 a2")
	e.clock.Advance(time.Hour)
	runs := e.groupsIn(e.receive(dead, 10))
	if runs["a"] != "a1 a2 a3 a4" || runs["b"] != "b1" {
		e.t.Errorf("received %v", runs)
	}
}

// testRedriveFIFONoLookUp moves a message whose id was sent to the target as a
// deduplication id before.
func testRedriveFIFONoLookUp(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	n := grouped("a1")
	e.sendAll(q, n)
	e.sendDup(dead, "b1", n.ID.String(), anew)
	e.expectOf(q, 1, 0, "a1")
	e.expectLook(q, 1, 0, "")
	e.wantSizes(dead, 2, 0, 0)
	e.expect(dead, "b1 a1")
}

func testRedriveFIFOEqual(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	first := e.sendDup(q, "a1", "x", anew)
	e.expectOf(q, 1, 0, "a1")
	e.expectLook(q, 1, 0, "")
	e.sendDup(q, "a2", "x", first)
	e.clock.Advance(engine.DedupWindow)
	e.sendDup(q, "a3", "x", anew)
	e.expectOf(q, 1, 0, "a3")
	e.expectLook(q, 1, 0, "")
	e.sendDup(dead, "a4", "x", anew)
	e.expect(dead, "a1 a3 a4")
}

func testRedriveFIFOLocked(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 2, time.Minute, "a1 a2")
	e.change(q, engine.StaleFails, 0, refsOf(got[1:]), ok)
	e.expectLook(q, 10, 0, "")
	e.wantSizes(q, 2, 1, 0)
	e.wantSizes(dead, 0, 0, 0)
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.expectLook(q, 10, time.Minute, "a3")
	e.expect(dead, "a2")
}

func testRedriveFIFOMiddle(_ testing.TB, e *env) {
	dead := e.fifo("dead")
	q := e.fifo("q", withRedrive("dead", 2))
	e.push(q, "a1 a2 a3 b1")
	got := e.expectOf(q, 3, 10*time.Second, "a1 a2 a3")
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.clock.Advance(10 * time.Second)
	e.expectOf(q, 10, 0, "b1 a2 a3")
	e.push(q, "a4")
	got = e.expectLook(q, 10, 30*time.Second, "b1 a4")
	if got[0].Receives != 2 || got[1].Receives != 1 {
		e.t.Errorf("%d and %d receives, want 2 and 1", got[0].Receives, got[1].Receives)
	}
	for _, d := range e.expect(dead, "a2 a3") {
		if d.Receives != 3 {
			e.t.Errorf("%s: %d receives, want 3", d.Body, d.Receives)
		}
	}
	e.clock.Advance(30 * time.Second)
	e.expectLook(q, 10, 0, "a4")
}

func testRedriveFIFOSelf(_ testing.TB, e *env) {
	q := e.fifo("q", withRedrive("q", 1))
	e.push(q, "a1 a2")
	e.expectOf(q, 2, 0, "a1 a2")
	e.push(q, "a3")
	got := e.receiveFor(q, 10, time.Minute)
	if bodiesOf(got) != "a3" {
		e.t.Fatalf("received %q, want %q: what has just moved is not looked at again", bodiesOf(got), "a3")
	}
	e.wantSizes(q, 2, 1, 0)
	e.expect(q, "")
	e.ack(q, engine.StaleFails, refsOf(got), ok)
	for _, d := range e.expectOf(q, 10, 0, "a1 a2") {
		if d.Receives != 2 || d.Source != q.Name || d.Dedup != d.ID.String() {
			e.t.Errorf("received %+v", d)
		}
	}
}

func testRedriveFIFOHandle(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.push(q, "a1")
	held := refsOf(e.expectOf(q, 1, 0, "a1"))
	e.expectLook(q, 1, 0, "")
	gone := int(engine.MessageGone)
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: held, RefuseExpired: true}, gone)
	e.change(q, engine.StaleActs, time.Hour, held, gone)
	e.ack(dead, engine.StaleActs, held, int(engine.InvalidReceipt))
	e.expect(dead, "a1")
}

func testRedriveFIFOReports(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.push(q, "a1 b1")
	e.expectOf(q, 2, 0, "a1 b1")
	e.expect(dead, "")
	e.log.take()
	e.expectLook(q, 10, 0, "")
	e.wantReport(dead, 2, 0)
}

func testRedriveFIFOPoison(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.push(q, "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1")
	e.expectOf(q, 10, 0, "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1")
	e.push(q, "a2 j2 k1")
	runs := e.groupsIn(e.look(q, 10, time.Minute))
	if len(runs) != 3 || runs["a"] != "a2" || runs["j"] != "j2" || runs["k"] != "k1" {
		e.t.Errorf("received %v", runs)
	}
	e.expectLook(q, 10, 0, "")
	e.wantSizes(dead, 10, 0, 0)
}
