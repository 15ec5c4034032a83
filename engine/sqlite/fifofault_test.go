package sqlite

import (
	"context"
	"testing"
	"time"

	"queues/engine"
)

// storedFIFO gives the rows of a FIFO queue, also those of its messages.
func storedFIFO(t *tx, q *queue) (rows []string, err error) {
	if err := t.flush(); err != nil {
		return nil, err
	}
	for _, query := range []string{
		`SELECT 'group ' || concat_ws(' ', number, name, state, turn, head) FROM groups WHERE queue = ? ORDER BY number`,
		`SELECT 'sent ' || concat_ws(' ', sequence, grp, id, at, hex(message)) FROM dedup WHERE queue = ? ORDER BY sequence`,
		`SELECT 'attempt ' || concat_ws(' ', number, id, at, hex(members)) FROM attempts WHERE queue = ? ORDER BY number`,
		`SELECT 'delivery ' || concat_ws(' ', id, state, due, stamp, receives, first_receive, received, attempt)
			FROM deliveries WHERE queue = ? ORDER BY id`,
	} {
		err := t.w.conn.query(query, func(r row) error { rows = append(rows, r.text(0)); return nil }, q.epoch)
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// fifoStage is a store with FIFO queues whose groups are in every state.
type fifoStage struct {
	*fixture
	q, slow, short, poison, letters *engine.Queue
	held                            []engine.Delivery
}

func newFIFOStage(t *testing.T, fs *faults) *fifoStage {
	t.Helper()
	s := &fifoStage{fixture: open(t, withFaults(fs))}
	s.q = s.createFIFO("q")
	s.slow = s.createFIFO("slow", func(p *engine.CreateQueueParams) { p.Settings.Delay = 5 * time.Minute })
	s.short = s.createFIFO("short", func(p *engine.CreateQueueParams) { p.Settings.Retention = 6 * time.Minute })
	s.letters = s.createFIFO("letters")
	s.poison = s.createFIFO("poison", func(p *engine.CreateQueueParams) { redriveTo("letters", 1)(&p.Settings) })

	s.sendOnce(s.q, "old-a", "old")
	s.ack(s.q, s.expect(s.q, 1, time.Minute, "old-a")...)
	s.receiveAttempt(s.q, "old", 1)
	s.sendGrouped(s.slow, "x-1 x-2 y-1")
	s.sendGrouped(s.short, "g-1 h-1")
	s.expect(s.short, 1, time.Hour, "g-1")
	s.sendGrouped(s.poison, "p-1 p-2 p-3 r-1 r-2")
	s.expect(s.poison, 10, 0, "p-1 p-2 p-3 r-1 r-2")
	s.clock.advance(4 * time.Minute)
	s.expect(s.poison, 1, 0, "")
	s.sendGrouped(s.poison, "p-4 r-3")
	s.expect(s.poison, 2, 0, "p-4 r-3")
	s.sendGrouped(s.slow, "y-2 z-1")
	s.sendGrouped(s.short, "g-2 h-2")
	s.clock.advance(2 * time.Minute)
	s.sendOnce(s.q, "new-a", "new")
	s.sendGrouped(s.q, "a-1 a-2 b-1 b-2 c-1 d-1 e-1")
	s.expect(s.q, 1, 10*time.Second, "new-a")
	s.expect(s.q, 1, 10*time.Second, "a-1")
	s.held = s.receiveAttempt(s.q, "attempt", 2)
	s.change(s.q, 0, s.expect(s.q, 1, time.Hour, "c-1")...)
	s.clock.advance(20 * time.Second)
	s.startMove(s.letters, "slow", 0)
	return s
}

// sendOnce sends a message with a deduplication id.
func (f *fixture) sendOnce(q *engine.Queue, word, id string) engine.Sent {
	f.t.Helper()
	ms := grouped(word)
	ms[0].Dedup = id
	sent, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: ms})
	if err != nil {
		f.t.Fatalf("Send: %v", err)
	}
	return sent[0]
}

// receiveAttempt receives up to n messages for an hour in a receive that can be
// repeated.
func (f *fixture) receiveAttempt(q *engine.Queue, id string, n int) []engine.Delivery {
	f.t.Helper()
	r, err := f.Receive(f.t.Context(), engine.ReceiveParams{Queue: q.ID, Max: n, AttemptID: id, Visibility: new(time.Hour)})
	if err != nil {
		f.t.Fatalf("Receive: %v", err)
	}
	return r.Messages
}

