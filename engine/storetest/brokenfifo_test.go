package storetest

import (
	"context"
	"maps"
	"slices"
	"time"

	"queues/engine"
)

// fifoFaults are faults in the order and the line of groups.
func fifoFaults() []brokenStore {
	// onFIFO bends a FIFO queue before a receive and undoes it after.
	onFIFO := func(b *bent, bend func(q *modelQueue) (undo func())) {
		b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
			if q.Kind != engine.FIFO {
				return nil
			}
			undo := bend(q)
			return func(*engine.ReceiveResult) { undo() }
		})
	}
	// toTheEnd puts messages of FIFO queues behind all others before a receive.
	toTheEnd := func(b *bent, which func(msg *modelMessage) bool) {
		onFIFO(b, func(q *modelQueue) func() {
			slices.SortStableFunc(q.messages, func(x, y *modelMessage) int {
				switch {
				case which(x) == which(y):
					return 0
				case which(x):
					return 1
				}
				return -1
			})
			return func() {}
		})
	}
	// freed puts the groups that a call has freed somewhere else in the line.
	freed := func(b *bent, place func(g *modelGroup)) {
		after := func(q *modelQueue, was map[string]bool) {
			for name, g := range q.groups {
				if g.open && !was[name] {
					place(g)
				}
			}
		}
		open := func(q *modelQueue) map[string]bool {
			was := make(map[string]bool)
			for name, g := range q.groups {
				was[name] = g.open
			}
			return was
		}
		b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
			var was map[string]bool
			b.inside(p.Queue, func(q *modelQueue) { was = open(q) })
			results, err := b.Model.Acknowledge(ctx, p)
			b.inside(p.Queue, func(q *modelQueue) { after(q, was) })
			return results, err
		}
		b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
			var was map[string]bool
			b.inside(p.Queue, func(q *modelQueue) { was = open(q) })
			results, err := b.Model.ChangeVisibility(ctx, p)
			b.inside(p.Queue, func(q *modelQueue) { after(q, was) })
			return results, err
		}
	}
	return []brokenStore{
		{"GroupsIgnored", "FIFO", true, func(b *bent) {
			onFIFO(b, func(q *modelQueue) func() {
				q.Kind = engine.Standard
				return func() { q.Kind = engine.FIFO }
			})
		}},
		{"OneOfEachGroup", "FIFO", true, func(b *bent) {
			b.receiving(func(q *modelQueue, p *engine.ReceiveParams) func(*engine.ReceiveResult) {
				if q.Kind == engine.FIFO {
					p.Max = 1
				}
				return nil
			})
		}},
		{"LineByAge", "FIFO", true, func(b *bent) {
			onFIFO(b, func(q *modelQueue) func() {
				for _, g := range q.groups {
					g.earliest = modelTurn{n: g.head.sequence}
					g.latest = g.earliest
				}
				return func() {}
			})
		}},
		{"ServedKeepsItsPlace", "FIFO", true, func(b *bent) {
			onFIFO(b, func(q *modelQueue) func() {
				was := make(map[string]modelGroup)
				for name, g := range q.groups {
					was[name] = *g
				}
				return func() {
					for name, g := range q.groups {
						if before := was[name]; g.open && before.open {
							g.earliest, g.latest = before.earliest, before.latest
						}
					}
				}
			})
		}},
		{"FreedGoesToTheFront", "FIFO", true, func(b *bent) {
			freed(b, func(g *modelGroup) { g.earliest, g.latest = modelTurn{}, modelTurn{} })
		}},
		{"TimedOutStandsBehindWhatCameLater", "FIFO", true, func(b *bent) {
			onFIFO(b, func(q *modelQueue) func() {
				b.settle(q, b.clock.Now())
				for _, name := range slices.Sorted(maps.Keys(q.groups)) {
					if g := q.groups[name]; g.open && g.latest == endOf(g.latest.at) {
						q.serve([]string{name}, b.clock.Now())
					}
				}
				return func() {}
			})
		}},
		{"NewMessagesMoveTheirGroupBack", "FIFO", true, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				sent, err := b.Model.Send(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for _, n := range p.Messages {
						q.serve([]string{n.Group}, b.clock.Now())
					}
				})
				return sent, err
			}
		}},
		{"ReturnedGoBehindTheirGroup", "FIFO", true, func(b *bent) {
			toTheEnd(b, func(msg *modelMessage) bool { return msg.receives > 0 })
		}},
		{"ThirdReturnGoesBehindItsGroup", "FIFO", true, func(b *bent) {
			toTheEnd(b, func(msg *modelMessage) bool { return msg.receives > keptReturns })
		}},
		{"LockedNotCounted", "FIFO", true, func(b *bent) {
			b.counts = func(ctx context.Context, id engine.QueueID) (engine.Counts, error) {
				c, err := b.Model.Counts(ctx, id)
				b.inside(id, func(q *modelQueue) {
					if q.Kind == engine.FIFO {
						c.Visible = int64(len(q.inLine(nil, b.clock.Now())))
					}
				})
				return c, err
			}
		}},
		{"MoreBehindALock", "FIFO", true, func(b *bent) {
			b.receiving(func(q *modelQueue, p *engine.ReceiveParams) func(*engine.ReceiveResult) {
				return func(r *engine.ReceiveResult) {
					if q.Kind == engine.FIFO && p.InFlightLimit == 0 {
						r.More = slices.ContainsFunc(q.messages, func(msg *modelMessage) bool { return msg.place == visible })
					}
				}
			})
		}},
		{"DelayNotRetroactive", "FIFODelay", true, func(b *bent) { b.lateDelay(func(was, is time.Duration) bool { return was != is }) }},
		{"LongerDelayNotRetroactive", "FIFODelay", true, func(b *bent) { b.lateDelay(func(was, is time.Duration) bool { return was < is }) }},
		{"ShorterDelayNotRetroactive", "FIFODelay", true, func(b *bent) { b.lateDelay(func(was, is time.Duration) bool { return was > is }) }},
		{"OwnDelayTaken", "FIFODelay", true, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				sent, err := b.Model.Send(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for i, n := range p.Messages {
						for _, msg := range q.messages {
							if q.Kind == engine.FIFO && n.Delay != nil && err == nil && msg.ID == sent[i].ID && !sent[i].Duplicate {
								msg.sent = msg.sent.Add(*n.Delay - q.Delay)
							}
						}
					}
				})
				return sent, err
			}
		}},
		{"TwoHoldersOfAGroup", "FIFOConcurrent", false, func(b *bent) {
			calls := 0
			b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
				if calls++; q.Kind != engine.FIFO || calls%20 != 0 {
					return nil
				}
				for _, msg := range q.messages {
					if msg.place == inFlight {
						msg.place = visible
					}
				}
				return nil
			})
		}},
		{"AckReportsNoUnlock", "FIFOReports", true, func(b *bent) {
			b.hush()
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) (results []error, err error) {
				err = b.quietly(func() error { results, err = b.Model.Acknowledge(ctx, p); return err })
				return results, err
			}
		}},
		{"DelayChangeReportsNothing", "FIFOReports", false, func(b *bent) {
			b.hush()
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (q *engine.Queue, err error) {
				err = b.quietly(func() error { q, err = b.Model.UpdateQueue(ctx, p); return err })
				return q, err
			}
		}},
		{"ExpiryReportsNoUnlock", "FIFOReports", false, func(b *bent) {
			b.hush()
			b.sweep = func(ctx context.Context) (r engine.SweepResult, err error) {
				err = b.quietly(func() error { r, err = b.Model.Sweep(ctx); return err })
				return r, err
			}
		}},
		{"RestartForgetsTheLine", "ReopenFIFO", true, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					for _, g := range q.groups {
						g.earliest = modelTurn{n: g.head.sequence}
						g.latest = g.earliest
					}
				}
			}
		}},
	}
}

// lateDelay leaves the delay of a FIFO queue that has messages as it was.
func (b *bent) lateDelay(late func(was, is time.Duration) bool) {
	b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
		var was time.Duration
		b.inside(p.Queue, func(q *modelQueue) { was = q.Delay })
		r, err := b.Model.UpdateQueue(ctx, p)
		b.inside(p.Queue, func(q *modelQueue) {
			if q.Kind == engine.FIFO && err == nil && len(q.messages) > 0 && late(was, q.Delay) {
				q.Delay = was
				b.relay(q, b.clock.Now())
			}
		})
		return r, err
	}
}
