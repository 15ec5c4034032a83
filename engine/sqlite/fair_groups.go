package sqlite

const (
	findFairSQL = `SELECT number, coalesce(head, 0) FROM fair_groups WHERE queue = ? AND name = ?`
	addFairSQL  = `INSERT INTO fair_groups (number, queue, name, in_flight, head) VALUES (?, ?, ?, 0, ?)`
	fairNameSQL = `SELECT name FROM fair_groups WHERE number = ?`
	putFairSQL  = `UPDATE fair_groups SET in_flight = in_flight + ?2,
			head = (SELECT id FROM deliveries INDEXED BY deliveries_grouped WHERE grp = ?1 AND state = 3 AND id > ?3 ORDER BY id LIMIT 1),
			late_head = (SELECT id FROM deliveries INDEXED BY deliveries_grouped WHERE grp = ?1 AND state = 4 AND id > ?3 ORDER BY id LIMIT 1)
		WHERE number = ?1 RETURNING head IS NULL AND late_head IS NULL AND in_flight = 0`
	removeFairSQL = `DELETE FROM fair_groups WHERE number = ?1
		AND NOT EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_grouped WHERE grp = ?1) RETURNING 1`
	deadFairSQL = `DELETE FROM fair_groups WHERE number IN (SELECT number FROM fair_groups WHERE queue = ? LIMIT ?) RETURNING 1`

	dueGroupsSQL = `SELECT grp, state FROM deliveries INDEXED BY deliveries_due
		WHERE queue = ?1 AND due <= ?2 ORDER BY due, id LIMIT ?3`
	staleFairSQL  = `SELECT number FROM fair_groups INDEXED BY fair_groups_head WHERE queue = ?1 AND head <= ?2 LIMIT ?3`
	staleLateSQL  = `SELECT number FROM fair_groups INDEXED BY fair_groups_late WHERE queue = ?1 AND late_head <= ?2 LIMIT ?3`
	heldGroupsSQL = `SELECT d.grp, d.state FROM messages AS m INDEXED BY messages_held CROSS JOIN deliveries AS d ON d.id = m.id
		WHERE m.queue = ? AND m.fresh = 0 AND m.id <= ? AND d.grp IS NOT NULL`
)

// The groups of standard queues. Whatever changes a delivery with a group notes
// that; the rows of the groups are written before somebody looks at them and
// before the commit, once for all that happened.

// nowhere is the class of a message that is not there, for noteGroup.
const nowhere = fresh

// groupNote is what happened to a group since its row was written.
type groupNote struct {
	q        *queue
	number   int64
	inFlight int64 // by how much it has more in flight
}

// noteGroup must be called when a delivery of a standard queue changes its
// state, comes or goes. Number is that of its group, zero for none.
func (t *tx) noteGroup(q *queue, number int64, from, to class) {
	if number == 0 {
		return
	}
	i, noted := t.noted[number]
	if !noted {
		t.touch(q)
		if t.noted == nil {
			t.noted = make(map[int64]int)
		}
		i = len(t.notes)
		t.noted[number] = i
		t.notes = append(t.notes, groupNote{q: q, number: number})
	}
	if from == inFlight {
		t.notes[i].inFlight--
	}
	if to == inFlight {
		t.notes[i].inFlight++
	}
}

// putGroups writes the rows of the groups that were noted. A group without
// messages goes.
func (t *tx) putGroups() error {
	for _, n := range t.notes {
		quiet, removed := false, false
		err := t.runNow(t.w.putFair, func(r row) error { quiet = r.int(0) != 0; return nil }, n.number, n.inFlight, n.q.cut)
		if err != nil {
			return err
		}
		if !quiet {
			continue
		}
		if err := t.runNow(t.w.removeFair, func(row) error { removed = true; return nil }, n.number); err != nil {
			return err
		}
		if removed {
			t.touch(n.q)
			n.q.groups--
		}
	}
	clear(t.noted)
	t.notes = t.notes[:0]
	return nil
}

// refreshGroups gives groups whose head has expired the next one, some of them,
// and tells whether there are more.
func (t *tx) refreshGroups(q *queue) (more bool, err error) {
	if !q.expired {
		return false, t.putGroups()
	}
	if err := t.putGroups(); err != nil {
		return false, err
	}
	for _, stale := range []*stmt{t.w.staleFair, t.w.staleLate} {
		n := 0
		err := t.run(stale, func(r row) error {
			n++
			t.noteGroup(q, r.int(0), nowhere, nowhere)
			return nil
		}, q.epoch, q.cut, int64(passingRows))
		if err != nil {
			return false, err
		}
		more = more || n == passingRows
	}
	return more, t.putGroups()
}

// joinGroup gives the number of the group of a name for a new message in the
// state again or delayed. The rows of the message are the caller's.
func (t *tx) joinGroup(q *queue, name string, id int64, state class) (number int64, err error) {
	hasHead := false
	err = t.runNow(t.w.findFair, func(r row) error {
		number, hasHead = r.int(0), r.int(1) > q.cut
		return nil
	}, q.epoch, name)
	if err != nil {
		return 0, err
	}
	if number == 0 {
		head := any(nil)
		if state == again {
			head = id
		}
		t.touch(q)
		q.groups++
		return id, t.runNow(t.w.addFair, nil, id, q.epoch, name, head)
	}
	// Behind a head it changes nothing.
	if state == again && !hasHead {
		t.noteGroup(q, number, nowhere, again)
	}
	return number, nil
}

// sendToGroup stores the delivery of a new message with a group, hidden for a
// delay.
func (t *tx) sendToGroup(q *queue, name string, id, delay int64) error {
	state, due := again, any(nil)
	if delay > 0 {
		state, due = delayed, t.now+delay
		t.due(q, t.now+delay)
	} else {
		t.ready(q, 1)
	}
	q.count[state]++
	number, err := t.joinGroup(q, name, id, state)
	if err != nil {
		return err
	}
	return t.runNow(t.w.holdMessage, nil, id, q.epoch, int64(state), due, number)
}

// noteDue notes the groups of messages that are about to become visible.
func (t *tx) noteDue(q *queue, limit int64) error {
	if q.groups == 0 {
		return nil
	}
	return t.run(t.w.dueGroups, func(r row) error {
		t.noteGroup(q, r.int(0), class(r.int(1)), again)
		return nil
	}, q.epoch, t.now, limit)
}

// noteHeld notes the groups of messages up to an id that are about to be
// removed.
func (t *tx) noteHeld(q *queue, upTo int64) error {
	if q.groups == 0 {
		return nil
	}
	return t.run(t.w.heldGroups, func(r row) error {
		t.noteGroup(q, r.int(0), class(r.int(1)), nowhere)
		return nil
	}, q.epoch, upTo)
}
