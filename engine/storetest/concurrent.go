package storetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"queues/engine"
)

func concurrentTests() []test {
	return []test{
		{"EachMessageOnce", testConcurrentOnce},
		{"NeverTwoHolders", testConcurrentHolders},
		{"AcknowledgeRace", testConcurrentAck},
		{"CreateRace", testConcurrentCreate},
		{"DeleteAndCreateUnderLoad", testConcurrentRecreate},
		{"PurgeUnderLoad", testConcurrentPurge},
		{"InFlightLimit", testConcurrentLimit},
		{"FailuresBesideSuccesses", testConcurrentFailures},
		{"CloseUnderLoad", testConcurrentClose},
	}
}

// testConcurrentOnce sends from many goroutines while others receive and
// acknowledge: with time standing still nothing is received twice.
func testConcurrentOnce(t testing.TB, e *env) {
	const senders, receivers, each = 4, 4, 100
	q := e.create("q")
	var received sync.Map
	var sending atomic.Int64
	sending.Store(senders)
	e.parallel(senders+receivers, func(w int) error {
		if w < senders {
			defer sending.Add(-1)
			for i := range each / 2 {
				_, err := e.store.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{
					message(fmt.Sprintf("%d.%d.0", w, i)), message(fmt.Sprintf("%d.%d.1", w, i)),
				}})
				if err != nil {
					return err
				}
			}
			return nil
		}
		for {
			done := sending.Load() == 0
			r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 1 + w})
			if err != nil {
				return err
			}
			for _, d := range r.Messages {
				if _, twice := received.LoadOrStore(d.Body, true); twice {
					return fmt.Errorf("message %s was received twice", d.Body)
				}
			}
			if done && len(r.Messages) == 0 {
				return nil
			}
			results, err := e.store.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(r.Messages)})
			if err := errors.Join(append(results, err)...); err != nil {
				return err
			}
		}
	})
	count := 0
	received.Range(func(any, any) bool { count++; return true })
	if count != senders*each {
		t.Errorf("received %d messages, want %d", count, senders*each)
	}
	e.wantSizes(q, 0, 0, 0)
	e.clock.Advance(time.Hour)
	e.expect(q, "")
}

// hold is a time during which a receiver held a message.
type hold struct {
	from, to time.Time
	receives int
}

// testConcurrentHolders lets deadlines pass under many receivers and checks
// that the times during which a message was held never overlap.
func testConcurrentHolders(t testing.TB, e *env) {
	const messages, workers, rounds = 30, 6, 120
	const timeout = 10 * time.Millisecond
	q := e.create("q", withTimeout(timeout))
	e.sendMany(q, messages, func(int) time.Duration { return 0 })
	var mu sync.Mutex
	holds := make(map[engine.MessageID][]hold)
	e.parallel(workers+1, func(w int) error {
		for range rounds {
			if w == workers {
				e.clock.Advance(3 * time.Millisecond)
				if _, err := e.store.Sweep(t.Context()); err != nil {
					return err
				}
				continue
			}
			r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 3})
			if err != nil {
				return err
			}
			mu.Lock()
			for _, d := range r.Messages {
				holds[d.ID] = append(holds[d.ID], hold{d.Deadline.Add(-timeout), d.Deadline, d.Receives})
			}
			mu.Unlock()
		}
		return nil
	})
	for id, all := range holds {
		wantApart(t, id, all)
	}
	e.clock.Advance(timeout)
	e.wantSizes(q, messages, 0, 0)
}

// wantApart wants holds of one message that do not overlap and are numbered
// from 1 in their order.
func wantApart(t testing.TB, id engine.MessageID, all []hold) {
	t.Helper()
	byNumber := make(map[int]hold)
	for _, h := range all {
		if _, twice := byNumber[h.receives]; twice {
			t.Errorf("message %v has two receives with the number %d", id, h.receives)
		}
		byNumber[h.receives] = h
	}
	// A receive whose deadline passed before its answer was made may be missing
	// from what was seen: somebody else has acknowledged the message by then.
	numbers := slices.Sorted(maps.Keys(byNumber))
	for i := 1; i < len(numbers); i++ {
		before, after := byNumber[numbers[i-1]], byNumber[numbers[i]]
		if after.from.Before(before.to) {
			t.Errorf("message %v: receive %d began at %v, while receive %d held it until %v",
				id, after.receives, after.from, before.receives, before.to)
		}
	}
}

func testConcurrentAck(t testing.TB, e *env) {
	const workers, messages = 8, 50
	q := e.create("q")
	e.sendMany(q, messages, func(int) time.Duration { return 0 })
	refs := refsOf(e.receive(q, messages))
	var removed, gone atomic.Int64
	e.parallel(workers, func(int) error {
		for _, ref := range refs {
			results, err := e.store.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: []engine.Ref{ref}})
			switch {
			case err != nil:
				return err
			case results[0] == nil:
				removed.Add(1)
			case engine.ErrorCode(results[0]) == engine.MessageGone:
				gone.Add(1)
			default:
				return results[0]
			}
		}
		return nil
	})
	if removed.Load() != messages || gone.Load() != messages*(workers-1) {
		t.Errorf("%d removals and %d found gone; want %d and %d", removed.Load(), gone.Load(), messages, messages*(workers-1))
	}
	e.wantSizes(q, 0, 0, 0)
}

