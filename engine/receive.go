package engine

import (
	"context"
	"time"
)

// Receive claims up to Max messages. With a Wait it waits for a first one until
// the wait is over, the context ends, its queue is deleted or the engine
// drains; a result without messages is no error. While the in-flight limit
// leaves no room, a waiting receive waits for room and one without a Wait fails
// with InFlightLimit. Other errors as for [Store].
//
// Messages that were claimed for a context that ended are given back as if
// they had not been received.
func (e *Engine) Receive(ctx context.Context, p ReceiveParams) (ReceiveResult, error) {
	if p.Wait <= 0 || !e.park() {
		return e.receiveNow(ctx, p)
	}
	defer func() { <-e.parked }()

	x := e.wakeups.join(p.Queue, p.Max)
	more := false
	defer func() { e.wakeups.leave(x, more) }()
	over := e.clock.NewTimer(e.clock.Now().Add(p.Wait))
	defer over.Stop()
	for {
		if !e.wakeups.look(x) {
			return ReceiveResult{}, &Error{Code: QueueNotFound, Text: "the queue was deleted while a receive waited on it"}
		}
		res, err := e.claim(ctx, p)
		if err != nil || len(res.Messages) > 0 {
			// A look that failed has used up its wake, so it passes it on.
			more = res.More || err != nil
			return res, err
		}
		e.wakeups.wait(x, res.NextDue)
		select {
		case <-x.wake:
		case <-ctx.Done():
			return ReceiveResult{}, ctx.Err()
		case <-over.C():
			// What came together with the end is still in time.
			res, err := e.claim(ctx, p)
			more = res.More || err != nil
			return res, err
		case <-e.wakeups.drained:
			return res, nil
		}
	}
}

// park takes a place among the waiting; false when all are taken or the engine
// drains.
func (e *Engine) park() bool {
	select {
	case <-e.wakeups.drained:
		return false
	default:
	}
	select {
	case e.parked <- struct{}{}:
		return true
	default:
		return false
	}
}

// receiveNow looks once.
func (e *Engine) receiveNow(ctx context.Context, p ReceiveParams) (ReceiveResult, error) {
	res, err := e.claim(ctx, p)
	if err == nil && res.Limited && p.Wait <= 0 {
		return ReceiveResult{}, &Error{Code: InFlightLimit, Text: "too many messages of the queue are in flight"}
	}
	return res, err
}

// claim receives from the store and seals the handles. Claims for a context
// that ended meanwhile are undone.
func (e *Engine) claim(ctx context.Context, p ReceiveParams) (ReceiveResult, error) {
	res, err := e.store.Receive(ctx, p)
	if err != nil {
		return ReceiveResult{}, err
	}
	if res.Sweep {
		e.sweeper.kick()
	}
	if err := ctx.Err(); err != nil && len(res.Messages) > 0 {
		if undo := e.Release(context.WithoutCancel(ctx), p.Queue, res.Messages); undo != nil {
			return ReceiveResult{}, undo
		}
		return ReceiveResult{}, err
	}
	for i := range res.Messages {
		res.Messages[i].Handle = e.sealer.seal(res.Messages[i].Ref)
	}
	return res, nil
}

// releaseTimeout bounds the undoing of a receive whose caller is gone.
const releaseTimeout = 10 * time.Second

// Release undoes a receive whose answer never reached its caller: what is
// still held by it becomes visible again in its old place, with the receive
// count that it had before.
func (e *Engine) Release(ctx context.Context, queue QueueID, deliveries []Delivery) error {
	ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
	defer cancel()
	refs := make([]Ref, len(deliveries))
	for i, d := range deliveries {
		refs[i] = d.Ref
	}
	return e.store.Release(ctx, queue, refs)
}