func receiveCall(queue func(*fifoStage) *engine.Queue, n int, visibility time.Duration, attempt string) func(*fifoStage, context.Context) error {
	return func(s *fifoStage, ctx context.Context) error {
		_, err := s.Receive(ctx, engine.ReceiveParams{
			Queue: queue(s).ID, Max: n, Visibility: &visibility, AttemptID: attempt,
		})
		return err
	}
}

func delayCall(delay time.Duration) func(*fifoStage, context.Context) error {
	return func(s *fifoStage, ctx context.Context) error {
		_, err := s.UpdateQueue(ctx, engine.UpdateQueueParams{Queue: s.slow.ID, Change: func(q *engine.Queue) error {
			q.Delay = delay
			return nil
		}})
		return err
	}
}

func sendCall(queue func(*fifoStage) *engine.Queue, words string) func(*fifoStage, context.Context) error {
	return func(s *fifoStage, ctx context.Context) error {
		ms := grouped(words)
		for i := range ms {
			ms[i].Dedup = ms[i].Body
		}
		_, err := s.Send(ctx, engine.SendParams{Queue: queue(s).ID, Messages: ms})
		return err
	}
}

var (
	theQueue  = func(s *fifoStage) *engine.Queue { return s.q }
	theSlow   = func(s *fifoStage) *engine.Queue { return s.slow }
	theShort  = func(s *fifoStage) *engine.Queue { return s.short }
	thePoison = func(s *fifoStage) *engine.Queue { return s.poison }
)

var fifoCalls = map[string]func(*fifoStage, context.Context) error{
	"Send":         sendCall(theQueue, "a-3 f-1 f-2 f-1"),
	"SendDelayed":  sendCall(theSlow, "x-3 w-1"),
	"SendShort":    sendCall(theShort, "g-3 i-1"),
	"Receive":      receiveCall(theQueue, 10, time.Minute, ""),
	"ReceiveFirst": receiveCall(theQueue, 3, time.Minute, "another"),
	"Repeat":       receiveCall(theQueue, 2, time.Minute, "attempt"),
	"RepeatFree":   receiveCall(theQueue, 2, 0, "attempt"),
	"ReceiveFree":  receiveCall(theQueue, 10, 0, ""),
	"ReceiveSlow":  receiveCall(theSlow, 10, time.Minute, ""),
	"ReceiveShort": receiveCall(theShort, 10, time.Minute, ""),
	"DeadLetters":  receiveCall(thePoison, 10, time.Minute, ""),
	"Acknowledge": func(s *fifoStage, ctx context.Context) error {
		_, err := s.Acknowledge(ctx, engine.AcknowledgeParams{Queue: s.q.ID, Refs: refs(s.held)})
		return err
	},
	"ChangeVisibility": func(s *fifoStage, ctx context.Context) error {
		_, err := s.ChangeVisibility(ctx, engine.ChangeVisibilityParams{Queue: s.q.ID, Changes: []engine.Change{
			{Ref: s.held[0].Ref, Timeout: 0}, {Ref: s.held[1].Ref, Timeout: time.Minute},
		}})
		return err
	},
	"Release":      func(s *fifoStage, ctx context.Context) error { return s.Release(ctx, s.q.ID, refs(s.held)) },
	"LongerDelay":  delayCall(15 * time.Minute),
	"ShorterDelay": delayCall(0),
	"CountShort": func(s *fifoStage, ctx context.Context) error {
		_, err := s.Counts(ctx, s.short.ID)
		return err
	},
	"Purge": func(s *fifoStage, ctx context.Context) error {
		return s.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: s.q.ID})
	},
	"Delete": func(s *fifoStage, ctx context.Context) error {
		return s.DeleteQueue(ctx, engine.DeleteQueueParams{Queue: s.slow.ID})
	},
	"Sweep": func(s *fifoStage, ctx context.Context) error {
		_, err := s.Sweep(ctx)
		return err
	},
	"Move": func(s *fifoStage, ctx context.Context) error {
		_, err := s.Move(ctx)
		return err
	},
}

// TestFailingFIFO lets every statement of every call to a FIFO queue fail.
func TestFailingFIFO(t *testing.T) {
	t.Parallel()
	failEverywhere(t, newFIFOStage, fifoCalls)
}
