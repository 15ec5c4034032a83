package sqlite

const (
	oldestFreshSQL = `SELECT id, arrived FROM messages INDEXED BY messages_fresh
		WHERE queue = ? AND fresh = 1 AND id > ? ORDER BY id LIMIT 1`
	oldestHeldSQL = `SELECT id, arrived FROM messages INDEXED BY messages_held
		WHERE queue = ? AND fresh = 0 AND id > ? ORDER BY id LIMIT 1`
	messageFromSQL = `SELECT id, arrived FROM messages WHERE id >= ? ORDER BY id LIMIT 1`

	countFreshSQL = `SELECT count(*), max(id), sum(state IS NULL), sum(state = 1), sum(state = 2), sum(state = 3), sum(state = 4) FROM (
		SELECT m.id AS id, d.state AS state FROM messages AS m INDEXED BY messages_fresh LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.queue = ?1 AND m.fresh = 1 AND m.id <= ?2 ORDER BY m.id LIMIT ?3)`
	countHeldSQL = `SELECT count(*), max(id), sum(state IS NULL), sum(state = 1), sum(state = 2), sum(state = 3), sum(state = 4) FROM (
		SELECT m.id AS id, d.state AS state FROM messages AS m INDEXED BY messages_held LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.queue = ?1 AND m.fresh = 0 AND m.id <= ?2 ORDER BY m.id LIMIT ?3)`

	removeFreshDeliveriesSQL = `DELETE FROM deliveries WHERE id IN (
		SELECT id FROM messages INDEXED BY messages_fresh WHERE queue = ? AND fresh = 1 AND id <= ?)`
	removeHeldDeliveriesSQL = `DELETE FROM deliveries WHERE id IN (
		SELECT id FROM messages INDEXED BY messages_held WHERE queue = ? AND fresh = 0 AND id <= ?)`
	removeFreshSQL = `DELETE FROM messages INDEXED BY messages_fresh WHERE queue = ? AND fresh = 1 AND id <= ?`
	removeHeldSQL  = `DELETE FROM messages INDEXED BY messages_held WHERE queue = ? AND fresh = 0 AND id <= ?`
)

// messagePlace is where a message stands in the sequence and when it was sent.
type messagePlace struct {
	found       bool
	id, arrived int64
}

func (p *messagePlace) take(r row) error {
	*p = messagePlace{found: true, id: r.int(0), arrived: r.int(1)}
	return nil
}

// expire cuts off what is older than the retention: from now on nothing up to
// the cut is seen by anybody. The rows stay for removeExpired.
func (t *tx) expire(q *queue) error {
	if !t.expiry || q.nextExpiry > t.now {
		return nil
	}
	oldest, err := t.oldest(q)
	if err != nil {
		return err
	}
	retention := spanMS(q.snapshot.Retention)
	if oldest.found && oldest.arrived+retention <= t.now {
		cut, err := t.lastUntil(oldest.id, t.now-retention)
		if err != nil {
			return err
		}
		t.touch(q)
		q.passedFrom, q.passedTo = 0, 0
		if !q.expired || q.skipTo == 0 {
			if err := t.skipLater(q); err != nil {
				return err
			}
		}
		q.cut, q.expired = cut, true
		if !q.fifo() {
			q.cursor = max(q.cursor, cut)
		}
		if oldest, err = t.oldest(q); err != nil {
			return err
		}
	}
	first, err := t.firstKept(q, -1)
	if err != nil {
		return err
	}
	if oldest.found {
		first = min(first, oldest.arrived)
	}
	q.nextExpiry = never
	if first != never {
		q.nextExpiry = first + retention
	}
	return nil
}

// oldest gives the oldest message of a queue behind the cut.
func (t *tx) oldest(q *queue) (messagePlace, error) {
	var ofFresh, ofHeld messagePlace
	if q.rows() == 0 {
		return messagePlace{}, nil
	}
	if err := t.run(t.w.oldestFresh, ofFresh.take, q.epoch, q.cut); err != nil {
		return messagePlace{}, err
	}
	if err := t.run(t.w.oldestHeld, ofHeld.take, q.epoch, q.cut); err != nil {
		return messagePlace{}, err
	}
	if !ofFresh.found || ofHeld.found && ofHeld.id < ofFresh.id {
		return ofHeld, nil
	}
	return ofFresh, nil
}

