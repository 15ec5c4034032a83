package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"queues/engine"
)

func moveTests() []test {
	return []test{
		{"AllToATarget", testMoveAll},
		{"NewIdentity", testMoveIdentity},
		{"OldReferences", testMoveRefs},
		{"EachToItsOrigin", testMoveOrigin},
		{"OriginUnknown", testMoveUnknown},
		{"OriginGone", testMoveOriginGone},
		{"OriginRecreated", testMoveOriginRecreated},
		{"TargetGone", testMoveTargetGone},
		{"TargetOfAnotherKind", testMoveTargetKind},
		{"OldestFirst", testMoveOrder},
		{"Empty", testMoveEmpty},
		{"Expired", testMoveExpired},
		{"RetentionStartsAnew", testMoveRetention},
		{"TargetsDelay", testMoveDelay},
		{"ReceivesStartAnew", testMoveReceives},
		{"Reports", testMoveReports},
		{"FIFO", testMoveFIFO},
		{"FIFOToItsOrigin", testMoveFIFOOrigin},
	}
}

func testMoveAll(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.sendMany(dead, 25, func(int) time.Duration { return 0 })
	e.clock.Advance(time.Second)
	task := e.startMove(dead, target, 0)
	if task.ToMove != 25 || task.Moved != 0 || task.Failure != engine.NoFailure || task.Source != dead.Name ||
		task.Target == nil || *task.Target != target.Name || task.Rate != 0 || !task.Started.Equal(e.clock.Now()) {
		t.Errorf("the task starts as %+v", task)
	}
	e.clock.Advance(time.Second)
	if r := e.moveAll(); !r.Next.IsZero() {
		t.Errorf("with no task left the next step is announced for %v", r.Next)
	}
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 25)
	e.wantSizes(dead, 0, 0, 0)
	e.wantSizes(target, 25, 0, 0)
	e.collect(target, 25)
	if r := e.moveAll(); !r.Next.IsZero() {
		t.Errorf("with no task left the next step is announced for %v", r.Next)
	}
}

func testMoveIdentity(t testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	n := message("body")
	n.Sender, n.Trace, n.Group = "me", "trace", "group"
	n.Attributes = []engine.Attribute{{Name: "b", Type: "Binary", Value: []byte{0}}, {Name: "a", Type: "Number.x", Value: []byte("1")}}
	e.sendAll(q, n)
	e.expectFor(q, 0, "body")
	e.expectLook(q, 1, 0, "")
	e.clock.Advance(time.Minute)
	e.expectFor(dead, 0, "body")
	e.startMove(dead, q, 0)
	e.clock.Advance(time.Minute)
	e.moveAll()
	moved := e.clock.Now()
	e.clock.Advance(time.Minute)
	d := e.one(q, "body")
	if d.ID == n.ID || d.ID == (engine.MessageID{}) || !d.Sent.Equal(moved) || !d.FirstReceived.Equal(e.clock.Now()) ||
		d.Receives != 1 || d.Source != (engine.QueueName{}) || d.Sequence == 0 {
		t.Errorf("the moved message: %+v", d)
	}
	if d.Sender != "me" || d.Trace != "trace" || d.Group != "group" || len(d.Attributes) != 2 ||
		d.Attributes[0].Name != "b" || string(d.Attributes[0].Value) != "\x00" || d.Attributes[1].Type != "Number.x" {
		t.Errorf("the moved message: %+v", d.Message)
	}
}

func testMoveRefs(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a")
	held := refsOf(e.expectFor(dead, 0, "a"))
	e.startMove(dead, target, 0)
	e.moveAll()
	gone := int(engine.MessageGone)
	e.ack(dead, engine.StaleActs, held, gone)
	e.change(dead, engine.StaleFails, time.Hour, held, gone)
	e.ack(target, engine.StaleActs, held, int(engine.InvalidReceipt))
	e.one(target, "a")
}

func testMoveOrigin(_ testing.TB, e *env) {
	a, dead := e.deadly("a", "dead")
	b := e.create("b", withRedrive("dead", 1))
	other := e.create("other")
	e.bury(a, "a1 a2")
	e.bury(b, "b1")
	e.bury(a, "a3")
	task := e.startMove(dead, nil, 0)
	if task.Target != nil || task.ToMove != 4 {
		e.t.Errorf("the task starts as %+v", task)
	}
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 4)
	e.expect(a, "a1 a2 a3")
	e.expect(b, "b1")
	e.wantSizes(dead, 0, 0, 0)
	e.wantSizes(other, 0, 0, 0)
}

func testMoveUnknown(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.bury(q, "a")
	e.send(dead, "b")
	e.clock.Advance(time.Second)
	e.bury(q, "c")
	task := e.startMove(dead, nil, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveFailed, engine.SourceUnknown, 1)
	e.expect(q, "a")
	e.expect(dead, "b c")
}

func testMoveOriginGone(_ testing.TB, e *env) {
	a, dead := e.deadly("a", "dead")
	b := e.create("b", withRedrive("dead", 1))
	e.bury(a, "a1")
	e.bury(b, "b1")
	e.delete(b)
	task := e.startMove(dead, nil, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveFailed, engine.TargetGone, 1)
	e.expect(a, "a1")
	e.expect(dead, "b1")
}

func testMoveOriginRecreated(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.bury(q, "a")
	e.delete(q)
	q = e.create("q")
	task := e.startMove(dead, nil, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 1)
	e.expect(q, "a")
}

