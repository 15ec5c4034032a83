package sqlite

const (
	lineSQL = `SELECT number, state, head, turn FROM groups INDEXED BY groups_line
		WHERE queue = ? AND state = 1 AND turn > ? ORDER BY turn LIMIT ?`
	runOfGroupSQL = `SELECT m.id, d.state, d.receives FROM messages AS m INDEXED BY messages_group LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.grp = ? AND m.id > ? ORDER BY m.id LIMIT ?`
)

// groupRun is what a receive takes from one group.
type groupRun struct {
	group group
	ids   []int64
	// classes are what the messages were counted as.
	classes []class
	// more is true when further messages could be received after them.
	more bool
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
