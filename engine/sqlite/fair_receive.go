package sqlite

import "queues/engine"

// A noisy group has at least 30 messages in flight.
const noisyGroupsSQL = `SELECT number, in_flight FROM fair_groups INDEXED BY fair_groups_noisy
	WHERE queue = ? AND in_flight >= 30 ORDER BY in_flight DESC LIMIT ?`

// While expired messages are still counted, this many of a group that are not
// are looked for.
const liveFlightsSQL = `SELECT count(*) FROM (SELECT 1 FROM deliveries INDEXED BY deliveries_grouped
	WHERE grp = ? AND state = 2 AND id > ? LIMIT ?)`

// noisyLeast and noisyShare: it has at least so many messages in flight, and it has more than one in so many of the messages that its queue
// has in flight. So fewer groups than that are noisy, and none of the others
// has more in flight.
const (
	noisyLeast = 30
	noisyShare = 10
)

// receiveFair claims from a standard queue with groups: messages of quiet
// groups first, then those of noisy ones.
func (t *tx) receiveFair(q *queue, p engine.ReceiveParams, c *claim) error {
	for step := 0; ; step++ {
		if err := t.settle(q); err != nil {
			return err
		}
		if _, err := t.removeExpiredUpTo(q, passingRows); err != nil {
			return err
		}
		stale, err := t.refreshGroups(q)
		if err != nil {
			return err
		}
		due := q.nextDue <= t.now
		visible := q.visible()
		room := int64(p.Max)
		if p.InFlightLimit > 0 {
			room = min(room, max(0, p.InFlightLimit-q.count[inFlight]))
			// Messages that are in flight no more may still be counted so.
			if room < int64(p.Max) && step < maxSteps && (q.expired || t.lagging(q) || due) {
				continue
			}
		}
		if room > 0 && visible > 0 {
			if err := t.claimFair(q, p, room, c); err != nil {
				return err
			}
		}
		c.limited = visible > 0 && room == 0
		if c.more, err = t.leaves(q, p, room, visible, c); err != nil {
			return err
		}
		c.more = c.more || (stale || due) && (p.InFlightLimit <= 0 || q.count[inFlight] < p.InFlightLimit)
		if len(c.rows) > 0 || !stale && !due && !c.unseen {
			break
		}
		if c.unseen || step == maxSteps {
			c.unfinished = true
			break
		}
	}
	if q.count[delayed]+q.count[inFlight] == 0 {
		q.nextDue = never
	}
	c.nextDue = max(q.nextDue, t.now+1)
	return nil
}

// catchUpFair lets time pass in a queue with groups, and writes their rows. It
// tells whether it came to the end: only then do the groups say what is in
// flight, and which message is their first.
func (t *tx) catchUpFair(q *queue) (ready bool, err error) {
	for step := 0; ; step++ {
		if err := t.settle(q); err != nil {
			return false, err
		}
		if !q.expired && !t.lagging(q) && q.nextDue > t.now {
			return true, t.putGroups()
		}
		if step == maxSteps {
			return false, nil
		}
		if err := t.removeExpired(q); err != nil {
			return false, err
		}
	}
}

// claimFair takes up to room messages. Whatever it takes, the groups that are
// noisy are those that were so before.
func (t *tx) claimFair(q *queue, p engine.ReceiveParams, room int64, c *claim) error {
	noisy, err := t.noisy(q)
	if err != nil {
		return err
	}
	s := t.newSieve(q, c)
	s.noisy = noisy
	sides := [][]stream{
		{t.walkGroups(q, again, room, noisy), t.walk(q, again, room), t.walk(q, fresh, room)},
		{t.walkGroups(q, late, room, noisy), t.walk(q, late, room)},
		{t.walkOnly(q, again, noisy)},
		{t.walkOnly(q, late, noisy)},
	}
	var all []stream
	for i, side := range sides {
		s.only = i >= 2
		for _, w := range side {
			if c.selfFrom > 0 {
				w.end(c.selfFrom)
			}
		}
		if room, err = s.fill(room, side...); err != nil {
			return err
		}
		all = append(all, side...)
	}
	c.sifted = true
	if c.rest, err = s.rest(room, all...); err != nil {
		return err
	}
	return t.takeFair(q, p, s.kept, c)
}

// noisy gives the numbers of the groups that are noisy now.
func (t *tx) noisy(q *queue) (numbers []int64, err error) {
	err = t.run(t.w.noisyGroups, func(r row) error {
		if r.int(1)*noisyShare > q.count[inFlight] {
			numbers = append(numbers, r.int(0))
		}
		return nil
	}, q.epoch, int64(noisyShare-1))
	if err != nil || !q.expired {
		return numbers, err
	}
	noisy := numbers[:0]
	for _, number := range numbers {
		live := int64(0)
		err := t.run(t.w.liveFlights, func(r row) error { live = r.int(0); return nil }, number, q.cut, int64(noisyLeast))
		if err != nil {
			return nil, err
		}
		if live == noisyLeast {
			noisy = append(noisy, number)
		}
	}
	return noisy, nil
}

// takeFair claims what a receive has found, in its order.
func (t *tx) takeFair(q *queue, p engine.ReceiveParams, found []candidate, c *claim) error {
	timeout := q.snapshot.VisibilityTimeout
	if p.Visibility != nil {
		timeout = *p.Visibility
	}
	span := spanMS(timeout)
	c.deadline = fromMS(t.now + span)
	if len(found) == 0 {
		return nil
	}
	place := make(map[int64]int, len(found))
	for i, m := range found {
		to, due := q.returned(m.receives+1), any(nil)
		if span > 0 {
			to, due = inFlight, t.now+span
		}
		t.add(t.w.claimMembers, m.id, q.epoch, int64(to), due, t.nowArg, t.nowArg, nil)
		place[m.id] = i
		q.count[m.class]--
		q.count[to]++
		if m.class == fresh {
			q.cursor = max(q.cursor, m.id)
		}
		t.noteGroup(q, m.group, m.class, to)
	}
	c.rows = make([]claimedRow, len(found))
	err := t.runRows(t.w.claimMembers, func(r row) error {
		c.rows[place[r.int(0)]] = claimedRow{id: r.int(0), stamp: r.int(1), receives: r.int(2), first: r.int(3)}
		return nil
	})
	if err != nil {
		return err
	}
	t.touch(q)
	if span > 0 {
		t.due(q, t.now+span)
	} else {
		t.ready(q, int64(len(found)))
	}
	return nil
}
