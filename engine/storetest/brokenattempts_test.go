package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

// attemptFaults are faults in the receives that are repeated by attempt id.
func attemptFaults() []brokenStore {
	// attempts bends what is remembered before a receive with an attempt id.
	attempts := func(b *bent, bend func(q *modelQueue, id string, a *modelAttempt)) {
		b.receiving(func(q *modelQueue, p *engine.ReceiveParams) func(*engine.ReceiveResult) {
			if a, known := q.attempts[p.AttemptID]; known {
				bend(q, p.AttemptID, &a)
				q.attempts[p.AttemptID] = a
			}
			return nil
		})
	}
	// repeated bends what a repeated receive gives and leaves.
	repeated := func(b *bent, bend func(msg *modelMessage, was time.Time, d *engine.Delivery)) {
		b.receiving(func(q *modelQueue, p *engine.ReceiveParams) func(*engine.ReceiveResult) {
			was := make(map[uint64]time.Time)
			for _, msg := range q.repeated(p.AttemptID, b.clock.Now()) {
				was[msg.arrival] = msg.due
			}
			return func(r *engine.ReceiveResult) {
				for i := range r.Messages {
					msg := b.message(q, r.Messages[i].Ref)
					if due, again := was[msg.arrival]; again {
						bend(msg, due, &r.Messages[i])
					}
				}
			}
		})
	}
	// member gives a message of an attempt, nil when it is gone.
	member := func(q *modelQueue, m modelMember) *modelMessage {
		i := slices.IndexFunc(q.messages, func(msg *modelMessage) bool { return msg.arrival == m.arrival })
		if i < 0 {
			return nil
		}
		return q.messages[i]
	}
	return []brokenStore{
		{"AttemptIgnored", "Attempts", true, func(b *bent) {
			b.receiving(func(_ *modelQueue, p *engine.ReceiveParams) func(*engine.ReceiveResult) {
				p.AttemptID = ""
				return nil
			})
		}},
		{"RepeatedCounts", "Attempts", true, func(b *bent) {
			repeated(b, func(msg *modelMessage, _ time.Time, d *engine.Delivery) {
				msg.receives++
				d.Receives++
			})
		}},
		{"RepeatedKeepsTheDeadline", "Attempts", true, func(b *bent) {
			repeated(b, func(msg *modelMessage, was time.Time, d *engine.Delivery) { msg.due, d.Deadline = was, was })
		}},
		{"RepeatedSaysTheNewDeadlineOnly", "Attempts", false, func(b *bent) {
			repeated(b, func(msg *modelMessage, was time.Time, _ *engine.Delivery) { msg.due = was })
		}},
		{"RepeatedHasNewRefs", "Attempts", true, func(b *bent) {
			repeated(b, func(msg *modelMessage, _ time.Time, d *engine.Delivery) {
				ref := engine.Ref(uuid.NewString())
				b.world.refs[ref] = b.world.refs[d.Ref]
				d.Ref, msg.ref = ref, ref
			})
		}},
		{"RepeatedAfterAcknowledge", "Attempts", true, func(b *bent) {
			attempts(b, func(q *modelQueue, _ string, a *modelAttempt) {
				a.members = slices.DeleteFunc(a.members, func(m modelMember) bool { return member(q, m) == nil })
			})
		}},
		{"RepeatedAfterChange", "Attempts", true, func(b *bent) {
			attempts(b, func(q *modelQueue, _ string, a *modelAttempt) {
				for _, m := range a.members {
					if msg := member(q, m); msg != nil {
						msg.touched = false
					}
				}
			})
		}},
		{"RepeatedAfterTheDeadline", "Attempts", true, func(b *bent) {
			attempts(b, func(q *modelQueue, _ string, a *modelAttempt) {
				for _, m := range a.members {
					if msg := member(q, m); msg != nil && msg.delivery == m.delivery && !msg.touched {
						msg.place, msg.due = inFlight, b.clock.Now().Add(time.Minute)
					}
				}
			})
		}},
		{"RepeatedAfterAnotherReceive", "Attempts", false, func(b *bent) {
			attempts(b, func(q *modelQueue, _ string, a *modelAttempt) {
				for i, m := range a.members {
					if msg := member(q, m); msg != nil {
						a.members[i].delivery = msg.delivery
					}
				}
			})
		}},
		{"AttemptWindowTooLong", "Attempts", false, func(b *bent) {
			attempts(b, func(_ *modelQueue, _ string, a *modelAttempt) { a.at = b.clock.Now() })
		}},
		{"AttemptWindowTooShort", "Attempts", false, func(b *bent) {
			attempts(b, func(q *modelQueue, id string, a *modelAttempt) {
				if b.clock.Now().Sub(a.at) >= engine.AttemptWindow-time.Millisecond {
					a.at = time.Time{}
				}
			})
		}},
		{"EmptyIsRepeated", "Attempts", true, func(b *bent) {
			empty := make(map[string]time.Time)
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				key := p.Queue.String() + p.AttemptID
				if at, known := empty[key]; known && p.AttemptID != "" && b.clock.Now().Sub(at) < engine.AttemptWindow {
					return engine.ReceiveResult{}, nil
				}
				r, err := b.Model.Receive(ctx, p)
				if len(r.Messages) == 0 {
					empty[key] = b.clock.Now()
				}
				return r, err
			}
		}},
		{"AttemptsOfAllQueues", "Attempts", false, func(b *bent) {
			b.receiving(func(q *modelQueue, p *engine.ReceiveParams) func(*engine.ReceiveResult) {
				for _, other := range b.world.queues {
					if other != q && other.Kind == engine.FIFO && other.repeated(p.AttemptID, b.clock.Now()) != nil {
						return func(r *engine.ReceiveResult) { r.Messages = nil }
					}
				}
				return nil
			})
		}},
		{"StandardRepeats", "Attempts", false, func(b *bent) {
			last := make(map[string]engine.ReceiveResult)
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				key := p.Queue.String() + p.AttemptID
				if r, known := last[key]; known && p.AttemptID != "" && p.Max == 1 {
					return r, nil
				}
				r, err := b.Model.Receive(ctx, p)
				last[key] = r
				return r, err
			}
		}},
		{"RestartForgetsAttempts", "ReopenFIFO", false, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					clear(q.attempts)
				}
			}
		}},
		{"RestartForgetsEnds", "ReopenFIFO", false, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					for _, msg := range q.messages {
						msg.touched = false
					}
				}
			}
		}},
	}
}
