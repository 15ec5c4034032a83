package compat

import (
	"context"

	"queues/protocol"
)

// removePermission removes from the queue's policy the statement that has the
// label, whoever put it there.
func (s *Service) removePermission(ctx context.Context, c Caller, in *protocol.RemovePermissionInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if deref(in.Label) == "" {
		return Result{}, missing("Label")
	}
	return Result{}, s.changePolicy(ctx, q, func(p *policyDocument) *protocol.Error {
		return p.remove(*in.Label)
	})
}
