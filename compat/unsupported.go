package compat

import (
	"context"
	"fmt"

	"queues/protocol"
)

// unsupported answers an action that is known but not offered.
func unsupported(op protocol.Operation) operation {
	return func(*Service, context.Context, Caller, any) (Result, *protocol.Error) {
		return Result{}, notOffered(op)
	}
}

// notOffered is the error of an action that is known but not offered.
func notOffered(op protocol.Operation) *protocol.Error {
	return protocol.UnsupportedOperation.New(fmt.Sprintf("The action %s is not supported by this server.", op))
}

// refuseOn answers an action that is not offered, once its queue is known to
// exist.
func (s *Service) refuseOn(ctx context.Context, c Caller, url *string, op protocol.Operation) (Result, *protocol.Error) {
	if _, err := s.queue(ctx, c, url); err != nil {
		return Result{}, err
	}
	return Result{}, notOffered(op)
}
