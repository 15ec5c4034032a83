package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

func movePaceTests() []test {
	return []test{
		{"LaterArrivalsStay", testMoveLater},
		{"HiddenStay", testMoveHidden},
		{"FreedMeanwhile", testMoveFreed},
		{"Rate", testMoveRate},
		{"RateIsNotMadeUpFor", testMovePause},
		{"Many", testMoveMany},
		{"WholeInEveryStep", testMoveWhole},
	}
}

func testMoveLater(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	target := e.create("target")
	e.send(dead, "a b c")
	task := e.startMove(dead, target, 1)
	e.send(dead, "d e")
	e.bury(q, "f")
	e.moveUntil(e.clock.Now().Add(1500*time.Millisecond), func() {})
	e.send(dead, "g")
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 3)
	e.expect(target, "a b c")
	e.wantSizes(dead, 4, 0, 0)
	next := e.startMove(dead, target, 0)
	if next.ToMove != 4 {
		e.t.Errorf("the next task is to move %d messages, want 4", next.ToMove)
	}
	e.moveAll()
	e.expect(target, "d e f g")
}

func testMoveHidden(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c")
	held := e.expectOf(dead, 2, time.Minute, "a b")
	e.sendLater(dead, time.Minute, "d")
	task := e.startMove(dead, target, 0)
	if task.ToMove != 1 {
		e.t.Errorf("%d messages are to move, want the visible one", task.ToMove)
	}
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 1)
	e.expect(target, "c")
	e.wantSizes(dead, 0, 2, 1)
	e.ack(dead, engine.StaleFails, refsOf(held[:1]), ok)
	e.clock.Advance(time.Minute)
	e.moveAll()
	e.expect(dead, "b d")
}

func testMoveFreed(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c")
	e.expectOf(dead, 1, time.Second, "a")
	task := e.startMove(dead, target, 1)
	if task.ToMove != 2 {
		e.t.Errorf("%d messages are to move, want 2", task.ToMove)
	}
	e.moveOn()
	e.clock.Advance(time.Second)
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 3)
	e.wantSizes(dead, 0, 0, 0)
	e.wantSizes(target, 3, 0, 0)
}

// testMoveRate steps tasks by the clock: at most the rate in any second, and
// not much less.
func testMoveRate(t testing.TB, e *env) {
	for _, rate := range []int{1, 2, 10, 100} {
		dead, target := e.create(fmt.Sprint("dead", rate)), e.create(fmt.Sprint("target", rate))
		n := 4 * rate
		e.sendMany(dead, n, func(int) time.Duration { return 0 })
		task := e.startMove(dead, target, rate)
		if task.Rate != rate {
			t.Errorf("the rate of the task is %d, want %d", task.Rate, rate)
		}
		var at []time.Time
		moved := int64(0)
		e.moveUntil(e.clock.Now().Add(6*time.Second), func() {
			now := e.task(dead, task).Moved
			for ; moved < now; moved++ {
				at = append(at, e.clock.Now())
			}
		})
		e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, int64(n))
		for i := rate; i < len(at); i++ {
			if d := at[i].Sub(at[i-rate]); d < time.Second-2*time.Millisecond {
				t.Fatalf("rate %d: messages %d to %d moved within %v", rate, i-rate, i, d)
			}
		}
		e.wantSizes(target, int64(n), 0, 0)
	}
}

func testMovePause(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.sendMany(dead, 50, func(int) time.Duration { return 0 })
	task := e.startMove(dead, target, 2)
	e.moveAll()
	e.clock.Advance(20 * time.Second)
	before := e.task(dead, task).Moved
	e.moveAll()
	if moved := e.task(dead, task).Moved - before; moved < 1 || moved > 2 {
		t.Errorf("%d messages moved at one instant at 2 in a second", moved)
	}
}

func testMoveMany(t testing.TB, e *env) {
	const n = 2500
	dead, target := e.create("dead"), e.create("target")
	e.sendMany(dead, n, func(int) time.Duration { return 0 })
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, n)
	e.wantSizes(dead, 0, 0, 0)
	e.wantSizes(target, n, 0, 0)
	for i := range 20 {
		e.expectOne(target, fmt.Sprint(i))
	}
	e.collectBy(target, n-20, 100)
}

func testMoveWhole(t testing.TB, e *env) {
	const n = 400
	dead, target := e.create("dead"), e.create("target")
	e.sendMany(dead, n, func(int) time.Duration { return 0 })
	task := e.startMove(dead, target, 0)
	for range maxSweeps {
		r := e.moveOn()
		from, to, moved := e.counts(dead), e.counts(target), e.task(dead, task).Moved
		if from.Visible != n-moved || to.Visible != moved {
			t.Fatalf("the task has moved %d of %d; the source has %d, the target %d", moved, n, from.Visible, to.Visible)
		}
		if !r.More {
			break
		}
	}
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, n)
}
