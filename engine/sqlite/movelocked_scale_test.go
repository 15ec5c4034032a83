package sqlite

import (
	"flag"
	"testing"
	"time"

	"queues/engine"
)

var passedMembers = flag.Int("sqlite.members", 5_000, "messages in flight that a move task has to pass on a FIFO queue")

// TestMovePassesMembers lets a move task step on a FIFO queue whose first
// messages are in flight, and compares its steps with those on a queue without.
func TestMovePassesMembers(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.createFIFO("target")
	var middle [2]time.Duration
	for i, n := range []int{0, *passedMembers} {
		q := f.createFIFO([]string{"alone", "behind"}[i])
		f.spread(q, n, func(int) string { return "locked" })
		if n > 0 {
			for left := n; left > 0; {
				r, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: left, Visibility: new(10 * time.Hour)})
				if err != nil || len(r.Messages) == 0 {
					t.Fatalf("received %d messages (%v)", len(r.Messages), err)
				}
				left -= len(r.Messages)
			}
		}
		f.spread(q, 1000, func(int) string { return "free" })
		f.startMove(q, "target", 0)
		var took feel
		for f.moves(q)[0].Status == engine.MoveRunning {
			at := time.Now()
			f.step()
			took = append(took, time.Since(at))
		}
		middle[i] = took.middle()
		t.Logf("a step behind %d messages in flight took %v", n, took)
		if task := f.moves(q)[0]; task.Moved != 1000 {
			t.Errorf("the task is %+v", task)
		}
	}
}

// TestMoveAfterRelease gives a message back that a step of a task has passed
// while it was in flight: a later step moves it.
func TestMoveAfterRelease(t *testing.T) {
	t.Parallel()
	f := open(t)
	target := f.createFIFO("target")
	q := f.createFIFO("q")
	f.sendGrouped(q, "a-1 b-1 c-1")
	held := f.hold(q, 1, 10*time.Hour)
	f.startMove(q, "target", 1)
	f.step()
	if err := f.Release(t.Context(), q.ID, refs(held)); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		f.clock.advance(time.Second)
		f.step()
	}
	f.wantSizes(q, 0, 0, 0)
	f.wantSizes(target, 3, 0, 0)
}
