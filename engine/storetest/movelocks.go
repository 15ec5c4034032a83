package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

// moveLockTests are about what a task moves from groups that give a receive
// nothing, or not all.
func moveLockTests() []test {
	return []test{
		{"HeldHead", testMoveHeldHead},
		{"HeldInTheMiddle", testMoveHeldMiddle},
		{"DelayedHead", testMoveDelayedHead},
		{"FreedMeanwhile", testMoveGroupFreed},
		{"ExpiredHead", testMoveExpiredHead},
		{"ManyBehindALock", testMoveBehindMany},
		{"Rate", testMoveLockedRate},
	}
}

// pushRun sends messages of one group, numbered from 0 on, a hundred in a call.
func (e *env) pushRun(q *engine.Queue, group string, n int) {
	e.t.Helper()
	for sent := 0; sent < n; sent += 100 {
		var messages []engine.NewMessage
		for i := sent; i < min(n, sent+100); i++ {
			messages = append(messages, grouped(fmt.Sprint(group, i)))
		}
		e.sendAll(q, messages...)
	}
}

// testMoveHeldHead lets somebody hold the head of a group while a task moves
// what is in the queue, and gives it back: the group is in order at the target.
func testMoveHeldHead(_ testing.TB, e *env) {
	dead, target := e.fifo("dead"), e.fifo("target")
	e.push(dead, "a1 b1 a2 b2")
	held := e.expectOf(dead, 1, time.Minute, "a1")
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 2)
	e.wantSizes(dead, 1, 1, 0)
	e.expect(dead, "")
	e.change(dead, engine.StaleFails, 0, refsOf(held), ok)
	next := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, next, engine.MoveCompleted, engine.NoFailure, 2)
	e.expectOf(target, 10, time.Minute, "b1 b2 a1 a2")
}

func testMoveHeldMiddle(_ testing.TB, e *env) {
	dead, target := e.fifo("dead"), e.fifo("target")
	e.push(dead, "a1 a2 a3 a4")
	got := e.expectOf(dead, 2, time.Minute, "a1 a2")
	e.change(dead, engine.StaleFails, 0, refsOf(got[:1]), ok)
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 1)
	e.expect(target, "a1")
	e.ack(dead, engine.StaleFails, refsOf(got[1:]), ok)
	e.expect(dead, "a3 a4")
}

// testMoveDelayedHead has a dead letter, which no delay holds back, behind a
// delayed message of its group.
func testMoveDelayedHead(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead", asFIFO)
	target := e.fifo("target")
	e.update(dead, func(q *engine.Queue) { q.Delay = time.Minute })
	e.push(dead, "a1")
	e.push(q, "a2 b1")
	e.expectOf(q, 10, 0, "a2 b1")
	e.expect(q, "")
	e.wantSizes(dead, 2, 0, 1)
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 1)
	e.expect(target, "b1")
	e.clock.Advance(time.Minute)
	e.expect(dead, "a1 a2")
}

func testMoveGroupFreed(_ testing.TB, e *env) {
	dead, target := e.fifo("dead"), e.fifo("target")
	e.push(dead, "a1 a2 b1 b2 b3")
	e.expectOf(dead, 1, 1500*time.Millisecond, "a1")
	task := e.startMove(dead, target, 1)
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 5)
	got := e.groupsIn(e.receiveFor(target, 10, time.Minute))
	if got["a"] != "a1 a2" || got["b"] != "b1 b2 b3" {
		e.t.Errorf("the target has %q", got)
	}
}

func testMoveExpiredHead(_ testing.TB, e *env) {
	dead, target := e.fifo("dead", withRetention(time.Minute)), e.fifo("target")
	e.push(dead, "a1")
	e.clock.Advance(30 * time.Second)
	e.push(dead, "a2 a3")
	e.expectOf(dead, 1, time.Hour, "a1")
	e.clock.Advance(30 * time.Second)
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 2)
	e.expect(target, "a2 a3")
}

// testMoveBehindMany has what a task can move behind more messages of a locked
// group than it can look at in a step, in some groups of several messages.
func testMoveBehindMany(t testing.TB, e *env) {
	const locked, groups = 1500, 40
	dead, target := e.fifo("dead"), e.fifo("target")
	e.pushRun(dead, "a", locked)
	held := e.expectOf(dead, 1, time.Hour, "a0")
	want := make(map[string]string)
	for i := range groups {
		name := fmt.Sprintf("g%dx", i)
		e.push(dead, fmt.Sprintf("%[1]s1 %[1]s2 %[1]s3", name))
		want[name] = fmt.Sprintf("%[1]s1 %[1]s2 %[1]s3", name)
	}
	task := e.startMove(dead, target, 0)
	e.push(dead, "g0x4 late1")
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 3*groups)
	e.wantSizes(dead, locked-1+2, 1, 0)
	for range groups {
		for name, bodies := range e.groupsIn(e.receiveFor(target, 3, time.Hour)) {
			if bodies != want[name] {
				t.Errorf("the group %s is %q, want %q", name, bodies, want[name])
			}
		}
	}
	e.change(dead, engine.StaleFails, 0, refsOf(held), ok)
	next := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, next, engine.MoveCompleted, engine.NoFailure, locked+2)
	e.expectOf(target, 3, time.Hour, "a0 a1 a2")
}

func testMoveLockedRate(_ testing.TB, e *env) {
	dead, target := e.fifo("dead"), e.fifo("target")
	e.pushRun(dead, "a", 300)
	e.expectOf(dead, 1, time.Hour, "a0")
	e.push(dead, "b1 b2 b3")
	task := e.startMove(dead, target, 1)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveRunning, engine.NoFailure, 1)
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 3)
	e.expect(target, "b1 b2 b3")
}
