package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

func contextTests() []test {
	return []test{
		{"EndedBefore", testContextBefore},
		{"DeadlineBefore", testContextDeadline},
		{"EndedDuringSend", testContextSend},
		{"EndedDuringReceive", testContextReceive},
		{"EndedDuringReceiveFIFO", testContextFIFO},
		{"EndedDuringAcknowledge", testContextAck},
	}
}

// fate is what is known of a call whose context may have ended.
type fate uint8

const (
	happened fate = iota
	refused
	unknown
)

// fateOf tells what the answer of a call means; every other error is given
// back.
func fateOf(err error) (fate, error) {
	switch {
	case err == nil:
		return happened, nil
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		if e, coded := errors.AsType[*engine.Error](err); coded && e.Code == engine.OutcomeUnknown {
			return unknown, nil
		}
		return refused, nil
	case engine.ErrorCode(err) == engine.OutcomeUnknown:
		return unknown, nil
	}
	return unknown, err
}

func testContextBefore(t testing.TB, e *env) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e.tryEnded(ctx)
}

func testContextDeadline(t testing.TB, e *env) {
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	e.tryEnded(ctx)
}

// tryEnded makes every call with a context that has ended. A store may do the
// work all the same; it must not say one thing and do another.
func (e *env) tryEnded(ctx context.Context) {
	e.t.Helper()
	q := e.create("q")
	e.send(q, "a")
	d := e.one(q, "a")
	for name, call := range queueCalls(q.ID, d.Ref) {
		switch name {
		case "DeleteQueue", "PurgeQueue", "Acknowledge", "ChangeVisibility", "Release", "StartMove", "CancelMove":
			continue
		}
		if _, err := fateOf(call(ctx, e.store)); err != nil {
			e.t.Errorf("%s with an ended context: %v", name, err)
		}
	}
	e.purge(q)

	_, err := e.store.Send(ctx, engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{message("b")}})
	e.wantFate("Send", err, e.counts(q).Visible == 1)
	e.purge(q)
	e.send(q, "c")
	d = e.one(q, "c")
	results, err := e.store.Acknowledge(ctx, engine.AcknowledgeParams{Queue: q.ID, Refs: []engine.Ref{d.Ref}})
	if err == nil && results[0] != nil {
		e.t.Errorf("Acknowledge with an ended context: %v", results[0])
	}
	e.wantFate("Acknowledge", err, e.counts(q).InFlight == 0)
	e.send(q, "d")
	err = e.store.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: q.ID})
	e.wantFate("PurgeQueue", err, e.counts(q).Visible == 0)
	_, err = e.store.CreateQueue(ctx, engine.CreateQueueParams{Name: named("new"), Settings: defaults()})
	_, findErr := e.store.FindQueue(e.t.Context(), named("new"))
	e.wantFate("CreateQueue", err, findErr == nil)
	err = e.store.DeleteQueue(ctx, engine.DeleteQueueParams{Queue: q.ID})
	_, findErr = e.store.FindQueue(e.t.Context(), named("q"))
	e.wantFate("DeleteQueue", err, findErr != nil)
}

// wantFate compares the answer of a call with what became of it.
func (e *env) wantFate(call string, err error, done bool) {
	e.t.Helper()
	got, err := fateOf(err)
	if err != nil {
		e.t.Errorf("%s with an ended context: %v", call, err)
	}
	if got == happened && !done || got == refused && done {
		e.t.Errorf("%s with an ended context: the answer is %d (0 done, 1 refused), done: %v", call, got, done)
	}
}

// race makes calls whose contexts are ended by another goroutine meanwhile.
func (e *env) race(n int, call func(ctx context.Context, i int) error) {
	e.t.Helper()
	e.parallel(n, func(i int) error {
		ctx, cancel := context.WithCancel(e.t.Context())
		var wg sync.WaitGroup
		wg.Go(cancel)
		defer wg.Wait()
		return call(ctx, i)
	})
}

