package storetest

import (
	"time"

	"queues/engine"
)

// walkAttempts are receives that the walk repeats: one id always asks for the
// same.
var walkAttempts = map[string]struct {
	most    int
	timeout time.Duration
}{
	"x": {3, 30 * time.Second},
	"y": {10, 2 * time.Minute},
	"z": {1, time.Second},
}

// tryAttempt gives a receive an attempt id, unless the contract leaves open
// whether its window is over: it is, counted from the first receive, and is
// not, counted from the last repetition.
func (w *walk) tryAttempt(q *walkQueue, p *engine.ReceiveParams) {
	id := pick(w, "x", "y", "z")
	mq := w.model.world.queues[q.model]
	if mq == nil {
		return
	}
	now := w.e.clock.Now()
	for _, known := range []string{"x", "y", "z"} {
		if mq.repeated(known, now) != nil && w.chance(2) {
			id = known
		}
	}
	at, known := mq.attempts[id]
	if known && now.Sub(at.at) >= engine.AttemptWindow && now.Sub(q.repeated[id]) < engine.AttemptWindow {
		return
	}
	timeout := walkAttempts[id].timeout
	p.AttemptID, p.Max, p.Visibility = id, walkAttempts[id].most, &timeout
}

// repeat makes a receive again that can be repeated.
func (w *walk) repeat() {
	q := w.queue()
	if q == nil || q.kind != engine.FIFO {
		return
	}
	timeout := time.Minute
	p := engine.ReceiveParams{Max: 10, Visibility: &timeout}
	if w.tryAttempt(q, &p); p.AttemptID != "" && w.receive(q, p) > 0 && w.chance(2) {
		w.e.clock.Advance(pick(w, time.Millisecond, 500*time.Millisecond))
		w.receive(q, p)
	}
}

// redrives says whether a queue has a rule about dead letters. What the
// in-flight limit means to those is open.
func (w *walk) redrives(q *walkQueue) bool {
	mq := w.model.world.queues[q.model]
	return mq != nil && mq.Redrive != nil
}

// quieten asks for a single message where a larger receive would make a group
// noisy on its way: whether that counts at once is open.
func (w *walk) quieten(q *walkQueue, p *engine.ReceiveParams) {
	mq := w.model.world.queues[q.model]
	if mq == nil || mq.Kind == engine.FIFO {
		return
	}
	held := make(map[string]int)
	for _, msg := range mq.messages {
		if msg.place == inFlight {
			held[msg.Group]++
		}
	}
	for group, n := range held {
		if group != "" && n < noisyHeld && n+p.Max >= noisyHeld {
			p.Max = 1
		}
	}
	if p.Max >= noisyHeld {
		p.Max = noisyHeld - 1
	}
}

// crowd makes a group noisy, or nearly so.
func (w *walk) crowd() {
	q := w.queue()
	if q == nil || q.kind == engine.FIFO || w.size(q) > maxWalkMessages/2 {
		return
	}
	group := pick(w, "g", "h")
	for range 32 {
		n := w.newMessage(q)
		n.Group, n.Delay = group, nil
		w.sendAll(q, []engine.NewMessage{n})
	}
	hour := time.Hour
	for _, most := range []int{noisyHeld - 1, 1, 1} {
		w.receive(q, engine.ReceiveParams{Max: most, Visibility: &hour})
	}
}

// released says whether a message of a FIFO queue was received and given back
// as if it had not been. Whether a longer delay hides it again is open.
func (w *walk) released(q *walkQueue) bool {
	mq := w.model.world.queues[q.model]
	if mq == nil || mq.Kind != engine.FIFO {
		return false
	}
	for _, msg := range mq.messages {
		if msg.receives == 0 && msg.ref != "" {
			return true
		}
	}
	return false
}

// delayedAgain says whether the release of a delivery would meet a delay that
// has become longer since. What that does is open too.
func (w *walk) delayedAgain(q *walkQueue, h walkHandle) bool {
	mq, msg := w.model.world.queues[q.model], w.message(h)
	return mq != nil && msg != nil && mq.Kind == engine.FIFO && w.e.clock.Now().Before(msg.sent.Add(mq.Delay))
}
