package sqlite

const (
	groupNameSQL = `SELECT g.name FROM messages AS m JOIN groups AS g ON g.number = m.grp WHERE m.id = ?`
	// A message that was received elsewhere is as one that is visible again: no
	// delay counts for it.
	buryMemberSQL  = `INSERT INTO deliveries (id, queue, state, stamp, receives) VALUES (?, ?, 3, random(), 0)`
	walkMembersSQL = `SELECT f.id, 0, m.id IS NOT NULL, m.sent FROM messages AS f INDEXED BY messages_fresh
			LEFT JOIN deliveries AS d ON d.id = f.id LEFT JOIN moved AS m ON m.id = f.id
		WHERE f.queue = ? AND f.fresh = 1 AND f.id > ? AND f.id <= ? AND d.id IS NULL ORDER BY f.id LIMIT ?`
)

// copyToGroup is copyTo for a FIFO queue. The message keeps the group that it
// has in its queue, which is a FIFO queue too.
func (t *tx) copyToGroup(to *queue, from int64, meta any, state class) (id int64, err error) {
	if err := t.catchUp(to); err != nil {
		return 0, err
	}
	name := ""
	if err := t.runNow(t.w.groupName, func(r row) error { name = r.text(0); return nil }, from); err != nil {
		return 0, err
	}
	g, err := t.findGroup(to, name)
	if err != nil {
		return 0, err
	}
	number := g.number
	if number == 0 {
		number = t.w.nextID
	}
	if id, err = t.copyRow(to, from, meta, number, 1); err != nil {
		return 0, err
	}
	_, err = t.join(to, g, name, id, state)
	return id, err
}

// bury copies a dead letter to a FIFO queue, where it is visible at once. Its
// id becomes its deduplication id.
func (t *tx) bury(to *queue, from int64) (id int64, err error) {
	var meta []byte
	if err := t.runNow(t.w.readMeta, func(r row) error { meta = append(meta, r.blob(0)...); return nil }, from); err != nil {
		return 0, err
	}
	renamed := any(nil)
	// One that cannot be read goes as it is.
	if m, err := decodeMeta(meta); err == nil {
		m.Dedup = m.ID.String()
		renamed = encodeMeta(&m)
	}
	if id, err = t.copyToGroup(to, from, renamed, again); err != nil {
		return 0, err
	}
	return id, t.runNow(t.w.buryMember, nil, id, to.epoch)
}

// dropMember is drop for a FIFO queue.
func (t *tx) dropMember(q *queue, m candidate) error {
	number, err := t.groupOf(m.id)
	if err != nil {
		return err
	}
	if m.class == again || m.class == inFlight {
		if err := t.runNow(t.w.removeDeliveryRow, nil, m.id); err != nil {
			return err
		}
	}
	t.touch(q)
	t.remove(m.id)
	q.count[m.class]--
	if m.moved {
		if err := t.forgetMoved(q, m.id); err != nil {
			return err
		}
	}
	return t.shifted(number, m.id)
}

// sifted takes a message out of a queue that was received too often. It gives
// false when the message may be returned; blocked is true when it may not but
// the transaction has no room for a move.
func (t *tx) sifted(q *queue, m candidate, c *claim) (moved, blocked bool, err error) {
	to := t.target(q)
	if to == nil || m.class != again || m.receives < int64(max(1, q.snapshot.Redrive.MaxReceives)) {
		return false, false, nil
	}
	if c.movedEnough || !t.mayMove(q) {
		return false, true, nil
	}
	if to == q && c.selfFrom == 0 {
		c.selfFrom = t.w.nextID
	}
	return true, false, t.deadLetter(q, to, m)
}

// redriveFIFO is redrive for a FIFO queue: it goes along the line and moves
// what is spent at the front of the groups. They have become available then,
// and stand at the end of the line.
func (t *tx) redriveFIFO(q *queue) error {
	var done []int64
	ended, looks := false, 0
	for !ended && looks < stepRows && t.mayMove(q) {
		line, err := t.headsFrom(q, q.redriven, lookRows)
		if err != nil {
			return err
		}
		ended = len(line) < lookRows
		for _, g := range line {
			blocked := false
			if g.spent {
				if _, err := t.runOf(q, g.group, 1, 0, &claim{}, &blocked); err != nil {
					return err
				}
				done = append(done, g.number)
			}
			if blocked {
				ended = false
				break
			}
			q.redriven = g.turn
			looks++
		}
		if !t.mayMove(q) {
			ended = ended && len(line) == 0
		}
	}
	// They all leave the part of the line that is known to be spent.
	from, to := q.passedFrom, q.passedTo
	if err := t.putRight(q); err != nil {
		return err
	}
	q.passedFrom, q.passedTo = from, to
	for _, number := range done {
		var g group
		if err := t.run(t.w.readGroup, g.take, number); err != nil {
			return err
		}
		if g.number == 0 || g.state != groupInLine {
			continue
		}
		turn, err := t.nextTurn(q)
		if err != nil {
			return err
		}
		if err := t.run(t.w.setGroup, nil, number, int64(groupInLine), turn, g.head); err != nil {
			return err
		}
		t.ready(q, 1)
	}
	q.spent = !ended
	return nil
}
