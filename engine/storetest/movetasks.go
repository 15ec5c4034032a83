package storetest

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

func moveTaskTests() []test {
	return []test{
		{"Cancel", testTaskCancel},
		{"CancelErrors", testTaskCancelErrors},
		{"OneActivePerSource", testTaskActive},
		{"SeveralSources", testTaskSources},
		{"StartErrors", testTaskErrors},
		{"NewestFirst", testTaskList},
		{"TenAreKept", testTaskKept},
		{"SourceDeleted", testTaskSourceDeleted},
		{"Snapshots", testTaskSnapshots},
	}
}

func testTaskCancel(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c d e")
	task := e.startMove(dead, target, 1)
	e.moveOn()
	got, err := e.cancelMove(dead, task)
	if err != nil {
		t.Fatalf("CancelMove: %v", err)
	}
	if got.ID != task.ID || got.Status != engine.MoveCancelling && got.Status != engine.MoveCancelled {
		t.Errorf("the cancelled task is %+v", got)
	}
	for range 5 {
		e.moveAll()
		e.clock.Advance(time.Second)
	}
	moved := e.task(dead, task).Moved
	if moved < got.Moved || moved > 2 {
		t.Errorf("%d messages moved, %d before the cancelling", moved, got.Moved)
	}
	e.wantTask(dead, task, engine.MoveCancelled, engine.NoFailure, moved)
	e.wantSizes(dead, 5-moved, 0, 0)
	e.wantSizes(target, moved, 0, 0)
	e.receive(dead, 10)
	_, err = e.cancelMove(dead, task)
	e.wantCode("CancelMove of a cancelled task", err, engine.MoveEnded)
	e.startMove(dead, target, 0)
}

func testTaskCancelErrors(_ testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a")
	_, err := e.cancelMove(dead, engine.MoveTask{ID: engine.MoveID(uuid.New())})
	e.wantCode("CancelMove of no task", err, engine.MoveNotFound)
	task := e.startMove(dead, target, 0)
	_, err = e.cancelMove(target, task)
	e.wantCode("CancelMove of another queue's task", err, engine.MoveNotFound)
	e.moveAll()
	_, err = e.cancelMove(dead, task)
	e.wantCode("CancelMove of a completed task", err, engine.MoveEnded)
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 1)
	failing := e.startMove(target, nil, 0)
	e.moveAll()
	_, err = e.cancelMove(target, failing)
	e.wantCode("CancelMove of a failed task", err, engine.MoveEnded)
	e.wantTask(target, failing, engine.MoveFailed, engine.SourceUnknown, 0)
	e.delete(dead)
	_, err = e.cancelMove(dead, task)
	e.wantCode("CancelMove on a deleted queue", err, engine.QueueNotFound)
}

func testTaskActive(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c")
	task := e.startMove(dead, target, 1)
	p := engine.StartMoveParams{Source: dead.ID, Target: &target.Name}
	e.startMoveCode(p, engine.MoveInProgress)
	e.moveOn()
	e.startMoveCode(p, engine.MoveInProgress)
	e.wantTask(dead, task, engine.MoveRunning, engine.NoFailure, e.task(dead, task).Moved)
	if got, err := e.cancelMove(dead, task); err != nil {
		t.Fatal(err)
	} else if got.Status == engine.MoveCancelling {
		e.startMoveCode(p, engine.MoveInProgress)
	}
	e.moveAll()
	e.startMove(dead, target, 0)
	e.moveAll()
	e.startMove(dead, target, 0)
}

func testTaskSources(_ testing.TB, e *env) {
	a, b, c, target := e.create("a"), e.create("b"), e.create("c"), e.create("target")
	e.sendMany(a, 150, func(int) time.Duration { return 0 })
	e.send(b, "b1 b2 b3 b4")
	e.send(c, "c1")
	first, slow := e.startMove(a, target, 0), e.startMove(b, target, 1)
	failing := e.startMove(c, nil, 0)
	e.moveAll()
	e.wantTask(a, first, engine.MoveCompleted, engine.NoFailure, 150)
	e.wantTask(c, failing, engine.MoveFailed, engine.SourceUnknown, 0)
	e.wantTask(b, slow, engine.MoveRunning, engine.NoFailure, e.task(b, slow).Moved)
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	e.wantTask(b, slow, engine.MoveCompleted, engine.NoFailure, 4)
	e.wantSizes(target, 154, 0, 0)
}

