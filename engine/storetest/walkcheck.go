package storetest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"queues/engine"
)

// sameError wants both stores to have succeeded, or to have failed with one
// code, and says whether they succeeded.
func (w *walk) sameError(got, want error) bool {
	w.t.Helper()
	if (got == nil) != (want == nil) || got != nil && engine.ErrorCode(got) != engine.ErrorCode(want) {
		w.failf("the store says %v, the model %v", got, want)
	}
	return want == nil
}

// sameResults compares the results of a batch. A delivery may be both old and
// expired; then either may be said.
func (w *walk) sameResults(got, want []error, refuseExpired bool) {
	w.t.Helper()
	if len(got) != len(want) {
		w.failf("%d results, want %d", len(got), len(want))
	}
	var codes []int
	for _, err := range want {
		code := ok
		if err != nil {
			code = int(engine.ErrorCode(err))
		}
		codes = append(codes, code)
	}
	w.log[len(w.log)-1] += fmt.Sprintf(": %v", codes)
	for i := range want {
		if got[i] != nil && want[i] != nil && refuseExpired &&
			engine.ErrorCode(got[i]) == engine.ExpiredReceipt && engine.ErrorCode(want[i]) == engine.StaleReceipt {
			continue
		}
		w.sameError(got[i], want[i])
	}
}

// sameQueue compares a queue in both stores.
func (w *walk) sameQueue(got, want *engine.Queue) {
	w.t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(engine.Queue{}, "ID", "Slug")); d != "" {
		w.failf("the queue differs (-model +store):\n%s", d)
	}
}

// message gives the model's message of a delivery, nil when it is gone.
func (w *walk) message(h walkHandle) *modelMessage {
	q := w.model.world.queues[h.queue.model]
	ref, known := w.model.world.refs[h.model]
	if q == nil || !known {
		return nil
	}
	return q.find(ref.arrival, w.e.clock.Now())
}

func (w *walk) kept(h walkHandle) bool { return w.message(h) != nil }

// decided says whether the contract fixes what a reference does: it does not
// for the references of a message whose last receive was released.
func (w *walk) decided(h walkHandle) bool {
	msg := w.message(h)
	return msg == nil || msg.delivery != 0
}

// size is how many messages the model keeps in a queue.
func (w *walk) size(q *walkQueue) int {
	mq := w.model.world.queues[q.model]
	if mq == nil {
		return 0
	}
	return len(mq.messages)
}

// edges are the times at which something falls due in a queue.
func (w *walk) edges(q *walkQueue) []time.Time {
	mq := w.model.world.queues[q.model]
	if mq == nil {
		return nil
	}
	var all []time.Time
	for _, msg := range mq.messages {
		all = append(all, msg.sent.Add(mq.Retention))
		if msg.place != visible {
			all = append(all, msg.due)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(mq.sends)) {
		if end := mq.sends[key].at.Add(engine.DedupWindow); end.After(w.e.clock.Now()) && w.chance(10) {
			all = append(all, end)
		}
	}
	return all
}

// spotCheck compares something that the last call may have broken.
func (w *walk) spotCheck() {
	w.t.Helper()
	if !w.chance(3) || len(w.queues) == 0 {
		return
	}
	q := pick(w, w.queues...)
	w.checkCounts(q, w.chance(4))
	got, err := w.e.store.FindQueue(w.t.Context(), q.name)
	want, wantErr := w.model.FindQueue(w.t.Context(), q.name)
	if w.sameError(err, wantErr) {
		w.sameQueue(got, want)
	}
}

// checkCounts compares the counts of a queue, with all background work done or
// as they are.
func (w *walk) checkCounts(q *walkQueue, drained bool) {
	w.t.Helper()
	if drained {
		w.e.drain()
	}
	w.note("Counts %v, drained %v", q, drained)
	got, err := w.e.store.Counts(w.t.Context(), q.real)
	want, wantErr := w.model.Counts(w.t.Context(), q.model)
	if !w.sameError(err, wantErr) {
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		w.failf("the counts differ (-model +store):\n%s", d)
	}
}

// list compares the lists of a namespace page by page, and those of a target's
// sources.
func (w *walk) list() {
	w.listSources()
	p := engine.ListQueuesParams{
		Namespace: engine.Namespace{Account: home.Account, Region: pick(w, "us-east-1", "eu-west-1")},
		Prefix:    pick(w, "", "", "a", "a_", "b"),
		Limit:     pick(w, 1, 2, 10),
	}
	for {
		w.note("ListQueues %+v", p)
		got, err := w.e.store.ListQueues(w.t.Context(), p)
		want, wantErr := w.model.ListQueues(w.t.Context(), p)
		if !w.samePage(got, want, err, wantErr) {
			return
		}
		p.After = want.Queues[len(want.Queues)-1].Name.Name
	}
}

// samePage compares a page of a list with the model's and reports whether there
// is a next one.
func (w *walk) samePage(got, want engine.ListQueuesResult, err, wantErr error) (more bool) {
	if !w.sameError(err, wantErr) {
		return false
	}
	if len(got.Queues) != len(want.Queues) || got.More != want.More {
		w.failf("%d queues, more: %v; the model says %d, %v", len(got.Queues), got.More, len(want.Queues), want.More)
	}
	for i := range want.Queues {
		w.sameQueue(got.Queues[i], want.Queues[i])
	}
	return want.More
}
