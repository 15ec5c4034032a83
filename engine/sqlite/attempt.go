package sqlite

import (
	"encoding/binary"

	"queues/engine"
)

const (
	addAttemptSQL  = `REPLACE INTO attempts (generation, queue, id, number, at, members) VALUES (?, ?, ?, ?, ?, ?)`
	findAttemptSQL = `SELECT number, at, members FROM attempts
		WHERE generation IN (?1 - 1, ?1) AND queue = ?2 AND id = ?3 ORDER BY generation DESC LIMIT 1`
	readMemberSQL = `SELECT stamp, receives, first_receive FROM deliveries
		WHERE id = ? AND queue = ? AND attempt = ? AND state = 2 AND due > ?`
	repeatMemberSQL = `UPDATE deliveries SET state = ?2, due = ?3, attempt = ?4 WHERE id = ?1`

	forgetAttemptsSQL = `DELETE FROM attempts WHERE (generation, queue, id) IN (
		SELECT generation, queue, id FROM attempts WHERE generation < ? ORDER BY generation, queue, id LIMIT ?)
		RETURNING 1`
	oldestAttemptSQL = `SELECT generation FROM attempts WHERE generation > 0 ORDER BY generation LIMIT 1`
)

// addAttempt makes a receive repeatable, in the place of an earlier one with
// the same id.
func (t *tx) addAttempt(q *queue, id string, runs []groupRun) (number int64, err error) {
	var members []byte
	for _, r := range runs {
		for _, member := range r.ids {
			members = binary.BigEndian.AppendUint64(members, uint64(member))
		}
	}
	t.forgetLater()
	number = t.w.nextID
	t.w.nextID++
	return number, t.runNow(t.w.addAttempt, nil, generation(t.now), q.epoch, id, number, t.now, members)
}

// repeat claims again what an earlier receive with the attempt id claimed, if
// there is one and all of it is as that left it.
func (t *tx) repeat(q *queue, p engine.ReceiveParams, c *claim) error {
	var number int64
	var members []int64
	err := t.runNow(t.w.findAttempt, func(r row) error {
		number = r.int(0)
		if r.int(1) <= t.now-forgetWindow {
			return nil
		}
		for b := r.blob(2); len(b) >= 8; b = b[8:] {
			members = append(members, int64(binary.BigEndian.Uint64(b)))
		}
		return nil
	}, generation(t.now), q.epoch, p.AttemptID)
	if err != nil || len(members) == 0 {
		return err
	}
	var rows []claimedRow
	for _, id := range members {
		if id <= q.cut {
			return nil
		}
		err := t.runNow(t.w.readMember, func(r row) error {
			rows = append(rows, claimedRow{id: id, stamp: r.int(0), receives: r.int(1), first: r.int(2)})
			return nil
		}, id, q.epoch, number, t.now)
		if err != nil {
			return err
		}
	}
	if len(rows) < len(members) {
		return nil
	}
	timeout := q.snapshot.VisibilityTimeout
	if p.Visibility != nil {
		timeout = *p.Visibility
	}
	return t.restart(q, rows, number, spanMS(timeout), c)
}

// restart counts the deadlines of a receive anew. It is no receive of its own.
func (t *tx) restart(q *queue, rows []claimedRow, number, span int64, c *claim) error {
	c.rows, c.repeated, c.deadline = rows, true, fromMS(t.now+span)
	to, due, attempt := inFlight, any(t.now+span), any(number)
	if span == 0 {
		to, due, attempt = again, nil, nil
		t.ready(q, int64(len(rows)))
	} else {
		t.due(q, t.now+span)
	}
	for _, r := range rows {
		if err := t.runNow(t.w.repeatMember, nil, r.id, int64(to), due, attempt); err != nil {
			return err
		}
		if span > 0 {
			continue
		}
		q.count[inFlight]--
		q.count[q.classOf(r.id, to)]++
		number, err := t.groupOf(r.id)
		if err != nil {
			return err
		}
		if err := t.shifted(number, r.id); err != nil {
			return err
		}
	}
	return t.putRight(q)
}
