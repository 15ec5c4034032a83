package storetest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

// keptReturns is how many returns leave a message its place.
const keptReturns = 2

// Send stores messages.
func (m *Model) Send(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return nil, err
	}
	report := engine.Report{Queue: q.ID}
	sent := make([]engine.Sent, 0, len(p.Messages))
	for _, n := range p.Messages {
		q.sequence++
		msg := &modelMessage{Message: copyMessage(n.Message), sequence: q.sequence, sent: now}
		if msg.ID == (engine.MessageID{}) {
			msg.ID = engine.MessageID(uuid.New())
		}
		delay := q.Delay
		if n.Delay != nil {
			delay = *n.Delay
		}
		if delay > 0 {
			msg.place, msg.due = delayed, now.Add(delay)
			report.Due = earlier(report.Due, msg.due)
		} else {
			report.Ready++
		}
		q.messages = append(q.messages, msg)
		sent = append(sent, engine.Sent{ID: msg.ID, Sequence: msg.sequence})
	}
	m.tell(report)
	return sent, nil
}

// copyMessage gives a copy that shares nothing that can be changed.
func copyMessage(msg engine.Message) engine.Message {
	msg.Attributes = slices.Clone(msg.Attributes)
	for i := range msg.Attributes {
		msg.Attributes[i].Value = slices.Clone(msg.Attributes[i].Value)
	}
	return msg
}

// Receive claims visible messages.
func (m *Model) Receive(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return engine.ReceiveResult{}, err
	}
	report := engine.Report{Queue: q.ID, Ready: m.settle(q, now)}
	timeout := q.VisibilityTimeout
	if p.Visibility != nil {
		timeout = *p.Visibility
	}

	offered, held := m.offer(q, now)
	n := min(p.Max, len(offered))
	room := int64(n)
	if p.InFlightLimit > 0 {
		room = max(0, p.InFlightLimit-int64(held))
		n = min(n, int(room))
	}

	var result engine.ReceiveResult
	for _, msg := range offered[:n] {
		result.Messages = append(result.Messages, m.deliver(q, msg, now, timeout))
	}
	result.More = n < len(offered) && (p.InFlightLimit == 0 || int64(n) < room)
	result.Limited = len(offered) > 0 && p.InFlightLimit > 0 && room == 0
	if n < p.Max {
		result.NextDue = q.next(now)
	}
	if n > 0 && timeout > 0 {
		report.Due = now.Add(timeout)
	}
	m.tell(report)
	return result, nil
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
	slices.SortStableFunc(offered, func(a, b *modelMessage) int {
		switch aLast, bLast := a.receives > keptReturns, b.receives > keptReturns; {
		case aLast != bLast && aLast:
			return 1
		case aLast != bLast:
			return -1
		case aLast && m.rank != nil:
			return cmp.Or(cmp.Compare(m.rank(a.ID), m.rank(b.ID)), cmp.Compare(a.sequence, b.sequence))
		}
		return cmp.Compare(a.sequence, b.sequence)
	})
	return offered, held
}

// deliver makes one receive of a message.
func (m *Model) deliver(q *modelQueue, msg *modelMessage, now time.Time, timeout time.Duration) engine.Delivery {
	m.world.deliveries++
	msg.delivery = m.world.deliveries
	msg.receives++
	if msg.receives == 1 {
		msg.first = now
	}
	msg.before, msg.last = msg.last, now
	msg.hide(now, timeout)

	ref := engine.Ref(uuid.NewString())
	m.world.refs[ref] = modelRef{queue: q.ID, message: msg.ID, delivery: msg.delivery}
	return engine.Delivery{
		Message:       copyMessage(msg.Message),
		Ref:           ref,
		Sequence:      msg.sequence,
		Sent:          msg.sent,
		FirstReceived: msg.first,
		Receives:      msg.receives,
		Deadline:      msg.due,
	}
}

// hide puts a message in flight for the timeout, or makes it visible when that
// is zero.
func (msg *modelMessage) hide(now time.Time, timeout time.Duration) {
	msg.place, msg.due = visible, now.Add(timeout)
	if timeout > 0 {
		msg.place = inFlight
	}
}
