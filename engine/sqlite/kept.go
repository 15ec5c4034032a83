package sqlite

import "queues/engine"

const (
	firstKeptSQL = `SELECT sent FROM moved INDEXED BY moved_sent WHERE queue = ? AND sent > ? ORDER BY sent LIMIT 1`
	keptOverSQL  = `SELECT m.id, d.state, d.grp FROM moved AS m INDEXED BY moved_sent LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.queue = ?1 AND m.sent <= ?2 ORDER BY m.sent LIMIT ?3`
	keptSentSQL = `SELECT sent FROM moved WHERE id = ?`
	endKeptSQL  = `UPDATE moved SET sent = 0 WHERE queue = ? AND sent <= ? AND sent > 0`

	forgetMovedSQL     = `DELETE FROM moved WHERE id = ? RETURNING id`
	forgetMovedUpToSQL = `DELETE FROM moved WHERE id IN (
		SELECT id FROM messages INDEXED BY messages_fresh WHERE queue = ? AND fresh = 1 AND id <= ? ORDER BY id LIMIT ?) RETURNING id`
	forgetMovedHeldSQL = `DELETE FROM moved WHERE id IN (
		SELECT id FROM messages INDEXED BY messages_held WHERE queue = ? AND fresh = 0 AND id <= ?) RETURNING id`
	forgetMovedOfSQL = `DELETE FROM moved WHERE id IN (
		SELECT id FROM moved INDEXED BY moved_sent WHERE queue = ? LIMIT ?) RETURNING id`

	removeDeliverySQL = `DELETE FROM deliveries WHERE id = ?`
)

// Dead letters keep the time of their first send, and the retention counts from
// it. The cut knows nothing of that: it goes by when messages arrived. What is
// over by such a time is seen by nobody either, and its rows leave in bounded
// steps.

// firstKept gives the earliest kept send time behind a time, never for none.
func (t *tx) firstKept(q *queue, behind int64) (int64, error) {
	sent := int64(never)
	if q.moved == 0 {
		return sent, nil
	}
	err := t.run(t.w.firstKept, func(r row) error { sent = r.int(0); return nil }, q.epoch, behind)
	return sent, err
}

// lagging tells, after expire, whether messages that are over by a kept send
// time may still have rows.
func (t *tx) lagging(q *queue) bool {
	return t.expiry && q.moved > 0 && q.nextExpiry <= t.now
}

// over tells whether a kept send time is over.
func (t *tx) over(q *queue, sent int64) bool {
	return sent+spanMS(q.snapshot.Retention) <= t.now
}

// isOver tells whether a message is over by a kept send time although its rows
// are still there.
func (t *tx) isOver(q *queue, id int64) (bool, error) {
	if !t.lagging(q) {
		return false, nil
	}
	over := false
	err := t.run(t.w.keptSent, func(r row) error {
		over = r[0] != nil && t.over(q, r.int(0))
		return nil
	}, id)
	return over, err
}

func errExpired() error {
	return &engine.Error{Code: engine.MessageGone, Text: "the message has expired"}
}

// removeKept removes messages that are over by a kept send time, at most limit.
func (t *tx) removeKept(q *queue, limit int64) (removed int64, err error) {
	if limit <= 0 || !t.lagging(q) {
		return 0, nil
	}
	var over []candidate
	err = t.run(t.w.keptOver, func(r row) error {
		over = append(over, candidate{id: r.int(0), class: class(r.int(1)), group: r.int(2), moved: true})
		return nil
	}, q.epoch, t.now-spanMS(q.snapshot.Retention), limit)
	if err != nil {
		return 0, err
	}
	for _, m := range over {
		if err := t.drop(q, m); err != nil {
			return 0, err
		}
		if m.class == inFlight {
			t.ready(q, 1) // room under an in-flight limit
		}
	}
	q.nextExpiry = 0
	return int64(len(over)), t.expire(q)
}

// endKept makes what is over by a kept send time stay so, whatever the
// retention becomes.
func (t *tx) endKept(q *queue) error {
	if !t.lagging(q) {
		return nil
	}
	return t.run(t.w.endKept, nil, q.epoch, t.now-spanMS(q.snapshot.Retention))
}

// drop removes a message with everything that belongs to it.
func (t *tx) drop(q *queue, m candidate) error {
	if q.fifo() {
		return t.dropMember(q, m)
	}
	if m.class != fresh {
		if err := t.runNow(t.w.removeDeliveryRow, nil, m.id); err != nil {
			return err
		}
	}
	t.touch(q)
	t.remove(m.id)
	q.count[m.class]--
	t.noteGroup(q, m.group, m.class, nowhere)
	if m.moved {
		return t.forgetMoved(q, m.id)
	}
	return nil
}

// forgetMoved removes what a message brought along, if anything.
func (t *tx) forgetMoved(q *queue, id int64) error {
	if q.moved == 0 {
		return nil
	}
	return t.runNow(t.w.forgetMoved, func(row) error { q.moved--; return nil }, id)
}
