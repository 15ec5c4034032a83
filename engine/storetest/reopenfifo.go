package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func reopenFIFOTests() []test {
	return []test{
		{"OrderAndLocks", testReopenFIFO},
		{"LineOfGroups", testReopenLine},
		{"LineByDeadline", testReopenLineDeadline},
		{"Delay", testReopenFIFODelay},
		{"Dedup", testReopenDedup},
		{"DedupPurged", testReopenDedupPurged},
		{"Attempts", testReopenAttempts},
		{"AttemptsEnded", testReopenAttemptsEnded},
		{"Redrive", testReopenRedrive},
		{"RedriveFIFO", testReopenRedriveFIFO},
		{"Sources", testReopenSources},
		{"MoveGoesOn", testReopenMove},
		{"MoveAtARate", testReopenMoveRate},
		{"MoveCancelled", testReopenMoveCancelled},
		{"MovesListed", testReopenMoves},
		{"Fair", testReopenFair},
	}
}

func testReopenFIFO(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 b1 b2")
	got := e.expectOf(q, 2, time.Minute, "a1 a2")
	e.expectOf(q, 1, 10*time.Second, "b1")
	e.reopen()
	e.expect(q, "")
	e.wantSizes(q, 2, 3, 0)
	e.push(q, "a4")
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.reopen()
	e.expect(q, "")
	e.ack(q, engine.StaleFails, refsOf(got[1:]), ok)
	e.close()
	e.clock.Advance(10 * time.Second)
	e.open()
	runs := e.groupsIn(e.receive(q, 10))
	if runs["a"] != "a3 a4" || runs["b"] != "b1 b2" {
		e.t.Errorf("after a restart received %v", runs)
	}
	e.reopen()
	e.expect(q, "")
}

func testReopenLine(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "c1 a1 b1 d1 e1")
	e.expectOf(q, 1, 0, "c1")
	held := e.expectOf(q, 1, time.Hour, "a1")
	e.reopen()
	e.expectOf(q, 1, 0, "b1")
	e.reopen()
	e.change(q, engine.StaleFails, 0, refsOf(held), ok)
	e.push(q, "f1")
	e.reopen()
	e.expectOf(q, 10, 0, "d1 e1 c1 b1 a1 f1")
}

func testReopenLineDeadline(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1 c1")
	e.expectOf(q, 1, 20*time.Second, "a1")
	e.expectOf(q, 1, 10*time.Second, "b1")
	e.close()
	e.clock.Advance(15 * time.Second)
	e.open()
	e.push(q, "d1")
	e.close()
	e.clock.Advance(15 * time.Second)
	e.open()
	e.push(q, "e1")
	e.expectOf(q, 10, 0, "c1 b1 d1 a1 e1")
}

func testReopenFIFODelay(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(time.Minute))
	e.push(q, "a1")
	e.clock.Advance(10 * time.Second)
	e.push(q, "a2 b1")
	e.reopen()
	e.wantSizes(q, 0, 0, 3)
	e.setDelay(q, 20*time.Second)
	e.reopen()
	e.clock.Advance(10 * time.Second)
	e.expectOf(q, 10, 0, "a1")
	e.setDelay(q, 30*time.Second)
	e.close()
	e.clock.Advance(20*time.Second - time.Millisecond)
	e.open()
	e.wantSizes(q, 1, 0, 2)
	e.clock.Advance(time.Millisecond)
	runs := e.groupsIn(e.receive(q, 10))
	if runs["a"] != "a1 a2" || runs["b"] != "b1" {
		e.t.Errorf("after a restart received %v", runs)
	}
}

