package storetest

import (
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"queues/engine"
)

// startMove starts a task from a queue; a nil target sends each message where
// it came from.
func (e *env) startMove(q, target *engine.Queue, rate int) engine.MoveTask {
	e.t.Helper()
	p := engine.StartMoveParams{Source: q.ID, Rate: rate}
	if target != nil {
		p.Target = &target.Name
	}
	task, err := e.store.StartMove(e.t.Context(), p)
	if err != nil {
		e.t.Fatalf("StartMove: %v", err)
	}
	if task.Status != engine.MoveRunning || task.ID == (engine.MoveID{}) {
		e.t.Fatalf("StartMove gave %+v, want a running task", task)
	}
	return task
}

// moveOn does one step of the active tasks.
func (e *env) moveOn() engine.SweepResult {
	e.t.Helper()
	r, err := e.store.Move(e.t.Context())
	if err != nil {
		e.t.Fatalf("Move: %v", err)
	}
	return r
}

// moveAll does steps until none has anything to do at once, and gives the last
// result.
func (e *env) moveAll() engine.SweepResult {
	e.t.Helper()
	for range maxSweeps {
		if r := e.moveOn(); !r.More {
			return r
		}
	}
	e.t.Fatalf("Move still has more to do after %d steps", maxSweeps)
	return engine.SweepResult{}
}

// tasks gives the newest tasks of a source.
func (e *env) tasks(q *engine.Queue, limit int) []engine.MoveTask {
	e.t.Helper()
	all, err := e.store.ListMoves(e.t.Context(), engine.ListMovesParams{Source: q.ID, Limit: limit})
	if err != nil {
		e.t.Fatalf("ListMoves: %v", err)
	}
	if len(all) > limit {
		e.t.Fatalf("ListMoves gave %d tasks of at most %d", len(all), limit)
	}
	return all
}

// task gives the task as it is now.
func (e *env) task(q *engine.Queue, task engine.MoveTask) engine.MoveTask {
	e.t.Helper()
	all := e.tasks(q, 10)
	i := slices.IndexFunc(all, func(t engine.MoveTask) bool { return t.ID == task.ID })
	if i < 0 {
		e.t.Fatalf("the task %v is not listed: %+v", task.ID, all)
	}
	return all[i]
}

// wantTask wants a task to stand where it is said, and everything else of it as
// it was at the start.
func (e *env) wantTask(q *engine.Queue, started engine.MoveTask, status engine.MoveStatus, failure engine.MoveFailure, moved int64) {
	e.t.Helper()
	want := started
	want.Status, want.Failure, want.Moved = status, failure, moved
	if d := cmp.Diff(want, e.task(q, started), cmpopts.EquateApproxTime(0)); d != "" {
		e.t.Fatalf("the task differs (-want +got):\n%s", d)
	}
}

func (e *env) cancelMove(q *engine.Queue, task engine.MoveTask) (engine.MoveTask, error) {
	return e.store.CancelMove(e.t.Context(), engine.CancelMoveParams{Source: q.ID, Task: task.ID})
}

// startMoveCode wants a task not to start.
func (e *env) startMoveCode(p engine.StartMoveParams, code engine.Code) {
	e.t.Helper()
	_, err := e.store.StartMove(e.t.Context(), p)
	e.wantCode("StartMove", err, code)
}

// moveUntil steps the tasks as the engine does, with the clock going where the
// next step is announced, until the time is over. It calls look after each
// step.
func (e *env) moveUntil(end time.Time, look func()) {
	e.t.Helper()
	for range maxSweeps {
		r := e.moveOn()
		look()
		now := e.clock.Now()
		switch {
		case r.More:
		case r.Next.IsZero() || r.Next.After(end):
			if now.Before(end) {
				e.clock.Set(end)
			}
			return
		case !r.Next.After(now):
			e.t.Fatalf("Move announces its next step for %v, and it is %v", r.Next, now)
		default:
			e.clock.Set(r.Next.Add(time.Millisecond - 1))
		}
	}
	e.t.Fatalf("Move does not come to the time %v in %d steps", end, maxSweeps)
}
