package sqlite

import (
	"context"
	"time"

	"queues/engine"
)

// deadStage is the part of a stage that has dead letters and a move task: some
// are still to move, some are in letters, and some in old are over by their
// send time.
type deadStage struct {
	source, letters, old *engine.Queue
	letter               []engine.Ref
	task                 engine.MoveTask
}

func newDeadStage(f *fixture) *deadStage {
	f.t.Helper()
	s := &deadStage{
		source:  f.create("source", redriveTo("letters", 1)),
		letters: f.create("letters"),
		old:     f.create("old", func(q *engine.Settings) { q.Retention = 150 * time.Second }),
	}
	older := f.create("older", redriveTo("old", 1))
	for _, q := range []*engine.Queue{s.source, older} {
		f.send(q, 4)
		f.touch(q, 4)
	}
	f.clock.advance(time.Minute)
	f.touch(older, 10)
	f.send(s.old, 1)
	f.touch(s.source, 10)
	f.send(s.source, 3)
	f.touch(s.source, 3)
	s.letter = refs(f.receive(s.letters, 1))
	s.task = f.startMove(s.letters, "", 0)
	return s
}

// deadCalls are further calls for a stage.
var deadCalls = map[string]func(*stage, context.Context) error{
	"DeadLetter": func(s *stage, ctx context.Context) error {
		_, err := s.Receive(ctx, engine.ReceiveParams{Queue: s.source.ID, Max: 10})
		return err
	},
	"ReceiveLetters": func(s *stage, ctx context.Context) error {
		_, err := s.Receive(ctx, engine.ReceiveParams{Queue: s.letters.ID, Max: 2})
		return err
	},
	"AcknowledgeLetter": func(s *stage, ctx context.Context) error {
		_, err := s.Acknowledge(ctx, engine.AcknowledgeParams{Queue: s.letters.ID, Refs: s.letter})
		return err
	},
	"ReceiveOld": func(s *stage, ctx context.Context) error {
		_, err := s.Receive(ctx, engine.ReceiveParams{Queue: s.old.ID, Max: 2})
		return err
	},
	"KeepLonger": func(s *stage, ctx context.Context) error {
		_, err := s.UpdateQueue(ctx, engine.UpdateQueueParams{Queue: s.old.ID, Change: func(q *engine.Queue) error {
			q.Retention = time.Hour
			return nil
		}})
		return err
	},
	"CountOld": func(s *stage, ctx context.Context) error {
		_, err := s.Counts(ctx, s.old.ID)
		return err
	},
	"PurgeLetters": func(s *stage, ctx context.Context) error {
		return s.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: s.letters.ID})
	},
	"DeleteLetters": func(s *stage, ctx context.Context) error {
		return s.DeleteQueue(ctx, engine.DeleteQueueParams{Queue: s.letters.ID})
	},
	"StartMove": func(s *stage, ctx context.Context) error {
		_, err := s.StartMove(ctx, moveParams(s.q, "other", 5))
		return err
	},
	"CancelMove": func(s *stage, ctx context.Context) error {
		_, err := s.CancelMove(ctx, engine.CancelMoveParams{Source: s.letters.ID, Task: s.task.ID})
		return err
	},
	"Move": func(s *stage, ctx context.Context) error {
		_, err := s.Move(ctx)
		return err
	},
}
