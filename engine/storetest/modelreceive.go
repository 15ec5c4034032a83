package storetest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

const (
	// keptReturns is how many returns leave a message its place.
	keptReturns = 2
	// maxDeadLetters is how many messages one receive moves away, and one step of
	// a sweep of what a receive has left.
	maxDeadLetters = 100
)

// Receive claims visible messages.
func (m *Model) Receive(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return engine.ReceiveResult{}, err
	}
	reports := []engine.Report{m.settled(q, now)}
	timeout := q.VisibilityTimeout
	if p.Visibility != nil {
		timeout = *p.Visibility
	}

	offered, held := m.offer(q, now)
	room := p.Max
	if p.InFlightLimit > 0 {
		room = int(max(0, min(int64(room), p.InFlightLimit-int64(held))))
	}
	taken := q.repeated(p.AttemptID, now)
	rest := offered
	var result engine.ReceiveResult
	if taken != nil {
		for _, msg := range taken {
			msg.hide(now, timeout)
			result.Messages = append(result.Messages, msg.delivered())
		}
	} else {
		var dead []*modelMessage
		for len(rest) > 0 && len(taken) < room {
			msg := rest[0]
			if m.deadLetters(q, msg) != nil {
				if len(dead) == maxDeadLetters {
					q.spent, rest = true, m.passBy(q, rest)
					continue
				}
				rest = rest[1:]
				dead = append(dead, msg)
				continue
			}
			rest = rest[1:]
			taken = append(taken, msg)
			result.Messages = append(result.Messages, m.deliver(q, msg, now, timeout))
		}
		if len(dead) > 0 {
			target := m.deadLetters(q, dead[0])
			reports = append(reports, m.bury(q, target, dead, now))
			if target == q {
				rest = append(rest, q.messages[len(q.messages)-len(dead):]...)
			}
		}
		q.remember(p.AttemptID, taken, now)
		q.served(taken, timeout, now)
	}

	full := p.InFlightLimit > 0 && int64(len(taken)+held) >= p.InFlightLimit
	result.More = !full && q.goesOn(rest, taken, timeout)
	result.Limited = len(offered) > 0 && p.InFlightLimit > 0 && room == 0
	if len(taken) < p.Max {
		result.NextDue = q.next(now)
	}
	if len(taken) > 0 && timeout > 0 {
		reports[0].Due = now.Add(timeout)
	}
	m.tell(reports...)
	return result, nil
}

// passBy gives what can be received of the offered when nothing more may move: on
// a FIFO queue what must move holds back its group.
func (m *Model) passBy(q *modelQueue, offered []*modelMessage) (left []*modelMessage) {
	held := make(map[string]bool)
	for _, msg := range offered {
		switch {
		case m.deadLetters(q, msg) != nil:
			held[msg.Group] = true
		case q.Kind != engine.FIFO || !held[msg.Group]:
			left = append(left, msg)
		}
	}
	return left
}

// goOn moves what receives have left, one step's worth, and tells whether there
// is more.
func (m *Model) goOn(q *modelQueue, now time.Time) (more bool) {
	if !q.spent {
		return false
	}
	var dead []*modelMessage
	held := make(map[string]bool)
	offered, _ := m.offer(q, now)
	for _, msg := range offered {
		switch spent := m.deadLetters(q, msg) != nil; {
		case !spent:
			held[msg.Group] = q.Kind == engine.FIFO
		case !held[msg.Group] && len(dead) < maxDeadLetters:
			dead = append(dead, msg)
		}
	}
	if q.spent = len(dead) == maxDeadLetters; len(dead) > 0 {
		m.tell(m.bury(q, m.deadLetters(q, dead[0]), dead, now))
	}
	return q.spent
}

// offer gives the visible messages in the order they are to be received, and
// how many are in flight.
func (m *Model) offer(q *modelQueue, now time.Time) (offered []*modelMessage, held int) {
	for _, msg := range q.messages {
		switch {
		case q.over(msg, now):
		case msg.place == visible:
			offered = append(offered, msg)
		case msg.place == inFlight:
			held++
		}
	}
	if q.Kind == engine.FIFO {
		return q.inLine(m.rank, now), held
	}
	noisy := q.noisy(now)
	slices.SortStableFunc(offered, func(a, b *modelMessage) int {
		if aLast, bLast := m.last(a, noisy), m.last(b, noisy); aLast != bLast {
			return aLast - bLast
		}
		return m.older(a, b)
	})
	return offered, held
}

// last gives how far back the noise of a message's group puts it.
func (m *Model) last(msg *modelMessage, noisy map[string]bool) int {
	switch {
	case m.returnedLast && msg.here > keptReturns:
		return 2
	case noisy[msg.Group]:
		return 1
	}
	return 0
}

// older compares the places of two messages of a standard queue, but for the
// noise of their groups.
func (m *Model) older(a, b *modelMessage) int {
	aLast, bLast := a.here > keptReturns, b.here > keptReturns
	aPlace, bPlace := cmp.Or(a.batch, a.sequence), cmp.Or(b.batch, b.sequence)
	switch {
	case aLast != bLast && aLast:
		return 1
	case aLast != bLast:
		return -1
	case m.rank != nil && (aLast || aPlace == bPlace):
		return cmp.Or(cmp.Compare(m.rank(a), m.rank(b)), cmp.Compare(a.sequence, b.sequence))
	}
	return cmp.Or(cmp.Compare(aPlace, bPlace), cmp.Compare(a.sequence, b.sequence))
}

// served brings the line of groups up to date after a receive.
func (q *modelQueue) served(taken []*modelMessage, timeout time.Duration, now time.Time) {
	if q.Kind != engine.FIFO {
		return
	}
	q.between(q.turn(now), now)
	if timeout > 0 {
		return
	}
	var groups []string
	for _, msg := range taken {
		if !slices.Contains(groups, msg.Group) {
			groups = append(groups, msg.Group)
		}
	}
	q.serve(groups, now)
}

// goesOn says whether more can be received right after a receive that left the
// rest of what was offered. A group that was served is locked.
func (q *modelQueue) goesOn(rest, taken []*modelMessage, timeout time.Duration) bool {
	return slices.ContainsFunc(rest, func(msg *modelMessage) bool {
		return q.Kind != engine.FIFO || timeout == 0 ||
			!slices.ContainsFunc(taken, func(t *modelMessage) bool { return t.Group == msg.Group })
	})
}

// deliver makes one receive of a message.
func (m *Model) deliver(q *modelQueue, msg *modelMessage, now time.Time, timeout time.Duration) engine.Delivery {
	m.world.deliveries++
	msg.delivery = m.world.deliveries
	msg.receives++
	msg.here++
	if msg.receives == 1 {
		msg.first = now
	}
	msg.before, msg.last = msg.last, now
	msg.touched = false
	msg.hide(now, timeout)

	msg.ref = engine.Ref(uuid.NewString())
	m.world.refs[msg.ref] = modelRef{queue: q.ID, message: msg.ID, arrival: msg.arrival, delivery: msg.delivery}
	return msg.delivered()
}

// delivered gives the last receive of a message.
func (msg *modelMessage) delivered() engine.Delivery {
	return engine.Delivery{
		Message:       copyMessage(msg.Message),
		Ref:           msg.ref,
		Sequence:      msg.sequence,
		Sent:          msg.sent,
		FirstReceived: msg.first,
		Receives:      msg.receives,
		Source:        msg.source,
		Deadline:      msg.due,
	}
}
