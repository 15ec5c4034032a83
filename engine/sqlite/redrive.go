package sqlite

import "queues/engine"

const (
	// The body never leaves the database.
	copyMessageSQL = `INSERT INTO messages (id, queue, fresh, arrived, grp, meta, body)
		SELECT ?1, ?2, ?7, ?3, ?6, coalesce(?4, meta), body FROM messages WHERE id = ?5
		RETURNING octet_length(meta) + octet_length(body)`
	insertMovedSQL = `INSERT INTO moved (id, queue, sent, prior, first, account, region, name)
		SELECT ?1, ?2, CASE WHEN ?3 THEN coalesce(b.sent, m.arrived) END,
			coalesce(b.prior, 0) + d.receives, coalesce(b.first, d.first_receive), ?4, ?5, ?6
		FROM messages AS m JOIN deliveries AS d ON d.id = m.id LEFT JOIN moved AS b ON b.id = m.id
		WHERE m.id = ?7 RETURNING sent`
)

// The bounds of the moves in one transaction, whoever moves. Where there is more
// to move than that, as for a move task, it goes in smaller steps: with a hundred
// a task is a half faster, and others wait three times as long for the writer.
const (
	stepMoves     = 100
	taskMoves     = 25
	stepMoveBytes = 8 << 20
)

// mayMove tells whether the transaction may move a further message out of a
// queue.
func (t *tx) mayMove(q *queue) bool {
	most := stepMoves
	if q.spent {
		most = taskMoves
	}
	return t.moves < most && t.movedBytes < stepMoveBytes
}

// target gives the queue that takes the dead letters of a queue now; nil when
// there is none.
func (t *tx) target(q *queue) *queue {
	if q.snapshot.Redrive == nil {
		return nil
	}
	return t.partner(q, q.snapshot.Redrive.Target)
}

// partner gives the queue of a name if messages of q can move there, else nil.
func (t *tx) partner(q *queue, name engine.QueueName) *queue {
	to := t.w.byName[name]
	if to == nil || to.snapshot.Kind != q.snapshot.Kind {
		return nil
	}
	return to
}

// deadLetter moves a message to the dead-letter target with its past.
func (t *tx) deadLetter(q, to *queue, m candidate) error {
	if _, err := t.queue(to.snapshot.ID); err != nil {
		return err
	}
	var id int64
	var err error
	if q.fifo() {
		id, err = t.bury(to, m.id)
	} else {
		id, err = t.copyTo(to, m, nil, 0)
	}
	if err != nil {
		return err
	}
	from := q.snapshot.Name
	sent := t.now
	keeps := int64(0)
	if q.snapshot.Kind == engine.Standard {
		keeps = 1
	}
	err = t.runNow(t.w.insertMoved, func(r row) error {
		if r[0] != nil {
			sent = r.int(0)
		}
		return nil
	}, id, to.epoch, keeps, from.Account, from.Region, from.Name, m.id)
	if err != nil {
		return err
	}
	to.moved++
	to.nextExpiry = min(to.nextExpiry, sent+spanMS(to.snapshot.Retention))
	return t.drop(q, m)
}

// copyTo stores a message once more under a new id in another queue, hidden for
// a delay. A nil meta is copied too. It keeps its group. On a FIFO queue the
// delay is the queue's.
func (t *tx) copyTo(to *queue, from candidate, meta any, delay int64) (id int64, err error) {
	if to.fifo() {
		return t.copyToGroup(to, from.id, meta, fresh)
	}
	isFresh := int64(1)
	if delay > 0 || from.group > 0 {
		isFresh = 0
	}
	if id, err = t.copyRow(to, from.id, meta, nil, isFresh); err != nil {
		return 0, err
	}
	to.nextExpiry = min(to.nextExpiry, t.now+spanMS(to.snapshot.Retention))
	if from.group > 0 {
		name := ""
		if err := t.runNow(t.w.fairName, func(r row) error { name = r.text(0); return nil }, from.group); err != nil {
			return 0, err
		}
		return id, t.sendToGroup(to, name, id, delay)
	}
	if delay == 0 {
		t.ready(to, 1)
		to.count[fresh]++
		return id, nil
	}
	t.due(to, t.now+delay)
	to.count[delayed]++
	return id, t.runNow(t.w.holdMessage, nil, id, to.epoch, int64(delayed), t.now+delay, nil)
}

// copyRow copies the row of a message under the next id.
func (t *tx) copyRow(to *queue, from int64, meta, group any, isFresh int64) (id int64, err error) {
	id = t.w.nextID
	t.w.nextID++
	t.moves++
	found := false
	err = t.runNow(t.w.copyMessage, func(r row) error {
		found = true
		t.movedBytes += r.int(0)
		return nil
	}, id, to.epoch, t.now, meta, from, group, isFresh)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, internal("message %d is not there to be moved", from)
	}
	return id, nil
}
