package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// purgeQueue removes every message sent before it: visible, in flight and
// delayed.
func (s *Service) purgeQueue(ctx context.Context, c Caller, in *protocol.PurgeQueueInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if err := s.engine.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: q.ID, Cooldown: s.options.PurgeCooldown}); err != nil {
		return Result{}, translate(err, about{Queue: q.Name.Name})
	}
	return Result{}, nil
}
