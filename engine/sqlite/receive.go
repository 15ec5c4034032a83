package sqlite

import (
	"context"
	"slices"
	"time"

	"queues/engine"
)

const (
	returnedIDsSQL = `SELECT id FROM deliveries INDEXED BY deliveries_ready
		WHERE queue = ? AND state = ? AND due IS NULL AND grp IS NULL AND id > ? ORDER BY id LIMIT ?`
	freshIDsSQL = `SELECT id FROM messages INDEXED BY messages_fresh
		WHERE queue = ? AND fresh = 1 AND id > ? ORDER BY id LIMIT ?`

	claimFreshSQL = `INSERT INTO deliveries (id, queue, state, due, stamp, receives, first_receive, received)
		SELECT id, queue, ?1, ?2, random(), 1, ?3, ?3 FROM messages INDEXED BY messages_fresh
		WHERE queue = ?4 AND fresh = 1 AND id > ?5 ORDER BY id LIMIT ?6
		RETURNING id, stamp`
	claimReturnedSQL = `UPDATE deliveries SET
			state = CASE WHEN ?1 IS NOT NULL THEN 2 WHEN receives < 2 THEN 3 ELSE 4 END,
			due = ?1, stamp = random(), receives = receives + 1,
			first_receive = coalesce(first_receive, ?2), received = ?2
		WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_ready
			WHERE queue = ?3 AND state = ?4 AND due IS NULL AND grp IS NULL AND id > ?5 ORDER BY id LIMIT ?6)
		RETURNING id, stamp, receives, first_receive`
)

// maxTurns is how many transactions one receive has to find a first message, in
// turns with others. It needs more than one only where much has fallen due or
// expired at once.
const maxTurns = 8

// maxSteps is how many bounded steps one request may take before it lets
// others in.
const maxSteps = 4

// Receive claims visible messages.
func (s *Store) Receive(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
	if err := s.enter(ctx); err != nil {
		return engine.ReceiveResult{}, err
	}
	defer s.calls.Done()
	if p.Visibility != nil {
		p.Visibility = new(*p.Visibility)
	}
	selfFrom := int64(0)
	for turn := 1; ; turn++ {
		var c claim
		err := s.do(ctx, &request{
			name: "a receive",
			run: func(t *tx) error {
				c = claim{selfFrom: selfFrom, movedEnough: turn > 1, skip: turn == 2}
				if err := t.receive(p, &c); err != nil {
					return err
				}
				if q := t.w.byID[p.Queue]; q != nil {
					c.sweep = q.spent || q.expired
				}
				if c.unfinished && turn == maxTurns {
					t.goOn(p.Queue)
				}
				return t.readVisible(&c, p.Room)
			},
			vanished: func(t *tx) error { return t.unclaim(p.Queue, c) },
		})
		if err != nil {
			return engine.ReceiveResult{}, err
		}
		messages, err := s.readClaimed(&c, p.Room)
		if err != nil {
			return engine.ReceiveResult{}, s.giveBack(p.Queue, c, err)
		}
		// Nothing to return but more to look at. An answer is not empty while
		// something could be received, unless it takes too long to find.
		lost := c.more && len(c.rows) > 0
		if len(messages) == 0 && (c.unfinished && turn < maxTurns || lost) {
			selfFrom = c.selfFrom
			if lost {
				turn = 0 // it was removed before it was read: this looks anew
			}
			continue
		}
		r := engine.ReceiveResult{Messages: messages, More: c.more || c.unfinished, Limited: c.limited, Sweep: c.sweep}
		if len(messages) < p.Max && c.nextDue != never {
			r.NextDue = fromMS(c.nextDue)
		}
		return r, nil
	}
}

// claim is what one turn of a receive took.
type claim struct {
	number, epoch int64
	rows          []claimedRow
	deadline      time.Time
	more, limited bool
	// unfinished asks for a further turn: nothing was found, but not all was
	// looked at.
	unfinished bool
	nextDue    int64

	// messages are there when read is true and noRoom is not: they were read in
	// the transaction, or there was no memory for them.
	messages     []engine.Delivery
	read, noRoom bool

	// past is true when some of the queue's messages were in other queues.
	past bool
	// sifted is true when messages were judged one by one. rest then tells
	// whether any are left to be received, blocked whether some that had to leave
	// were passed by, and unseen whether not all behind them was looked at.
	sifted, rest, blocked, unseen bool
	// sweep is true when work is left that needs no receive.
	sweep bool
	// skip is true when the receive looks only at who came into the line lately.
	skip bool
	// movedEnough is true when the receive moves no more dead letters.
	movedEnough bool
	// selfFrom is the first message that the receive moved within its queue; it
	// looks at none from there on. Zero for none.
	selfFrom int64
	// repeated is true when an earlier receive was repeated.
	repeated bool
}

