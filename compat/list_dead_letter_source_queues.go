package compat

import (
	"context"

	"queues/protocol"
)

// listDeadLetterSourceQueues is not offered: no message moves to a dead-letter
// queue yet.
func (s *Service) listDeadLetterSourceQueues(ctx context.Context, c Caller, in *protocol.ListDeadLetterSourceQueuesInput) (Result, *protocol.Error) {
	return s.refuseOn(ctx, c, in.QueueURL, protocol.ListDeadLetterSourceQueues)
}
