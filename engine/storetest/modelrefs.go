package storetest

import (
	"context"
	"time"

	"queues/engine"
)

// lookup gives the message of a reference and whether the reference is its
// latest; or the error when it has none.
func (m *Model) lookup(q *modelQueue, ref engine.Ref, now time.Time) (msg *modelMessage, latest bool, err error) {
	r, ok := m.world.refs[ref]
	if !ok || r.queue != q.ID {
		return nil, false, fail(engine.InvalidReceipt, "the reference does not belong to the queue")
	}
	msg = q.find(r.arrival, now)
	if msg == nil {
		return nil, false, fail(engine.MessageGone, "the message is gone")
	}
	return msg, msg.delivery == r.delivery, nil
}

// resolve gives the message that a reference may act on, nil without an error
// when the rule says to do nothing.
func (m *Model) resolve(q *modelQueue, ref engine.Ref, rule engine.StaleRule, refuseExpired bool, now time.Time) (*modelMessage, error) {
	msg, latest, err := m.lookup(q, ref, now)
	if err != nil {
		return nil, err
	}
	if !latest {
		switch rule {
		case engine.StaleFails:
			return nil, fail(engine.StaleReceipt, "the message was received again")
		case engine.StaleIgnored:
			return nil, nil
		case engine.StaleActs:
		}
	}
	if refuseExpired && !now.Before(msg.due) {
		return nil, fail(engine.ExpiredReceipt, "the deadline has passed")
	}
	return msg, nil
}

// Release undoes receives.
func (m *Model) Release(ctx context.Context, queue engine.QueueID, refs []engine.Ref) error {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, queue)
	if err != nil {
		return err
	}
	report := m.settled(q, now)
	for _, ref := range refs {
		msg, latest, err := m.lookup(q, ref, now)
		if err != nil || !latest || msg.place != inFlight {
			continue
		}
		msg.place, msg.due = visible, now
		msg.delivery = 0
		msg.receives--
		msg.here--
		msg.last = msg.before
		if msg.receives == 0 {
			msg.first = time.Time{}
		}
		report.Ready++
	}
	m.relined(q, &report, modelTurn{}, now)
	m.tell(report)
	return nil
}

// Acknowledge removes received messages.
func (m *Model) Acknowledge(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return nil, err
	}
	report := m.settled(q, now)
	begin := q.turn(now)
	results := make([]error, len(p.Refs))
	for i, ref := range p.Refs {
		msg, err := m.resolve(q, ref, p.Stale, p.RefuseExpired, now)
		if err != nil || msg == nil {
			results[i] = err
			continue
		}
		if msg.place == inFlight {
			report.Ready++
		}
		q.remove(msg)
	}
	m.relined(q, &report, begin, now)
	m.tell(report)
	return results, nil
}

// ChangeVisibility sets new deadlines.
func (m *Model) ChangeVisibility(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return nil, err
	}
	report := m.settled(q, now)
	begin := q.turn(now)
	results := make([]error, len(p.Changes))
	for i, change := range p.Changes {
		msg, err := m.resolve(q, change.Ref, p.Stale, p.RefuseExpired, now)
		if err != nil || msg == nil {
			results[i] = err
			continue
		}
		deadline := now.Add(change.Timeout)
		if p.MaxTotal > 0 && change.Timeout > 0 && deadline.After(msg.last.Add(p.MaxTotal)) {
			results[i] = fail(engine.VisibilityLimit, "the message would be hidden too long")
			continue
		}
		msg.hide(now, change.Timeout)
		msg.touched = true
		if change.Timeout > 0 {
			report.Due = earlier(report.Due, deadline)
		} else {
			report.Ready++
		}
	}
	m.relined(q, &report, begin, now)
	m.tell(report)
	return results, nil
}
