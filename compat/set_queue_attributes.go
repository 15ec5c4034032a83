package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// setQueueAttributes changes all the attributes given, or none.
func (s *Service) setQueueAttributes(ctx context.Context, c Caller, in *protocol.SetQueueAttributesInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if len(in.Attributes) == 0 {
		return Result{}, missing("Attribute.Name")
	}
	reader := &attributeReader{ctx: ctx, service: s, queue: q.Name, kind: q.Kind}
	edit, err := reader.read(in.Attributes)
	if err != nil {
		return Result{}, err
	}
	_, failure := s.engine.UpdateQueue(ctx, engine.UpdateQueueParams{
		Queue: q.ID,
		Touch: true,
		Change: func(q *engine.Queue) error {
			if err := edit.apply(&q.Settings); err != nil {
				return err
			}
			return nil
		},
	})
	if failure != nil {
		return Result{}, translate(failure, about{Queue: q.Name.Name})
	}
	return Result{}, nil
}