func testConcurrentCreate(t testing.TB, e *env) {
	const workers, names = 8, 10
	var created atomic.Int64
	var ids sync.Map
	e.parallel(workers, func(int) error {
		for i := range names {
			name := fmt.Sprintf("q-%d", i)
			r, err := e.createWith(name, 0)
			if err != nil {
				return err
			}
			if r.Created {
				created.Add(1)
			}
			if id, loaded := ids.LoadOrStore(name, r.Queue.ID); loaded && id != r.Queue.ID {
				return fmt.Errorf("two queues have the name %s", name)
			}
			if q, err := e.store.FindQueue(t.Context(), named(name)); err != nil || q.ID != r.Queue.ID {
				return fmt.Errorf("FindQueue after CreateQueue: %w", err)
			}
		}
		return nil
	})
	if created.Load() != names {
		t.Errorf("%d queues were created, want %d", created.Load(), names)
	}
}

// testConcurrentRecreate deletes and creates a queue while others use it: a
// call either works or says that its queue is gone, and no message strays into
// another queue.
func testConcurrentRecreate(t testing.TB, e *env) {
	const workers, rounds = 5, 60
	e.create("q")
	e.parallel(workers, func(w int) error {
		for i := range rounds {
			q, err := e.store.FindQueue(t.Context(), named("q"))
			if err != nil {
				if engine.ErrorCode(err) != engine.QueueNotFound {
					return err
				}
				continue
			}
			if w == 0 && i%3 == 0 {
				if err := e.store.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: q.ID}); err != nil {
					return err
				}
				if r, err := e.createWith("q", 0); err != nil || !r.Created {
					return fmt.Errorf("CreateQueue: created %v, %w", r.Created, err)
				}
				continue
			}
			if err := e.useOnce(q); err != nil && engine.ErrorCode(err) != engine.QueueNotFound {
				return err
			}
		}
		return nil
	})
	e.drain()
	q := e.find(named("q"))
	e.send(q, q.ID.String())
	for len(e.receiveFor(q, 10, time.Hour)) > 0 {
	}
}

// useOnce sends to a queue, receives from it and acknowledges what it got, and
// fails on a message that was sent to another queue.
func (e *env) useOnce(q *engine.Queue) error {
	ctx := e.t.Context()
	_, err := e.store.Send(ctx, engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{message(q.ID.String())}})
	if err != nil {
		return err
	}
	r, err := e.store.Receive(ctx, engine.ReceiveParams{Queue: q.ID, Max: 2})
	if err != nil {
		return err
	}
	for _, d := range r.Messages {
		if d.Body != q.ID.String() {
			return fmt.Errorf("queue %v gave the message of queue %s", q.ID, d.Body)
		}
	}
	results, err := e.store.Acknowledge(ctx, engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(r.Messages)})
	if err != nil {
		return err
	}
	return errors.Join(results...)
}

func testConcurrentPurge(t testing.TB, e *env) {
	const workers, rounds = 5, 60
	q := e.create("q")
	e.parallel(workers, func(w int) error {
		for i := range rounds {
			if w == 0 {
				if err := e.store.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: q.ID}); err != nil {
					return err
				}
				if i%4 == 0 {
					if _, err := e.store.Sweep(t.Context()); err != nil {
						return err
					}
				}
				continue
			}
			if err := e.useOnce(q); err != nil && engine.ErrorCode(err) != engine.MessageGone {
				return err
			}
		}
		return nil
	})
	c := e.counts(q)
	e.clock.Advance(time.Hour)
	e.wantAll(q, int(c.Visible+c.InFlight))
	e.purge(q)
	e.wantSizes(q, 0, 0, 0)
}

// wantAll receives everything there is and wants as many messages.
func (e *env) wantAll(q *engine.Queue, want int) {
	e.t.Helper()
	n := 0
	for {
		got := e.receiveFor(q, 10, time.Hour)
		if len(got) == 0 {
			break
		}
		n += len(got)
	}
	if n != want {
		e.t.Fatalf("received %d messages, the counts said %d", n, want)
	}
}

func testConcurrentLimit(t testing.TB, e *env) {
	const limit, workers = 25, 8
	q := e.create("q")
	e.sendMany(q, 100, func(int) time.Duration { return 0 })
	var held atomic.Int64
	e.parallel(workers, func(int) error {
		for range 20 {
			r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 4, InFlightLimit: limit})
			if err != nil {
				return err
			}
			held.Add(int64(len(r.Messages)))
		}
		return nil
	})
	if held.Load() != limit {
		t.Errorf("%d messages are held under a limit of %d", held.Load(), limit)
	}
	e.wantSizes(q, 100-limit, limit, 0)
}

// testConcurrentClose closes the store under load: what was answered with
// success is there, what was refused is not.
func testConcurrentClose(t testing.TB, e *env) {
	const workers = 6
	q := e.create("q")
	var mu sync.Mutex
	stored, refused := make(map[string]bool), make(map[string]bool)
	var total atomic.Int64
	e.parallel(workers, func(w int) error {
		if w == 0 {
			for total.Load() < 100 {
				if _, err := e.store.Sweep(t.Context()); err != nil {
					return err
				}
			}
			return e.store.Close()
		}
		defer total.Add(100)
		for i := 0; ; i++ {
			body := fmt.Sprintf("%d.%d", w, i)
			_, err := e.store.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{message(body)}})
			total.Add(1)
			mu.Lock()
			if err == nil {
				stored[body] = true
			} else if code := engine.ErrorCode(err); code == engine.Closed {
				refused[body] = true
			} else if code != engine.OutcomeUnknown {
				mu.Unlock()
				return err
			}
			mu.Unlock()
			if err != nil {
				return nil
			}
		}
	})
	if !e.h.Features.Persistent {
		return
	}
	e.reopen()
	for {
		got := e.receiveFor(q, 100, time.Hour)
		if len(got) == 0 {
			break
		}
		for _, d := range got {
			delete(stored, d.Body)
			if refused[d.Body] {
				t.Errorf("message %s was stored though the store said that it was closed", d.Body)
			}
		}
	}
	if len(stored) > 0 {
		t.Errorf("%d messages are lost", len(stored))
	}
}
