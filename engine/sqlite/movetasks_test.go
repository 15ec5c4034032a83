package sqlite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

func TestMoveRate(t *testing.T) {
	t.Parallel()
	f := open(t)
	from, to := f.create("from"), f.create("to")
	f.send(from, 7)
	f.startMove(from, "to", 3)
	for i, want := range []struct {
		after time.Duration
		moved int64
		next  time.Duration
	}{
		{0, 1, 334},
		{333, 1, 334},
		{334, 2, 667},
		{666, 2, 667},
		{670, 3, 1000},
		{1020, 4, 1334},
		// It comes late, and the rate counts from there.
		{5334, 5, 5647},
		{5647, 6, 5980},
	} {
		f.clock.set(newTestClock().Now().Add(want.after * time.Millisecond))
		r := f.move()
		if c := f.counts(to); c.Visible != want.moved {
			t.Errorf("look %d: %d moved after %d ms, want %d", i, c.Visible, want.after, want.moved)
		}
		if next := newTestClock().Now().Add(want.next * time.Millisecond); !r.Next.Equal(next) {
			t.Errorf("look %d: next at %v, want %v", i, r.Next, next)
		}
	}
	f.reopen()
	f.clock.set(newTestClock().Now().Add(5980 * time.Millisecond))
	if r := f.move(); r != (engine.SweepResult{}) || f.counts(to).Visible != 7 || f.moves(from)[0].Status != engine.MoveCompleted {
		t.Errorf("the end: %+v, %+v, %+v", r, f.counts(to), f.moves(from))
	}
}

// TestMoveTurns lets tasks take turns, and a slow one hold nobody up.
func TestMoveTurns(t *testing.T) {
	t.Parallel()
	f := open(t)
	var from []*engine.Queue
	f.create("to")
	for i := range 3 {
		from = append(from, f.create(fmt.Sprint("q", i)))
		f.send(from[i], 2*taskMoves+1)
		f.startMove(from[i], "to", []int{0, 0, 1}[i])
	}
	moved := func() []int64 {
		var n []int64
		for _, q := range from {
			n = append(n, f.moves(q)[0].Moved)
		}
		return n
	}
	for i, want := range [][]int64{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {2, 1, 1}, {2, 2, 1}, {3, 2, 1}} {
		if r := f.step(); !r.More {
			t.Errorf("step %d says it is over", i)
		}
		want[0], want[1] = min(want[0]*taskMoves, 2*taskMoves+1), want[1]*taskMoves
		if got := moved(); !slices.Equal(got, want) {
			t.Errorf("after step %d %v have moved, want %v", i, got, want)
		}
	}
	if r := f.step(); r.More || !r.Next.Equal(f.clock.Now().Add(time.Second)) {
		t.Errorf("when the slow one is left, a step gives %+v", r)
	}
}

func TestMoveTasks(t *testing.T) {
	t.Parallel()
	f := open(t)
	from, to := f.create("from"), f.create("to")
	f.send(from, 250)
	if tasks := f.moves(from); len(tasks) != 0 {
		t.Errorf("a queue without tasks has %v", tasks)
	}
	_, err := f.StartMove(t.Context(), moveParams(from, "nowhere", 0))
	wantCode(t, "StartMove to nowhere", err, engine.QueueNotFound)
	task := f.startMove(from, "to", 0)
	_, err = f.StartMove(t.Context(), moveParams(from, "to", 0))
	wantCode(t, "a second StartMove", err, engine.MoveInProgress)
	f.step()
	for _, p := range []engine.CancelMoveParams{{Source: from.ID}, {Source: to.ID, Task: task.ID}} {
		_, err = f.CancelMove(t.Context(), p)
		wantCode(t, "CancelMove of no task", err, engine.MoveNotFound)
	}
	cancel := engine.CancelMoveParams{Source: from.ID, Task: task.ID}
	got, err := f.CancelMove(t.Context(), cancel)
	if err != nil || got.Status != engine.MoveCancelling || got.Moved != taskMoves || got.Source != from.Name {
		t.Errorf("CancelMove gave %+v, %v", got, err)
	}
	_, err = f.CancelMove(t.Context(), cancel)
	wantCode(t, "a second CancelMove", err, engine.MoveEnded)
	_, err = f.StartMove(t.Context(), moveParams(from, "to", 0))
	wantCode(t, "StartMove while cancelling", err, engine.MoveInProgress)
	f.reopen()
	f.move()
	if got := f.moves(from)[0]; got.Status != engine.MoveCancelled || got.Moved != taskMoves {
		t.Errorf("the cancelled task is %+v", got)
	}
	if c := f.counts(from); c.Visible != 250-taskMoves {
		t.Errorf("%d are left, want %d", c.Visible, 250-taskMoves)
	}
	var ids []engine.MoveID
	for range 12 {
		ids = append(ids, f.startMove(from, "to", 0).ID)
		f.move()
	}
	slices.Reverse(ids)
	var listed []engine.MoveID
	for _, task := range f.moves(from) {
		listed = append(listed, task.ID)
	}
	if d := cmp.Diff(ids[:10], listed); d != "" {
		t.Errorf("the tasks (-want +got):\n%s", d)
	}
	if err := f.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: from.ID}); err != nil {
		t.Fatal(err)
	}
	_, err = f.ListMoves(t.Context(), engine.ListMovesParams{Source: from.ID, Limit: 1})
	wantCode(t, "ListMoves of a deleted queue", err, engine.QueueNotFound)
	if tasks := f.moves(f.create("from")); len(tasks) != 0 {
		t.Errorf("a new queue of the name has %v", tasks)
	}
}

// TestMoveEndsWithItsSource deletes and purges queues under their tasks.
func TestMoveEndsWithItsSource(t *testing.T) {
	t.Parallel()
	f := open(t)
	a, b := f.create("a"), f.create("b")
	to := f.create("to")
	for _, q := range []*engine.Queue{a, b} {
		f.send(q, 150)
		f.startMove(q, "to", 0)
	}
	f.step()
	f.step()
	if err := f.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: a.ID}); err != nil {
		t.Fatal(err)
	}
	if err := f.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: b.ID}); err != nil {
		t.Fatal(err)
	}
	f.send(b, 1)
	f.move()
	if task := f.moves(b)[0]; task.Status != engine.MoveCompleted || task.Moved != taskMoves {
		t.Errorf("the task of the purged queue is %+v", task)
	}
	if c, d := f.counts(b), f.counts(to); c.Visible != 1 || d.Visible != 2*taskMoves {
		t.Errorf("counts are %+v and %+v", c, d)
	}
}
