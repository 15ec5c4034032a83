package sqlite

import (
	"math"
	"slices"
)

const (
	triesSQL = `SELECT receives FROM deliveries INDEXED BY deliveries_tries
		WHERE queue = ? AND state = ? AND due IS NULL AND receives > ? ORDER BY receives LIMIT 1`
	unspentSQL = `SELECT d.id, d.receives, m.id IS NOT NULL, m.sent, d.grp FROM deliveries AS d INDEXED BY deliveries_tries
			LEFT JOIN moved AS m ON m.id = d.id
		WHERE d.queue = ? AND d.state = ? AND d.due IS NULL AND d.receives = ? AND d.id > ? ORDER BY d.id LIMIT ?`
	spentSQL = `SELECT d.id, d.receives, m.id IS NOT NULL, m.sent, d.grp FROM deliveries AS d INDEXED BY deliveries_tries
			LEFT JOIN moved AS m ON m.id = d.id
		WHERE d.queue = ? AND d.state = ? AND d.due IS NULL AND d.receives >= ? ORDER BY d.receives, d.id LIMIT ?`
)

// A message is spent when it was received as often as the redrive allows: it is
// not received again but moves to the target. A transaction moves a bounded
// number. When a receive meets more, it passes by the rest, and the sweeper
// goes on with them. What is passed by holds up nothing: a limit that is lowered
// can make a million messages spent at once.

// maxTries bounds the numbers of receives that are looked through one by one.
const maxTries = 1000

// unspent goes through the visible messages of one class that were received a
// given number of times, oldest first, with a group or without.
type unspent struct {
	s        *sieve
	class    class
	receives int64
	// after is the last id read. Ids from below on do not count.
	after, below int64
	chunk        int64
	waiting      []candidate
	ended        bool
}

// peek gives the next message; false when there is none. It passes by what the
// sieve leaves to others or finds over, as far as a bounded look goes.
func (w *unspent) peek() (candidate, bool, error) {
	for len(w.waiting) == 0 && !w.ended {
		if w.s.passed >= stepRows {
			w.s.c.unseen, w.ended = true, true
			break
		}
		n := min(max(w.chunk, 1), lookRows)
		err := w.s.t.run(w.s.t.w.unspent, func(r row) error {
			n--
			c := candidate{id: r.int(0), class: w.class, receives: r.int(1), moved: r.int(2) != 0, sent: -1, group: r.int(4)}
			if r[3] != nil {
				c.sent = r.int(3)
			}
			w.after = c.id
			switch over, _ := w.s.stays(c); {
			case c.id >= w.below:
				w.ended = true
			case over, slices.Contains(w.s.noisy, c.group) != w.s.only:
				w.s.passed++
			default:
				w.waiting = append(w.waiting, c)
			}
			return nil
		}, w.s.q.epoch, int64(w.class), w.receives, w.after, n)
		if err != nil {
			return candidate{}, false, err
		}
		w.ended = w.ended || n > 0
		w.chunk = lookRows
	}
	if len(w.waiting) == 0 {
		return candidate{}, false, nil
	}
	return w.waiting[0], true, nil
}

// take goes on to the next message.
func (w *unspent) take() { w.waiting = w.waiting[1:] }

// stop ends the walk before its next message.
func (w *unspent) stop() { w.waiting, w.ended = nil, true }

// end makes ids from here on not count.
func (w *unspent) end(below int64) { w.below = min(w.below, below) }

// of gives the class of the messages.
func (w *unspent) of() class { return w.class }

// passBy replaces the walks of a class, whose next message cannot leave in this
// transaction, by walks through those messages behind it that may be received.
func (s *sieve) passBy(walkers []stream, m candidate, room int64) ([]stream, error) {
	s.c.blocked = true
	var left []stream
	for _, w := range walkers {
		if w.of() == m.class {
			w.stop()
		} else {
			left = append(left, w)
		}
	}
	if m.class == fresh {
		// Only the oldest fresh messages can be received.
		s.c.unseen = true
		return left, nil
	}
	limit := int64(math.MaxInt64)
	if s.target != nil {
		limit = s.limit
	}
	receives := int64(-1)
	for range maxTries {
		next := int64(-1)
		err := s.t.run(s.t.w.tries, func(r row) error { next = r.int(0); return nil }, s.q.epoch, int64(m.class), receives)
		if err != nil || next < 0 || next >= limit {
			return left, err
		}
		receives = next
		w := &unspent{s: s, class: m.class, receives: receives, after: m.id, below: s.t.w.nextID, chunk: room}
		if s.c.selfFrom > 0 {
			w.end(s.c.selfFrom)
		}
		left = append(left, w)
	}
	s.c.unseen = true
	return left, nil
}

// leaveSpent notes that spent messages were left behind, for the sweeper.
func (t *tx) leaveSpent(q *queue) {
	if !q.spent {
		q.spent, q.spentAt, q.redriven = true, t.now, 0
		t.touch(q)
	}
}

// redrive moves spent messages that a receive has left, one step's worth.
func (t *tx) redrive(q *queue) error {
	q.spentAt = t.now
	to := t.target(q)
	if to == nil {
		q.spent = false // a receive will tell when there is a target again
		return nil
	}
	if q.fifo() {
		return t.redriveFIFO(q)
	}
	limit := int64(max(1, q.snapshot.Redrive.MaxReceives))
	from := t.w.nextID
	for _, of := range []class{again, late} {
		if q.count[of] == 0 {
			continue
		}
		var spent []candidate
		err := t.run(t.w.spent, func(r row) error {
			spent = append(spent, candidate{id: r.int(0), class: of, receives: r.int(1), moved: r.int(2) != 0, group: r.int(4)})
			return nil
		}, q.epoch, int64(of), limit, int64(taskMoves))
		if err != nil {
			return err
		}
		for _, m := range spent {
			switch {
			case m.id >= from:
				continue
			case !t.mayMove(q):
				return nil
			}
			if err := t.deadLetter(q, to, m); err != nil {
				return err
			}
		}
		if len(spent) == taskMoves {
			return nil
		}
	}
	q.spent = false
	return nil
}
