package storetest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"queues/engine"
)

// sendFaults are faults in what a send stores.
func sendFaults() []brokenStore {
	// stored bends the messages that a send has stored.
	stored := func(b *bent, bend func(q *modelQueue, msg *modelMessage)) {
		b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
			sent, err := b.Model.Send(ctx, p)
			b.inside(p.Queue, func(q *modelQueue) {
				for _, msg := range q.messages[max(0, len(q.messages)-len(sent)):] {
					bend(q, msg)
				}
			})
			return sent, err
		}
	}
	// given bends the messages that a send is given.
	given := func(b *bent, bend func(messages []engine.NewMessage)) {
		b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
			p.Messages = slices.Clone(p.Messages)
			bend(p.Messages)
			return b.Model.Send(ctx, p)
		}
	}
	return []brokenStore{
		{"SendLosesTheLastOfABatch", "Send", true, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				sent, err := b.Model.Send(ctx, p)
				if len(sent) > 1 {
					b.inside(p.Queue, func(q *modelQueue) { q.messages = q.messages[:max(0, len(q.messages)-1)] })
				}
				return sent, err
			}
		}},
		{"SendReversesABatch", "Send", true, func(b *bent) { given(b, slices.Reverse) }},
		{"ZeroDelayIsNoDelay", "Delay", true, func(b *bent) {
			given(b, func(messages []engine.NewMessage) {
				for i, n := range messages {
					if n.Delay != nil && *n.Delay == 0 {
						messages[i].Delay = nil
					}
				}
			})
		}},
		{"QueueDelayIgnored", "Delay", true, func(b *bent) {
			given(b, func(messages []engine.NewMessage) {
				for i, n := range messages {
					if n.Delay == nil {
						messages[i].Delay = new(time.Duration)
					}
				}
			})
		}},
		{"BodyEndsAtZeroByte", "Send", false, func(b *bent) {
			stored(b, func(_ *modelQueue, msg *modelMessage) { msg.Body, _, _ = strings.Cut(msg.Body, "\x00") })
		}},
		{"BodyMadeValidText", "Send", false, func(b *bent) {
			stored(b, func(_ *modelQueue, msg *modelMessage) { msg.Body = strings.ToValidUTF8(msg.Body, "?") })
		}},
		{"AttributesSorted", "Send", false, func(b *bent) {
			stored(b, func(_ *modelQueue, msg *modelMessage) {
				slices.SortFunc(msg.Attributes, func(a, b engine.Attribute) int { return cmp.Compare(a.Name, b.Name) })
			})
		}},
		{"GroupLost", "Send", true, func(b *bent) { stored(b, func(_ *modelQueue, msg *modelMessage) { msg.Group = "" }) }},
		{"SendKeepsTheCallersBytes", "Send", false, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				sent, err := b.Model.Send(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for i := range sent {
						q.messages[len(q.messages)-len(sent)+i].Attributes = p.Messages[i].Attributes
					}
				})
				return sent, err
			}
		}},
		{"SequenceRestartsAfterPurge", "Send", false, func(b *bent) {
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				err := b.Model.PurgeQueue(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) { q.sequence = 0 })
				return err
			}
		}},
		{"SentWhenTheDelayIsOver", "Delay", true, func(b *bent) {
			stored(b, func(_ *modelQueue, msg *modelMessage) {
				if msg.place == delayed {
					msg.sent = msg.due
				}
			})
		}},
		{"DelayedRankByTheirEnd", "Update", true, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						if msg.place == delayed && !b.clock.Now().Before(msg.due) {
							q.sequence++
							msg.sequence = q.sequence
						}
					}
				})
				return b.Model.Receive(ctx, p)
			}
		}},
		{"RetentionFixedAtTheSend", "Expiry", true, func(b *bent) {
			kept := make(map[*modelMessage]time.Duration)
			stored(b, func(q *modelQueue, msg *modelMessage) {
				b.mu.Lock()
				defer b.mu.Unlock()
				kept[msg] = q.Retention
			})
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				r, err := b.Model.UpdateQueue(ctx, p)
				b.mu.Lock()
				defer b.mu.Unlock()
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						msg.sent = msg.sent.Add(kept[msg] - q.Retention)
						kept[msg] = q.Retention
					}
				})
				return r, err
			}
		}},
	}
}
