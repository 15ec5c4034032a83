package sqlite

import (
	"context"
	"time"

	"queues/engine"
)

// Counts gives the sizes of a queue.
func (s *Store) Counts(ctx context.Context, queue engine.QueueID) (engine.Counts, error) {
	if err := s.enter(ctx); err != nil {
		return engine.Counts{}, err
	}
	defer s.calls.Done()
	var c engine.Counts
	err := s.do(ctx, &request{name: "a count", run: func(t *tx) error {
		q, err := t.queue(queue)
		if err != nil {
			return err
		}
		if err := t.settle(q); err != nil {
			return err
		}
		if err := t.removeExpired(q); err != nil {
			return err
		}
		c = engine.Counts{Visible: q.visible(), InFlight: q.count[inFlight], Delayed: q.count[delayed]}
		c.Oldest, err = t.oldestSent(q)
		return err
	}})
	return c, err
}

// oldestSent gives when the oldest message of a queue was sent, zero for none.
func (t *tx) oldestSent(q *queue) (time.Time, error) {
	oldest, err := t.oldest(q)
	if err != nil || !oldest.found {
		return time.Time{}, err
	}
	over := int64(-1)
	if t.expiry {
		over = t.now - spanMS(q.snapshot.Retention)
	}
	kept, err := t.firstKept(q, over)
	return fromMS(min(oldest.arrived, kept)), err
}
