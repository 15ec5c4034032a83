package storetest

import (
	"context"
	"slices"
	"time"

	"queues/engine"
)

// refFaults are faults in what references do.
func refFaults() []brokenStore {
	ack := func(b *bent, bend func(p *engine.AcknowledgeParams)) {
		b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
			bend(&p)
			return b.Model.Acknowledge(ctx, p)
		}
	}
	acked := func(b *bent, bend func(results []error)) {
		b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
			results, err := b.Model.Acknowledge(ctx, p)
			bend(results)
			return results, err
		}
	}
	change := func(b *bent, bend func(p *engine.ChangeVisibilityParams)) {
		b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
			p.Changes = slices.Clone(p.Changes)
			bend(&p)
			return b.Model.ChangeVisibility(ctx, p)
		}
	}
	rule := func(from, to engine.StaleRule) func(engine.StaleRule) engine.StaleRule {
		return func(r engine.StaleRule) engine.StaleRule {
			if r == from {
				return to
			}
			return r
		}
	}
	ackRule := func(from, to engine.StaleRule) func(*bent) {
		return func(b *bent) {
			ack(b, func(p *engine.AcknowledgeParams) { p.Stale = rule(from, to)(p.Stale) })
		}
	}
	changeRule := func(from, to engine.StaleRule) func(*bent) {
		return func(b *bent) {
			change(b, func(p *engine.ChangeVisibilityParams) { p.Stale = rule(from, to)(p.Stale) })
		}
	}
	return []brokenStore{
		{"StaleAckActsInsteadOfFailing", "Stale", true, ackRule(engine.StaleFails, engine.StaleActs)},
		{"StaleAckActsInsteadOfIgnored", "Stale", true, ackRule(engine.StaleIgnored, engine.StaleActs)},
		{"StaleAckFailsInsteadOfIgnored", "Stale", true, ackRule(engine.StaleIgnored, engine.StaleFails)},
		{"StaleAckFailsInsteadOfActing", "Stale", true, ackRule(engine.StaleActs, engine.StaleFails)},
		{"StaleAckIgnoredInsteadOfActing", "Stale", true, ackRule(engine.StaleActs, engine.StaleIgnored)},
		{"StaleChangeActsInsteadOfFailing", "Stale", true, changeRule(engine.StaleFails, engine.StaleActs)},
		{"StaleChangeActsInsteadOfIgnored", "Stale", true, changeRule(engine.StaleIgnored, engine.StaleActs)},
		{"StaleChangeIgnoredInsteadOfActing", "Stale", true, changeRule(engine.StaleActs, engine.StaleIgnored)},
		{"AckIgnoresRefuseExpired", "Acknowledge", true, func(b *bent) {
			ack(b, func(p *engine.AcknowledgeParams) { p.RefuseExpired = false })
		}},
		{"AckAlwaysRefusesExpired", "Acknowledge", true, func(b *bent) {
			ack(b, func(p *engine.AcknowledgeParams) { p.RefuseExpired = true })
		}},
		{"ChangeIgnoresRefuseExpired", "Visibility", true, func(b *bent) {
			change(b, func(p *engine.ChangeVisibilityParams) { p.RefuseExpired = false })
		}},
		{"ChangeAlwaysRefusesExpired", "Visibility", true, func(b *bent) {
			change(b, func(p *engine.ChangeVisibilityParams) { p.RefuseExpired = true })
		}},
		{"AckOfGoneSucceeds", "Acknowledge", true, func(b *bent) {
			acked(b, func(results []error) {
				for i, err := range results {
					if err != nil && engine.ErrorCode(err) == engine.MessageGone {
						results[i] = nil
					}
				}
			})
		}},
		{"AckOfMalformedIsGone", "Acknowledge", true, func(b *bent) {
			acked(b, func(results []error) {
				for i, err := range results {
					if err != nil && engine.ErrorCode(err) == engine.InvalidReceipt {
						results[i] = fail(engine.MessageGone, "gone")
					}
				}
			})
		}},
		{"AckResultsReversed", "Acknowledge", true, func(b *bent) { acked(b, slices.Reverse) }},
		{"AckStopsAtTheFirstError", "Acknowledge", true, func(b *bent) {
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
				results := make([]error, len(p.Refs))
				for i := range p.Refs {
					one := p
					one.Refs = p.Refs[i : i+1]
					r, err := b.Model.Acknowledge(ctx, one)
					if err != nil {
						return nil, err
					}
					if results[i] = r[0]; r[0] != nil {
						for j := i + 1; j < len(results); j++ {
							results[j] = r[0]
						}
						break
					}
				}
				return results, nil
			}
		}},
		{"AckTakesRefsOfOtherQueues", "Acknowledge", true, func(b *bent) {
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
				results, err := b.Model.Acknowledge(ctx, p)
				for i := range results {
					b.world.mu.Lock()
					owner := b.world.refs[p.Refs[i]].queue
					b.world.mu.Unlock()
					if owner != p.Queue && owner != (engine.QueueID{}) {
						other := p
						other.Queue, other.Refs = owner, p.Refs[i:i+1]
						if r, err := b.Model.Acknowledge(ctx, other); err == nil {
							results[i] = r[0]
						}
					}
				}
				return results, err
			}
		}},
		{"RefsCutShortStillWork", "Acknowledge", false, func(b *bent) {
			ack(b, func(p *engine.AcknowledgeParams) {
				p.Refs = slices.Clone(p.Refs)
				for i, ref := range p.Refs {
					if len(ref) > 36 {
						p.Refs[i] = ref[:36]
					}
				}
			})
		}},
		{"ChangeCountsFromTheReceive", "Visibility", true, func(b *bent) {
			b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
				results, err := b.Model.ChangeVisibility(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for i, c := range p.Changes {
						if msg := b.message(q, c.Ref); err == nil && msg != nil && results[i] == nil && msg.place == inFlight {
							msg.due = msg.last.Add(c.Timeout)
						}
					}
				})
				return results, err
			}
		}},
		{"ChangeToZeroIgnored", "Visibility", true, func(b *bent) {
			change(b, func(p *engine.ChangeVisibilityParams) {
				for i := range p.Changes {
					p.Changes[i].Timeout = max(p.Changes[i].Timeout, time.Millisecond)
				}
			})
		}},
		{"ChangeDoesNotHideAgain", "Visibility", true, func(b *bent) {
			b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
				var free []*modelMessage
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						if msg.place == visible || !b.clock.Now().Before(msg.due) {
							free = append(free, msg)
						}
					}
				})
				results, err := b.Model.ChangeVisibility(ctx, p)
				b.inside(p.Queue, func(*modelQueue) {
					for _, msg := range free {
						msg.place = visible
					}
				})
				return results, err
			}
		}},
		{"ChangeCountsAsReceive", "Visibility", true, func(b *bent) {
			b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
				results, err := b.Model.ChangeVisibility(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for i, c := range p.Changes {
						if msg := b.message(q, c.Ref); err == nil && msg != nil && results[i] == nil {
							msg.receives++
						}
					}
				})
				return results, err
			}
		}},
		{"MaxTotalIgnored", "Visibility", true, func(b *bent) {
			change(b, func(p *engine.ChangeVisibilityParams) { p.MaxTotal = 0 })
		}},
		{"MaxTotalOneTickShort", "Visibility", true, func(b *bent) {
			change(b, func(p *engine.ChangeVisibilityParams) {
				if p.MaxTotal > 0 {
					p.MaxTotal -= time.Millisecond
				}
			})
		}},
		{"MaxTotalFromTheFirstReceive", "Visibility", true, func(b *bent) {
			b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						msg.last = msg.first
					}
				})
				return b.Model.ChangeVisibility(ctx, p)
			}
		}},
		{"ReleaseByAnOldRef", "Release", true, func(b *bent) {
			b.release = func(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
				b.inside(id, func(q *modelQueue) {
					for _, ref := range refs {
						if msg := b.message(q, ref); msg != nil && b.world.refs[ref].queue == id && msg.place == inFlight {
							msg.place = visible
						}
					}
				})
				return b.Model.Release(ctx, id, refs)
			}
		}},
		{"ReleaseKeepsTheCount", "Release", true, func(b *bent) {
			released(b, func(msg *modelMessage) { msg.receives++ })
		}},
		{"ReleaseKeepsTheFirstReceive", "Release", true, func(b *bent) {
			released(b, func(msg *modelMessage) {
				if msg.receives == 0 {
					msg.receives, msg.first = 1, msg.due
				}
			})
		}},
		{"ReleaseGoesToTheEnd", "Release", true, func(b *bent) {
			released(b, func(msg *modelMessage) { msg.sequence |= 1 << 30 })
		}},
		{"ReleaseDoesNothing", "Release", true, func(b *bent) {
			b.release = func(ctx context.Context, id engine.QueueID, _ []engine.Ref) error {
				return b.Model.Release(ctx, id, nil)
			}
		}},
		{"ReleaseOfWhatIsVisible", "Release", true, func(b *bent) {
			b.release = func(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
				b.inside(id, func(q *modelQueue) {
					for _, ref := range refs {
						if msg := b.message(q, ref); msg != nil && msg.delivery == b.world.refs[ref].delivery && msg.place == visible {
							msg.place, msg.due = inFlight, b.clock.Now().Add(time.Hour)
						}
					}
				})
				return b.Model.Release(ctx, id, refs)
			}
		}},
		{"ReleasedRefStaysTheLatest", "Release", false, func(b *bent) {
			b.release = func(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
				err := b.Model.Release(ctx, id, refs)
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				if len(refs) == 1 && b.world.refs[refs[0]].delivery == b.world.deliveries {
					b.world.deliveries--
				}
				return err
			}
		}},
	}
}

// released bends the messages that a release made visible.
func released(b *bent, bend func(msg *modelMessage)) {
	b.release = func(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
		held := make(map[*modelMessage]bool)
		b.inside(id, func(q *modelQueue) {
			for _, msg := range q.messages {
				held[msg] = msg.place == inFlight && msg.delivery != 0
			}
		})
		err := b.Model.Release(ctx, id, refs)
		b.inside(id, func(q *modelQueue) {
			for _, msg := range q.messages {
				if held[msg] && msg.delivery == 0 {
					bend(msg)
				}
			}
		})
		return err
	}
}