// lastUntil finds the last message, of any queue, that arrived until a time,
// given one that did. Arrival never decreases with the id, whatever the queue,
// so it can be searched in steps that double and then halve: the cost grows
// with the logarithm of how much has expired.
func (t *tx) lastUntil(known, until int64) (int64, error) {
	after := func(id int64) (bool, error) {
		var m messagePlace
		if err := t.run(t.w.messageFrom, m.take, id); err != nil {
			return false, err
		}
		if m.found && m.arrived <= until {
			known = m.id
			return false, nil
		}
		return true, nil
	}
	var beyond int64
	for step := int64(1); ; step *= 2 {
		beyond = known + step
		isAfter, err := after(beyond)
		if err != nil {
			return 0, err
		}
		if isAfter {
			break
		}
	}
	for beyond-known > 1 {
		middle := known + (beyond-known)/2
		isAfter, err := after(middle)
		if err != nil {
			return 0, err
		}
		if isAfter {
			beyond = middle
		}
	}
	return known, nil
}

// removeExpired removes rows of what is over, one step's worth.
func (t *tx) removeExpired(q *queue) error {
	_, err := t.removeExpiredUpTo(q, stepRows)
	return err
}

func (t *tx) removeExpiredUpTo(q *queue, limit int64) (removed int64, err error) {
	if q.fifo() || q.groups > 0 {
		limit = min(limit, groupedRows)
	}
	if q.expired {
		if removed, err = t.removeCut(q, limit); err != nil {
			return 0, err
		}
	}
	kept, err := t.removeKept(q, limit-removed)
	return removed + kept, err
}

// removeCut removes rows up to the cut.
func (t *tx) removeCut(q *queue, limit int64) (removed int64, err error) {
	if q.fifo() {
		return t.removeCutFIFO(q, limit)
	}
	r, err := t.removeRows(q, q.epoch, q.cut, limit)
	if err != nil {
		return 0, err
	}
	q.expired = r.rows == limit
	if r.rows > 0 {
		t.touch(q)
		for c, n := range r.byClass {
			q.count[c] -= n
		}
		q.moved -= r.moved
		if r.byClass[inFlight] > 0 {
			t.ready(q, 1) // room under an in-flight limit
		}
	}
	return r.rows, nil
}

// removal is how many messages were removed, of which class, and how many of
// them had brought something along.
type removal struct {
	rows, moved int64
	byClass     [classes]int64
}

// removeRows removes messages of an epoch up to an id with their delivery
// rows, at most limit of them. q is their queue, nil when the epoch is dead and
// what belongs to its messages goes by itself.
func (t *tx) removeRows(q *queue, epoch, upTo, limit int64) (removal, error) {
	var r removal
	past := q != nil && q.moved > 0
	if past {
		err := t.run(t.w.forgetMovedUpTo, func(row) error { r.moved++; return nil }, epoch, upTo, limit)
		if err != nil {
			return r, err
		}
	}
	for _, kind := range []struct{ count, removeDeliveries, remove *stmt }{
		{t.w.countFresh, t.w.removeFreshDue, t.w.removeFreshRows},
		{t.w.countHeld, t.w.removeHeldDue, t.w.removeHeldRows},
	} {
		var n, last int64
		err := t.run(kind.count, func(row row) error {
			n, last = row.int(0), row.int(1)
			for c := range r.byClass {
				r.byClass[c] += row.int(2 + c)
			}
			return nil
		}, epoch, upTo, limit-r.rows)
		if err != nil {
			return r, err
		}
		if n == 0 {
			continue
		}
		if q != nil && kind.remove == t.w.removeHeldRows {
			if err := t.noteHeld(q, last); err != nil {
				return r, err
			}
			// Dead letters are sent fresh unless they have a group.
			if past && q.groups > 0 {
				if err := t.run(t.w.forgetMovedHeld, func(row) error { r.moved++; return nil }, epoch, last); err != nil {
					return r, err
				}
			}
		}
		if err := t.run(kind.removeDeliveries, nil, epoch, last); err != nil {
			return r, err
		}
		if err := t.run(kind.remove, nil, epoch, last); err != nil {
			return r, err
		}
		r.rows += n
		if r.rows == limit {
			break
		}
	}
	return r, nil
}
