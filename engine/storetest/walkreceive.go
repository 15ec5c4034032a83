package storetest

import (
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"queues/engine"
)

// receive receives from both stores, compares and gives how many messages there
// were.
func (w *walk) receive(q *walkQueue, p engine.ReceiveParams) int {
	w.t.Helper()
	timeout := "default"
	if p.Visibility != nil {
		timeout = p.Visibility.String()
	}
	w.wakeUps()
	w.quieten(q, &p)
	w.note("Receive %v, max %d, timeout %s, limit %d, attempt %q", q, p.Max, timeout, p.InFlightLimit, p.AttemptID)

	p.Queue = q.real
	got, err := w.e.store.Receive(w.t.Context(), p)
	w.follow(q, got.Messages)
	p.Queue = q.model
	want, wantErr := w.model.Receive(w.t.Context(), p)
	if !w.sameError(err, wantErr) {
		return 0
	}
	if bodiesOf(got.Messages) != bodiesOf(want.Messages) {
		w.failf("received %q, the model gives %q", bodiesOf(got.Messages), bodiesOf(want.Messages))
	}
	w.log[len(w.log)-1] += ": " + bodiesOf(want.Messages)
	for i := range want.Messages {
		h := walkHandle{
			queue: q, real: got.Messages[i].Ref, model: want.Messages[i].Ref,
			body: want.Messages[i].Body, receives: want.Messages[i].Receives,
		}
		w.sameDelivery(got.Messages[i], want.Messages[i])
		if w.refs[h.model] == "" {
			q.handles, w.handles = append(q.handles, h), append(w.handles, h)
		} else if w.refs[h.model] != h.real {
			w.failf("%v was received again under another reference", h)
		}
		w.refs[h.model] = h.real
	}
	w.held(q, got.Messages)
	w.sameRest(q, p, got, want)
	if p.AttemptID != "" && len(want.Messages) > 0 {
		q.repeated[p.AttemptID] = w.e.clock.Now()
	}
	if len(got.Messages) == 0 && !got.Limited && !got.More {
		w.park(q, got.NextDue)
	}
	return len(want.Messages)
}

// follow has the model choose as the store did where the contract leaves the
// choice.
func (w *walk) follow(q *walkQueue, got []engine.Delivery) {
	gone := w.buried(q)
	w.model.rank = func(msg *modelMessage) int {
		if gone[msg.arrival] {
			return -1
		}
		i := slices.IndexFunc(got, func(d engine.Delivery) bool { return d.Body == msg.Body })
		if i < 0 {
			return rankedLast
		}
		return i
	}
	w.model.returnedLast = false
	mq := w.model.world.queues[q.model]
	if mq == nil || len(got) == 0 {
		return
	}
	offered, _ := w.model.offer(mq, w.e.clock.Now())
	i := slices.IndexFunc(offered, func(msg *modelMessage) bool { return w.model.deadLetters(mq, msg) == nil })
	w.model.returnedLast = i >= 0 && offered[i].Body != got[0].Body
}

// buried asks the store which of the messages that were received too often it
// has moved away: where the order is open, so is which of them a receive came
// to. It asks by a change that is refused for every message that is there.
func (w *walk) buried(q *walkQueue) map[uint64]bool {
	gone := make(map[uint64]bool)
	mq := w.model.world.queues[q.model]
	if mq == nil || mq.Redrive == nil {
		return gone
	}
	// The model has to let time pass before it knows what is visible.
	if _, err := w.model.Counts(w.t.Context(), q.model); err != nil {
		w.failf("the model: %v", err)
	}
	for _, msg := range mq.messages {
		if msg.place != visible || w.model.deadLetters(mq, msg) == nil {
			continue
		}
		results, err := w.e.store.ChangeVisibility(w.t.Context(), engine.ChangeVisibilityParams{
			Queue: q.real, Stale: engine.StaleActs, MaxTotal: 1,
			Changes: []engine.Change{{Ref: w.refs[msg.ref], Timeout: 12 * 60 * 60 * 1e9}},
		})
		if err != nil {
			w.failf("ChangeVisibility: %v", err)
		}
		gone[msg.arrival] = results[0] != nil && engine.ErrorCode(results[0]) == engine.MessageGone
	}
	return gone
}

// sameDelivery compares a message as it was received. A message that a task has
// moved has another id in each store.
func (w *walk) sameDelivery(got, want engine.Delivery) {
	w.t.Helper()
	if want.ID != w.ids[want.Body] {
		before, known := w.moved[want.ID]
		if got.ID == w.ids[want.Body] || got.ID == (engine.MessageID{}) || known && got.ID != before {
			w.failf("a message that was moved has the id %v, before %v, at the send %v", got.ID, before, w.ids[want.Body])
		}
		w.moved[want.ID] = got.ID
		if want.Dedup == want.ID.String() {
			want.Dedup = got.ID.String()
		}
		want.ID = got.ID
	}
	if got.Sequence == 0 {
		w.failf("%s has no sequence", got.Body)
	}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(engine.Delivery{}, "Ref", "Sequence")); d != "" {
		w.failf("the deliveries differ (-model +store):\n%s", d)
	}
}

// sameRest compares what a receive says beside the messages.
func (w *walk) sameRest(q *walkQueue, p engine.ReceiveParams, got, want engine.ReceiveResult) {
	w.t.Helper()
	mq := w.model.world.queues[q.model]
	timeout := mq.VisibilityTimeout
	if p.Visibility != nil {
		timeout = *p.Visibility
	}
	switch {
	case p.InFlightLimit > 0:
	case timeout == 0 && got.More && !want.More:
	case mq.Redrive != nil && (got.More || !w.returnable(q, want.Messages)):
	case got.More != want.More:
		w.failf("more: %v, the model says %v", got.More, want.More)
	}
	if got.Limited != want.Limited {
		w.failf("limited: %v, the model says %v", got.Limited, want.Limited)
	}
	if len(got.Messages) == p.Max {
		return
	}
	now := w.e.clock.Now()
	if !want.NextDue.IsZero() && (got.NextDue.IsZero() || got.NextDue.After(want.NextDue)) {
		w.failf("NextDue is %v, the model says %v", got.NextDue, want.NextDue)
	}
	if p.InFlightLimit == 0 && !got.NextDue.IsZero() && !got.NextDue.After(now) {
		w.failf("NextDue is %v and it is %v already", got.NextDue, now)
	}
}

// returnable says whether the model has something that a receive would return,
// beside what one has just returned.
func (w *walk) returnable(q *walkQueue, returned []engine.Delivery) bool {
	mq := w.model.world.queues[q.model]
	offered, _ := w.model.offer(mq, w.e.clock.Now())
	return slices.ContainsFunc(offered, func(msg *modelMessage) bool {
		now := slices.ContainsFunc(returned, func(d engine.Delivery) bool { return d.ID == msg.ID })
		return !now && w.model.deadLetters(mq, msg) == nil && msg.source != mq.Name
	})
}
