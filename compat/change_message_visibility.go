package compat

import (
	"context"
	"time"

	"queues/engine"
	"queues/protocol"
)

// changeMessageVisibility gives one message a new timeout, which counts from
// now.
func (s *Service) changeMessageVisibility(ctx context.Context, c Caller, in *protocol.ChangeMessageVisibilityInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	// The number is judged before the handle's own form.
	handleErr := checkHandle(in.ReceiptHandle)
	switch {
	case handleErr != nil && handleErr.Kind == protocol.MissingParameter:
		return Result{}, handleErr
	case in.VisibilityTimeout == nil:
		return Result{}, missing("VisibilityTimeout")
	case !rangeVisibilityTimeout.holds(int64(*in.VisibilityTimeout)):
		return Result{}, invalid(*in.VisibilityTimeout, "VisibilityTimeout", "Must be between 0 and 43200.")
	case handleErr != nil:
		return Result{}, handleErr
	}
	outcomes, err := s.hide(ctx, q, []hiding{{*in.ReceiptHandle, *in.VisibilityTimeout}})
	if err == nil {
		err = outcomes[0]
	}
	return Result{}, err
}

// hiding is a new timeout, in seconds, for the message of a handle.
type hiding struct {
	Handle  string
	Seconds int32
}

// hide sets new timeouts and gives the outcome of each; nil for success. On a
// standard queue every handle of a message acts on it, and one that is visible
// again is hidden again. On a FIFO queue a message that is visible again is no
// longer its former holder's to change.
func (s *Service) hide(ctx context.Context, q *engine.Queue, list []hiding) ([]*protocol.Error, *protocol.Error) {
	changes := make([]engine.HandleChange, len(list))
	for i, h := range list {
		changes[i] = engine.HandleChange{Handle: h.Handle, Timeout: time.Duration(h.Seconds) * time.Second}
	}
	p := engine.HideParams{Queue: q.ID, Changes: changes, Stale: engine.StaleActs, MaxTotal: maxTotalVisibility}
	if q.Kind == engine.FIFO {
		p.Stale, p.RefuseExpired = engine.StaleFails, true
	}
	results, err := s.engine.ChangeVisibility(ctx, p)
	if err != nil {
		return nil, translate(err, about{Queue: q.Name.Name})
	}
	outcomes := make([]*protocol.Error, len(results))
	for i, err := range results {
		if err != nil {
			outcomes[i] = translate(err, about{Queue: q.Name.Name, Handle: list[i].Handle, Hiding: true, Timeout: list[i].Seconds})
		}
	}
	return outcomes, nil
}
