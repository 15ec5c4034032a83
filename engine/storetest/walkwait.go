package storetest

import "time"

// park leaves somebody waiting at a queue that gave nothing, who will look again
// when told to, or at the time that the receive gave.
func (w *walk) park(q *walkQueue, due time.Time) {
	w.e.log.take()
	w.parked[q] = due
}

// receivable says whether the model would give something.
func (w *walk) receivable(q *walkQueue) bool {
	mq := w.model.world.queues[q.model]
	if mq == nil {
		return false
	}
	now := w.e.clock.Now()
	for _, msg := range mq.messages {
		if !mq.over(msg, now) && (msg.place == visible || !now.Before(msg.due)) {
			return true
		}
	}
	return false
}

// wakeUps wakes those who wait by the reports since the last step and by time,
// as the engine does, and wants none of them left asleep beside a message.
func (w *walk) wakeUps() {
	w.t.Helper()
	reports := w.e.log.take()
	now := w.e.clock.Now()
	for _, q := range w.queues {
		due, waits := w.parked[q]
		if !waits {
			continue
		}
		r := reports[q.real]
		due = earlier(due, r.Due)
		w.parked[q] = due
		if r.Ready > 0 || r.Deleted || !due.IsZero() && !now.Before(due) {
			delete(w.parked, q)
			continue
		}
		if w.receivable(q) {
			w.failf("a message of %v can be received and whoever waits for it was not told; due %v", q, due)
		}
		if q.deleted {
			w.failf("%v is deleted and whoever waits there was not told", q)
		}
	}
}
