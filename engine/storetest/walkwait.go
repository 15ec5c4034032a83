package storetest

import (
	"time"

	"queues/engine"
)

// park leaves somebody waiting at a queue that gave nothing, who will look again
// when told to, or at the time that the receive gave.
func (w *walk) park(q *walkQueue, due time.Time) {
	if reports := w.tell(); reports[q.real].Ready == 0 {
		w.parked[q] = due
	}
}

// tell wakes those who wait by the reports since the last step and by time, as
// the engine does.
func (w *walk) tell() map[engine.QueueID]engine.Report {
	reports := w.e.log.take()
	now := w.e.clock.Now()
	for q, due := range w.parked {
		r := reports[q.real]
		due = earlier(due, r.Due)
		w.parked[q] = due
		if r.Ready > 0 || r.Deleted || !due.IsZero() && !now.Before(due) {
			delete(w.parked, q)
		}
	}
	return reports
}

// receivable says whether the model would give something.
func (w *walk) receivable(q *walkQueue) bool {
	mq := w.model.world.queues[q.model]
	if mq == nil {
		return false
	}
	now := w.e.clock.Now()
	if mq.Kind == engine.FIFO {
		return len(mq.inLine(nil, now)) > 0
	}
	for _, msg := range mq.messages {
		if !mq.over(msg, now) && (msg.place == visible || !now.Before(msg.due)) {
			return true
		}
	}
	return false
}

// wakeUps tells those who wait, and wants none of them left asleep beside a
// message.
func (w *walk) wakeUps() {
	w.t.Helper()
	w.tell()
	for _, q := range w.queues {
		if _, waits := w.parked[q]; waits && q.kind == engine.FIFO && w.receivable(q) {
			// The end of a message's retention is known to whoever sweeps.
			w.e.drain()
			w.tell()
		}
		due, waits := w.parked[q]
		switch {
		case !waits:
		case w.receivable(q):
			w.failf("a message of %v can be received and whoever waits for it was not told; due %v", q, due)
		case q.deleted:
			w.failf("%v is deleted and whoever waits there was not told", q)
		}
	}
}