func testReopenDedup(_ testing.TB, e *env) {
	perGroup := func(p *engine.CreateQueueParams) { p.DedupPerGroup = true }
	q, narrow := e.fifo("q"), e.fifo("narrow", perGroup)
	first := e.sendDup(q, "a1", "x", anew)
	e.clock.Advance(time.Minute)
	second := e.sendDup(q, "a2", "y", anew)
	third := e.sendDup(narrow, "a1", "x", anew)
	e.ackAll(q, e.expectOf(q, 1, time.Minute, "a1"))
	e.reopen()
	e.sendDup(q, "a3", "x", first)
	e.sendDup(q, "b3", "y", second)
	e.sendDup(narrow, "a2", "x", third)
	e.sendDup(narrow, "b1", "x", anew)
	e.close()
	e.clock.Advance(engine.DedupWindow - time.Minute - time.Millisecond)
	e.open()
	e.drain()
	e.sendDup(q, "a4", "x", first)
	e.close()
	e.clock.Advance(time.Millisecond)
	e.open()
	e.sendDup(q, "a5", "x", anew)
	e.sendDup(q, "a6", "y", second)
}

func testReopenDedupPurged(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.sendDup(q, "a1", "x", anew)
	e.purge(q)
	e.reopen()
	second := e.sendDup(q, "a2", "x", anew)
	e.drain()
	e.reopen()
	e.sendDup(q, "a3", "x", second)
	e.delete(q)
	q = e.fifo("q")
	e.reopen()
	e.sendDup(q, "a4", "x", anew)
	e.expect(q, "a4")
}

func testReopenAttempts(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 b1")
	first := e.attempt(q, "x", "a1 a2 b1")
	e.reopen()
	e.clock.Advance(30 * time.Second)
	e.again(q, "x", first)
	e.reopen()
	e.clock.Advance(time.Minute - time.Millisecond)
	e.expect(q, "")
	e.again(q, "x", first)
	e.ack(q, engine.StaleFails, refsOf(first), ok, ok, ok)
}

func testReopenAttemptsEnded(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1 c1")
	hour, minute := time.Hour, time.Minute
	var refs []engine.Ref
	for _, id := range []string{"x", "y", "z"} {
		r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 1, Visibility: &minute, AttemptID: id})
		refs = append(refs, refsOf(r.Messages)...)
	}
	e.ack(q, engine.StaleFails, refs[:1], ok)
	e.change(q, engine.StaleFails, hour, refs[1:], ok, ok)
	e.reopen()
	for _, id := range []string{"x", "y", "z"} {
		e.attempt(q, id, "")
	}
}

func testReopenRedrive(_ testing.TB, e *env) {
	dead := e.create("dead", withRetention(time.Hour))
	q := e.create("q", withRedrive("dead", 2))
	e.send(q, "a b")
	first := e.expectOf(q, 1, 0, "a")[0]
	e.reopen()
	e.clock.Advance(20 * time.Minute)
	e.expectOf(q, 1, 0, "a")
	e.reopen()
	e.expectLook(q, 1, time.Hour, "b")
	e.wantSizes(dead, 1, 0, 0)
	e.reopen()
	d := e.expectOf(dead, 1, 0, "a")[0]
	if d.Receives != 3 || d.Source != q.Name || !d.FirstReceived.Equal(first.FirstReceived) || !d.Sent.Equal(Epoch) {
		e.t.Errorf("the dead letter after a restart: %+v", d)
	}
	e.ack(q, engine.StaleActs, []engine.Ref{first.Ref}, int(engine.MessageGone))
	e.close()
	e.clock.Advance(40 * time.Minute)
	e.open()
	e.expect(dead, "")
	e.wantSizes(dead, 0, 0, 0)
}

func testReopenRedriveFIFO(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	e.push(q, "a1 a2 b1")
	e.expectOf(q, 2, 0, "a1 a2")
	e.reopen()
	e.expectLook(q, 10, time.Minute, "b1")
	e.push(q, "a3")
	e.reopen()
	e.expectLook(q, 10, time.Minute, "a3")
	for _, d := range e.expect(dead, "a1 a2") {
		if d.Receives != 2 || d.Source != q.Name || d.Dedup != d.ID.String() {
			e.t.Errorf("the dead letter after a restart: %+v", d)
		}
	}
}

