package sqlite

import (
	"context"
	"slices"
	"time"

	"queues/engine"
)

// calls are one or more calls of every kind, for a stage.
var calls = map[string]func(*stage, context.Context) error{
	"Create": func(s *stage, ctx context.Context) error {
		_, err := s.CreateQueue(ctx, engine.CreateQueueParams{Name: name("new")})
		return err
	},
	"Update": func(s *stage, ctx context.Context) error {
		_, err := s.UpdateQueue(ctx, engine.UpdateQueueParams{Queue: s.q.ID, Change: func(q *engine.Queue) error {
			q.Retention = time.Second
			return nil
		}})
		return err
	},
	"Delete": func(s *stage, ctx context.Context) error {
		return s.DeleteQueue(ctx, engine.DeleteQueueParams{Queue: s.q.ID})
	},
	"Purge": func(s *stage, ctx context.Context) error {
		return s.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: s.q.ID})
	},
	"Counts": func(s *stage, ctx context.Context) error {
		_, err := s.Counts(ctx, s.q.ID)
		return err
	},
	"Send": func(s *stage, ctx context.Context) error {
		_, err := s.Send(ctx, engine.SendParams{Queue: s.q.ID, Messages: messages(9, "")})
		return err
	},
	"SendDelayed": func(s *stage, ctx context.Context) error {
		delay := time.Minute
		p := engine.SendParams{Queue: s.q.ID, Messages: []engine.NewMessage{{Delay: &delay}, {}}}
		_, err := s.Send(ctx, p)
		return err
	},
	"Receive": func(s *stage, ctx context.Context) error {
		_, err := s.Receive(ctx, engine.ReceiveParams{Queue: s.q.ID, Max: 10})
		return err
	},
	"ReceiveShort": func(s *stage, ctx context.Context) error {
		_, err := s.Receive(ctx, engine.ReceiveParams{Queue: s.q.ID, Max: 2, Visibility: new(time.Duration)})
		return err
	},
	"Acknowledge": func(s *stage, ctx context.Context) error {
		_, err := s.Acknowledge(ctx, engine.AcknowledgeParams{Queue: s.q.ID, Refs: slices.Concat(s.held, s.again, s.late)})
		return err
	},
	"ChangeVisibility": func(s *stage, ctx context.Context) error {
		var changes []engine.Change
		for i, ref := range slices.Concat(s.held, s.again, s.late) {
			changes = append(changes, engine.Change{Ref: ref, Timeout: time.Duration(i) * time.Minute})
		}
		_, err := s.ChangeVisibility(ctx, engine.ChangeVisibilityParams{Queue: s.q.ID, Changes: changes})
		return err
	},
	"Release": func(s *stage, ctx context.Context) error { return s.Release(ctx, s.q.ID, s.held) },
	"Sweep": func(s *stage, ctx context.Context) error {
		_, err := s.Sweep(ctx)
		return err
	},
	"Health": func(s *stage, ctx context.Context) error { return s.Health(ctx) },
}
