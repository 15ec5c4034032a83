package sqlite

import (
	"cmp"
	"slices"
)

const (
	dueMembersSQL = `SELECT d.id, d.due, g.number, g.state, g.head
		FROM deliveries AS d INDEXED BY deliveries_due CROSS JOIN messages AS m ON m.id = d.id LEFT JOIN groups AS g ON g.number = m.grp
		WHERE d.queue = ?1 AND d.due <= ?2 ORDER BY d.due, d.id LIMIT ?3`
	promoteMembersSQL = `UPDATE deliveries SET state = 3, due = NULL
		WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_due
			WHERE queue = ?1 AND due <= ?2 ORDER BY due, id LIMIT ?3)`
	waitingGroupsSQL = `SELECT m.id, m.arrived, g.number, g.state, g.head
		FROM groups AS g INDEXED BY groups_waiting CROSS JOIN messages AS m ON m.id = g.head
		WHERE g.queue = ? AND g.state = 0 AND g.head <= ? ORDER BY g.head`

	countRangeSQL = `SELECT count(*), max(id), sum(state IS NULL) FROM (
		SELECT m.id AS id, d.state AS state FROM messages AS m INDEXED BY messages_fresh LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.queue = ?1 AND m.fresh = 1 AND m.id > ?2 AND m.id <= ?3 ORDER BY m.id LIMIT ?4)`
	countRangeBackSQL = `SELECT count(*), min(id), sum(state IS NULL) FROM (
		SELECT m.id AS id, d.state AS state FROM messages AS m INDEXED BY messages_fresh LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.queue = ?1 AND m.fresh = 1 AND m.id > ?2 AND m.id <= ?3 ORDER BY m.id DESC LIMIT ?4)`
	rangeHeadsSQL = `SELECT g.number, g.state, g.head
		FROM messages AS m INDEXED BY messages_fresh CROSS JOIN groups AS g ON g.number = m.grp AND g.head = m.id
			LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.queue = ? AND m.fresh = 1 AND m.id > ? AND m.id <= ? AND g.state = 1 AND d.id IS NULL ORDER BY m.id`
	lastBeforeSQL = `SELECT id, arrived FROM messages INDEXED BY messages_fresh
		WHERE queue = ? AND fresh = 1 AND id <= ? ORDER BY id DESC LIMIT 1`
)

// catchUp is what has to be up to date before anything else is done to a
// queue. The groups of a FIFO queue stand in line in the order of what
// happened, so all that happened by itself comes first.
func (t *tx) catchUp(q *queue) error {
	if !q.fifo() {
		return t.expire(q)
	}
	if err := t.settle(q); err != nil {
		return err
	}
	// Once in a transaction, which may have many calls.
	if !q.expired || q.caughtUp == t {
		return nil
	}
	q.caughtUp = t
	_, err := t.removeExpiredUpTo(q, passingRows)
	return err
}

// opened is a group whose head has become visible, and when.
type opened struct {
	group group
	at    int64
}

// promoteFIFO makes due messages of a FIFO queue visible, one step's worth:
// those whose deadline or whose delay is over. Their groups come into the line
// in that order. When more are due, nextDue stays in the past.
func (t *tx) promoteFIFO(q *queue, limit int64) (promoted int64, err error) {
	receded, err := t.recede(q, limit)
	if err != nil || q.nextDue > t.now {
		return receded, err
	}
	q.nextDue = never
	var groups []opened
	returned, err := t.promoteMembers(q, limit, &groups)
	if err != nil {
		return 0, err
	}
	arrived, err := t.advance(q, limit, &groups)
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(groups, func(a, b opened) int { return cmp.Compare(a.at, b.at) })
	for _, o := range groups {
		if err := t.setGroup(q, o.group, groupInLine, o.group.head); err != nil {
			return 0, err
		}
	}
	return receded + returned + arrived, nil
}

