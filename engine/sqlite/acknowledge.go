package sqlite

import (
	"context"
	"slices"

	"queues/engine"
)

const (
	acknowledgeSQL = `DELETE FROM deliveries WHERE id = ? AND queue = ? AND stamp = ? AND receives > 0
		RETURNING state, grp`
	acknowledgeUnexpiredSQL = `DELETE FROM deliveries WHERE id = ? AND queue = ? AND stamp = ? AND receives > 0
		AND state = 2 AND due > ? RETURNING state, grp`
	ofGroupSQL        = `, (SELECT grp FROM messages AS m WHERE m.id = deliveries.id)`
	removeMessagesSQL = `DELETE FROM messages WHERE id IN (`
	readDeliverySQL   = `SELECT state, due, stamp, receives, received, grp FROM deliveries WHERE id = ? AND queue = ?`
)

// Acknowledge removes received messages.
func (s *Store) Acknowledge(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	p.Refs = slices.Clone(p.Refs)
	outcomes := make([]error, len(p.Refs))
	err := s.do(ctx, &request{name: "an acknowledgement", brief: true, run: func(t *tx) error {
		q, err := t.queue(p.Queue)
		if err != nil {
			return err
		}
		if err := t.catchUp(q); err != nil {
			return err
		}
		for i, ref := range p.Refs {
			if outcomes[i], err = t.acknowledge(q, ref, p); err != nil {
				return err
			}
		}
		return t.putRight(q)
	}})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

// acknowledge removes one message, or gives the outcome that it has instead.
func (t *tx) acknowledge(q *queue, ref engine.Ref, p engine.AcknowledgeParams) (outcome, err error) {
	r, refused := q.resolve(ref)
	if refused != nil {
		return refused, nil
	}
	if over, err := t.isOver(q, r.id); over || err != nil {
		return errExpired(), err
	}
	// Most references are good, so it tries first and asks afterwards.
	removed, err := t.removeDelivery(q, r, p.RefuseExpired)
	if removed || err != nil {
		return nil, err
	}
	d, err := t.delivery(q, r)
	if err != nil {
		return nil, err
	}
	if mayAct, outcome := d.judge(r, t.w.staleRule(r, p.Stale), p.RefuseExpired, t.now); !mayAct {
		return outcome, nil
	}
	r.stamp = d.stamp
	_, err = t.removeDelivery(q, r, false)
	return nil, err
}

// removeDelivery removes a message with its delivery row, when the reference
// is its latest.
func (t *tx) removeDelivery(q *queue, r reference, unexpired bool) (removed bool, err error) {
	number := int64(0)
	take := func(row row) error {
		state := class(row.int(0))
		if q.fifo() {
			number = row.int(2)
		}
		t.remove(r.id)
		t.touch(q)
		t.noteGroup(q, row.int(1), state, nowhere)
		q.count[q.classOf(r.id, state)]--
		if state == inFlight && q.visible() > 0 {
			t.ready(q, 1) // room under an in-flight limit
		}
		removed = true
		return nil
	}
	// The rows that wait to be removed are of other messages, so they may wait
	// on; those that wait to be inserted have never been received.
	remove, removeUnexpired := t.w.acknowledge, t.w.acknowledgeUnexpired
	if q.fifo() {
		remove, removeUnexpired = t.w.acknowledgeMember, t.w.acknowledgeMemberUnexpired
	}
	if unexpired {
		err = t.runNow(removeUnexpired, take, r.id, q.epoch, r.stamp, t.now)
	} else {
		err = t.runNow(remove, take, r.id, q.epoch, r.stamp)
	}
	if err != nil || !removed {
		return false, err
	}
	if err := t.forgetMoved(q, r.id); err != nil || !q.fifo() {
		return true, err
	}
	return true, t.shifted(number, r.id)
}

// resolve reads a reference, or gives the outcome that it has without a look
// at the message.
func (q *queue) resolve(ref engine.Ref) (reference, error) {
	r, ok := decodeRef(ref)
	switch {
	case !ok:
		return r, &engine.Error{Code: engine.InvalidReceipt, Text: "the reference is malformed"}
	case r.number != q.number:
		return r, &engine.Error{Code: engine.InvalidReceipt, Text: "the reference belongs to another queue"}
	case r.epoch != q.epoch:
		return r, &engine.Error{Code: engine.MessageGone, Text: "the message was purged"}
	case r.id <= q.cut:
		return r, errExpired()
	}
	return r, nil
}

// deliveryRow is what a delivery row says.
type deliveryRow struct {
	found                          bool
	state                          class
	due, stamp, receives, received int64
	group                          int64 // on a standard queue, zero for none
}

// delivery reads the row of a reference's message.
func (t *tx) delivery(q *queue, r reference) (deliveryRow, error) {
	var d deliveryRow
	if r.epoch != q.epoch || r.id <= q.cut {
		return d, nil
	}
	err := t.runNow(t.w.readDelivery, func(row row) error {
		d = deliveryRow{
			found: true, state: class(row.int(0)), due: row.int(1),
			stamp: row.int(2), receives: row.int(3), received: row.int(4), group: row.int(5),
		}
		return nil
	}, r.id, q.epoch)
	return d, err
}

// staleRule gives the rule for a reference if it turns out to be stale. One to a
// message that the store had when it was made of a copy may come from the
// original, where the same message went on after the copy was made: it may not
// act on what has been received here.
func (w *writer) staleRule(r reference, asked engine.StaleRule) engine.StaleRule {
	if r.id < w.renewed && asked == engine.StaleActs {
		return engine.StaleFails
	}
	return asked
}

// judge applies the rules for stale and expired references. One that may not
// act has an outcome instead.
func (d deliveryRow) judge(r reference, stale engine.StaleRule, refuseExpired bool, now int64) (mayAct bool, outcome error) {
	switch {
	case !d.found:
		return false, &engine.Error{Code: engine.MessageGone, Text: "the message is acknowledged or gone"}
	case d.stamp != r.stamp && stale == engine.StaleFails:
		return false, &engine.Error{Code: engine.StaleReceipt, Text: "the message was received again since"}
	case d.stamp != r.stamp && stale == engine.StaleIgnored:
		return false, nil
	case refuseExpired && (d.state != inFlight || d.due <= now):
		return false, &engine.Error{Code: engine.ExpiredReceipt, Text: "the deadline has passed"}
	}
	return true, nil
}
