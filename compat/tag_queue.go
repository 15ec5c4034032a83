package compat

import (
	"context"
	"maps"

	"queues/engine"
	"queues/protocol"
)

// tagQueue adds tags and overwrites those that are there under the same keys.
func (s *Service) tagQueue(ctx context.Context, c Caller, in *protocol.TagQueueInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if len(in.Tags) == 0 {
		return Result{}, missing("Tags")
	}
	if err := checkTags(in.Tags); err != nil {
		return Result{}, err
	}
	_, failure := s.engine.UpdateQueue(ctx, engine.UpdateQueueParams{
		Queue: q.ID,
		Change: func(q *engine.Queue) error {
			if q.Tags == nil {
				q.Tags = make(map[string]string, len(in.Tags))
			}
			maps.Copy(q.Tags, in.Tags)
			if len(q.Tags) > maxTags {
				return tooManyTags(q.Name.Name)
			}
			return nil
		},
	})
	if failure != nil {
		return Result{}, translate(failure, about{Queue: q.Name.Name})
	}
	return Result{}, nil
}
