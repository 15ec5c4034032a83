package sqlite

// The next group in line whose head a task may move. Heads up to the cut say
// nothing.
const headInLineSQL = `SELECT g.number, g.head, d.state, b.id IS NOT NULL
	FROM groups AS g INDEXED BY groups_line LEFT JOIN deliveries AS d ON d.id = g.head LEFT JOIN moved AS b ON b.id = g.head
	WHERE g.queue = ? AND g.state = 1 AND g.head > ? AND g.head <= ? ORDER BY g.turn LIMIT 1`

// passedOver is how many messages a step looks at in vain, behind others that
// may not move, before it goes by the groups instead.
const passedOver = 200

// moveMembers is moveSome for a FIFO queue. A message moves only when it is the
// first of its group: whatever is behind one that is in flight or delayed stays
// there, as it would for a receive, so that no group is ever out of order.
func (t *tx) moveMembers(q *queue, m *moveTask, n int64) error {
	// An expired head may be all that locks a group.
	if err := t.removeExpired(q); err != nil {
		return err
	}
	walks := []stream{t.walk(q, again, n+1), t.walk(q, fresh, n+1)}
	for _, w := range walks {
		w.end(m.boundary + 1)
	}
	gone := make(map[int64]int64) // the last message that left each group
	for passed := 0; passed < passedOver; {
		w, c, err := oldest(walks...)
		if err != nil {
			return err
		}
		if w == nil {
			t.endMove(q, m)
			return nil
		}
		group, first, err := t.leads(q, c, gone)
		switch {
		case err != nil:
			return err
		case !first:
			passed++
			w.take()
			continue
		case n == 0 || !t.mayMove(q):
			return nil
		}
		if moved, err := t.moveNext(q, m, c); err != nil || !moved {
			return err
		}
		gone[group] = c.id
		w.take()
		n--
	}
	return t.moveHeads(q, m, n)
}

// leads tells whether a message is the first of its group, apart from those
// that are gone. The walk that gave it has written what waited.
func (t *tx) leads(q *queue, c candidate, gone map[int64]int64) (group int64, first bool, err error) {
	if group, err = t.groupOf(c.id); err != nil {
		return 0, false, err
	}
	err = t.runNow(t.w.headOfGroup, func(r row) error { first = r.int(0) == c.id; return nil }, group, max(q.cut, gone[group]))
	return group, first, err
}

// moveHeads moves the heads of the groups in line. It serves where too many
// messages wait behind others to look at each: the groups say at once where
// there is something to move, though not which is the oldest of all.
func (t *tx) moveHeads(q *queue, m *moveTask, n int64) error {
	for range stepRows {
		if err := t.putRight(q); err != nil {
			return err
		}
		var g group
		c := candidate{sent: -1}
		err := t.run(t.w.headInLine, func(r row) error {
			g = group{number: r.int(0), state: groupInLine, head: r.int(1)}
			c.id, c.class, c.moved = g.head, q.classOf(g.head, class(r.int(2))), r.int(3) != 0
			return nil
		}, q.epoch, q.cut, m.boundary)
		switch {
		case err != nil:
			return err
		case g.number == 0:
			t.endMove(q, m)
			return nil
		case c.class != fresh && c.class != again:
			if err := t.passOver(q, g); err != nil {
				return err
			}
			continue
		case n == 0 || !t.mayMove(q):
			return nil
		}
		if moved, err := t.moveNext(q, m, c); err != nil || !moved {
			return err
		}
		n--
	}
	return nil
}