func testContextSend(t testing.TB, e *env) {
	const n = 200
	q := e.create("q")
	fates := make([]fate, n)
	e.race(n, func(ctx context.Context, i int) (err error) {
		_, sendErr := e.store.Send(ctx, engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{message(fmt.Sprint(i))}})
		fates[i], err = fateOf(sendErr)
		return err
	})
	there := make(map[string]bool)
	for {
		got := e.receiveFor(q, 50, time.Hour)
		if len(got) == 0 {
			break
		}
		for _, d := range got {
			if there[d.Body] {
				t.Errorf("message %s is there twice", d.Body)
			}
			there[d.Body] = true
		}
	}
	for i, f := range fates {
		if done := there[fmt.Sprint(i)]; f == happened && !done || f == refused && done {
			t.Errorf("message %d: the answer was %d (0 done, 1 refused), stored: %v", i, f, done)
		}
	}
}

func testContextReceive(t testing.TB, e *env) {
	const n = 100
	q := e.create("q")
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	var mu sync.Mutex
	held, lost := make(map[string]bool), 0
	e.race(n, func(ctx context.Context, _ int) error {
		r, receiveErr := e.store.Receive(ctx, engine.ReceiveParams{Queue: q.ID, Max: 1})
		f, err := fateOf(receiveErr)
		mu.Lock()
		defer mu.Unlock()
		for _, d := range r.Messages {
			if held[d.Body] {
				return fmt.Errorf("message %s was received twice", d.Body)
			}
			held[d.Body] = true
		}
		if f == unknown {
			lost++
		}
		return err
	})
	if c := e.counts(q); int(c.InFlight) < len(held) || int(c.InFlight) > len(held)+lost {
		t.Errorf("%d messages are in flight; %d were received, %d calls ended with an unknown outcome", c.InFlight, len(held), lost)
	}
	e.clock.Advance(time.Minute)
	e.collect(q, n)
}

func testContextAck(t testing.TB, e *env) {
	const n = 100
	q := e.create("q")
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	held := e.receive(q, n)
	fates := make([]fate, n)
	e.race(n, func(ctx context.Context, i int) (err error) {
		results, ackErr := e.store.Acknowledge(ctx, engine.AcknowledgeParams{Queue: q.ID, Refs: []engine.Ref{held[i].Ref}})
		if ackErr == nil && results[0] != nil {
			return results[0]
		}
		fates[i], err = fateOf(ackErr)
		return err
	})
	e.clock.Advance(time.Hour)
	there := make(map[string]bool)
	for _, d := range e.receive(q, n) {
		there[d.Body] = true
	}
	for i, f := range fates {
		if removed := !there[held[i].Body]; f == happened && !removed || f == refused && removed {
			t.Errorf("message %s: the answer was %d (0 done, 1 refused), removed: %v", held[i].Body, f, removed)
		}
	}
}

// testContextFIFO ends the contexts of receives of a FIFO queue: no group stays
// locked for ever, and none loses a message or its order.
func testContextFIFO(t testing.TB, e *env) {
	const n = 100
	q := e.fifo("q")
	for i := range n {
		e.push(q, fmt.Sprintf("a.%d b.%d", i, i))
	}
	var mu sync.Mutex
	held := make(map[string]bool)
	e.race(n, func(ctx context.Context, _ int) error {
		r, receiveErr := e.store.Receive(ctx, engine.ReceiveParams{Queue: q.ID, Max: 2})
		_, err := fateOf(receiveErr)
		mu.Lock()
		defer mu.Unlock()
		for _, d := range r.Messages {
			if held[d.Body] {
				return fmt.Errorf("message %s was received twice", d.Body)
			}
			held[d.Body] = true
		}
		return err
	})
	e.clock.Advance(time.Minute)
	next := make(map[string]int)
	for range 2 * n {
		got := e.receive(q, 20)
		for _, d := range got {
			if d.Body != fmt.Sprintf("%s%d", d.Group, next[d.Group]) {
				t.Fatalf("received %s, want number %d of its group", d.Body, next[d.Group])
			}
			next[d.Group]++
		}
		e.ackAll(q, got)
	}
	e.wantSizes(q, 0, 0, 0)
}