// promoteMembers makes messages visible whose deadline has passed.
func (t *tx) promoteMembers(q *queue, limit int64, groups *[]opened) (promoted int64, err error) {
	if q.count[inFlight] == 0 {
		return 0, nil
	}
	err = t.run(t.w.dueMembers, func(r row) error {
		promoted++
		g := group{number: r.int(2), state: groupState(r.int(3)), head: r.int(4)}
		if g.head == r.int(0) {
			*groups = append(*groups, opened{group: g, at: r.int(1)})
		}
		return nil
	}, q.epoch, t.now, limit)
	if err != nil {
		return 0, err
	}
	if promoted > 0 {
		if err := t.run(t.w.flipMembers, nil, q.epoch, t.now, limit); err != nil {
			return 0, err
		}
		t.ready(q, promoted)
		q.count[inFlight] -= promoted
		q.count[again] += promoted
	}
	return promoted, t.run(t.w.firstDue, func(r row) error { q.nextDue = min(q.nextDue, r.int(0)); return nil }, q.epoch)
}

// advance moves the cursor over messages whose delay is over, and notes when
// the next one's will be.
func (t *tx) advance(q *queue, limit int64, groups *[]opened) (passed int64, err error) {
	if q.count[delayed] == 0 || q.receding {
		return 0, nil
	}
	delay := spanMS(q.snapshot.Delay)
	var next messagePlace
	if err := t.run(t.w.oldestFresh, next.take, q.epoch, q.cursor); err != nil {
		return 0, err
	}
	if next.found && next.arrived+delay <= t.now {
		to, err := t.lastUntil(next.id, t.now-delay)
		if err != nil {
			return 0, err
		}
		var last, unreceived int64
		err = t.run(t.w.countRange, func(r row) error {
			passed, last, unreceived = r.int(0), r.int(1), r.int(2)
			return nil
		}, q.epoch, q.cursor, to, limit)
		if err != nil {
			return 0, err
		}
		if passed == limit {
			to = last
		}
		t.ready(q, unreceived)
		q.cursor = to
		q.count[delayed] -= unreceived
		q.count[fresh] += unreceived
		err = t.run(t.w.waitingGroups, func(r row) error {
			g := group{number: r.int(2), state: groupState(r.int(3)), head: r.int(4)}
			*groups = append(*groups, opened{group: g, at: r.int(1) + delay})
			return nil
		}, q.epoch, q.cursor)
		if err != nil {
			return 0, err
		}
		next = messagePlace{}
		if err := t.run(t.w.oldestFresh, next.take, q.epoch, q.cursor); err != nil {
			return 0, err
		}
	}
	if next.found && q.count[delayed] > 0 {
		q.nextDue = min(q.nextDue, next.arrived+delay)
	}
	return passed, nil
}

// rulesChanged makes new settings count for the messages that are there.
func (t *tx) rulesChanged(q *queue, delay bool) error {
	if q.rows() == 0 {
		return nil
	}
	if delay {
		q.nextDue, q.receding = 0, true
	}
	if err := t.catchUp(q); err != nil {
		return err
	}
	if q.nextDue != never {
		t.due(q, max(q.nextDue, t.now))
	}
	if q.nextDue <= t.now || q.receding || q.expired {
		t.ready(q, 1)
	}
	return nil
}

// recede moves the cursor back before messages that are delayed again, because
// the queue's delay has grown. Their groups leave the line.
func (t *tx) recede(q *queue, limit int64) (passed int64, err error) {
	if !q.receding {
		return 0, nil
	}
	until := t.now - spanMS(q.snapshot.Delay)
	var last messagePlace
	if err := t.run(t.w.lastBefore, last.take, q.epoch, q.cursor); err != nil {
		return 0, err
	}
	if !last.found || last.arrived <= until {
		q.receding = false
		return 0, nil
	}
	to, err := t.lastUntil(min(q.cut, q.cursor), until)
	if err != nil {
		return 0, err
	}
	t.touch(q)
	var first, unreceived int64
	err = t.run(t.w.countRangeBack, func(r row) error {
		passed, first, unreceived = r.int(0), r.int(1), r.int(2)
		return nil
	}, q.epoch, to, q.cursor, limit)
	if err != nil {
		return 0, err
	}
	q.receding = passed == limit
	if q.receding {
		to = first - 1
	}
	var heads []group
	err = t.run(t.w.rangeHeads, func(r row) error {
		var g group
		heads = append(heads, g)
		return heads[len(heads)-1].take(r)
	}, q.epoch, to, q.cursor)
	if err != nil {
		return 0, err
	}
	for _, g := range heads {
		if err := t.setGroup(q, g, groupWaiting, g.head); err != nil {
			return 0, err
		}
	}
	q.cursor = to
	q.count[fresh] -= unreceived
	q.count[delayed] += unreceived
	q.nextDue = 0
	return passed, nil
}
