package storetest

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"queues/engine"
)

// moveFaults are faults in what move tasks and the list of sources do.
func moveFaults() []brokenStore {
	// arrived bends what tasks have moved on its arrival.
	arrived := func(b *bent, bend func(q *modelQueue, msg *modelMessage)) {
		b.move = func(ctx context.Context) (engine.SweepResult, error) {
			b.world.mu.Lock()
			before := b.world.arrivals
			b.world.mu.Unlock()
			r, err := b.Model.Move(ctx)
			b.world.mu.Lock()
			defer b.world.mu.Unlock()
			b.bendArrived(before, bend)
			return r, err
		}
	}
	// before bends the queues of running tasks before a step and undoes it after.
	before := func(b *bent, bend func(t *modelMove, q *modelQueue) (undo func())) {
		b.move = func(ctx context.Context) (engine.SweepResult, error) {
			var undo []func()
			b.world.mu.Lock()
			for _, t := range b.world.moves {
				if q := b.world.queues[t.queue]; t.Status == engine.MoveRunning && q != nil {
					b.settle(q, b.clock.Now())
					undo = append(undo, bend(t, q))
				}
			}
			b.world.mu.Unlock()
			r, err := b.Model.Move(ctx)
			b.world.mu.Lock()
			defer b.world.mu.Unlock()
			for _, f := range undo {
				f()
			}
			return r, err
		}
	}
	// original remembers something of every message that is sent.
	original := func(b *bent, bend func(q *modelQueue, sent engine.NewMessage, at time.Time, msg *modelMessage)) {
		sent, at := make(map[string]engine.NewMessage), make(map[string]time.Time)
		b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
			for _, n := range p.Messages {
				sent[n.Body], at[n.Body] = n, b.clock.Now()
			}
			return b.Model.Send(ctx, p)
		}
		arrived(b, func(q *modelQueue, msg *modelMessage) { bend(q, sent[msg.Body], at[msg.Body], msg) })
	}
	return []brokenStore{
		{"LaterArrivalsMove", "MovePace", true, func(b *bent) {
			before(b, func(t *modelMove, _ *modelQueue) func() {
				t.last = math.MaxInt64
				return func() {}
			})
		}},
		{"HeldMove", "MovePace", true, func(b *bent) {
			before(b, func(_ *modelMove, q *modelQueue) func() {
				for _, msg := range q.messages {
					if msg.place == inFlight {
						msg.place = visible
					}
				}
				return func() {}
			})
		}},
		{"DelayedMove", "MovePace", true, func(b *bent) {
			before(b, func(_ *modelMove, q *modelQueue) func() {
				for _, msg := range q.messages {
					if msg.place == delayed {
						msg.place = visible
					}
				}
				return func() {}
			})
		}},
		{"LockedMove", "MoveLocks", true, func(b *bent) {
			before(b, func(_ *modelMove, q *modelQueue) func() {
				groups := make(map[*modelMessage]string)
				for _, msg := range q.messages {
					if q.Kind == engine.FIFO && msg.place != visible {
						groups[msg], msg.Group = msg.Group, "hidden"+msg.ID.String()
					}
				}
				return func() {
					for msg, name := range groups {
						msg.Group = name
					}
				}
			})
		}},
		{"NewestMovesFirst", "Moves", true, func(b *bent) {
			before(b, func(_ *modelMove, q *modelQueue) func() {
				slices.Reverse(q.messages)
				return func() { slices.Reverse(q.messages) }
			})
		}},
		{"MovedKeepsItsID", "Moves", true, func(b *bent) {
			original(b, func(_ *modelQueue, sent engine.NewMessage, _ time.Time, msg *modelMessage) { msg.ID = sent.ID })
		}},
		{"MovedKeepsItsSendTime", "Moves", true, func(b *bent) {
			original(b, func(_ *modelQueue, _ engine.NewMessage, at time.Time, msg *modelMessage) { msg.sent = at })
		}},
		{"MovedKeepsItsDedup", "Moves", true, func(b *bent) {
			original(b, func(_ *modelQueue, sent engine.NewMessage, _ time.Time, msg *modelMessage) { msg.Dedup = sent.Dedup })
		}},
		{"MovedKeepsItsReceives", "Moves", true, func(b *bent) {
			arrived(b, func(_ *modelQueue, msg *modelMessage) { msg.receives++ })
		}},
		{"MovedCountsAsReceived", "Moves", true, func(b *bent) {
			arrived(b, func(_ *modelQueue, msg *modelMessage) { msg.here++ })
		}},
		{"MovedHasASource", "Moves", true, func(b *bent) {
			arrived(b, func(q *modelQueue, msg *modelMessage) { msg.source = q.Name })
		}},
		{"MovedIgnoresTheDelay", "Moves", true, func(b *bent) {
			arrived(b, func(q *modelQueue, msg *modelMessage) {
				if msg.place == delayed && q.Kind == engine.Standard {
					msg.place = visible
				}
			})
		}},
		{"MovedLosesAttributes", "Moves", true, func(b *bent) {
			arrived(b, func(_ *modelQueue, msg *modelMessage) { msg.Attributes = nil })
		}},
		{"MovedLosesItsGroup", "Moves", true, func(b *bent) {
			arrived(b, func(q *modelQueue, msg *modelMessage) { msg.Group += "x" })
		}},
		{"MovedStaysInTheSource", "Moves", true, func(b *bent) {
			before(b, func(_ *modelMove, q *modelQueue) func() {
				all := slices.Clone(q.messages)
				return func() { q.messages = all }
			})
		}},
		{"MovedIsLost", "Moves", true, func(b *bent) {
			arrived(b, func(_ *modelQueue, msg *modelMessage) { msg.sent = time.Time{} })
		}},
		{"UnknownSourceIsSkipped", "Moves", true, func(b *bent) {
			before(b, func(t *modelMove, q *modelQueue) func() {
				var hidden []*modelMessage
				for _, msg := range q.messages {
					if t.Target == nil && msg.source == (engine.QueueName{}) && msg.place == visible {
						msg.place, msg.due = inFlight, b.clock.Now().Add(time.Hour)
						hidden = append(hidden, msg)
					}
				}
				return func() {
					for _, msg := range hidden {
						msg.place, msg.due = visible, b.clock.Now()
					}
				}
			})
		}},
		{"MovedIsNotReported", "Moves", false, func(b *bent) {
			b.hush()
			b.move = func(ctx context.Context) (r engine.SweepResult, err error) {
				err = b.quietly(func() error { r, err = b.Model.Move(ctx); return err })
				return r, err
			}
		}},
		{"MoveRace", "FIFOConcurrent", false, func(b *bent) {
			arrived(b, func(_ *modelQueue, msg *modelMessage) {
				if msg.Body == "399" {
					msg.sent = time.Time{}
				}
			})
		}},
		{"SourcesOfTheFirstRegion", "Sources", true, func(b *bent) {
			b.sources = func(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
				p.Target.Region = home.Region
				return b.Model.ListSources(ctx, p)
			}
		}},
		{"SourcesByTheStartOfTheName", "Sources", true, func(b *bent) {
			b.sources = func(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
				r, err := b.Model.ListSources(ctx, p)
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for _, q := range b.world.queues {
					if q.Redrive != nil && strings.HasPrefix(q.Redrive.Target.Name, p.Target.Name) && q.Redrive.Target != p.Target && len(r.Queues) == 0 {
						r.Queues = append(r.Queues, copyQueue(q.Queue))
					}
				}
				return r, err
			}
		}},
		{"SourcesSayMoreOnAFullPage", "Sources", true, func(b *bent) {
			b.sources = func(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
				r, err := b.Model.ListSources(ctx, p)
				r.More = len(r.Queues) == p.Limit
				return r, err
			}
		}},
		{"SourcesDoNotFollowAnUpdate", "Sources", true, func(b *bent) {
			first := make(map[engine.QueueID]*engine.Redrive)
			b.sources = func(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
				r, err := b.Model.ListSources(ctx, p)
				r.Queues = slices.DeleteFunc(r.Queues, func(q *engine.Queue) bool { return first[q.ID] == nil })
				return r, err
			}
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				r, err := b.Model.CreateQueue(ctx, p)
				if err == nil && r.Created {
					first[r.Queue.ID] = r.Queue.Redrive
				}
				return r, err
			}
		}},
	}
}
