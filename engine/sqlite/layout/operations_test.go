package layout

import (
	"database/sql"
	"math"
)

// epoch makes the times of the trial as long as real ones in milliseconds.
const epoch = 1_700_000_000_000

// touch marks a queue whose counters the batch has to store.
func (s *store) touch(q *queue) {
	if !q.touched {
		q.touched = true
		s.touched = append(s.touched, q)
	}
}

// nextID returns the key of the next message of q.
func (s *store) nextID(q *queue) int64 {
	if s.composite() {
		q.last++
		return q.number<<queueShift | q.last
	}
	s.sequence++
	return s.sequence
}

// send stores a message; delay 0 makes it fresh, otherwise it is delayed by
// so many ticks.
func (s *store) send(q *queue, meta, body []byte, now, delay int64) {
	m := message{id: s.nextID(q), queue: q.number, sent: epoch + now, delayed: delay > 0, meta: meta, body: body}
	s.args = s.messageArgs(s.args[:0], m)
	run(s.stmts.message, s.args...)
	if s.split {
		run(s.stmts.body, m.id, body)
	}
	s.touch(q)
	if m.delayed {
		run(s.stmts.delay, m.id, q.number, 1, epoch+now+delay, 0, 0, 0, 0)
		q.delayed++
		s.expect(q, now+delay)
		return
	}
	if s.fresh == freshByTable {
		run(s.stmts.ready, q.number, m.id)
	}
	q.visible++
}

// expect lowers the cached next due times.
func (s *store) expect(q *queue, due int64) {
	q.nextDue, s.nextDue = min(q.nextDue, due), min(s.nextDue, due)
}

// received is one message taken by receive.
type received struct {
	id, receives int64
	bytes        int // of meta and body when they were read within
}

// receive takes one message of q until now+timeout: a returned one first,
// then a fresh one. It panics if there is none, as the workload never asks for
// more than there is.
func (s *store) receive(q *queue, stamp, now, timeout int64) (r received) {
	s.touch(q)
	s.expect(q, now+timeout)
	var meta, body []byte
	if q.returned > 0 {
		dest := []any{&r.id, &r.receives, &meta, &body}
		if !s.readInside {
			dest = dest[:2]
		}
		check(s.stmts.again.QueryRow(q.number).Scan(dest...))
		run(s.stmts.retake, r.id, epoch+now+timeout, stamp, epoch+now)
		q.returned--
	} else {
		dest := []any{&r.id, &meta, &body}
		if !s.readInside {
			dest = dest[:1]
		}
		check(s.stmts.walk.QueryRow(s.walkArgs(q, 1)...).Scan(dest...))
		s.args = append(s.args[:0], r.id, q.number, 2, epoch+now+timeout, stamp, 1, epoch+now, epoch+now)
		if s.merged {
			check(s.stmts.delivery.QueryRow(s.args...).Scan(&r.receives))
			r.receives--
		} else {
			run(s.stmts.delivery, s.args...)
		}
		if s.fresh == freshByTable {
			run(s.stmts.unready, q.number, r.id)
		}
		q.cursor = r.id
	}
	q.visible--
	q.inFlight++
	r.receives++
	r.bytes = len(meta) + len(body)
	return r
}

// delete removes a message in flight by its key and delivery stamp.
func (s *store) delete(q *queue, id, stamp int64) {
	s.touch(q)
	if n := must(run(s.stmts.dropDelivery, id, stamp).RowsAffected()); n != 1 {
		panic("a delivery in flight was not found")
	}
	run(s.stmts.dropMessage, id)
	if s.split {
		run(s.stmts.dropOut, id)
	}
	q.inFlight--
}

// promote returns what is due to q, or to every queue if the due index is
// shared, and refreshes the cached next due time. It costs nothing before
// that time.
func (s *store) promote(q *queue, now int64) {
	cached := &q.nextDue
	if s.globalDue {
		cached = &s.nextDue
	}
	for *cached <= now {
		rows := must(s.stmts.promote.Query(q.number, epoch+now))
		s.due = s.due[:0]
		for rows.Next() {
			var d dueDelivery
			check(rows.Scan(&d.id, &d.queue, &d.receives))
			s.due = append(s.due, d)
		}
		check(rows.Err())
		check(rows.Close())
		for _, d := range s.due {
			s.giveBack(d)
		}
		*cached = s.earliest(q)
	}
}

// dueDelivery is one delivery that the promotion flipped.
type dueDelivery struct{ id, queue, receives int64 }

// giveBack makes a message whose delivery was flipped visible.
func (s *store) giveBack(d dueDelivery) {
	q := s.queues[d.queue-1]
	s.touch(q)
	q.visible++
	if d.receives == 0 {
		q.delayed--
	} else {
		q.inFlight--
	}
	if s.merged {
		run(s.stmts.ready, q.number, d.id)
	} else {
		q.returned++
	}
}

// earliest asks for the next due time of q, or of all queues.
func (s *store) earliest(q *queue) int64 {
	var due int64
	args := []any{q.number}
	if s.globalDue {
		args = nil
	}
	switch err := s.stmts.nextDue.QueryRow(args...).Scan(&due); err {
	case nil:
		return due - epoch
	case sql.ErrNoRows:
		return math.MaxInt64
	default:
		panic(err)
	}
}

// settle stores the counters of the queues touched by the batch.
func (s *store) settle(now int64) {
	for _, q := range s.touched {
		run(s.stmts.queueState, q.cursor, q.visible, q.returned, q.inFlight, q.delayed, q.number)
		q.touched = false
	}
	s.touched = s.touched[:0]
	run(s.stmts.storeState, s.sequence, epoch+now)
}

// read fetches a received message on the reader, after the commit.
func (s *store) read(id int64) int {
	var meta, body []byte
	check(s.stmts.read.QueryRow(id).Scan(&meta, &body))
	return len(meta) + len(body)
}
