package sqlite

import "queues/engine"

const (
	claimMembersSQL   = `INSERT INTO deliveries (id, queue, state, due, stamp, receives, first_receive, received, attempt) VALUES `
	claimMemberParams = `(?, ?, ?, ?, random(), 1, ?, ?, ?)`
	claimMembersTail  = ` ON CONFLICT (id) DO UPDATE SET state = excluded.state, due = excluded.due, stamp = excluded.stamp,
			receives = receives + 1, first_receive = coalesce(first_receive, excluded.first_receive),
			received = excluded.received, attempt = excluded.attempt
		RETURNING id, stamp, receives, first_receive`
	lockGroupsSQL = `UPDATE groups SET state = 2, turn = 0 WHERE number IN (`
	moveHeadSQL   = `UPDATE groups SET head = ?2 WHERE number = ?1 RETURNING turn`
)

// receiveFIFO claims from the groups in line.
func (t *tx) receiveFIFO(q *queue, p engine.ReceiveParams, c *claim) error {
	for step := 0; ; step++ {
		if err := t.settle(q); err != nil {
			return err
		}
		// An expired head may be all that locks a group.
		if _, err := t.removeExpiredUpTo(q, passingRows); err != nil {
			return err
		}
		if step == 0 && p.AttemptID != "" {
			if err := t.repeat(q, p, c); err != nil {
				return err
			}
		}
		pending := q.receding || q.nextDue <= t.now || q.expired && q.count[inFlight] > 0
		room := int64(p.Max)
		if p.InFlightLimit > 0 {
			room = min(room, max(0, p.InFlightLimit-q.count[inFlight]))
			// Messages that are in flight no more may still be counted so.
			if room < int64(p.Max) && step < maxSteps && pending && !c.repeated {
				continue
			}
		}
		if c.repeated {
			room = 0
		}
		if !q.receding {
			if err := t.serve(q, p, room, c); err != nil {
				return err
			}
		}
		c.more = c.more || pending || c.selfFrom > 0
		if p.InFlightLimit > 0 && q.count[inFlight] >= p.InFlightLimit {
			c.more = false
		}
		if len(c.rows) > 0 || !c.unfinished && !pending && !c.skip {
			break
		}
		// What was skipped comes next.
		if step == maxSteps || c.skip {
			c.unfinished = true
		}
		if c.unfinished {
			break
		}
	}
	if q.count[delayed]+q.count[inFlight] == 0 {
		q.nextDue = never
	}
	c.nextDue = q.nextDue
	if q.count[inFlight] > 0 && q.nextExpiry > t.now {
		// A group goes on when a head expires that locks it.
		c.nextDue = min(c.nextDue, q.nextExpiry)
	}
	c.nextDue = max(c.nextDue, t.now+1)
	return t.putRight(q)
}

// serve takes up to room messages from the groups in line, and tells whether
// there are more.
func (t *tx) serve(q *queue, p engine.ReceiveParams, room int64, c *claim) error {
	timeout := q.snapshot.VisibilityTimeout
	if p.Visibility != nil {
		timeout = *p.Visibility
	}
	span := spanMS(timeout)
	runs, more, unfinished, err := t.look(q, room, span == 0, c)
	if err != nil {
		return err
	}
	c.unfinished = unfinished
	c.limited = room == 0 && more && !c.repeated
	c.more = more
	if len(runs) == 0 {
		return nil
	}
	c.deadline = fromMS(t.now + span)
	var attempt any
	if p.AttemptID != "" && span > 0 {
		number, err := t.addAttempt(q, p.AttemptID, runs)
		if err != nil {
			return err
		}
		attempt = number
	}
	return t.take(q, runs, span, attempt, c)
}

// take claims the messages of runs and gives their groups their place.
func (t *tx) take(q *queue, runs []groupRun, span int64, attempt any, c *claim) error {
	t.touch(q)
	to, due := again, any(nil)
	if span > 0 {
		to, due = inFlight, t.now+span
	}
	n := 0
	place := make(map[int64]int)
	for _, r := range runs {
		for i, id := range r.ids {
			place[id] = n
			n++
			t.add(t.w.claimMembers, id, q.epoch, int64(to), due, t.nowArg, t.nowArg, attempt)
			q.count[r.classes[i]]--
			q.count[to]++
		}
	}
	c.rows = make([]claimedRow, n)
	err := t.runRows(t.w.claimMembers, func(r row) error {
		c.rows[place[r.int(0)]] = claimedRow{id: r.int(0), stamp: r.int(1), receives: r.int(2), first: r.int(3)}
		return nil
	})
	if err != nil {
		return err
	}
	if err := t.served(q, runs, span > 0); err != nil {
		return err
	}
	if span > 0 {
		t.due(q, t.now+span)
	} else {
		t.ready(q, int64(n))
	}
	return nil
}

// served gives the groups of runs their place: out of the line with locks, else
// at its end.
func (t *tx) served(q *queue, runs []groupRun, locks bool) error {
	for _, r := range runs {
		if locks && r.group.head == r.ids[0] {
			t.add(t.w.lockGroups, r.group.number)
			continue
		}
		state, turn := groupLocked, int64(0)
		if !locks {
			var err error
			if turn, err = t.nextTurn(q); err != nil {
				return err
			}
			state = groupInLine
		}
		if err := t.run(t.w.setGroup, nil, r.group.number, int64(state), turn, r.ids[0]); err != nil {
			return err
		}
	}
	return t.runRows(t.w.lockGroups, nil)
}
