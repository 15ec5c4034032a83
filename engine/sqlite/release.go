package sqlite

import (
	"context"
	"slices"

	"queues/engine"
)

// The stamp changes too: what was never received has no reference.
const releaseSQL = `UPDATE deliveries SET state = ?2, due = NULL, stamp = random(), receives = receives - 1,
	first_receive = CASE WHEN receives > 1 THEN first_receive END
	WHERE id = ?1`

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
		if err := t.expire(q); err != nil {
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
		return nil
	}})
}

// unclaim undoes a receive whose caller left, whether or not its messages are
// still in flight.
func (t *tx) unclaim(id engine.QueueID, rows []claimedRow) error {
	if len(rows) == 0 || t.w.byID[id] == nil {
		return nil
	}
	q, err := t.queue(id)
	if err != nil {
		return err
	}
	for _, row := range rows {
		r := reference{number: q.number, epoch: q.epoch, id: row.id, stamp: row.stamp}
		if err := t.undoReceive(q, r, false); err != nil {
			return err
		}
	}
	return nil
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
	to := returned(d.receives - 1)
	if err := t.run(t.w.release, nil, r.id, int64(to)); err != nil {
		return err
	}
	q.count[d.state]--
	q.count[to]++
	t.ready(q, 1)
	return nil
}

// giveBack undoes a claim whose messages could not be read. It does not wait:
// whatever becomes of it, the claim ends with its deadline.
func (s *Store) giveBack(id engine.QueueID, rows []claimedRow) {
	_ = s.writer.inbox.put(&request{
		name: "a receive undone",
		run:  func(t *tx) error { return t.unclaim(id, rows) },
	}, true)
}