// claimedRow is the delivery row of a message that was claimed.
type claimedRow struct {
	id, stamp int64
	receives  int64
	first     int64
}

func (t *tx) receive(p engine.ReceiveParams, c *claim) error {
	q, err := t.queue(p.Queue)
	if err != nil {
		return err
	}
	c.number, c.epoch, c.past = q.number, q.epoch, q.moved > 0
	if q.fifo() {
		return t.receiveFIFO(q, p, c)
	}
	if q.groups > 0 {
		return t.receiveFair(q, p, c)
	}
	for step := 0; ; step++ {
		if err := t.settle(q); err != nil {
			return err
		}
		visible := q.visible()
		room := int64(p.Max)
		if p.InFlightLimit > 0 {
			room = min(room, max(0, p.InFlightLimit-q.count[inFlight]))
			// Messages that are in flight no more may still be counted so.
			if room < int64(p.Max) && step < maxSteps && (q.expired || t.lagging(q) || q.nextDue <= t.now) {
				if err := t.removeExpired(q); err != nil {
					return err
				}
				continue
			}
		}
		if room > 0 && visible > 0 {
			if err := t.claim(q, p, room, c); err != nil {
				return err
			}
		}
		n := int64(len(c.rows))
		c.limited = visible > 0 && room == 0
		if c.more, err = t.leaves(q, p, room, visible, c); err != nil {
			return err
		}
		if n > 0 || !c.unseen && q.nextDue > t.now {
			break
		}
		if c.unseen || step == maxSteps {
			c.unfinished = true
			break
		}
		if err := t.removeExpired(q); err != nil {
			return err
		}
	}
	if q.count[delayed]+q.count[inFlight] == 0 {
		q.nextDue = never
	}
	c.nextDue = max(q.nextDue, t.now+1)
	return nil
}

// goOn reports a queue whose receive gave up before it had seen everything, so
// that one that waits goes on.
func (t *tx) goOn(id engine.QueueID) {
	if q := t.w.byID[id]; q != nil {
		t.ready(q, 1)
	}
}

// leaves tells whether messages are left that could be received now, after
// those of a claim have been taken of the visible for the room there was.
func (t *tx) leaves(q *queue, p engine.ReceiveParams, room, visible int64, c *claim) (bool, error) {
	n := int64(len(c.rows))
	switch {
	case p.InFlightLimit > 0 && q.count[inFlight] >= p.InFlightLimit:
		return false, nil
	case c.sifted:
		return c.rest || q.nextDue <= t.now, nil
	case n < room:
		return q.nextDue <= t.now, nil
	case !q.expired || visible <= n:
		return visible > n, nil
	}
	// Rows of expired messages are among the counted.
	for _, s := range []struct {
		stmt *stmt
		args []any
	}{
		{t.w.freshIDs, []any{q.epoch, q.cursor, int64(1)}},
		{t.w.returnedIDs, []any{q.epoch, int64(again), q.cut, int64(1)}},
		{t.w.returnedIDs, []any{q.epoch, int64(late), q.cut, int64(1)}},
	} {
		ids, err := t.ids(s.stmt, s.args...)
		if err != nil || len(ids) > 0 {
			return true, err
		}
	}
	return false, nil
}

// settle lets time pass in a queue, as far as one step goes: due messages
// become visible, and expired ones are cut off.
func (t *tx) settle(q *queue) error {
	if err := t.promote(q); err != nil {
		return err
	}
	return t.expire(q)
}

