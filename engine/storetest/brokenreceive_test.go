package storetest

import (
	"context"
	"time"

	"queues/engine"
)

// receiveFaults are faults in what a receive claims and says.
func receiveFaults() []brokenStore {
	// asked bends what a receive is asked for.
	asked := func(b *bent, bend func(p *engine.ReceiveParams)) {
		b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
			bend(&p)
			return b.Model.Receive(ctx, p)
		}
	}
	// said bends what a receive says.
	said := func(b *bent, bend func(p engine.ReceiveParams, r *engine.ReceiveResult)) {
		b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
			r, err := b.Model.Receive(ctx, p)
			if err == nil {
				bend(p, &r)
			}
			return r, err
		}
	}
	// before bends the messages of a queue before a receive.
	before := func(b *bent, bend func(q *modelQueue, msg *modelMessage)) {
		b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
			b.inside(p.Queue, func(q *modelQueue) {
				for _, msg := range q.messages {
					bend(q, msg)
				}
			})
			return b.Model.Receive(ctx, p)
		}
	}
	return []brokenStore{
		{"TimeoutZeroIsTheDefault", "Receive", true, func(b *bent) {
			asked(b, func(p *engine.ReceiveParams) {
				if p.Visibility != nil && *p.Visibility == 0 {
					p.Visibility = nil
				}
			})
		}},
		{"DefaultTimeoutFixed", "Update", true, func(b *bent) {
			asked(b, func(p *engine.ReceiveParams) {
				if p.Visibility == nil {
					thirty := 30 * time.Second
					p.Visibility = &thirty
				}
			})
		}},
		{"LimitIgnored", "Receive", true, func(b *bent) { asked(b, func(p *engine.ReceiveParams) { p.InFlightLimit = 0 }) }},
		{"LimitOneTooMany", "Receive", true, func(b *bent) {
			asked(b, func(p *engine.ReceiveParams) {
				if p.InFlightLimit > 0 {
					p.InFlightLimit++
				}
			})
		}},
		{"LimitCheckedBeforeNotAfter", "Receive", true, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				limit, c := p.InFlightLimit, engine.Counts{}
				if limit > 0 {
					c, _ = b.Model.Counts(ctx, p.Queue)
				}
				if c.InFlight < limit {
					p.InFlightLimit = 0
				}
				return b.Model.Receive(ctx, p)
			}
		}},
		{"LimitedNeverSaid", "Receive", true, func(b *bent) {
			said(b, func(_ engine.ReceiveParams, r *engine.ReceiveResult) { r.Limited = false })
		}},
		{"LimitedOnAnEmptyQueue", "Receive", true, func(b *bent) {
			said(b, func(p engine.ReceiveParams, r *engine.ReceiveResult) {
				r.Limited = len(r.Messages) == 0 && p.InFlightLimit > 0
			})
		}},
		{"MoreNeverSaid", "Receive", true, func(b *bent) {
			said(b, func(_ engine.ReceiveParams, r *engine.ReceiveResult) { r.More = false })
		}},
		{"MoreWhenFull", "Receive", true, func(b *bent) {
			said(b, func(p engine.ReceiveParams, r *engine.ReceiveResult) { r.More = len(r.Messages) == p.Max })
		}},
		{"NextDueMissing", "Receive", true, func(b *bent) {
			said(b, func(_ engine.ReceiveParams, r *engine.ReceiveResult) { r.NextDue = time.Time{} })
		}},
		{"NextDueTooLate", "Receive", true, func(b *bent) {
			said(b, func(_ engine.ReceiveParams, r *engine.ReceiveResult) {
				if !r.NextDue.IsZero() {
					r.NextDue = r.NextDue.Add(time.Second)
				}
			})
		}},
		{"NextDueNow", "Receive", true, func(b *bent) {
			said(b, func(_ engine.ReceiveParams, r *engine.ReceiveResult) {
				if !r.NextDue.IsZero() {
					r.NextDue = b.clock.Now()
				}
			})
		}},
		{"NextDueIgnoresDelayed", "Receive", true, func(b *bent) {
			said(b, func(p engine.ReceiveParams, r *engine.ReceiveResult) {
				if len(r.Messages) == p.Max {
					return
				}
				b.inside(p.Queue, func(q *modelQueue) {
					r.NextDue = time.Time{}
					for _, msg := range q.messages {
						if msg.place == inFlight {
							r.NextDue = earlier(r.NextDue, msg.due)
						}
					}
				})
			})
		}},
		{"SameMessageTwice", "Receive", true, func(b *bent) {
			said(b, func(p engine.ReceiveParams, r *engine.ReceiveResult) {
				if n := len(r.Messages); n > 0 && n < p.Max {
					r.Messages = append(r.Messages, r.Messages[0])
				}
			})
		}},
		{"ClaimedButNotReturned", "Order", true, func(b *bent) {
			said(b, func(_ engine.ReceiveParams, r *engine.ReceiveResult) {
				if n := len(r.Messages); n > 4 {
					r.Messages = r.Messages[:n-1]
				}
			})
		}},
		{"FirstReceivedIsTheLast", "Receive", true, func(b *bent) {
			before(b, func(_ *modelQueue, msg *modelMessage) {
				if msg.place == visible {
					msg.first = b.clock.Now()
				}
			})
		}},
		{"TimeoutZeroNotCounted", "Receive", true, func(b *bent) {
			said(b, func(p engine.ReceiveParams, r *engine.ReceiveResult) {
				if p.Visibility == nil || *p.Visibility > 0 {
					return
				}
				b.inside(p.Queue, func(q *modelQueue) {
					for _, d := range r.Messages {
						if msg := b.message(q, d.Ref); msg != nil {
							msg.receives--
						}
					}
				})
			})
		}},
		{"RefOfTheMessageNotTheReceive", "Receive", true, func(b *bent) {
			said(b, func(_ engine.ReceiveParams, r *engine.ReceiveResult) {
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for i, d := range r.Messages {
					ref := engine.Ref(d.ID.String())
					b.world.refs[ref] = b.world.refs[d.Ref]
					r.Messages[i].Ref = ref
				}
			})
		}},
		{"DeadlineOneTickLate", "Visibility", true, func(b *bent) {
			said(b, func(p engine.ReceiveParams, r *engine.ReceiveResult) {
				b.inside(p.Queue, func(q *modelQueue) {
					for _, d := range r.Messages {
						if msg := b.message(q, d.Ref); msg != nil && msg.place == inFlight {
							msg.due = msg.due.Add(time.Millisecond)
						}
					}
				})
			})
		}},
		{"ReturnedGoToTheEnd", "Order", true, func(b *bent) {
			before(b, func(q *modelQueue, msg *modelMessage) {
				if msg.place == inFlight && !b.clock.Now().Before(msg.due) {
					q.sequence++
					msg.sequence = q.sequence
				}
			})
		}},
		{"SecondReturnGoesToTheEnd", "Order", true, func(b *bent) {
			before(b, func(_ *modelQueue, msg *modelMessage) {
				if msg.receives == 2 {
					msg.sequence = 1 << 30
				}
			})
		}},
		{"ThirdReturnKeepsThePlace", "Order", true, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						msg.here -= 1000
					}
				})
				r, err := b.Model.Receive(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						msg.here += 1000
					}
				})
				return r, err
			}
		}},
		{"ReturnedComeLast", "Order", true, func(b *bent) {
			before(b, func(_ *modelQueue, msg *modelMessage) {
				if msg.receives == 1 {
					msg.sequence |= 1 << 30
				}
			})
		}},
		{"ExpiredReturnedUntilSwept", "Expiry", true, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				var retention time.Duration
				b.inside(p.Queue, func(q *modelQueue) { retention, q.Retention = q.Retention, 1e6*time.Hour })
				r, err := b.Model.Receive(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) { q.Retention = retention })
				return r, err
			}
		}},
		{"LostAtTheDeadline", "Order", true, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				b.inside(p.Queue, func(q *modelQueue) {
					var kept []*modelMessage
					for _, msg := range q.messages {
						if msg.place != inFlight || b.clock.Now().Before(msg.due) || msg.receives != 2 {
							kept = append(kept, msg)
						}
					}
					q.messages = kept
				})
				return b.Model.Receive(ctx, p)
			}
		}},
		{"BoundedPromotionLosesTheRest", "Delay", false, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				b.inside(p.Queue, func(q *modelQueue) {
					due := 0
					for _, msg := range q.messages {
						if msg.place != visible && !b.clock.Now().Before(msg.due) {
							if due++; due > 1000 {
								msg.due = msg.due.Add(1000 * time.Hour)
							}
						}
					}
				})
				return b.Model.Receive(ctx, p)
			}
		}},
	}
}
