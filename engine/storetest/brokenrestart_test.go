package storetest

import (
	"time"

	"queues/engine"
)

// restartFaults are faults in what a restart brings back.
func restartFaults() []brokenStore {
	// each bends every message after a restart.
	each := func(bend func(q *modelQueue, msg *modelMessage)) func(*bent) {
		return func(b *bent) {
			b.reopened = func(m *Model) {
				for _, q := range m.world.queues {
					for _, msg := range q.messages {
						bend(q, msg)
					}
				}
			}
		}
	}
	store := func(bend func(w *world)) func(*bent) {
		return func(b *bent) { b.reopened = func(m *Model) { bend(m.world) } }
	}
	return []brokenStore{
		{"RestartFreesWhatIsHeld", "Reopen", true, each(func(_ *modelQueue, msg *modelMessage) {
			if msg.place == inFlight {
				msg.place = visible
			}
		})},
		{"RestartEndsDelays", "Reopen", true, each(func(_ *modelQueue, msg *modelMessage) {
			if msg.place == delayed {
				msg.place = visible
			}
		})},
		{"RestartForgetsReceives", "Reopen", true, each(func(_ *modelQueue, msg *modelMessage) { msg.receives = min(msg.receives, 1) })},
		{"RestartForgetsTheFirstReceive", "Reopen", true, each(func(_ *modelQueue, msg *modelMessage) {
			if !msg.first.IsZero() {
				msg.first = msg.first.Add(time.Second)
			}
		})},
		{"RestartForgetsAttributes", "Reopen", true, each(func(_ *modelQueue, msg *modelMessage) { msg.Attributes = nil })},
		{"RestartRoundsTimes", "Reopen", true, each(func(_ *modelQueue, msg *modelMessage) { msg.sent = msg.sent.Truncate(time.Second) })},
		{"RestartReversesTheOrder", "Reopen", true, each(func(_ *modelQueue, msg *modelMessage) { msg.sequence = 1<<40 - msg.sequence })},
		{"RestartForgetsRefs", "Reopen", true, store(func(w *world) { clear(w.refs) })},
		{"RestartForgetsTags", "Reopen", true, store(func(w *world) {
			for _, q := range w.queues {
				q.Tags = nil
			}
		})},
		{"RestartForgetsRedrive", "Reopen", false, store(func(w *world) {
			for _, q := range w.queues {
				q.Redrive = nil
			}
		})},
		{"RestartForgetsDeletions", "Reopen", false, store(func(w *world) { clear(w.deleted) })},
		{"RestartForgetsPurges", "Reopen", false, store(func(w *world) {
			for _, q := range w.queues {
				q.purged = time.Time{}
			}
		})},
		{"RestartChangesTheSecret", "Reopen", false, store(func(w *world) { w.secret[0]++ })},
		{"RestartForgetsTheTime", "Reopen", false, store(func(w *world) { w.latest = time.Time{} })},
		{"RestartRewindsTheSequence", "Reopen", false, store(func(w *world) {
			for _, q := range w.queues {
				q.sequence = uint64(len(q.messages))
			}
		})},
		{"RestartBringsBackTheRemoved", "Reopen", true, func(b *bent) {
			b.closing = func() {
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for ref, r := range b.world.refs {
					if q := b.world.queues[r.queue]; q != nil && b.message(q, ref) == nil {
						q.messages = append(q.messages, &modelMessage{
							Message: engine.Message{ID: r.message, Body: "removed"}, sent: b.clock.Now(),
						})
						return
					}
				}
			}
		}},
		{"CloseLosesTheLastSend", "Concurrent", true, func(b *bent) {
			b.closing = func() {
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for _, q := range b.world.queues {
					q.messages = q.messages[:max(0, len(q.messages)-1)]
				}
			}
		}},
	}
}