func testTaskErrors(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a")
	nobody, region := named("nobody"), target.Name
	region.Region = "eu-west-1"
	e.startMoveCode(engine.StartMoveParams{Source: dead.ID, Target: &nobody}, engine.QueueNotFound)
	e.startMoveCode(engine.StartMoveParams{Source: dead.ID, Target: &region}, engine.QueueNotFound)
	e.startMoveCode(engine.StartMoveParams{Source: engine.QueueID(uuid.New())}, engine.QueueNotFound)
	if all := e.tasks(dead, 10); len(all) != 0 {
		t.Errorf("tasks that did not start are listed: %+v", all)
	}
	e.delete(target)
	e.startMoveCode(engine.StartMoveParams{Source: dead.ID, Target: &target.Name}, engine.QueueNotFound)
	e.delete(dead)
	e.startMoveCode(engine.StartMoveParams{Source: dead.ID}, engine.QueueNotFound)
	_, err := e.store.ListMoves(t.Context(), engine.ListMovesParams{Source: dead.ID, Limit: 1})
	e.wantCode("ListMoves of a deleted queue", err, engine.QueueNotFound)
}

func testTaskList(t testing.TB, e *env) {
	dead, target, other := e.create("dead"), e.create("target"), e.create("other")
	if all := e.tasks(dead, 10); len(all) != 0 {
		t.Errorf("a new queue has the tasks %+v", all)
	}
	var started []engine.MoveTask
	for i := range 4 {
		e.send(dead, "a")
		started = append(started, e.startMove(dead, target, 0))
		if i%2 == 0 {
			e.clock.Advance(time.Second)
		}
		e.moveAll()
	}
	e.startMove(other, target, 0)
	for _, limit := range []int{1, 2, 3, 4, 10} {
		all := e.tasks(dead, limit)
		if len(all) != min(limit, 4) {
			t.Fatalf("%d tasks are listed, want %d", len(all), min(limit, 4))
		}
		for i, task := range all {
			if want := started[3-i]; task.ID != want.ID || task.Moved != 1 || !task.Started.Equal(want.Started) {
				t.Errorf("task %d of the list is %+v, want %v", i, task, want.ID)
			}
		}
	}
}

func testTaskKept(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	var started []engine.MoveTask
	for range 13 {
		started = append(started, e.startMove(dead, target, 0))
		e.moveAll()
	}
	all := e.tasks(dead, 100)
	if len(all) != 10 {
		t.Fatalf("%d tasks are listed, want 10", len(all))
	}
	for i, task := range all {
		if task.ID != started[12-i].ID {
			t.Errorf("task %d of the list is %v, want %v", i, task.ID, started[12-i].ID)
		}
	}
	_, err := e.cancelMove(dead, started[0])
	e.wantCode("CancelMove of a task that is not kept", err, engine.MoveNotFound)
}

func testTaskSourceDeleted(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b c")
	e.startMove(dead, target, 1)
	e.moveOn()
	e.delete(dead)
	e.moveUntil(e.clock.Now().Add(10*time.Second), func() {})
	moved := e.counts(target).Visible
	if moved > 1 {
		t.Errorf("%d messages moved, want at most 1", moved)
	}
	dead = e.create("dead")
	if all := e.tasks(dead, 10); len(all) != 0 {
		t.Errorf("a queue created again has the tasks %+v", all)
	}
	e.send(dead, "d")
	e.moveAll()
	e.wantSizes(dead, 1, 0, 0)
	task := e.startMove(dead, target, 0)
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, 1)
	e.wantSizes(target, moved+1, 0, 0)
}

func testTaskSnapshots(t testing.TB, e *env) {
	dead, target := e.create("dead"), e.create("target")
	e.send(dead, "a b")
	name := target.Name
	task, err := e.store.StartMove(t.Context(), engine.StartMoveParams{Source: dead.ID, Target: &name})
	if err != nil {
		t.Fatal(err)
	}
	name = named("elsewhere")
	before := e.task(dead, task)
	e.moveAll()
	if before.Moved != 0 || before.Status != engine.MoveRunning {
		t.Errorf("a snapshot has changed: %+v", before)
	}
	if *before.Target != target.Name || *task.Target != target.Name {
		t.Errorf("the target is %v and %v, want %v", *before.Target, *task.Target, target.Name)
	}
	e.wantSizes(target, 2, 0, 0)
}
