package sqlite

import (
	"context"
	"slices"

	"queues/engine"
)

const moveDeliverySQL = `UPDATE deliveries SET state = ?2, due = ?3, attempt = NULL WHERE id = ?1`

// ChangeVisibility sets new deadlines.
func (s *Store) ChangeVisibility(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	p.Changes = slices.Clone(p.Changes)
	outcomes := make([]error, len(p.Changes))
	err := s.do(ctx, &request{name: "a visibility change", brief: true, run: func(t *tx) error {
		q, err := t.queue(p.Queue)
		if err != nil {
			return err
		}
		if err := t.catchUp(q); err != nil {
			return err
		}
		for i, change := range p.Changes {
			if outcomes[i], err = t.changeVisibility(q, change, p); err != nil {
				return err
			}
		}
		return t.putRight(q)
	}})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

// changeVisibility sets one deadline, or gives the outcome that it has instead.
func (t *tx) changeVisibility(q *queue, change engine.Change, p engine.ChangeVisibilityParams) (outcome, err error) {
	r, refused := q.resolve(change.Ref)
	if refused != nil {
		return refused, nil
	}
	if over, err := t.isOver(q, r.id); over || err != nil {
		return errExpired(), err
	}
	d, err := t.delivery(q, r)
	if err != nil {
		return nil, err
	}
	if mayAct, outcome := d.judge(r, t.w.staleRule(r, p.Stale), p.RefuseExpired, t.now); !mayAct {
		return outcome, nil
	}
	span := spanMS(change.Timeout)
	if p.MaxTotal > 0 && span > 0 && t.now+span > d.received+spanMS(p.MaxTotal) {
		return &engine.Error{Code: engine.VisibilityLimit, Text: "the message would be hidden for too long since its receive"}, nil
	}
	to, due := q.returned(d.receives), any(nil)
	if span > 0 {
		to, due = inFlight, t.now+span
	}
	if to == d.state && span == 0 {
		return nil, nil // visible, and stays so
	}
	if err := t.run(t.w.moveDelivery, nil, r.id, int64(to), due); err != nil {
		return nil, err
	}
	if err := t.recount(q, r.id, d, to); err != nil {
		return nil, err
	}
	if span > 0 {
		t.due(q, t.now+span)
	} else {
		t.ready(q, 1)
	}
	return nil, nil
}

// recount counts a delivery in its new state.
func (t *tx) recount(q *queue, id int64, d deliveryRow, to class) error {
	t.touch(q)
	if !q.fifo() {
		q.count[d.state]--
		q.count[to]++
		t.noteGroup(q, d.group, d.state, to)
		return nil
	}
	q.count[q.classOf(id, d.state)]--
	q.count[q.classOf(id, to)]++
	number, err := t.groupOf(id)
	if err != nil {
		return err
	}
	return t.shifted(number, id)
}
