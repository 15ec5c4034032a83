package sqlite

const (
	lineSQL = `SELECT number, state, head, turn FROM groups INDEXED BY groups_line
		WHERE queue = ? AND state = 1 AND turn > ? ORDER BY turn LIMIT ?`
	lineHeadsSQL = `SELECT g.number, g.state, g.head, g.turn, coalesce(d.receives, 0) >= ?5, g.head <= ?4 AND NOT EXISTS (
			SELECT 1 FROM messages AS m INDEXED BY messages_group WHERE m.grp = g.number AND m.id > ?4)
		FROM groups AS g INDEXED BY groups_line LEFT JOIN deliveries AS d ON d.id = g.head
		WHERE g.queue = ?1 AND g.state = 1 AND g.turn > ?2 ORDER BY g.turn LIMIT ?3`
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

// lined is a group in line.
type lined struct {
	group
	turn int64
	// spent is true when the head has to move to the dead-letter target, and
	// empty when all messages have expired. Both are false if not asked for.
	spent, empty bool
}

// lineFrom gives up to limit groups in line behind a turn.
func (t *tx) lineFrom(q *queue, turn, limit int64) (line []lined, err error) {
	return line, t.run(t.w.line, func(r row) error {
		g := lined{turn: r.int(3)}
		err := g.take(r)
		line = append(line, g)
		return err
	}, q.epoch, turn, limit)
}

// headsFrom is lineFrom with a look at the heads.
func (t *tx) headsFrom(q *queue, turn, limit int64) (line []lined, err error) {
	most := int64(never)
	if t.target(q) != nil {
		most = int64(max(1, q.snapshot.Redrive.MaxReceives))
	}
	return line, t.run(t.w.lineHeads, func(r row) error {
		g := lined{turn: r.int(3), empty: r.int(5) != 0}
		err := g.take(r)
		g.spent = r.int(4) != 0 && g.head > q.cut
		line = append(line, g)
		return err
	}, q.epoch, turn, limit, q.cut, most)
}

// look goes along the line and finds what a receive with so much room would
// take, and whether there is more: with keep, also in the groups that it takes
// from, which stay in line. It puts right the groups whose place in the line is
// out of date, and passes by those that have expired whole or whose head has to
// move when the transaction moves no more; unfinished is true when those were
// too many.
func (t *tx) look(q *queue, room int64, keep bool, c *claim) (runs []groupRun, more, unfinished bool, err error) {
	beyond := int64(0)
	if keep {
		beyond = 1
	}
	p := detour{q: q, c: c}
	turn, stale := int64(0), 0
	if c.skip {
		turn = q.skipTo
	}
	for {
		limit := min(room, 100) + 1
		read := t.lineFrom
		if p.on {
			turn, limit, read = p.from(turn), lookRows, t.headsFrom
		}
		line, err := read(q, turn, limit)
		if err != nil {
			return nil, false, false, err
		}
		again := false
		for _, g := range line {
			turn = g.turn
			if g.spent || g.empty {
				if p.by(g.turn); p.looks == stepRows {
					return runs, false, true, nil
				}
				continue
			}
			blocked := false
			r, err := t.runOf(q, g.group, room, beyond, c, &blocked)
			switch {
			case err != nil:
				return nil, false, false, err
			case len(r.ids) == 0 && g.head <= q.cut:
				blocked = true
				p.by(g.turn)
			case blocked && len(r.ids) == 0:
				p.by(g.turn)
			case len(r.ids) == 0:
				if err := t.passOver(q, g.group); err != nil {
					return nil, false, false, err
				}
				if stale++; stale == stepRows {
					return runs, false, true, nil
				}
			case room == 0:
				return runs, true, false, nil
			default:
				runs = append(runs, r)
				room -= int64(len(r.ids))
				if r.more {
					return runs, true, false, nil
				}
			}
			if blocked && !p.on {
				p.on, again = true, true
				break
			}
		}
		if !again && int64(len(line)) < limit {
			return runs, false, false, nil
		}
	}
}

// skipLater notes where those stand in line who come from now on: a receive that
// has many to pass by looks there too before it goes on.
func (t *tx) skipLater(q *queue) error {
	if !q.fifo() {
		return nil
	}
	if err := t.knowTurn(q); err != nil {
		return err
	}
	q.skipTo = q.turn
	return nil
}

// detour is a receive's way past groups that have expired whole or have a spent
// head that cannot move in its transaction. The queue remembers a part of the
// line that has only such.
type detour struct {
	q     *queue
	c     *claim
	on    bool
	looks int // how many were passed by
}

// by passes by the group at a turn. All others before it leave their place: the
// receive takes from them, or they are put right.
func (p *detour) by(turn int64) {
	p.looks++
	switch q := p.q; {
	case p.c.selfFrom > 0:
		// What has moved to the end of its group stays in line.
	case q.passedTo == 0 || turn < q.passedFrom:
		q.passedFrom, q.passedTo = turn, turn
	default:
		q.passedTo = max(q.passedTo, turn)
	}
}

// from gives the turn from which on it is to be looked behind a turn.
func (p *detour) from(turn int64) int64 {
	if turn >= p.q.passedFrom {
		return max(turn, p.q.passedTo)
	}
	return turn
}

// runOf gives the messages of a group that can be received in order, as many as
// there is room for, and whether there are as many more as beyond says. Without
// room it gives the first. What was received too often moves away on the way;
// blocked becomes true when it cannot, which ends the run.
func (t *tx) runOf(q *queue, g group, room, beyond int64, c *claim, isBlocked *bool) (groupRun, error) {
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
				*isBlocked = true
				t.leaveSpent(q)
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
