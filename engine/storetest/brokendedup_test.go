package storetest

import (
	"context"
	"maps"
	"time"

	"queues/engine"
)

// dedupFaults are faults in what a FIFO queue remembers of its sends.
func dedupFaults() []brokenStore {
	// sends bends the memory before a send.
	sends := func(b *bent, bend func(q *modelQueue)) {
		b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
			b.inside(p.Queue, bend)
			return b.Model.Send(ctx, p)
		}
	}
	// sent bends the answer of a send.
	sent := func(b *bent, bend func(n engine.NewMessage, s *engine.Sent)) {
		b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
			all, err := b.Model.Send(ctx, p)
			for i := range all {
				if all[i].Duplicate {
					bend(p.Messages[i], &all[i])
				}
			}
			return all, err
		}
	}
	// shift makes the window end later.
	shift := func(d time.Duration) func(b *bent) {
		return func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				all, err := b.Model.Send(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for key, s := range q.sends {
						if s.at.Equal(b.clock.Now()) {
							s.at = s.at.Add(d)
							q.sends[key] = s
						}
					}
				})
				return all, err
			}
		}
	}
	return []brokenStore{
		{"DuplicatesStored", "Dedup", true, func(b *bent) { sends(b, func(q *modelQueue) { clear(q.sends) }) }},
		{"WindowTooLong", "Dedup", true, shift(time.Millisecond)},
		{"WindowTooShort", "Dedup", true, shift(-time.Millisecond)},
		{"DuplicateProlongsTheWindow", "Dedup", true, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				all, err := b.Model.Send(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for i := range all {
						if key := q.dedupKey(p.Messages[i].Message); all[i].Duplicate {
							s := q.sends[key]
							s.at = b.clock.Now()
							q.sends[key] = s
						}
					}
				})
				return all, err
			}
		}},
		{"MemoryEndsWithTheMessage", "Dedup", true, func(b *bent) {
			sends(b, func(q *modelQueue) {
				there := make(map[engine.MessageID]bool)
				for _, msg := range q.messages {
					there[msg.ID] = !q.over(msg, b.clock.Now())
				}
				maps.DeleteFunc(q.sends, func(_ string, s modelSend) bool { return !there[s.id] })
			})
		}},
		{"MemoryEndsWithTheReceive", "Dedup", true, func(b *bent) {
			sends(b, func(q *modelQueue) {
				for _, msg := range q.messages {
					if msg.receives > 0 {
						delete(q.sends, q.dedupKey(msg.Message))
					}
				}
			})
		}},
		{"ScopeIsAlwaysTheQueue", "Dedup", true, func(b *bent) {
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				p.DedupPerGroup = false
				return b.Model.CreateQueue(ctx, p)
			}
		}},
		{"ScopeIsAlwaysTheGroup", "Dedup", true, func(b *bent) {
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				p.DedupPerGroup = p.Kind == engine.FIFO
				return b.Model.CreateQueue(ctx, p)
			}
		}},
		{"DuplicateHasItsOwnID", "Dedup", true, func(b *bent) {
			sent(b, func(n engine.NewMessage, s *engine.Sent) { s.ID = n.ID })
		}},
		{"DuplicateHasAnotherSequence", "Dedup", false, func(b *bent) {
			sent(b, func(_ engine.NewMessage, s *engine.Sent) { s.Sequence++ })
		}},
		{"DuplicateNotSaid", "Dedup", true, func(b *bent) {
			sent(b, func(_ engine.NewMessage, s *engine.Sent) { s.Duplicate = false })
		}},
		{"DuplicatesWithinABatch", "Dedup", true, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				var all []engine.Sent
				var known map[string]modelSend
				b.inside(p.Queue, func(q *modelQueue) { known = maps.Clone(q.sends) })
				for _, n := range p.Messages {
					b.inside(p.Queue, func(q *modelQueue) { q.sends = maps.Clone(known) })
					one, err := b.Model.Send(ctx, engine.SendParams{Queue: p.Queue, Messages: []engine.NewMessage{n}})
					if err != nil {
						return nil, err
					}
					all = append(all, one...)
				}
				return all, nil
			}
		}},
		{"PurgeKeepsTheMemory", "Dedup", true, func(b *bent) {
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				var known map[string]modelSend
				b.inside(p.Queue, func(q *modelQueue) { known = maps.Clone(q.sends) })
				err := b.Model.PurgeQueue(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) { maps.Copy(q.sends, known) })
				return err
			}
		}},
		{"StandardRefusesDuplicates", "Dedup", false, func(b *bent) {
			seen := make(map[string]engine.Sent)
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				key := p.Queue.String() + p.Messages[0].Dedup
				if first, known := seen[key]; known && p.Messages[0].Dedup != "" {
					return []engine.Sent{first}, nil
				}
				all, err := b.Model.Send(ctx, p)
				if err == nil {
					seen[key] = all[0]
				}
				return all, err
			}
		}},
		{"DedupRace", "FIFOConcurrent", false, func(b *bent) {
			calls := 0
			sends(b, func(q *modelQueue) {
				if calls++; calls%50 == 0 {
					clear(q.sends)
				}
			})
		}},
		{"RestartForgetsSends", "ReopenFIFO", true, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					clear(q.sends)
				}
			}
		}},
	}
}
