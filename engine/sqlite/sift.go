package sqlite

const (
	walkReturnedSQL = `SELECT d.id, d.receives, m.id IS NOT NULL, m.sent FROM deliveries AS d INDEXED BY deliveries_ready
			LEFT JOIN moved AS m ON m.id = d.id
		WHERE d.queue = ? AND d.state = ? AND d.due IS NULL AND d.grp IS NULL AND d.id > ? ORDER BY d.id LIMIT ?`
	walkFreshSQL = `SELECT f.id, 0, m.id IS NOT NULL, m.sent FROM messages AS f INDEXED BY messages_fresh
			LEFT JOIN moved AS m ON m.id = f.id
		WHERE f.queue = ? AND f.fresh = 1 AND f.id > ? ORDER BY f.id LIMIT ?`
)

// candidate is a visible message that has not been judged.
type candidate struct {
	id       int64
	group    int64 // number of its group on a standard queue, zero for none
	class    class
	receives int64
	// moved is true when it brought something along; sent is the send time that
	// it kept, negative for none.
	moved bool
	sent  int64
}

// walker goes through the visible messages of one class, oldest first.
type walker struct {
	t     *tx
	q     *queue
	class class
	// after is the last id read. Ids from below on do not count.
	after, below int64
	// chunk is how many are read at once.
	chunk   int64
	waiting []candidate
	ended   bool
}

// walk starts a walk that expects to take n messages.
func (t *tx) walk(q *queue, of class, n int64) *walker {
	w := &walker{t: t, q: q, class: of, after: q.cut, below: t.w.nextID, chunk: n, ended: q.count[of] == 0}
	switch {
	case of == fresh && q.fifo():
		w.after = max(w.after, q.received)
	case of == fresh:
		w.after = q.cursor
	}
	return w
}

// peek gives the next message; false when there is none.
func (w *walker) peek() (candidate, bool, error) {
	if len(w.waiting) == 0 && !w.ended {
		n := min(max(w.chunk, 1), lookRows)
		before, first := w.after, int64(0)
		stmt, args := w.t.w.walkReturned, []any{w.q.epoch, int64(w.class), w.after, n}
		switch {
		case w.class == fresh && w.q.fifo():
			stmt, args = w.t.w.walkMembers, []any{w.q.epoch, w.after, w.q.cursor, n}
		case w.class == fresh:
			stmt, args = w.t.w.walkFresh, []any{w.q.epoch, w.after, n}
		}
		err := w.t.run(stmt, func(r row) error {
			c := candidate{id: r.int(0), class: w.class, receives: r.int(1), moved: r.int(2) != 0, sent: -1}
			if r[3] != nil {
				c.sent = r.int(3)
			}
			w.after = c.id
			if first == 0 {
				first = c.id
			}
			if c.id >= w.below {
				w.ended = true
				return nil
			}
			w.waiting = append(w.waiting, c)
			n--
			return nil
		}, args...)
		if err != nil {
			return candidate{}, false, err
		}
		w.ended = w.ended || n > 0
		w.chunk = lookRows
		// Those in flight are passed one by one, so the next walk starts here.
		if q := w.q; w.class == fresh && q.fifo() && before <= max(q.cut, q.received) {
			if first == 0 {
				first = q.cursor + 1
			}
			q.received = max(q.received, first-1)
		}
	}
	if len(w.waiting) == 0 {
		return candidate{}, false, nil
	}
	return w.waiting[0], true, nil
}

// take goes on to the next message.
func (w *walker) take() { w.waiting = w.waiting[1:] }

// of gives the class of the messages.
func (w *walker) of() class { return w.class }

// stop ends the walk before its next message.
func (w *walker) stop() { w.waiting, w.ended = nil, true }

// end makes ids from here on not count.
func (w *walker) end(below int64) { w.below = min(w.below, below) }

// stream is a walk through visible messages, oldest first.
type stream interface {
	peek() (candidate, bool, error)
	take()
	stop()
	end(below int64)
	of() class
}

// oldest gives the walk whose message is the oldest, nil for none.
func oldest(walkers ...stream) (stream, candidate, error) {
	var oldest stream
	var of candidate
	for _, w := range walkers {
		c, ok, err := w.peek()
		if err != nil {
			return nil, c, err
		}
		if ok && (oldest == nil || c.id < of.id) {
			oldest, of = w, c
		}
	}
	return oldest, of, nil
}

