package sqlite

// groupState is where a message group of a FIFO queue stands: the values of
// groups.state.
type groupState int64

const (
	// groupWaiting: the delay of the head is not over.
	groupWaiting groupState = iota
	// groupInLine: the head can be received.
	groupInLine
	// groupLocked: the head is in flight.
	groupLocked
)

const (
	findGroupSQL   = `SELECT number, state, head FROM groups WHERE queue = ? AND name = ?`
	addGroupSQL    = `INSERT INTO groups (number, queue, name, state, turn, head) VALUES (?1, ?2, ?3, ?4, ?5, ?1)`
	readGroupSQL   = `SELECT number, state, head FROM groups WHERE number = ?`
	groupOfSQL     = `SELECT grp FROM messages WHERE id = ?`
	setGroupSQL    = `UPDATE groups SET state = ?2, turn = ?3, head = ?4 WHERE number = ?1`
	removeGroupSQL = `DELETE FROM groups WHERE number = ?`
	lastTurnSQL    = `SELECT max(turn) FROM groups INDEXED BY groups_line WHERE queue = ? AND state = 1`
	headOfGroupSQL = `SELECT m.id, d.state FROM messages AS m INDEXED BY messages_group LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.grp = ? AND m.id > ? ORDER BY m.id LIMIT 1`
)

// group is a row of groups.
type group struct {
	number int64
	state  groupState
	head   int64
}

func (g *group) take(r row) error {
	*g = group{number: r.int(0), state: groupState(r.int(1)), head: r.int(2)}
	return nil
}

// nextTurn gives the place behind all groups in line.
func (t *tx) nextTurn(q *queue) (int64, error) {
	t.touch(q)
	if err := t.knowTurn(q); err != nil {
		return 0, err
	}
	q.turn++
	return q.turn, nil
}

// knowTurn looks the last place in the line up unless it is known.
func (t *tx) knowTurn(q *queue) error {
	if q.turn > 0 {
		return nil
	}
	return t.run(t.w.lastTurn, func(r row) error { q.turn = r.int(0); return nil }, q.epoch)
}

// stateFor gives the state of a group whose head is this.
func (q *queue) stateFor(head int64, headClass class) groupState {
	switch {
	case headClass == inFlight:
		return groupLocked
	case q.classOf(head, headClass) == delayed:
		return groupWaiting
	}
	return groupInLine
}

// setGroup gives a group a state and a head. One that comes into the line
// stands at its end; one that is there keeps its place.
func (t *tx) setGroup(q *queue, g group, state groupState, head int64) error {
	if g.state == state && g.head == head {
		return nil
	}
	if g.state == groupInLine && state == groupInLine {
		t.writes++
		return t.run(t.w.moveHead, func(r row) error {
			// The new head may be received.
			if turn := r.int(0); turn <= q.passedTo {
				q.passedTo = turn - 1
			}
			return nil
		}, g.number, head)
	}
	turn := int64(0)
	if state == groupInLine {
		var err error
		if turn, err = t.nextTurn(q); err != nil {
			return err
		}
		t.ready(q, 1)
	}
	return t.run(t.w.setGroup, nil, g.number, int64(state), turn, head)
}

// regroup looks at the first message of a group and gives the group its state.
// A group without messages goes.
func (t *tx) regroup(q *queue, g group) error {
	t.touch(q)
	found, head, headClass := false, int64(0), fresh
	err := t.run(t.w.headOfGroup, func(r row) error {
		found, head, headClass = true, r.int(0), class(r.int(1))
		return nil
	}, g.number, q.cut)
	switch {
	case err != nil:
		return err
	case !found:
		return t.run(t.w.removeGroup, nil, g.number)
	}
	return t.setGroup(q, g, q.stateFor(head, headClass), head)
}

// groupOf gives the number of a message's group. It must be asked before the
// message is removed.
func (t *tx) groupOf(id int64) (number int64, err error) {
	return number, t.runNow(t.w.groupOf, func(r row) error { number = r.int(0); return nil }, id)
}

// shifted must be called when a message of a FIFO queue has become visible, has
// been hidden or is to be removed. Only a head says something about its group,
// and only what a call leaves behind counts: putRight looks at it.
func (t *tx) shifted(number, id int64) error {
	g, seen := t.groups[number]
	if !seen {
		if err := t.runNow(t.w.readGroup, g.take, number); err != nil {
			return err
		}
		if t.groups == nil {
			t.groups = make(map[int64]group)
		}
		t.groups[number] = g
	}
	if g.head == id {
		t.disturbed = append(t.disturbed, number)
	}
	return nil
}

// putRight gives the groups that a call has disturbed the state of their head.
func (t *tx) putRight(q *queue) error {
	for _, number := range t.disturbed {
		if err := t.regroup(q, t.groups[number]); err != nil {
			return err
		}
	}
	clear(t.groups)
	t.disturbed = t.disturbed[:0]
	return nil
}