// claim takes up to room messages: again and fresh ones by their age, then
// late ones.
func (t *tx) claim(q *queue, p engine.ReceiveParams, room int64, c *claim) error {
	timeout := q.snapshot.VisibilityTimeout
	if p.Visibility != nil {
		timeout = *p.Visibility
	}
	span := spanMS(timeout)
	c.deadline = fromMS(t.now + span)
	var due any
	if span > 0 {
		due = t.now + span
	}
	var nAgain, nFresh, nLate int64
	var err error
	if t.needsSieve(q, c) {
		s, err := t.sift(q, room, c)
		if err != nil {
			return err
		}
		if c.blocked {
			return t.takeFair(q, p, s.kept, c)
		}
		// They are the first of their class: those before them have left.
		nAgain, nFresh, nLate = s.counts[again], s.counts[fresh], s.counts[late]
	} else if nAgain, nFresh, nLate, err = t.share(q, room); err != nil {
		return err
	}
	c.rows = slices.Grow(c.rows, int(min(room, q.visible())))
	// Late ones first: with a timeout of zero, what is claimed from again may
	// become late and would be taken twice.
	var lateRows []claimedRow
	if nLate > 0 {
		if err := t.claimReturnedRows(q, late, due, nLate, &lateRows); err != nil {
			return err
		}
	}
	if nAgain > 0 {
		if err := t.claimReturnedRows(q, again, due, nAgain, &c.rows); err != nil {
			return err
		}
	}
	if nFresh > 0 {
		if err := t.claimFreshRows(q, due, nFresh, &c.rows); err != nil {
			return err
		}
	}
	byID := func(a, b claimedRow) int { return int(a.id - b.id) }
	slices.SortFunc(c.rows, byID)
	slices.SortFunc(lateRows, byID)
	c.rows = append(c.rows, lateRows...)
	if len(c.rows) > 0 {
		t.touch(q)
		if due != nil {
			t.due(q, t.now+span)
		} else {
			t.ready(q, int64(len(c.rows)))
		}
	}
	return nil
}

// share divides the room between the classes. Only where several classes have
// messages does it look at them.
func (t *tx) share(q *queue, room int64) (nAgain, nFresh, nLate int64, err error) {
	if q.count[again] == 0 && q.count[late] == 0 {
		return 0, room, 0, nil
	}
	if q.count[again] == 0 && q.count[fresh] == 0 {
		return 0, 0, room, nil
	}
	var againIDs, freshIDs []int64
	if q.count[again] > 0 {
		if againIDs, err = t.ids(t.w.returnedIDs, q.epoch, int64(again), q.cut, room); err != nil {
			return 0, 0, 0, err
		}
	}
	if q.count[fresh] > 0 {
		if freshIDs, err = t.ids(t.w.freshIDs, q.epoch, q.cursor, room); err != nil {
			return 0, 0, 0, err
		}
	}
	for nAgain+nFresh < room {
		a, f := againIDs[nAgain:], freshIDs[nFresh:]
		switch {
		case len(a) > 0 && (len(f) == 0 || a[0] < f[0]):
			nAgain++
		case len(f) > 0:
			nFresh++
		case q.count[late] > 0:
			return nAgain, nFresh, room - nAgain - nFresh, nil
		default:
			return nAgain, nFresh, 0, nil
		}
	}
	return nAgain, nFresh, 0, nil
}

func (t *tx) ids(s *stmt, args ...any) ([]int64, error) {
	var ids []int64
	err := t.run(s, func(r row) error { ids = append(ids, r.int(0)); return nil }, args...)
	return ids, err
}

func (t *tx) claimFreshRows(q *queue, due any, n int64, rows *[]claimedRow) error {
	to := inFlight
	if due == nil {
		to = q.returned(1)
	}
	return t.run(t.w.claimFresh, func(r row) error {
		c := claimedRow{id: r.int(0), stamp: r.int(1), receives: 1, first: t.now}
		*rows = append(*rows, c)
		q.count[fresh]--
		q.count[to]++
		q.cursor = max(q.cursor, c.id)
		return nil
	}, int64(to), due, t.now, q.epoch, q.cursor, n)
}

func (t *tx) claimReturnedRows(q *queue, from class, due any, n int64, rows *[]claimedRow) error {
	return t.run(t.w.claimReturned, func(r row) error {
		c := claimedRow{id: r.int(0), stamp: r.int(1), receives: r.int(2), first: r.int(3)}
		*rows = append(*rows, c)
		to := inFlight
		if due == nil {
			to = q.returned(c.receives)
		}
		q.count[from]--
		q.count[to]++
		return nil
	}, due, t.now, q.epoch, int64(from), q.cut, n)
}
