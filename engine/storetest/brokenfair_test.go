package storetest

import (
	"slices"
	"time"

	"queues/engine"
)

// fairFaults are faults in how noisy groups are told and served.
func fairFaults() []brokenStore {
	// onStandard bends a standard queue before a receive and undoes it after.
	onStandard := func(b *bent, bend func(q *modelQueue, now time.Time) (undo func(r *engine.ReceiveResult))) {
		b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
			if q.Kind != engine.Standard {
				return nil
			}
			b.settle(q, b.clock.Now())
			return bend(q, b.clock.Now())
		})
	}
	// rename bends the groups during a receive.
	rename := func(b *bent, name func(msg *modelMessage) string) {
		onStandard(b, func(q *modelQueue, _ time.Time) func(*engine.ReceiveResult) {
			was := make(map[uint64]string)
			for _, msg := range q.messages {
				was[msg.arrival] = msg.Group
				msg.Group = name(msg)
			}
			return func(r *engine.ReceiveResult) {
				for _, msg := range q.messages {
					if group, known := was[msg.arrival]; known {
						msg.Group = group
					}
				}
				for i, d := range r.Messages {
					r.Messages[i].Group = was[b.world.refs[d.Ref].arrival]
				}
			}
		})
	}
	// held adds messages in flight during a receive.
	held := func(b *bent, more func(groups map[string]int) []string) {
		onStandard(b, func(q *modelQueue, now time.Time) func(*engine.ReceiveResult) {
			groups := make(map[string]int)
			for _, msg := range q.messages {
				if msg.place == inFlight {
					groups[msg.Group]++
				}
			}
			added := make(map[*modelMessage]bool)
			for _, group := range more(groups) {
				msg := &modelMessage{Message: engine.Message{Group: group}, sent: now, place: inFlight, due: now.Add(time.Hour)}
				added[msg] = true
				q.messages = append(q.messages, msg)
			}
			return func(*engine.ReceiveResult) {
				q.messages = slices.DeleteFunc(q.messages, func(msg *modelMessage) bool { return added[msg] })
			}
		})
	}
	return []brokenStore{
		{"NeverNoisy", "Fair", true, func(b *bent) { rename(b, func(*modelMessage) string { return "" }) }},
		{"PlainIsNoisy", "Fair", true, func(b *bent) { rename(b, func(msg *modelMessage) string { return msg.Group + "x" }) }},
		{"NoisyFromTwentyNine", "Fair", false, func(b *bent) {
			held(b, func(groups map[string]int) (all []string) {
				for group, n := range groups {
					if n == noisyHeld-1 {
						all = append(all, group)
					}
				}
				return all
			})
		}},
		{"NoisyFromThirtyOne", "Fair", false, func(b *bent) {
			rename(b, func(msg *modelMessage) string { return msg.Group })
			onStandard(b, func(q *modelQueue, now time.Time) func(*engine.ReceiveResult) {
				groups, was := make(map[string]int), make(map[*modelMessage]string)
				for _, msg := range q.messages {
					if groups[msg.Group]++; msg.place == inFlight && groups[msg.Group] == 1 {
						was[msg] = msg.Group
						msg.Group = ""
					}
				}
				return func(*engine.ReceiveResult) {
					for msg, group := range was {
						msg.Group = group
					}
				}
			})
		}},
		{"NoisyAtATenth", "Fair", false, func(b *bent) {
			held(b, func(groups map[string]int) (all []string) {
				total := 0
				for _, n := range groups {
					total += n
				}
				for group, n := range groups {
					if group != "" && n >= noisyHeld && n*noisyShare == total {
						all = append(all, group)
					}
				}
				return all
			})
		}},
		{"NoisyWhateverTheShare", "Fair", false, func(b *bent) {
			held(b, func(groups map[string]int) (all []string) {
				total := 0
				for _, n := range groups {
					total += n
				}
				for group, n := range groups {
					if group != "" && n >= noisyHeld {
						all = append(all, slices.Repeat([]string{group}, total)...)
					}
				}
				return all
			})
		}},
		{"NoisyForGood", "Fair", true, func(b *bent) {
			once := make(map[string]bool)
			held(b, func(groups map[string]int) (all []string) {
				total := 0
				for group, n := range groups {
					total += n
					if group != "" && n >= noisyHeld && n*noisyShare > total {
						once[group] = true
					}
				}
				for group := range once {
					all = append(all, slices.Repeat([]string{group}, noisyHeld+total)...)
				}
				return all
			})
		}},
		{"NoisyNotServed", "Fair", true, func(b *bent) {
			onStandard(b, func(q *modelQueue, now time.Time) func(*engine.ReceiveResult) {
				noisy := q.noisy(now)
				var hidden []*modelMessage
				for _, msg := range q.messages {
					if noisy[msg.Group] && msg.place == visible {
						msg.place, msg.due = delayed, now.Add(time.Hour)
						hidden = append(hidden, msg)
					}
				}
				return func(*engine.ReceiveResult) {
					for _, msg := range hidden {
						msg.place, msg.due = visible, now
					}
				}
			})
		}},
		{"RestartForgetsGroups", "ReopenFIFO", true, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					for _, msg := range q.messages {
						if q.Kind == engine.Standard && msg.place == inFlight {
							msg.Group = ""
						}
					}
				}
			}
		}},
	}
}
