package sqlite

import (
	"context"

	"github.com/google/uuid"

	"queues/engine"
)

const (
	insertMessagesSQL   = `INSERT INTO messages (id, queue, fresh, arrived, grp, meta, body) VALUES `
	insertMessageParams = `(?, ?, ?, ?, ?, ?, ?)`
	holdMessageSQL      = `INSERT INTO deliveries (id, queue, state, due, stamp, receives, grp) VALUES (?, ?, ?, ?, 0, 0, ?)`
)

// Send stores messages in their order.
func (s *Store) Send(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	// The message is packed here: the writer's time is everybody's.
	c := &send{queue: p.Queue, sent: make([]engine.Sent, len(p.Messages))}
	c.messages = c.one[:]
	if len(p.Messages) != 1 {
		c.messages = make([]packedMessage, len(p.Messages))
	}
	for i := range p.Messages {
		m := &p.Messages[i]
		if m.ID == (engine.MessageID{}) {
			id, err := uuid.NewRandom()
			if err != nil {
				return nil, &engine.Error{Code: engine.Internal, Text: "no random bytes for a message id", Err: err}
			}
			m.ID = engine.MessageID(id)
		}
		meta := encodeMeta(&m.Message)
		c.messages[i] = packedMessage{id: m.ID, meta: meta, body: m.Body, group: m.Group, dedup: m.Dedup, delay: -1}
		if m.Delay != nil {
			c.messages[i].delay = spanMS(*m.Delay)
		}
		c.bytes += len(meta) + len(m.Body)
	}
	c.name, c.brief = "a send", true
	c.run = func(t *tx) error { return t.send(c.queue, c.messages, c.sent) }
	if err := s.do(ctx, &c.request); err != nil {
		return nil, err
	}
	return c.sent, nil
}

// send is a request with what it works on, and room for the one message that
// most have.
type send struct {
	request
	queue    engine.QueueID
	messages []packedMessage
	sent     []engine.Sent
	one      [1]packedMessage
}

// packedMessage is a message ready to be written: meta and body are arguments
// of the statement. The delay is -1 for the queue's.
type packedMessage struct {
	id    engine.MessageID
	meta  any
	body  any
	group string
	dedup string
	delay int64
}

func (t *tx) send(id engine.QueueID, messages []packedMessage, sent []engine.Sent) error {
	q, err := t.queue(id)
	if err != nil {
		return err
	}
	if err := t.room(); err != nil {
		return err
	}
	if q.fifo() {
		return t.sendFIFO(q, messages, sent)
	}
	queueDelay, epoch := spanMS(q.snapshot.Delay), any(q.epoch)
	for i := range messages {
		m := &messages[i]
		sequence := t.w.nextID
		t.w.nextID++
		sent[i] = engine.Sent{ID: m.id, Sequence: uint64(sequence)}
		delay := m.delay
		if delay < 0 {
			delay = queueDelay
		}
		isFresh := int64(1)
		switch {
		case m.group != "":
			isFresh = 0
			if err := t.sendToGroup(q, m.group, sequence, delay); err != nil {
				return err
			}
		case delay > 0:
			isFresh = 0
			due := t.now + delay
			if err := t.runNow(t.w.holdMessage, nil, sequence, q.epoch, int64(delayed), due, nil); err != nil {
				return err
			}
			t.due(q, due)
			q.count[delayed]++
		default:
			t.ready(q, 1)
			q.count[fresh]++
		}
		t.add(t.w.insertMessages, sequence, epoch, isFresh, t.nowArg, nil, m.meta, m.body)
	}
	if len(messages) > 0 {
		q.nextExpiry = min(q.nextExpiry, t.now+spanMS(q.snapshot.Retention))
	}
	return nil
}
