package sqlite

import "queues/engine"

// sendFIFO stores messages of a FIFO queue, in their groups and without
// duplicates. A message's own delay means nothing here.
func (t *tx) sendFIFO(q *queue, messages []packedMessage, sent []engine.Sent) error {
	if err := t.catchUp(q); err != nil {
		return err
	}
	// Nothing changes a group during a send but the send.
	groups := make(map[string]group, 1)
	first := t.w.nextID
	t.w.nextID += int64(len(messages))
	duplicate, err := t.remember(q, messages, first)
	if err != nil {
		return err
	}
	for i := range messages {
		m := &messages[i]
		if duplicate[i] {
			if sent[i], err = t.recall(q, m); err != nil {
				return err
			}
			continue
		}
		sequence := first + int64(i)
		sent[i] = engine.Sent{ID: m.id, Sequence: uint64(sequence)}
		g, known := groups[m.group]
		if !known {
			if g, err = t.findGroup(q, m.group); err != nil {
				return err
			}
		}
		if g, err = t.join(q, g, m.group, sequence, fresh); err != nil {
			return err
		}
		groups[m.group] = g
		t.add(t.w.insertMessages, sequence, q.epoch, int64(1), t.nowArg, g.number, m.meta, m.body)
	}
	return nil
}

// findGroup gives the group of a name, with number zero when it has no
// messages.
func (t *tx) findGroup(q *queue, name string) (group, error) {
	var g group
	return g, t.runNow(t.w.findGroup, g.take, q.epoch, name)
}

// join counts a new message in, which is fresh or again, and makes it the last
// of its group, or the founder of one with number zero. The rows of the message
// are the caller's.
func (t *tx) join(q *queue, g group, name string, id int64, state class) (group, error) {
	t.touch(q)
	delay := spanMS(q.snapshot.Delay)
	if state == again {
		delay = 0
	}
	q.nextExpiry = min(q.nextExpiry, t.now+spanMS(q.snapshot.Retention))
	switch {
	case state == again:
		q.count[again]++
	case delay == 0 && q.count[delayed] == 0:
		q.cursor = id
		q.count[fresh]++
	default:
		q.count[delayed]++
		t.due(q, t.now+delay)
	}
	// A locked group has nothing more to give, unless its head has expired.
	if g.number == 0 || g.state != groupLocked || g.head <= q.cut {
		if delay == 0 {
			t.ready(q, 1)
		}
	}
	if g.number != 0 && g.head <= q.cut {
		return t.revive(q, g, id, state)
	}
	if g.number != 0 {
		return g, nil
	}
	g = group{number: id, state: q.stateFor(id, state), head: id}
	turn := int64(0)
	if g.state == groupInLine {
		var err error
		if turn, err = t.nextTurn(q); err != nil {
			return g, err
		}
	}
	return g, t.runNow(t.w.addGroup, nil, id, q.epoch, name, int64(g.state), turn)
}

// revive puts a group right whose head has expired, for a message that comes. One
// that has expired whole begins anew, at the end of the line.
func (t *tx) revive(q *queue, g group, id int64, state class) (group, error) {
	head, headClass, found := id, state, false
	err := t.run(t.w.headOfGroup, func(r row) error {
		head, headClass, found = r.int(0), class(r.int(1)), true
		return nil
	}, g.number, q.cut)
	if err != nil {
		return g, err
	}
	to := q.stateFor(head, headClass)
	if !found && g.state == groupInLine {
		g.state = groupLocked // it leaves its place
	}
	if err := t.setGroup(q, g, to, head); err != nil {
		return g, err
	}
	g.state, g.head = to, head
	return g, nil
}
