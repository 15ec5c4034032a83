package sqlite

import "queues/engine"

const (
	lineSQL = `SELECT number, state, head, turn FROM groups INDEXED BY groups_line
		WHERE queue = ? AND state = 1 AND turn > ? ORDER BY turn LIMIT ?`
	runOfGroupSQL = `SELECT m.id, d.state, d.receives FROM messages AS m INDEXED BY messages_group LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.grp = ? AND m.id > ? ORDER BY m.id LIMIT ?`

	claimMembersSQL   = `INSERT INTO deliveries (id, queue, state, due, stamp, receives, first_receive, received, attempt) VALUES `
	claimMemberParams = `(?, ?, ?, ?, random(), 1, ?, ?, ?)`
	claimMembersTail  = ` ON CONFLICT (id) DO UPDATE SET state = excluded.state, due = excluded.due, stamp = excluded.stamp,
			receives = receives + 1, first_receive = coalesce(first_receive, excluded.first_receive),
			received = excluded.received, attempt = excluded.attempt
		RETURNING id, stamp, receives, first_receive`
	lockGroupsSQL = `UPDATE groups SET state = 2, turn = 0 WHERE number IN (`
	moveHeadSQL   = `UPDATE groups SET head = ?2 WHERE number = ?1`
)

// receiveFIFO claims from the groups in line.
func (t *tx) receiveFIFO(q *queue, p engine.ReceiveParams, c *claim) error {
	for step := 0; ; step++ {
		if err := t.settle(q); err != nil {
			return err
		}
		// An expired head may be all that locks a group.
		if err := t.removeExpired(q); err != nil {
			return err
		}
		if step == 0 && p.AttemptID != "" {
			if err := t.repeat(q, p, c); err != nil {
				return err
			}
		}
		pending := q.receding || q.expired || q.nextDue <= t.now
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
		if len(c.rows) > 0 || !c.unfinished && !pending && !c.blocked {
			break
		}
		if step == maxSteps || c.blocked {
			c.unfinished = true
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

// groupRun is what a receive takes from one group.
type groupRun struct {
	group group
	ids   []int64
	// classes are what the messages were counted as.
	classes []class
	// more is true when further messages could be received after them.
	more bool
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

// look goes along the line and finds what a receive with so much room would
// take, and whether there is more: with keep, also in the groups that it takes
// from, which stay in line. It puts right the groups whose place in the line is
// out of date; unfinished is true when those were too many.
func (t *tx) look(q *queue, room int64, keep bool, c *claim) (runs []groupRun, more, unfinished bool, err error) {
	beyond := int64(0)
	if keep {
		beyond = 1
	}
	turn, stale := int64(0), 0
	for {
		limit := min(room, 100) + 1
		var line []group
		err := t.run(t.w.line, func(r row) error {
			var g group
			turn = r.int(3)
			line = append(line, g)
			return line[len(line)-1].take(r)
		}, q.epoch, turn, limit)
		if err != nil {
			return nil, false, false, err
		}
		for _, g := range line {
			r, err := t.runOf(q, g, room, beyond, c)
			switch {
			case err != nil:
				return nil, false, false, err
			case len(r.ids) == 0:
				if err := t.passOver(q, g); err != nil {
					return nil, false, false, err
				}
				if stale++; stale == stepRows {
					return runs, false, true, nil
				}
				if c.blocked {
					return runs, true, false, nil
				}
				continue
			case room == 0:
				return runs, true, false, nil
			}
			runs = append(runs, r)
			room -= int64(len(r.ids))
			if r.more || c.blocked {
				return runs, true, false, nil
			}
		}
		if int64(len(line)) < limit {
			return runs, false, false, nil
		}
	}
}

// runOf gives the messages of a group that can be received in order, as many as
// there is room for, and whether there are as many more as beyond says. Without
// room it gives the first. What was received too often moves away on the way.
func (t *tx) runOf(q *queue, g group, room, beyond int64, c *claim) (groupRun, error) {
	r := groupRun{group: g}
	after, ended := q.cut, false
	for !ended {
		var members []candidate
		limit := max(room-int64(len(r.ids))+beyond, 1)
		err := t.run(t.w.runOfGroup, func(row row) error {
			m := candidate{id: row.int(0), receives: row.int(2), moved: q.moved > 0}
			m.class = q.classOf(m.id, class(row.int(1)))
			ended = ended || m.class == inFlight || m.class == delayed || c.selfFrom > 0 && m.id >= c.selfFrom
			if !ended {
				members = append(members, m)
			}
			return nil
		}, g.number, after, limit)
		if err != nil {
			return r, err
		}
		ended = ended || int64(len(members)) < limit
		for _, m := range members {
			after = m.id
			if room == 0 {
				r.ids = []int64{m.id}
				return r, nil
			}
			if int64(len(r.ids)) == room {
				r.more = true
				return r, nil
			}
			moved, blocked, err := t.sifted(q, m, c)
			switch {
			case err != nil:
				return r, err
			case blocked:
				c.blocked = true
				return r, nil
			case moved:
				continue
			}
			r.ids = append(r.ids, m.id)
			r.classes = append(r.classes, m.class)
		}
		ended = ended || int64(len(r.ids)) == room && beyond == 0
	}
	return r, nil
}

// passOver puts a group right that has nothing to give although it stands in
// line.
func (t *tx) passOver(q *queue, g group) error {
	var now group
	if err := t.run(t.w.readGroup, now.take, g.number); err != nil || now.number == 0 {
		return err
	}
	return t.regroup(q, now)
}

// take claims the messages of runs and gives their groups their place.
func (t *tx) take(q *queue, runs []groupRun, span int64, attempt any, c *claim) error {
	t.touch(q)
	to, due := again, any(nil)
	if span > 0 {
		to, due = inFlight, t.now+span
	}
	var rows [][]any
	place := make(map[int64]int)
	for _, r := range runs {
		for i, id := range r.ids {
			place[id] = len(rows)
			rows = append(rows, []any{id, q.epoch, int64(to), due, t.now, t.now, attempt})
			q.count[r.classes[i]]--
			q.count[to]++
		}
	}
	c.rows = make([]claimedRow, len(rows))
	err := t.w.claimMembers.runEach(t, rows, func(r row) error {
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
		t.ready(q, int64(len(rows)))
	}
	return nil
}

// served gives the groups of runs their place: out of the line with locks, else
// at its end.
func (t *tx) served(q *queue, runs []groupRun, locks bool) error {
	var locked [][]any
	for _, r := range runs {
		if locks && r.group.head == r.ids[0] {
			locked = append(locked, []any{r.group.number})
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
	return t.w.lockGroups.run(t, locked)
}
