package sqlite

import (
	"context"

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
		oldest, err := t.oldest(q)
		if err != nil {
			return err
		}
		if oldest.found {
			c.Oldest = fromMS(oldest.arrived)
		}
		return nil
	}})
	return c, err
}
