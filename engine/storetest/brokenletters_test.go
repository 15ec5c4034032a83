package storetest

import (
	"context"
	"slices"
	"time"

	"queues/engine"
)

// letterFaults are faults in what becomes of dead letters.
func letterFaults() []brokenStore {
	// letters bends dead letters on their arrival.
	letters := func(b *bent, bend func(q *modelQueue, msg *modelMessage)) {
		b.arrivals(func(q *modelQueue, msg *modelMessage) {
			if msg.source != (engine.QueueName{}) {
				bend(q, msg)
			}
		})
	}
	return []brokenStore{
		{"DeadLetterHasANewID", "Redrive", true, func(b *bent) {
			letters(b, func(_ *modelQueue, msg *modelMessage) { msg.ID = newID() })
		}},
		{"DeadLetterForgetsReceives", "Redrive", true, func(b *bent) {
			letters(b, func(_ *modelQueue, msg *modelMessage) { msg.receives = 0 })
		}},
		{"DeadLetterForgetsTheFirstReceive", "Redrive", true, func(b *bent) {
			letters(b, func(_ *modelQueue, msg *modelMessage) { msg.first = b.clock.Now() })
		}},
		{"DeadLetterForgetsItsSource", "Redrive", true, func(b *bent) {
			letters(b, func(_ *modelQueue, msg *modelMessage) { msg.source = engine.QueueName{} })
		}},
		{"DeadLetterForgetsItsGroup", "Redrive", true, func(b *bent) {
			letters(b, func(q *modelQueue, msg *modelMessage) {
				if q.Kind == engine.Standard {
					msg.Group = ""
				}
			})
		}},
		{"DeadLetterForgetsAttributes", "Redrive", true, func(b *bent) {
			letters(b, func(_ *modelQueue, msg *modelMessage) { msg.Attributes = nil })
		}},
		{"DeadLetterIsSentAnew", "Redrive", true, func(b *bent) {
			letters(b, func(q *modelQueue, msg *modelMessage) {
				if q.Kind == engine.Standard {
					msg.sent = b.clock.Now()
				}
			})
		}},
		{"DeadLetterIsAsOldOnFIFO", "RedriveFIFO", true, func(b *bent) {
			sent := make(map[engine.MessageID]time.Time)
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				all, err := b.Model.Send(ctx, p)
				for _, s := range all {
					if _, known := sent[s.ID]; !known {
						sent[s.ID] = b.clock.Now()
					}
				}
				return all, err
			}
			letters(b, func(q *modelQueue, msg *modelMessage) {
				if at, known := sent[msg.ID]; known && q.Kind == engine.FIFO {
					msg.sent = at
				}
			})
		}},
		{"DeadLetterIsDelayed", "Redrive", false, func(b *bent) {
			letters(b, func(q *modelQueue, msg *modelMessage) {
				if q.Kind == engine.Standard && q.Delay > 0 {
					msg.place, msg.due = delayed, b.clock.Now().Add(q.Delay)
				}
			})
		}},
		{"DeadLetterIsDelayedOnFIFO", "RedriveFIFO", true, func(b *bent) {
			letters(b, func(q *modelQueue, msg *modelMessage) {
				if q.Kind == engine.FIFO && q.Delay > 0 {
					msg.place, msg.due = inFlight, b.clock.Now().Add(q.Delay)
				}
			})
		}},
		{"DeadLetterKeepsItsDedup", "RedriveFIFO", true, func(b *bent) {
			dedup := make(map[engine.MessageID]string)
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				for _, n := range p.Messages {
					dedup[n.ID] = n.Dedup
				}
				return b.Model.Send(ctx, p)
			}
			letters(b, func(_ *modelQueue, msg *modelMessage) {
				if id, known := dedup[msg.ID]; known {
					msg.Dedup = id
				}
			})
		}},
		{"DeadLetterIsLookedUp", "RedriveFIFO", false, func(b *bent) {
			letters(b, func(q *modelQueue, msg *modelMessage) {
				if _, known := q.sentBefore(msg.Message, b.clock.Now()); known {
					defer q.remove(msg)
				}
			})
		}},
		{"DeadLettersReversed", "RedriveFIFO", true, func(b *bent) {
			b.receiving(func(*modelQueue, *engine.ReceiveParams) func(*engine.ReceiveResult) {
				before := b.world.arrivals
				return func(*engine.ReceiveResult) {
					for _, q := range b.world.queues {
						i := slices.IndexFunc(q.messages, func(msg *modelMessage) bool { return msg.arrival > before })
						if i >= 0 {
							slices.Reverse(q.messages[i:])
						}
					}
				}
			})
		}},
		{"DeadLetterStaysInTheSource", "Redrive", true, func(b *bent) {
			b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
				all := slices.Clone(q.messages)
				return func(r *engine.ReceiveResult) {
					for _, msg := range all {
						if !slices.Contains(q.messages, msg) && !q.over(msg, b.clock.Now()) {
							q.messages = append(q.messages, msg)
						}
					}
				}
			})
		}},
		{"DeadLetterIsLost", "Redrive", true, func(b *bent) {
			letters(b, func(q *modelQueue, msg *modelMessage) { msg.sent = time.Time{} })
		}},
		{"HandleFollowsTheDeadLetter", "Redrive", true, func(b *bent) {
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
				results, err := b.Model.Acknowledge(ctx, p)
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for i, ref := range p.Refs {
					for _, q := range b.world.queues {
						for _, msg := range slices.Clone(q.messages) {
							if err == nil && results[i] != nil && msg.ID == b.world.refs[ref].message && b.world.refs[ref].queue == p.Queue && q.ID != p.Queue {
								q.remove(msg)
								results[i] = nil
							}
						}
					}
				}
				return results, err
			}
		}},
		{"TargetNotReported", "Redrive", false, func(b *bent) {
			var at engine.QueueID
			b.reports = func(r engine.Report) engine.Report {
				b.mu.Lock()
				defer b.mu.Unlock()
				if b.quiet && r.Queue != at {
					r.Ready = 0
				}
				return r
			}
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (r engine.ReceiveResult, err error) {
				b.mu.Lock()
				at = p.Queue
				b.mu.Unlock()
				err = b.quietly(func() error { r, err = b.Model.Receive(ctx, p); return err })
				return r, err
			}
		}},
		{"SourceGoesWithItsQueue", "RedriveRule", false, func(b *bent) {
			b.deleteFunc = func(ctx context.Context, p engine.DeleteQueueParams) error {
				var name engine.QueueName
				b.inside(p.Queue, func(q *modelQueue) { name = q.Name })
				err := b.Model.DeleteQueue(ctx, p)
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for _, q := range b.world.queues {
					for _, msg := range q.messages {
						if msg.source == name {
							msg.source = engine.QueueName{}
						}
					}
				}
				return err
			}
		}},
		{"RedriveRace", "FIFOConcurrent", false, func(b *bent) {
			calls := 0
			b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
				if calls++; calls%10 == 0 && calls < 100 && len(q.messages) > 0 {
					q.messages[0].here = 0
				}
				return nil
			})
		}},
		{"RestartForgetsReceivesHere", "ReopenFIFO", true, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					for _, msg := range q.messages {
						msg.here = 0
					}
				}
			}
		}},
		{"RestartForgetsSources", "ReopenFIFO", true, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					for _, msg := range q.messages {
						msg.source = engine.QueueName{}
					}
				}
			}
		}},
	}
}