func testReopenSources(_ testing.TB, e *env) {
	a := e.create("a", withRedrive("dead", 1))
	b := e.create("b")
	e.create("c", withRedrive("dead", 1))
	e.setRedrive(b, "dead", 2)
	e.setRedrive(a, "other", 2)
	e.reopen()
	e.wantSources("dead", 10, "b c")
	e.wantSources("other", 10, "a")
}

func testReopenMove(_ testing.TB, e *env) {
	const n = 700
	q, dead := e.deadly("q", "dead")
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	for left := n; left > 0; left -= 100 {
		e.receiveFor(q, 100, time.Second)
	}
	e.clock.Advance(time.Second)
	e.expectLook(q, 1, 0, "")
	e.drain()
	task := e.startMove(dead, nil, 0)
	e.send(dead, "later")
	e.reopen()
	for range maxSweeps {
		r := e.moveOn()
		moved := e.task(dead, task).Moved
		e.reopen()
		if got := e.task(dead, task).Moved; got != moved {
			e.t.Fatalf("the counter was %d before a restart and is %d", moved, got)
		}
		if !r.More {
			break
		}
	}
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, n)
	e.wantSizes(q, n, 0, 0)
	e.expect(dead, "later")
}

func testReopenMoveRate(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c d")
	task := e.startMove(dead, target, 1)
	e.moveUntil(e.clock.Now().Add(1500*time.Millisecond), func() {})
	before := e.task(dead, task)
	e.reopen()
	e.startMoveCode(engine.StartMoveParams{Source: dead.ID, Target: &target.Name}, engine.MoveInProgress)
	e.wantTask(dead, task, engine.MoveRunning, engine.NoFailure, before.Moved)
	e.moveAll()
	if after := e.task(dead, task); after.Moved > before.Moved+1 {
		e.t.Errorf("%d messages moved at one instant after a restart", after.Moved-before.Moved)
	}
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 4)
	e.expect(target, "a b c d")
}

func testReopenMoveCancelled(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c d")
	task := e.startMove(dead, target, 1)
	e.moveOn()
	if _, err := e.cancelMove(dead, task); err != nil {
		t.Fatal(err)
	}
	e.reopen()
	e.clock.Advance(time.Hour)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCancelled, engine.NoFailure, e.task(dead, task).Moved)
	c := e.counts(target)
	e.wantSizes(dead, 4-c.Visible, 0, 0)
	if c.Visible > 2 {
		t.Errorf("%d messages moved, want at most 2", c.Visible)
	}
}

func testReopenMoves(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a")
	first := e.startMove(dead, target, 7)
	e.moveAll()
	e.clock.Advance(time.Second)
	e.send(dead, "b")
	second := e.startMove(dead, nil, 0)
	e.moveAll()
	e.reopen()
	e.wantTask(dead, first, engine.MoveCompleted, engine.NoFailure, 1)
	e.wantTask(dead, second, engine.MoveFailed, engine.SourceUnknown, 0)
	if all := e.tasks(dead, 10); len(all) != 2 || all[0].ID != second.ID {
		e.t.Errorf("after a restart the tasks are %+v", all)
	}
	e.delete(dead)
	dead = e.create("dead")
	e.reopen()
	if all := e.tasks(dead, 10); len(all) != 0 {
		e.t.Errorf("a queue created again has the tasks %+v after a restart", all)
	}
}

func testReopenFair(_ testing.TB, e *env) {
	q := e.create("q")
	held := e.hold(q, "a", 30)
	e.sendTo(q, "a", "a1")
	e.sendTo(q, "b", "b1")
	e.reopen()
	e.expectOf(q, 10, 0, "b1 a1")
	e.ack(q, engine.StaleFails, refsOf(held[:1]), ok)
	e.reopen()
	e.expectOf(q, 10, 0, "a1 b1")
}
