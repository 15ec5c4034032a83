package sqlite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

func (f *fixture) startMove(from *engine.Queue, to string, rate int) engine.MoveTask {
	f.t.Helper()
	task, err := f.StartMove(f.t.Context(), moveParams(from, to, rate))
	if err != nil {
		f.t.Fatalf("StartMove: %v", err)
	}
	return task
}

// moveParams name a task; an empty target sends each message home.
func moveParams(from *engine.Queue, to string, rate int) engine.StartMoveParams {
	p := engine.StartMoveParams{Source: from.ID, Rate: rate}
	if to != "" {
		p.Target = new(name(to))
	}
	return p
}

func (f *fixture) step() engine.SweepResult {
	f.t.Helper()
	r, err := f.Move(f.t.Context())
	if err != nil {
		f.t.Fatalf("Move: %v", err)
	}
	return r
}

// move steps until there is nothing to do for now.
func (f *fixture) move() engine.SweepResult {
	f.t.Helper()
	for range 10_000 {
		if r := f.step(); !r.More {
			return r
		}
	}
	f.t.Fatal("Move never ends")
	return engine.SweepResult{}
}

func (f *fixture) moves(q *engine.Queue) []engine.MoveTask {
	f.t.Helper()
	tasks, err := f.ListMoves(f.t.Context(), engine.ListMovesParams{Source: q.ID, Limit: 100})
	if err != nil {
		f.t.Fatalf("ListMoves: %v", err)
	}
	return tasks
}

func TestMove(t *testing.T) {
	t.Parallel()
	f := open(t)
	dlq := f.create("dlq")
	f.create("to", func(s *engine.Settings) { s.Delay = time.Minute })
	q := f.create("q", redriveTo("dlq", 1))
	to, err := f.FindQueue(t.Context(), name("to"))
	if err != nil {
		t.Fatal(err)
	}
	f.send(q, 2)
	f.touch(q, 2)
	f.clock.advance(time.Minute)
	f.touch(q, 2) // moves them
	f.send(dlq, 1)
	before := f.touch(dlq, 3)
	inFlight := f.receive(dlq, 1)
	delay := time.Hour
	if _, err := f.Send(t.Context(), engine.SendParams{Queue: dlq.ID, Messages: []engine.NewMessage{{Delay: &delay}}}); err != nil {
		t.Fatal(err)
	}
	task := f.startMove(dlq, "to", 0)
	want := engine.MoveTask{ID: task.ID, Source: dlq.Name, Target: &to.Name, ToMove: 2, Started: f.clock.Now()}
	if d := cmp.Diff(want, task); d != "" {
		t.Errorf("the new task (-want +got):\n%s", d)
	}
	f.send(dlq, 1) // after the start
	f.clock.advance(time.Minute)
	if r := f.move(); r != (engine.SweepResult{}) {
		t.Errorf("the last step gave %+v", r)
	}
	want.Status, want.Moved = engine.MoveCompleted, 3 // one became visible meanwhile
	f.reopen()
	if d := cmp.Diff([]engine.MoveTask{want}, f.moves(dlq)); d != "" {
		t.Errorf("the tasks (-want +got):\n%s", d)
	}
	if c := f.counts(dlq); c.Visible != 1 || c.Delayed != 1 {
		t.Errorf("the source has %+v, want 1 visible and 1 delayed", c)
	}
	outcomes, err := f.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: dlq.ID, Refs: refs(inFlight), Stale: engine.StaleActs})
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, "an old reference", outcomes[0], engine.MessageGone)
	if c := f.counts(to); c.Delayed != 3 || !c.Oldest.Equal(f.clock.Now()) {
		t.Errorf("the target has %+v, want 3 that its delay hides", c)
	}
	arrived := f.clock.Now()
	f.clock.advance(time.Minute)
	got := f.receive(to, 10)
	if !slices.Equal(bodies(got), bodies(before)) {
		t.Fatalf("the target has %v, want %v", bodies(got), bodies(before))
	}
	for i, d := range got {
		if d.ID == before[i].ID || d.Receives != 1 || d.Source != (engine.QueueName{}) ||
			!d.Sent.Equal(arrived) || !d.FirstReceived.Equal(f.clock.Now()) {
			t.Errorf("message %d is not a new one: %+v", i, d)
		}
	}
}

// TestMoveHome sends each message where it came from.
func TestMoveHome(t *testing.T) {
	t.Parallel()
	f := open(t)
	dlq := f.create("dlq")
	a, b := f.create("a", redriveTo("dlq", 1)), f.create("b", redriveTo("dlq", 1))
	for i, q := range []*engine.Queue{a, b, a} {
		p := engine.SendParams{Queue: q.ID, Messages: messages(1, fmt.Sprint(i))}
		if _, err := f.Send(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		f.touch(q, 1)
		f.touch(q, 1)
	}
	f.startMove(dlq, "", 0)
	f.move()
	if got, want := bodies(f.receive(a, 10)), []string{"0", "2"}; !slices.Equal(got, want) {
		t.Errorf("a has %v, want %v", got, want)
	}
	if got, want := bodies(f.receive(b, 10)), []string{"1"}; !slices.Equal(got, want) {
		t.Errorf("b has %v, want %v", got, want)
	}
}

// TestMoveFails ends tasks that cannot go on, with what they moved.
func TestMoveFails(t *testing.T) {
	t.Parallel()
	remove := func(name string) func(*fixture) {
		return func(f *fixture) {
			q, err := f.FindQueue(f.t.Context(), nameOf(name))
			if err != nil {
				f.t.Fatal(err)
			}
			if err := f.DeleteQueue(f.t.Context(), engine.DeleteQueueParams{Queue: q.ID}); err != nil {
				f.t.Fatal(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		target  string
		prepare func(*fixture)
		want    engine.MoveFailure
		moved   int64
	}{
		"TargetDeleted": {"to", remove("to"), engine.TargetGone, 0},
		"OtherKind": {"to", func(f *fixture) {
			remove("to")(f)
			if _, err := f.CreateQueue(f.t.Context(), engine.CreateQueueParams{Name: nameOf("to"), Kind: engine.FIFO}); err != nil {
				f.t.Fatal(err)
			}
		}, engine.TargetGone, 0},
		"HomeDeleted": {"", remove("q"), engine.TargetGone, 0},
		"NoHome":      {"", func(*fixture) {}, engine.SourceUnknown, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			dlq, q := f.create("dlq"), f.create("q", redriveTo("dlq", 1))
			f.create("to")
			f.send(q, 1)
			f.touch(q, 1)
			f.touch(q, 1)
			f.send(dlq, 2)
			f.startMove(dlq, tc.target, 0)
			tc.prepare(f)
			f.move()
			task := f.moves(dlq)[0]
			if task.Status != engine.MoveFailed || task.Failure != tc.want || task.Moved != tc.moved || task.ToMove != 3 {
				t.Errorf("the task is %+v", task)
			}
			if got := f.receive(dlq, 10); len(got) != 3-int(tc.moved) {
				t.Errorf("%d messages stayed, want %d", len(got), 3-tc.moved)
			}
		})
	}
}

func nameOf(n string) engine.QueueName { return name(n) }
