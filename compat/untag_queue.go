package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// untagQueue removes tags by their keys; keys that are not there are ignored.
func (s *Service) untagQueue(ctx context.Context, c Caller, in *protocol.UntagQueueInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if len(in.TagKeys) == 0 {
		return Result{}, missing("TagKeys")
	}
	_, failure := s.engine.UpdateQueue(ctx, engine.UpdateQueueParams{
		Queue: q.ID,
		Change: func(q *engine.Queue) error {
			for _, key := range in.TagKeys {
				delete(q.Tags, key)
			}
			return nil
		},
	})
	if failure != nil {
		return Result{}, translate(failure, about{Queue: q.Name.Name})
	}
	return Result{}, nil
}
