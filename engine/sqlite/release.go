package sqlite

import (
	"context"
	"errors"
	"slices"

	"queues/engine"
)

// The stamp changes too: what was never received has no reference.
const releaseSQL = `UPDATE deliveries SET state = ?2, due = NULL, stamp = random(), receives = receives - 1, attempt = NULL,
	first_receive = CASE WHEN receives > 1 THEN first_receive END
	WHERE id = ?1`

const unreceiveSQL = `DELETE FROM deliveries WHERE id = ?`

// Release undoes receives that never reached their receiver.
func (s *Store) Release(ctx context.Context, queue engine.QueueID, refs []engine.Ref) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	refs = slices.Clone(refs)
	return s.do(ctx, &request{name: "a release", run: func(t *tx) error {
		q, err := t.queue(queue)
		if err != nil {
			return err
		}
		if err := t.catchUp(q); err != nil {
			return err
		}
		for _, ref := range refs {
			r, ok := decodeRef(ref)
			if !ok || r.number != q.number {
				continue
			}
			if err := t.undoReceive(q, r, true); err != nil {
				return err
			}
		}
		return t.putRight(q)
	}})
}

// unclaim undoes a receive whose caller left, whether or not its messages are
// still in flight. One that repeated another is not undone: that may have
// reached its receiver.
func (t *tx) unclaim(id engine.QueueID, c claim) error {
	if len(c.rows) == 0 || c.repeated || t.w.byID[id] == nil {
		return nil
	}
	q, err := t.queue(id)
	if err != nil {
		return err
	}
	for _, row := range c.rows {
		r := reference{number: q.number, epoch: c.epoch, id: row.id, stamp: row.stamp}
		if err := t.undoReceive(q, r, false); err != nil {
			return err
		}
	}
	return t.putRight(q)
}

// undoReceive makes a delivery as if its last receive had not been, when that
// is the one of the reference.
func (t *tx) undoReceive(q *queue, r reference, onlyInFlight bool) error {
	d, err := t.delivery(q, r)
	if err != nil || !d.found || d.stamp != r.stamp || d.receives < 1 {
		return err
	}
	if onlyInFlight && (d.state != inFlight || d.due <= t.now) {
		return nil
	}
	t.ready(q, 1)
	to := q.returned(d.receives - 1)
	received := d.receives > 1
	if q.fifo() && !received {
		if received, err = t.cameFrom(q, r.id); err != nil {
			return err
		}
	}
	if q.fifo() && !received {
		// As if it had never been received, its delay may have to go on.
		to, q.nextDue = fresh, min(q.nextDue, t.now)
		q.received = min(q.received, r.id-1)
		err = t.run(t.w.unreceive, nil, r.id)
	} else {
		err = t.run(t.w.release, nil, r.id, int64(to))
	}
	if err != nil {
		return err
	}
	return t.recount(q, r.id, d, to)
}

// cameFrom tells whether a message was in another queue before.
func (t *tx) cameFrom(q *queue, id int64) (came bool, err error) {
	if q.moved == 0 {
		return false, nil
	}
	return came, t.run(t.w.keptSent, func(row) error { came = true; return nil }, id)
}

// giveBack undoes a claim whose messages could not be read, and gives the error
// of the receive. Nobody has received them then, unless that fails too: they
// stay claimed until the deadline, and are counted as received.
func (s *Store) giveBack(id engine.QueueID, c claim, failure error) error {
	r := &request{
		name: "a receive undone",
		run:  func(t *tx) error { return t.unclaim(id, c) },
	}
	err := s.writer.inbox.put(r, true)
	if err == nil {
		<-r.done
		err = r.err
	}
	if err != nil {
		return outcomeUnknown("messages were received and could be neither read nor given back", errors.Join(failure, err))
	}
	return failure
}
