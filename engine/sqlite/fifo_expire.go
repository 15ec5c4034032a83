package sqlite

const expiredRowsSQL = `SELECT m.id, d.state, m.grp FROM messages AS m INDEXED BY messages_fresh LEFT JOIN deliveries AS d ON d.id = m.id
	WHERE m.queue = ? AND m.fresh = 1 AND m.id <= ? ORDER BY m.id LIMIT ?`

// removeCutFIFO removes rows up to the cut of a FIFO queue, at most limit,
// and looks at the groups that lost their head.
func (t *tx) removeCutFIFO(q *queue, limit int64) (removed int64, err error) {
	if q.moved > 0 {
		t.touch(q)
		err := t.run(t.w.forgetMovedUpTo, func(row) error { q.moved--; return nil }, q.epoch, q.cut, limit)
		if err != nil {
			return 0, err
		}
	}
	var last int64
	var byClass [classes]int64
	// The groups by their last removed message.
	lastOf := make(map[int64]int64)
	var removedOf []groupRow
	err = t.run(t.w.expiredRows, func(r row) error {
		removed++
		last = r.int(0)
		byClass[q.classOf(last, class(r.int(1)))]++
		lastOf[r.int(2)] = last
		removedOf = append(removedOf, groupRow{id: last, group: r.int(2)})
		return nil
	}, q.epoch, q.cut, limit)
	if err != nil {
		return 0, err
	}
	q.expired = removed == limit
	if removed == 0 {
		return 0, nil
	}
	t.touch(q)
	for c, n := range byClass {
		q.count[c] -= n
	}
	if byClass[inFlight] > 0 {
		t.ready(q, 1) // room under an in-flight limit
	}
	if err := t.run(t.w.removeFreshDue, nil, q.epoch, last); err != nil {
		return 0, err
	}
	if err := t.run(t.w.removeFreshRows, nil, q.epoch, last); err != nil {
		return 0, err
	}
	for _, r := range removedOf {
		if lastOf[r.group] != r.id {
			continue
		}
		var g group
		if err := t.runNow(t.w.readGroup, g.take, r.group); err != nil {
			return 0, err
		}
		if g.number == 0 || g.head > last {
			continue
		}
		if err := t.regroup(q, g); err != nil {
			return 0, err
		}
	}
	return removed, nil
}

// groupRow is a message of a group.
type groupRow struct{ id, group int64 }
