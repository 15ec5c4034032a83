package storetest

import (
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"queues/engine"
)

// walkTask is one move task in both stores.
type walkTask struct {
	queue       *walkQueue
	real, model engine.MoveID
}

// walkPace is how far a task had come before and after an instant.
type walkPace struct {
	at          time.Time
	from, moved int64
}

// startMove starts a task that both stores must bring to the same end.
func (w *walk) startMove() {
	q := w.queue()
	if q == nil || w.unsettled(q) {
		return
	}
	p := engine.StartMoveParams{Source: q.real, Rate: pick(w, 0, 0, 1, 5)}
	if w.chance(2) {
		name := w.queueName(w.mostly(q.kind))
		p.Target = &name
	}
	if w.crosses(p.Target) {
		return
	}
	if q.kind == engine.FIFO {
		p.Rate = 0
	}
	w.note("StartMove %v, rate %d, target %v", q, p.Rate, p.Target)
	got, err := w.e.store.StartMove(w.t.Context(), p)
	p.Source = q.model
	want, wantErr := w.model.StartMove(w.t.Context(), p)
	if err != nil && wantErr != nil && w.busy(q) && p.Target != nil && w.model.named(*p.Target) == nil {
		// Two things are wrong, and either may be said.
		return
	}
	if !w.sameError(err, wantErr) {
		return
	}
	w.tasks = append(w.tasks, walkTask{q, got.ID, want.ID})
	w.sameTask(got, want)
	if q.kind == engine.FIFO {
		w.drainMoves()
	}
}

// unsettled says whether the contract leaves open which messages of a queue a
// task moves first: dead letters that came together.
func (w *walk) unsettled(q *walkQueue) bool {
	mq := w.model.world.queues[q.model]
	if mq == nil {
		return false
	}
	batches := make(map[uint64]int)
	for _, msg := range mq.messages {
		if batches[msg.batch]++; msg.batch > 0 && batches[msg.batch] > 1 || msg.batch > 0 && mq.Kind == engine.FIFO {
			return true
		}
	}
	return false
}

// busy says whether a task of the queue is active.
func (w *walk) busy(q *walkQueue) bool {
	return slices.ContainsFunc(w.model.tasks(q.model), (*modelMove).active)
}

// crosses says whether an active task may move to the same queue, so that the
// order of what arrives there would be open.
func (w *walk) crosses(target *engine.QueueName) bool {
	for _, t := range w.model.world.moves {
		if t.active() && (target == nil || t.Target == nil || *t.Target == *target) {
			return true
		}
	}
	return false
}

func (w *walk) sameTask(got, want engine.MoveTask) {
	w.t.Helper()
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(engine.MoveTask{}, "ID")); d != "" {
		w.failf("the tasks differ (-model +store):\n%s", d)
	}
}

// listMoves gives a source's tasks in both stores, and false when it is gone.
func (w *walk) listMoves(q *walkQueue) (got, want []engine.MoveTask, there bool) {
	w.t.Helper()
	got, err := w.e.store.ListMoves(w.t.Context(), engine.ListMovesParams{Source: q.real, Limit: 20})
	want, wantErr := w.model.ListMoves(w.t.Context(), engine.ListMovesParams{Source: q.model, Limit: 20})
	return got, want, w.sameError(err, wantErr)
}

// moveStep does one step of the store's tasks and has the model do as much.
func (w *walk) moveStep() {
	w.stepMoves()
}

func (w *walk) stepMoves() engine.SweepResult {
	w.t.Helper()
	w.note("Move")
	result, err := w.e.store.Move(w.t.Context())
	if err != nil {
		w.failf("%v", err)
	}
	come := make(map[engine.MoveID]engine.MoveTask)
	for _, t := range w.tasks {
		got, _, there := w.listMoves(t.queue)
		if i := slices.IndexFunc(got, func(m engine.MoveTask) bool { return m.ID == t.real }); there && i >= 0 {
			come[t.model] = got[i]
		}
	}
	w.model.pace = func(id engine.MoveID) (int64, bool) {
		task := come[id]
		return task.Moved, task.Status != engine.MoveRunning
	}
	if _, err := w.model.Move(w.t.Context()); err != nil {
		w.failf("the model: %v", err)
	}
	for _, q := range w.queues {
		got, want, there := w.listMoves(q)
		if !there {
			continue
		}
		if len(got) != len(want) {
			w.failf("%d tasks of %v are listed, the model has %d", len(got), q, len(want))
		}
		for i := range want {
			if got[i].Status == engine.MoveCancelling && want[i].Status == engine.MoveCancelled {
				got[i].Status = want[i].Status
			}
			w.sameTask(got[i], want[i])
			w.rated(got[i])
		}
	}
	return result
}

// rated wants a task to have kept to its rate since its start, and at this
// instant.
func (w *walk) rated(t engine.MoveTask) {
	w.t.Helper()
	if t.Rate == 0 {
		return
	}
	now := w.e.clock.Now()
	come := w.paces[t.ID]
	if !come.at.Equal(now) {
		come.at, come.from = now, come.moved
	}
	come.moved = t.Moved
	w.paces[t.ID] = come
	most := int64(t.Rate) * (1 + int64(now.Sub(t.Started)/time.Second))
	if t.Moved > most || come.moved-come.from > int64(t.Rate) {
		w.failf("a task moved %d messages since %v, %d of them now, at %d in a second", t.Moved, t.Started, come.moved-come.from, t.Rate)
	}
}

// drainMoves steps until nothing is left to do at once: then every task that is
// not rated has ended.
func (w *walk) drainMoves() {
	w.t.Helper()
	for i := 0; w.stepMoves().More; i++ {
		if i > maxSweeps {
			w.failf("there is more to move after %d steps", i)
		}
	}
	for _, q := range w.queues {
		got, _, _ := w.listMoves(q)
		for _, t := range got {
			if t.Status == engine.MoveCancelling || t.Status == engine.MoveRunning && t.Rate == 0 {
				w.failf("a task with nothing left to do has the status %d", t.Status)
			}
		}
	}
}

// cancelMove cancels a task, one that has ended as well.
func (w *walk) cancelMove() {
	if len(w.tasks) == 0 {
		return
	}
	t := w.tasks[len(w.tasks)-1-w.rng.IntN(min(3, len(w.tasks)))]
	q := t.queue
	if w.chance(10) {
		q = pick(w, w.queues...)
	}
	w.note("CancelMove %v", q)
	_, err := w.e.store.CancelMove(w.t.Context(), engine.CancelMoveParams{Source: q.real, Task: t.real})
	_, wantErr := w.model.CancelMove(w.t.Context(), engine.CancelMoveParams{Source: q.model, Task: t.model})
	if w.sameError(err, wantErr) {
		w.drainMoves()
	}
}

// listSources compares the sources of a target.
func (w *walk) listSources() {
	p := engine.ListSourcesParams{Target: w.queueName(w.kind()), Limit: pick(w, 1, 2, 10)}
	for {
		w.note("ListSources %+v", p)
		got, err := w.e.store.ListSources(w.t.Context(), p)
		want, wantErr := w.model.ListSources(w.t.Context(), p)
		if !w.samePage(got, want, err, wantErr) {
			return
		}
		p.After = want.Queues[len(want.Queues)-1].Name.Name
	}
}
