package storetest

import (
	"time"

	"queues/engine"
)

const (
	// noisyHeld is how many messages a noisy group has in flight at least.
	noisyHeld = 30
	// noisyShare: it has more than one in so many of the queue's.
	noisyShare = 10
)

// noisy gives the groups of a standard queue whose messages go last.
func (q *modelQueue) noisy(now time.Time) map[string]bool {
	held, total := make(map[string]int), 0
	for _, msg := range q.messages {
		if msg.place == inFlight && !q.over(msg, now) {
			held[msg.Group]++
			total++
		}
	}
	noisy := make(map[string]bool)
	for group, n := range held {
		noisy[group] = q.Kind == engine.Standard && group != "" && n >= noisyHeld && n*noisyShare > total
	}
	return noisy
}
