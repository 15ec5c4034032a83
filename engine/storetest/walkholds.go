package storetest

import (
	"time"

	"queues/engine"
)

// walkHold is one delivery in flight, kept apart from the model: what it says
// must hold even if the model is as wrong as the store.
type walkHold struct {
	queue    *walkQueue
	ref      engine.Ref
	group    string
	sequence uint64
	deadline time.Time
}

// held wants no delivery of what somebody holds, nor of what a held message
// stands before in its group, and notes what is held now.
func (w *walk) held(q *walkQueue, got []engine.Delivery) {
	w.t.Helper()
	now := w.e.clock.Now()
	here := make(map[string]bool)
	for _, d := range got {
		here[d.Body] = true
	}
	for body, h := range w.holds {
		if !now.Before(h.deadline) || w.holder(body) == nil {
			delete(w.holds, body)
		}
	}
	last := make(map[string]uint64)
	for _, d := range got {
		if h, twice := w.holds[d.Body]; twice && h.ref != d.Ref {
			w.failf("%s was received while it was held until %v", d.Body, h.deadline)
		}
		if q.kind != engine.FIFO {
			continue
		}
		if d.Sequence <= last[d.Group] {
			w.failf("%s was received behind a later message of its group", d.Body)
		}
		last[d.Group] = d.Sequence
		for body, h := range w.holds {
			if h.queue == q && h.group == d.Group && h.sequence < d.Sequence && !here[body] {
				w.failf("%s was received while %s before it in its group was held until %v", d.Body, body, h.deadline)
			}
		}
	}
	for _, d := range got {
		delete(w.holds, d.Body)
		if now.Before(d.Deadline) {
			w.holds[d.Body] = walkHold{queue: q, ref: d.Ref, group: d.Group, sequence: d.Sequence, deadline: d.Deadline}
		}
	}
}

// holder gives the queue's message that is held, nil when its retention is over.
func (w *walk) holder(body string) *modelMessage {
	mq := w.model.world.queues[w.holds[body].queue.model]
	if mq == nil {
		return nil
	}
	for _, msg := range mq.messages {
		if msg.Body == body && !mq.over(msg, w.e.clock.Now()) {
			return msg
		}
	}
	return nil
}

// drop forgets a hold that a call with a delivery may have ended.
func (w *walk) drop(h walkHandle, rule engine.StaleRule) {
	if held, known := w.holds[h.body]; known && (held.ref == h.real || rule == engine.StaleActs) {
		delete(w.holds, h.body)
	}
}

// forgetHolds forgets what was held in a queue.
func (w *walk) forgetHolds(q *walkQueue) {
	for body, h := range w.holds {
		if h.queue == q {
			delete(w.holds, body)
		}
	}
}
