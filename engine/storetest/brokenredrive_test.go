package storetest

import (
	"context"
	"slices"
	"time"

	"queues/engine"
)

// redriveFaults are faults in when messages become dead letters.
func redriveFaults() []brokenStore {
	// rule bends the rule of a queue during a receive.
	rule := func(b *bent, bend func(q *modelQueue, r *engine.Redrive) *engine.Redrive) {
		b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
			was := q.Redrive
			if was != nil {
				r := *was
				q.Redrive = bend(q, &r)
			}
			return func(*engine.ReceiveResult) { q.Redrive = was }
		})
	}
	limit := func(d int) func(b *bent) {
		return func(b *bent) {
			rule(b, func(_ *modelQueue, r *engine.Redrive) *engine.Redrive {
				r.MaxReceives += d
				return r
			})
		}
	}
	// missing bends the messages that would move if the target were there.
	missing := func(b *bent, bend func(q *modelQueue)) {
		b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
			if q.Redrive != nil && b.named(q.Redrive.Target) == nil {
				bend(q)
			}
			return nil
		})
	}
	tooOften := func(q *modelQueue, msg *modelMessage) bool {
		return msg.here >= q.Redrive.MaxReceives && msg.place == visible
	}
	// moved bends a receive that has moved something.
	moved := func(b *bent, bend func(ctx context.Context, p engine.ReceiveParams, n int, r *engine.ReceiveResult)) {
		b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
			before := b.world.arrivals
			r, err := b.Model.Receive(ctx, p)
			if n := int(b.world.arrivals - before); n > 0 && err == nil {
				bend(ctx, p, n, &r)
			}
			return r, err
		}
	}
	return []brokenStore{
		{"DeadLetterOneTooLate", "Redrive", true, limit(1)},
		{"DeadLetterOneTooEarly", "Redrive", true, func(b *bent) {
			rule(b, func(_ *modelQueue, r *engine.Redrive) *engine.Redrive {
				r.MaxReceives = max(1, r.MaxReceives-1)
				return r
			})
		}},
		{"NeverDeadLetters", "Redrive", true, func(b *bent) {
			rule(b, func(*modelQueue, *engine.Redrive) *engine.Redrive { return nil })
		}},
		{"ReceivesElsewhereCount", "Redrive", true, func(b *bent) {
			b.eachBefore(func(_ *modelQueue, msg *modelMessage) { msg.here = msg.receives })
		}},
		{"MissingTargetLosesMessages", "RedriveRule", true, func(b *bent) {
			missing(b, func(q *modelQueue) {
				q.messages = slices.DeleteFunc(q.messages, func(msg *modelMessage) bool { return tooOften(q, msg) })
			})
		}},
		{"MissingTargetHidesMessages", "RedriveRule", true, func(b *bent) {
			missing(b, func(q *modelQueue) {
				for _, msg := range q.messages {
					if tooOften(q, msg) {
						msg.place, msg.due = inFlight, b.clock.Now().Add(defaults().VisibilityTimeout)
					}
				}
			})
		}},
		{"TargetRememberedById", "RedriveRule", false, func(b *bent) {
			known := make(map[engine.QueueID]engine.QueueID)
			rule(b, func(q *modelQueue, r *engine.Redrive) *engine.Redrive {
				target := b.named(r.Target)
				if target == nil {
					return r
				}
				if id, seen := known[q.ID]; seen && id != target.ID {
					return nil
				}
				known[q.ID] = target.ID
				return r
			})
		}},
		{"TargetInTheFirstRegion", "RedriveRule", true, func(b *bent) {
			rule(b, func(_ *modelQueue, r *engine.Redrive) *engine.Redrive {
				r.Target.Region = home.Region
				return r
			})
		}},
		{"TargetOfAnyKind", "RedriveRule", false, func(b *bent) {
			rule(b, func(q *modelQueue, r *engine.Redrive) *engine.Redrive {
				if target := b.named(r.Target); target != nil && target.Kind != q.Kind {
					for _, msg := range slices.Clone(q.messages) {
						if msg.here >= r.MaxReceives && msg.place == visible {
							q.remove(msg)
							b.arrive(target, msg.Message, b.clock.Now())
						}
					}
				}
				return r
			})
		}},
		{"ReleasedCounts", "RedriveRule", true, func(b *bent) {
			b.release = func(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
				err := b.Model.Release(ctx, id, refs)
				b.inside(id, func(q *modelQueue) {
					for _, ref := range refs {
						if msg := b.message(q, ref); msg != nil && msg.delivery == 0 {
							msg.here++
						}
					}
				})
				return err
			}
		}},
		{"ChangesCount", "RedriveRule", true, func(b *bent) {
			b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
				results, err := b.Model.ChangeVisibility(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for i, c := range p.Changes {
						if msg := b.message(q, c.Ref); msg != nil && results[i] == nil {
							msg.here++
						}
					}
				})
				return results, err
			}
		}},
		{"HeldBecomeDeadLetters", "RedriveRule", true, func(b *bent) {
			b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
				for _, msg := range q.messages {
					if q.Redrive != nil && msg.place == inFlight && msg.here >= q.Redrive.MaxReceives {
						msg.place = visible
					}
				}
				return nil
			})
		}},
		{"NothingBehindADeadLetter", "Redrive", true, func(b *bent) {
			moved(b, func(ctx context.Context, p engine.ReceiveParams, _ int, r *engine.ReceiveResult) {
				_ = b.Model.Release(ctx, p.Queue, refsOf(r.Messages))
				r.Messages, r.More = nil, false
			})
		}},
		{"ManyDeadLettersEndTheReceive", "Redrive", false, func(b *bent) {
			moved(b, func(ctx context.Context, p engine.ReceiveParams, n int, r *engine.ReceiveResult) {
				if n >= maxDeadLetters {
					_ = b.Model.Release(ctx, p.Queue, refsOf(r.Messages))
					r.Messages, r.More = nil, false
				}
			})
		}},
		{"TooManyDeadLettersAreReceived", "Redrive", false, func(b *bent) {
			moved(b, func(ctx context.Context, p engine.ReceiveParams, n int, r *engine.ReceiveResult) {
				if n < maxDeadLetters {
					return
				}
				var rule *engine.Redrive
				b.inside(p.Queue, func(q *modelQueue) { rule, q.Redrive = q.Redrive, nil })
				if p.Max -= len(r.Messages); p.Max > 0 {
					more, _ := b.Model.Receive(ctx, p)
					r.Messages = append(r.Messages, more.Messages...)
				}
				b.inside(p.Queue, func(q *modelQueue) { q.Redrive = rule })
			})
		}},
		{"DeadLetterRanksByItsSend", "Redrive", true, func(b *bent) {
			moved(b, func(_ context.Context, p engine.ReceiveParams, _ int, _ *engine.ReceiveResult) {
				b.inside(p.Queue, func(q *modelQueue) {
					if target := b.named(q.Redrive.Target); target.Kind == engine.Standard {
						slices.SortStableFunc(target.messages, func(a, b *modelMessage) int { return a.sent.Compare(b.sent) })
						var sequences []uint64
						for _, msg := range target.messages {
							sequences = append(sequences, msg.sequence)
						}
						slices.Sort(sequences)
						for i, msg := range target.messages {
							msg.sequence = sequences[i]
						}
					}
				})
			})
		}},
		{"WhatAReceiveLeavesStays", "Redrive", false, func(b *bent) {
			b.sweep = func(ctx context.Context) (engine.SweepResult, error) {
				b.world.mu.Lock()
				for _, q := range b.world.queues {
					q.spent = false
				}
				b.world.mu.Unlock()
				return b.Model.Sweep(ctx)
			}
		}},
		{"OnlyTheFirstReceiveMoves", "Redrive", false, func(b *bent) {
			rule(b, func(q *modelQueue, r *engine.Redrive) *engine.Redrive {
				// Held back is what is left, and nobody gets it.
				for _, msg := range q.messages {
					if q.spent && msg.here >= r.MaxReceives && msg.place == visible {
						msg.place, msg.due = inFlight, b.clock.Now().Add(time.Hour)
					}
				}
				return r
			})
		}},
		{"SweepMovesWhatMayBeReceived", "Redrive", false, func(b *bent) {
			b.sweep = func(ctx context.Context) (engine.SweepResult, error) {
				b.world.mu.Lock()
				for _, q := range b.world.queues {
					if q.spent && q.Redrive.MaxReceives > 1 {
						q.Redrive.MaxReceives--
					}
				}
				b.world.mu.Unlock()
				return b.Model.Sweep(ctx)
			}
		}},
		{"SelfIsLookedAtAgain", "Redrive", true, func(b *bent) {
			moved(b, func(ctx context.Context, p engine.ReceiveParams, _ int, r *engine.ReceiveResult) {
				self := false
				b.inside(p.Queue, func(q *modelQueue) { self = q.Redrive != nil && q.Redrive.Target == q.Name })
				if p.Max -= len(r.Messages); self && p.Max > 0 {
					more, _ := b.Model.Receive(ctx, p)
					r.Messages = append(r.Messages, more.Messages...)
				}
			})
		}},
	}
}
