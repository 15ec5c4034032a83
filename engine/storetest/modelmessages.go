package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

// Send stores messages.
func (m *Model) Send(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return nil, err
	}
	report := m.settled(q, now)
	sent := make([]engine.Sent, 0, len(p.Messages))
	turns := make(map[string]modelTurn)
	for _, n := range p.Messages {
		if before, again := q.sentBefore(n.Message, now); again {
			sent = append(sent, engine.Sent{ID: before.id, Sequence: before.sequence, Duplicate: true})
			continue
		}
		msg := m.arrive(q, copyMessage(n.Message), now)
		delay := q.Delay
		if n.Delay != nil && q.Kind != engine.FIFO {
			delay = *n.Delay
		}
		q.postpone(msg, delay, &report, now)
		q.sends[q.dedupKey(msg.Message)] = modelSend{msg.ID, msg.sequence, now}
		sent = append(sent, engine.Sent{ID: msg.ID, Sequence: msg.sequence})
		if _, known := turns[msg.Group]; !known {
			turns[msg.Group] = q.turn(now)
		}
	}
	if q.Kind == engine.FIFO {
		q.line(now, func(_ *modelGroup, head *modelMessage) (earliest, latest modelTurn) {
			return turns[head.Group], turns[head.Group]
		})
	}
	m.tell(report)
	return sent, nil
}

// arrive puts a message at the end of a queue, visible and not received yet.
func (m *Model) arrive(q *modelQueue, content engine.Message, now time.Time) *modelMessage {
	q.sequence++
	m.world.arrivals++
	msg := &modelMessage{Message: content, sequence: q.sequence, sent: now, arrival: m.world.arrivals}
	if msg.ID == (engine.MessageID{}) {
		msg.ID = engine.MessageID(uuid.New())
	}
	q.messages = append(q.messages, msg)
	return msg
}

// postpone delays a message that has just arrived.
func (q *modelQueue) postpone(msg *modelMessage, delay time.Duration, report *engine.Report, now time.Time) {
	msg.due = now.Add(delay)
	if delay > 0 {
		msg.place = delayed
		report.Due = earlier(report.Due, msg.due)
	} else {
		report.Ready++
	}
}

// remove takes a message out of a queue.
func (q *modelQueue) remove(msg *modelMessage) {
	q.messages = slices.DeleteFunc(q.messages, func(other *modelMessage) bool { return other == msg })
}

// copyMessage gives a copy that shares nothing that can be changed.
func copyMessage(msg engine.Message) engine.Message {
	msg.Attributes = slices.Clone(msg.Attributes)
	for i := range msg.Attributes {
		msg.Attributes[i].Value = slices.Clone(msg.Attributes[i].Value)
	}
	return msg
}

// hide puts a message in flight for the timeout, or makes it visible when that
// is zero.
func (msg *modelMessage) hide(now time.Time, timeout time.Duration) {
	msg.place, msg.due = visible, now.Add(timeout)
	if timeout > 0 {
		msg.place = inFlight
	}
}
