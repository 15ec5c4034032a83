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
			q := f.writer.byName[nameOf(name)]
			if err := f.DeleteQueue(f.t.Context(), engine.DeleteQueueParams{Queue: q.snapshot.ID}); err != nil {
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
		{0, 1, 334}, {333, 1, 334}, {334, 2, 667}, {666, 2, 667}, {670, 3, 1000}, {1020, 4, 1334},
		// It comes late, and the rate counts from there.
		{5334, 5, 5647}, {5647, 6, 5980},
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
