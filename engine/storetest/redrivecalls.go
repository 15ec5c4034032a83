package storetest

import (
	"strings"
	"time"

	"queues/engine"
)

// withRedrive gives a new queue a target for what is received too often.
func withRedrive(target string, maxReceives int) func(*engine.CreateQueueParams) {
	return func(p *engine.CreateQueueParams) {
		p.Settings.Redrive = &engine.Redrive{Target: named(target), MaxReceives: maxReceives}
	}
}

// setRedrive changes the rule of a queue; zero receives for none.
func (e *env) setRedrive(q *engine.Queue, target string, maxReceives int) {
	e.t.Helper()
	e.update(q, func(q *engine.Queue) {
		q.Redrive = nil
		if maxReceives > 0 {
			q.Redrive = &engine.Redrive{Target: named(target), MaxReceives: maxReceives}
		}
	})
}

// look receives up to n messages with a timeout as the engine does: a receive
// that gave nothing and says that there is more is made again.
func (e *env) look(q *engine.Queue, n int, timeout time.Duration) []engine.Delivery {
	e.t.Helper()
	for range maxSweeps {
		r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: n, Visibility: &timeout})
		if len(r.Messages) > 0 || !r.More {
			return r.Messages
		}
	}
	e.t.Fatalf("a receive says that there is more and gives nothing, %d times", maxSweeps)
	return nil
}

// expectLook is look with the bodies that it must give, in this order.
func (e *env) expectLook(q *engine.Queue, n int, timeout time.Duration, bodies string) []engine.Delivery {
	e.t.Helper()
	got := e.look(q, n, timeout)
	if bodiesOf(got) != bodies {
		e.t.Fatalf("received %q, want %q", bodiesOf(got), bodies)
	}
	return got
}

// bury sends messages to a queue that moves them after their first receive,
// and has them received once too often. The queue must be empty.
func (e *env) bury(q *engine.Queue, bodies string) {
	e.t.Helper()
	if q.Kind == engine.FIFO {
		e.push(q, bodies)
	} else {
		e.send(q, bodies)
	}
	n := len(strings.Fields(bodies))
	if got := len(e.look(q, n, 0)); got != n {
		e.t.Fatalf("received %d of %d messages", got, n)
	}
	if got := e.look(q, n, 0); len(got) > 0 {
		e.t.Fatalf("received %q once too often", bodiesOf(got))
	}
	e.wantSizes(q, 0, 0, 0)
}

// deadly makes a dead-letter queue and a queue whose messages go there after
// one receive.
func (e *env) deadly(name, target string, options ...func(*engine.CreateQueueParams)) (q, dead *engine.Queue) {
	e.t.Helper()
	dead = e.create(target, options...)
	return e.create(name, append(options, withRedrive(target, 1))...), dead
}
