package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// deleteQueue removes a queue, whatever is in it and whoever names it as a
// dead-letter queue.
func (s *Service) deleteQueue(ctx context.Context, c Caller, in *protocol.DeleteQueueInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if err := s.engine.DeleteQueue(ctx, engine.DeleteQueueParams{Queue: q.ID}); err != nil {
		return Result{}, translate(err, about{Queue: q.Name.Name})
	}
	return Result{}, nil
}