// sieve shares out the room of a receive where not every visible message may be
// returned: some have to move to the dead-letter target first, and some are
// over by a send time that they kept.
type sieve struct {
	t      *tx
	q      *queue
	c      *claim
	target *queue // nil for none
	limit  int64  // receives from which a message moves
	counts [classes]int64
	// kept are the messages that passed, in their order.
	kept []candidate
	// noisy are the groups to be left out or, with only, alone to be taken.
	noisy []int64
	only  bool
	// passed is how many messages were passed by.
	passed int
}

// needsSieve tells whether all that is visible in a queue may be returned as it
// stands.
func (t *tx) needsSieve(q *queue, c *claim) bool {
	return t.lagging(q) || c.selfFrom > 0 || q.count[again]+q.count[late] > 0 && t.target(q) != nil
}

// newSieve gives a sieve for a receive.
func (t *tx) newSieve(q *queue, c *claim) *sieve {
	s := &sieve{t: t, q: q, c: c, target: t.target(q)}
	if s.target != nil {
		s.limit = int64(max(1, q.snapshot.Redrive.MaxReceives))
	}
	return s
}

// sift finds what a receive of such a queue takes. It judges just the messages
// that the receive comes by.
func (t *tx) sift(q *queue, room int64, c *claim) (*sieve, error) {
	s := t.newSieve(q, c)
	ofAgain, ofFresh := t.walk(q, again, room), t.walk(q, fresh, room)
	if c.selfFrom > 0 {
		ofFresh.end(c.selfFrom)
	}
	left, err := s.fill(room, ofAgain, ofFresh)
	if err != nil {
		return nil, err
	}
	ofLate := t.walk(q, late, left)
	if left, err = s.fill(left, ofLate); err != nil {
		return nil, err
	}
	c.sifted = true
	c.rest, err = s.rest(left, ofAgain, ofFresh, ofLate)
	return s, err
}

// fill takes up to room messages from walks, the oldest first, and gives the
// room left.
func (s *sieve) fill(room int64, walkers ...stream) (int64, error) {
	for room > 0 {
		w, m, err := oldest(walkers...)
		if err != nil || w == nil {
			return room, err
		}
		passes, blocked, err := s.judge(m)
		if err != nil {
			return room, err
		}
		if blocked {
			if walkers, err = s.passBy(walkers, m, room); err != nil {
				return room, err
			}
			continue
		}
		if passes {
			s.counts[m.class]++
			s.kept = append(s.kept, m)
			room--
		}
		w.take()
	}
	return room, nil
}

// stays tells whether a message may be returned.
func (s *sieve) stays(m candidate) (over, poison bool) {
	over = s.t.expiry && m.sent >= 0 && s.t.over(s.q, m.sent)
	return over, !over && s.target != nil && m.class != fresh && m.receives >= s.limit
}

// judge lets a message pass or takes it out of the queue; blocked is true when
// the transaction has no room for that any more.
func (s *sieve) judge(m candidate) (passes, blocked bool, err error) {
	over, poison := s.stays(m)
	switch {
	case over && s.t.dropped >= stepRows:
		return false, true, nil
	case over:
		s.t.dropped++
		return false, false, s.t.drop(s.q, m)
	case poison && (s.c.movedEnough || !s.t.mayMove(s.q)):
		s.t.leaveSpent(s.q)
		return false, true, nil
	case poison:
		if s.target == s.q && s.c.selfFrom == 0 {
			s.c.selfFrom = s.t.w.nextID
		}
		return false, false, s.t.deadLetter(s.q, s.target, m)
	}
	return true, false, nil
}

// rest tells whether a message is left that could be returned now, as far as a
// bounded look can tell; it says yes when it cannot. What had to be passed by
// does not count, and what is behind it was found unless the room was used up.
func (s *sieve) rest(room int64, walkers ...stream) (bool, error) {
	if s.c.unseen || s.c.selfFrom > 0 || s.c.blocked && room == 0 {
		return true, nil
	}
	if s.c.blocked {
		return false, nil
	}
	for _, w := range walkers {
		for looks := 0; ; looks++ {
			m, ok, err := w.peek()
			if err != nil {
				return false, err
			}
			if !ok {
				break
			}
			if over, poison := s.stays(m); looks == lookRows || !over && !poison {
				return true, nil
			}
			w.take()
		}
	}
	return false, nil
}
