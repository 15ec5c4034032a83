package compat

import (
	"context"

	"queues/protocol"
)

// listQueueTags shows all tags of a queue.
func (s *Service) listQueueTags(ctx context.Context, c Caller, in *protocol.ListQueueTagsInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	return Result{Output: &protocol.ListQueueTagsOutput{Tags: q.Tags}}, nil
}
