package storetest

import (
	"time"

	"queues/engine"
)

// modelAttempt is a receive that can be repeated.
type modelAttempt struct {
	// at is when it was made.
	at      time.Time
	members []modelMember
}

// modelMember is one delivery of a receive that can be repeated.
type modelMember struct {
	arrival, delivery uint64
}

// repeated gives the messages of an earlier receive with the same attempt id
// when all of them are in flight and untouched; nil for none.
func (q *modelQueue) repeated(id string, now time.Time) []*modelMessage {
	attempt := q.attempts[id]
	if id == "" || q.Kind != engine.FIFO || now.Sub(attempt.at) >= engine.AttemptWindow {
		return nil
	}
	var all []*modelMessage
	for _, member := range attempt.members {
		msg := q.find(member.arrival, now)
		if msg == nil || msg.place != inFlight || msg.delivery != member.delivery || msg.touched {
			return nil
		}
		all = append(all, msg)
	}
	return all
}

// remember makes a receive that gave messages repeatable.
func (q *modelQueue) remember(id string, received []*modelMessage, now time.Time) {
	if id == "" || q.Kind != engine.FIFO || len(received) == 0 {
		return
	}
	attempt := modelAttempt{at: now}
	for _, msg := range received {
		attempt.members = append(attempt.members, modelMember{msg.arrival, msg.delivery})
	}
	q.attempts[id] = attempt
}
