package compat

import (
	"context"
	"strings"

	"queues/engine"
	"queues/protocol"
)

// deleteMessage acknowledges one message.
func (s *Service) deleteMessage(ctx context.Context, c Caller, in *protocol.DeleteMessageInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if err := checkHandle(in.ReceiptHandle); err != nil {
		return Result{}, err
	}
	outcomes, err := s.acknowledge(ctx, q, []string{*in.ReceiptHandle})
	if err == nil {
		err = outcomes[0]
	}
	return Result{}, err
}

// checkHandle refuses what cannot be a receipt handle by its form.
func checkHandle(handle *string) *protocol.Error {
	switch {
	case strings.TrimSpace(deref(handle)) == "":
		return missing("ReceiptHandle")
	case len(*handle) > maxReceiptHandle:
		return translate(&engine.Error{Code: engine.InvalidReceipt, Text: "the handle is too long"}, about{Handle: *handle})
	}
	return nil
}

// acknowledge removes messages by their handles and gives the outcome of each;
// nil for success. A message that is gone already counts as removed. On a
// standard queue a handle that is not the latest removes nothing and succeeds;
// on a FIFO queue a handle is good for as long as its timeout runs.
func (s *Service) acknowledge(ctx context.Context, q *engine.Queue, handles []string) ([]*protocol.Error, *protocol.Error) {
	p := engine.SettleParams{Queue: q.ID, Handles: handles, Stale: engine.StaleIgnored}
	if q.Kind == engine.FIFO {
		p.Stale, p.RefuseExpired = engine.StaleFails, true
	}
	results, err := s.engine.Acknowledge(ctx, p)
	if err != nil {
		return nil, translate(err, about{Queue: q.Name.Name})
	}
	outcomes := make([]*protocol.Error, len(results))
	for i, err := range results {
		if err != nil && engine.ErrorCode(err) != engine.MessageGone {
			outcomes[i] = translate(err, about{Queue: q.Name.Name, Handle: handles[i]})
		}
	}
	return outcomes, nil
}
