package storetest

import (
	"context"
	"time"

	"queues/engine"
)

// lockFaults are faults in what locks a group and what frees it.
func lockFaults() []brokenStore {
	// group gives a call's effect on the other messages of a group.
	group := func(q *modelQueue, name string, bend func(msg *modelMessage)) {
		for _, msg := range q.messages {
			if msg.Group == name && q.Kind == engine.FIFO {
				bend(msg)
			}
		}
	}
	return []brokenStore{
		{"HeldDoNotLock", "FIFOLocks", true, func(b *bent) {
			b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
				held := make(map[*modelMessage]string)
				for _, msg := range q.messages {
					if q.Kind == engine.FIFO && msg.place == inFlight && b.clock.Now().Before(msg.due) {
						held[msg] = msg.Group
						msg.Group = "held" + msg.ID.String()
					}
				}
				return func(*engine.ReceiveResult) {
					for msg, name := range held {
						msg.Group = name
					}
				}
			})
		}},
		{"HiddenLockTheWholeGroup", "FIFOLocks", true, func(b *bent) {
			b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
				hidden, locked := make(map[string]bool), make(map[*modelMessage]modelMessage)
				for _, msg := range q.messages {
					if msg.place != visible && b.clock.Now().Before(msg.due) {
						hidden[msg.Group] = true
					}
				}
				for _, msg := range q.messages {
					if q.Kind == engine.FIFO && hidden[msg.Group] && msg.place == visible {
						locked[msg] = *msg
						msg.place, msg.due = inFlight, b.clock.Now().Add(time.Hour)
					}
				}
				return func(*engine.ReceiveResult) {
					for msg, was := range locked {
						msg.place, msg.due = was.place, was.due
					}
				}
			})
		}},
		{"AckOfOneUnlocks", "FIFOLocks", true, func(b *bent) {
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
				names := make(map[string]bool)
				b.inside(p.Queue, func(q *modelQueue) {
					for _, ref := range p.Refs {
						if msg := b.message(q, ref); msg != nil && b.world.refs[ref].delivery == msg.delivery {
							names[msg.Group] = true
						}
					}
				})
				results, err := b.Model.Acknowledge(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for name := range names {
						group(q, name, func(msg *modelMessage) { msg.place = visible })
					}
				})
				return results, err
			}
		}},
		{"AckNeverUnlocks", "FIFOLocks", true, func(b *bent) {
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
				kept := make(map[string]*modelMessage)
				b.inside(p.Queue, func(q *modelQueue) {
					for _, ref := range p.Refs {
						if msg := b.message(q, ref); msg != nil && q.Kind == engine.FIFO {
							kept[msg.Group] = msg
						}
					}
				})
				results, err := b.Model.Acknowledge(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for name := range kept {
						group(q, name, func(msg *modelMessage) {
							if msg.place == visible {
								msg.place, msg.due = inFlight, b.clock.Now().Add(time.Minute)
							}
						})
					}
				})
				return results, err
			}
		}},
		{"ZeroFreesTheGroup", "FIFOLocks", true, func(b *bent) {
			b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
				results, err := b.Model.ChangeVisibility(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for i, c := range p.Changes {
						if msg := b.message(q, c.Ref); msg != nil && c.Timeout == 0 && results[i] == nil {
							group(q, msg.Group, func(msg *modelMessage) { msg.place = visible })
						}
					}
				})
				return results, err
			}
		}},
		{"NewMessageUnlocks", "FIFOLocks", true, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				sent, err := b.Model.Send(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for _, n := range p.Messages {
						group(q, n.Group, func(msg *modelMessage) {
							if msg.place == inFlight {
								msg.place = visible
							}
						})
					}
				})
				return sent, err
			}
		}},
		{"ExpiredHeadHoldsItsGroup", "FIFOLocks", false, func(b *bent) {
			b.eachBefore(func(q *modelQueue, msg *modelMessage) {
				if q.Kind == engine.FIFO && msg.place == inFlight && q.over(msg, b.clock.Now()) && b.clock.Now().Before(msg.due) {
					msg.sent = b.clock.Now()
				}
			})
		}},
		{"PurgeLeavesLocks", "FIFOLocks", true, func(b *bent) {
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				var held []*modelMessage
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						if q.Kind == engine.FIFO && msg.place == inFlight {
							held = append(held, msg)
						}
					}
				})
				err := b.Model.PurgeQueue(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					if err == nil {
						q.messages = held
					}
				})
				return err
			}
		}},
		{"ReleaseLeavesTheLock", "FIFOLocks", true, func(b *bent) {
			b.release = func(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
				var kind engine.Kind
				b.inside(id, func(q *modelQueue) { kind = q.Kind })
				if kind == engine.FIFO {
					return nil
				}
				return b.Model.Release(ctx, id, refs)
			}
		}},
		{"LateAckOnFIFO", "FIFOLocks", true, func(b *bent) {
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
				p.RefuseExpired = false
				return b.Model.Acknowledge(ctx, p)
			}
		}},
	}
}