func testMoveTargetGone(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c d")
	task := e.startMove(dead, target, 1)
	e.moveUntil(e.clock.Now().Add(1500*time.Millisecond), func() {})
	moved := e.task(dead, task).Moved
	if moved < 1 || moved > 3 {
		e.t.Fatalf("%d messages moved in a second and a half at one in a second", moved)
	}
	e.delete(target)
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	e.wantTask(dead, task, engine.MoveFailed, engine.TargetGone, moved)
	if got := e.receive(dead, 10); int64(len(got)) != 4-moved || !isRest(bodiesOf(got), "a b c d") {
		e.t.Errorf("received %q where %d of %q were moved", bodiesOf(got), moved, "a b c d")
	}
	e.create("target")
	e.moveAll()
	e.wantTask(dead, task, engine.MoveFailed, engine.TargetGone, moved)
	e.startMove(dead, e.find(target.Name), 0)
}

func testMoveTargetKind(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a")
	task := e.startMove(dead, target, 0)
	e.delete(target)
	target = e.fifo("target")
	e.moveAll()
	e.wantTask(dead, task, engine.MoveFailed, engine.TargetGone, 0)
	e.wantSizes(target, 0, 0, 0)
	e.expect(dead, "a")
}

func testMoveOrder(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c d e")
	for range 2 {
		e.expectOf(dead, 2, 0, "a b")
	}
	e.send(target, "x")
	e.startMove(dead, target, 0)
	e.moveAll()
	e.send(target, "y")
	e.expect(target, "x a b c d e y")
}

func testMoveEmpty(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 0)
	e.send(dead, "a")
	e.moveAll()
	e.expect(dead, "a")
	task = e.startMove(dead, nil, 0)
	e.purge(dead)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 0)
}

func testMoveExpired(_ testing.TB, e *env) {
	dead, target := e.create("dead", withRetention(time.Minute)), e.create("target")
	e.send(dead, "a b")
	e.clock.Advance(30 * time.Second)
	e.send(dead, "c")
	e.clock.Advance(30 * time.Second)
	task := e.startMove(dead, target, 0)
	if task.ToMove != 1 {
		e.t.Errorf("%d messages are to move, want 1", task.ToMove)
	}
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 1)
	e.expect(target, "c")
}

func testMoveRetention(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target", withRetention(time.Minute))
	e.send(dead, "a")
	e.clock.Advance(time.Hour)
	e.startMove(dead, target, 0)
	e.moveAll()
	if c := e.counts(target); c.Visible != 1 || !c.Oldest.Equal(e.clock.Now()) {
		e.t.Errorf("counts of the target: %+v", c)
	}
	e.clock.Advance(time.Minute - time.Millisecond)
	e.expectFor(target, 0, "a")
	e.clock.Advance(time.Millisecond)
	e.expect(target, "")
}

func testMoveDelay(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target", withDelay(10*time.Second))
	e.send(dead, "a")
	e.startMove(dead, target, 0)
	e.log.take()
	e.moveAll()
	e.wantReport(target, 0, 10*time.Second)
	e.wantSizes(target, 0, 0, 1)
	e.clock.Advance(10 * time.Second)
	e.expect(target, "a")
}

func testMoveReceives(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.bury(q, "a b")
	for range 2 {
		e.startMove(dead, nil, 0)
		e.moveAll()
		for _, d := range e.expectLook(q, 10, 0, "a b") {
			if d.Receives != 1 {
				e.t.Errorf("%s: %d receives, want 1", d.Body, d.Receives)
			}
		}
		e.expectLook(q, 10, 0, "")
		e.wantSizes(dead, 2, 0, 0)
	}
	for _, d := range e.expect(dead, "a b") {
		if d.Receives != 2 || d.Source != q.Name {
			e.t.Errorf("%s: %d receives, source %v", d.Body, d.Receives, d.Source)
		}
	}
}

func testMoveReports(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c")
	e.startMove(dead, target, 0)
	e.expect(target, "")
	e.log.take()
	e.moveAll()
	e.wantReport(target, 3, 0)
}

func testMoveFIFO(_ testing.TB, e *env) {
	dead, target := e.fifo("dead"), e.fifo("target")
	n := withDedup("a1", "x")
	e.sendAll(dead, n)
	e.push(dead, "b1 a2 b2 a3")
	e.sendDup(target, "a0", "x", anew)
	e.clock.Advance(time.Minute)
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 5)
	got := e.receive(target, 10)
	if runs := e.groupsIn(got); runs["a"] != "a0 a1 a2 a3" || runs["b"] != "b1 b2" {
		e.t.Errorf("received %v", runs)
	}
	last := make(map[string]uint64)
	for _, d := range got {
		if d.Body == "a0" {
			last["a"] = d.Sequence
			continue
		}
		if d.ID == n.ID || d.Dedup != d.ID.String() || !d.Sent.Equal(e.clock.Now()) || d.Sequence <= last[d.Group] {
			e.t.Errorf("%s: id %v, deduplication id %q, sent %v, sequence %d after %d",
				d.Body, d.ID, d.Dedup, d.Sent, d.Sequence, last[d.Group])
		}
		last[d.Group] = d.Sequence
	}
	e.expect(target, "")
	e.sendDup(dead, "a9", "y", anew)
	e.expect(dead, "a9")
}

func testMoveFIFOOrigin(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.bury(q, "a1 a2 b1 a3")
	e.push(q, "a4")
	e.expectOf(q, 1, time.Minute, "a4")
	task := e.startMove(dead, nil, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 4)
	e.expectOf(q, 10, time.Minute, "b1")
	e.clock.Advance(time.Minute)
	runs := e.groupsIn(slices.DeleteFunc(e.look(q, 10, time.Hour), func(d engine.Delivery) bool { return d.Group == "b" }))
	if runs["a"] != "a1 a2 a3" {
		e.t.Errorf("received %v", runs)
	}
}

// isRest tells whether a list of bodies is the end of another.
func isRest(bodies, of string) bool { return strings.HasSuffix(of, bodies) }
