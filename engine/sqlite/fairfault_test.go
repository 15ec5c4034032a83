package sqlite

import (
	"context"
	"testing"
	"time"

	"queues/engine"
)

// storedFair gives the rows of a standard queue's groups, and those of the
// messages that have one.
func storedFair(t *tx, q *queue) (rows []string, err error) {
	if err := t.flush(); err != nil {
		return nil, err
	}
	for _, query := range []string{
		`SELECT 'group ' || concat_ws(' ', number, name, in_flight, head, '-', late_head) FROM fair_groups WHERE queue = ? ORDER BY number`,
		`SELECT 'delivery ' || concat_ws(' ', id, grp, state, due, stamp, receives, first_receive, received)
			FROM deliveries WHERE queue = ? AND grp IS NOT NULL ORDER BY id`,
	} {
		err := t.w.conn.query(query, func(r row) error { rows = append(rows, r.text(0)); return nil }, q.epoch)
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// fairStage is a store with a standard queue whose groups have messages of
// every class, one of them noisy, and queues whose groups are about to change.
type fairStage struct {
	*fixture
	q, short, poison, letters *engine.Queue
	held, alone, visible      []engine.Delivery
}

func newFairStage(t *testing.T, fs *faults) *fairStage {
	t.Helper()
	s := &fairStage{fixture: open(t, withFaults(fs))}
	s.q, s.letters = s.create("q"), s.create("letters")
	s.short = s.create("short", func(q *engine.Settings) { q.Retention = 6 * time.Minute })
	s.poison = s.create("poison", redriveTo("letters", 1))

	s.sendGrouped(s.short, "a-1 b-1 b-2")
	s.expect(s.short, 1, time.Hour, "a-1")
	s.sendGrouped(s.poison, "p-1 p-2 r-1 p-3")
	s.expect(s.poison, 10, 0, "p-1 p-2 r-1 p-3")
	s.expect(s.poison, 1, 0, "")
	s.sendGrouped(s.poison, "p-4 r-2")
	s.expect(s.poison, 2, 0, "p-4 r-2")
	s.clock.advance(4 * time.Minute)
	s.sendGrouped(s.short, "b-3")
	s.sendGrouped(s.q, "late-1")
	for range 3 {
		s.expect(s.q, 1, 0, "late-1")
	}
	s.fill(s.q, "noisy", 35)
	s.held = s.hold(s.q, 31, time.Hour)
	s.sendGrouped(s.q, "alone-1")
	s.alone = s.hold(s.q, 1, time.Hour)
	s.sendGrouped(s.q, "due-1")
	s.hold(s.q, 1, 10*time.Second)
	s.sendGrouped(s.q, "again-1")
	s.visible = s.hold(s.q, 1, 0)
	s.send(s.q, 2)
	delay := time.Minute
	ms := grouped("b-1 b-2 c-1")
	ms[0].Delay = &delay
	if _, err := s.Send(t.Context(), engine.SendParams{Queue: s.q.ID, Messages: ms}); err != nil {
		t.Fatal(err)
	}
	s.startMove(s.letters, "q", 0)
	s.clock.advance(3 * time.Minute)
	return s
}

// fill sends n messages to one group.
func (f *fixture) fill(q *engine.Queue, group string, n int) {
	f.t.Helper()
	f.spread(q, n, func(int) string { return group })
}

// hold receives n messages for a time.
func (f *fixture) hold(q *engine.Queue, n int, visibility time.Duration) []engine.Delivery {
	f.t.Helper()
	r, err := f.Receive(f.t.Context(), engine.ReceiveParams{Queue: q.ID, Max: n, Visibility: &visibility})
	if err != nil || len(r.Messages) != n {
		f.t.Fatalf("received %d messages (%v), want %d", len(r.Messages), err, n)
	}
	return r.Messages
}

func fairReceive(queue func(*fairStage) *engine.Queue, n int, visibility time.Duration) func(*fairStage, context.Context) error {
	return func(s *fairStage, ctx context.Context) error {
		_, err := s.Receive(ctx, engine.ReceiveParams{Queue: queue(s).ID, Max: n, Visibility: &visibility})
		return err
	}
}

var (
	fairQueue  = func(s *fairStage) *engine.Queue { return s.q }
	fairShort  = func(s *fairStage) *engine.Queue { return s.short }
	fairPoison = func(s *fairStage) *engine.Queue { return s.poison }
)

var fairCalls = map[string]func(*fairStage, context.Context) error{
	"Send": func(s *fairStage, ctx context.Context) error {
		_, err := s.Send(ctx, engine.SendParams{Queue: s.q.ID, Messages: grouped("alone-2 noisy-9 new-1 new-2")})
		return err
	},
	"Receive":      fairReceive(fairQueue, 3, time.Minute),
	"ReceiveAll":   fairReceive(fairQueue, 50, time.Minute),
	"ReceiveFree":  fairReceive(fairQueue, 50, 0),
	"ReceiveShort": fairReceive(fairShort, 10, time.Minute),
	"DeadLetters":  fairReceive(fairPoison, 10, time.Minute),
	"Acknowledge": func(s *fairStage, ctx context.Context) error {
		_, err := s.Acknowledge(ctx, engine.AcknowledgeParams{Queue: s.q.ID, Refs: append(refs(s.held[:2]), refs(s.alone)...)})
		return err
	},
	"ChangeVisibility": func(s *fairStage, ctx context.Context) error {
		_, err := s.ChangeVisibility(ctx, engine.ChangeVisibilityParams{Queue: s.q.ID, Changes: []engine.Change{
			{Ref: s.alone[0].Ref, Timeout: 0}, {Ref: s.visible[0].Ref, Timeout: time.Minute},
		}})
		return err
	},
	"Release": func(s *fairStage, ctx context.Context) error {
		return s.Release(ctx, s.q.ID, append(refs(s.held), refs(s.alone)...))
	},
	"Purge": func(s *fairStage, ctx context.Context) error {
		return s.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: s.q.ID})
	},
	"Delete": func(s *fairStage, ctx context.Context) error {
		return s.DeleteQueue(ctx, engine.DeleteQueueParams{Queue: s.q.ID})
	},
	"Sweep": func(s *fairStage, ctx context.Context) error {
		_, err := s.Sweep(ctx)
		return err
	},
	"Move": func(s *fairStage, ctx context.Context) error {
		_, err := s.Move(ctx)
		return err
	},
}

// TestFailingFair lets every statement of every call to a queue with groups
// fail.
func TestFailingFair(t *testing.T) {
	t.Parallel()
	failEverywhere(t, newFairStage, fairCalls)
}
