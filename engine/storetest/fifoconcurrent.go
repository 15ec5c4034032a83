package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"queues/engine"
)

func fifoConcurrentTests() []test {
	return []test{
		{"OneHolderPerGroup", testConcurrentGroups},
		{"OrderUnderRedelivery", testConcurrentRedelivery},
		{"DedupRace", testConcurrentDedup},
		{"AttemptRace", testConcurrentAttempt},
		{"Redrive", testConcurrentRedrive},
		{"MoveUnderLoad", testConcurrentMove},
		{"MoveRace", testConcurrentMovers},
	}
}

// tooLate ends when a test should have found what it waits for.
func tooLate(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// giveUp ends the waiting of all when one has failed.
func giveUp(left *atomic.Int64, err *error) {
	if *err != nil {
		left.Store(0)
	}
}

// sendGroup sends n numbered messages to a group.
func (e *env) sendGroup(q *engine.Queue, group string, n int) error {
	for i := range n {
		_, err := e.store.Send(e.t.Context(), engine.SendParams{
			Queue: q.ID, Messages: []engine.NewMessage{grouped(fmt.Sprintf("%s.%d", group, i))},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// numberOf gives the number that a body ends with.
func numberOf(body string) int {
	n, _ := strconv.Atoi(body[len(groupOf(body)):])
	return n
}

// testConcurrentGroups sends and receives in many goroutines while time stands
// still: each group has one holder at a time, and its messages come in order.
func testConcurrentGroups(t testing.TB, e *env) {
	const groups, consumers, each = 4, 6, 60
	q := e.fifo("q")
	var mu sync.Mutex
	holder, next := make(map[string]bool), make(map[string]int)
	var left atomic.Int64
	left.Store(groups * each)
	late := tooLate(t)
	e.parallel(groups+consumers, func(w int) (err error) {
		defer giveUp(&left, &err)
		if w < groups {
			return e.sendGroup(q, fmt.Sprint("g", string(rune('a'+w))), each)
		}
		for left.Load() > 0 {
			if late.Err() != nil {
				return fmt.Errorf("%d messages have not been received", left.Load())
			}
			r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 1 + w})
			if err != nil {
				return err
			}
			mine := make(map[string]bool)
			mu.Lock()
			for _, d := range r.Messages {
				if holder[d.Group] && !mine[d.Group] {
					err = fmt.Errorf("%s was received while its group was held", d.Body)
				}
				if n := numberOf(d.Body); n != next[d.Group] {
					err = fmt.Errorf("%s was received, want number %d of its group", d.Body, next[d.Group])
				}
				holder[d.Group], mine[d.Group] = true, true
				next[d.Group]++
			}
			mu.Unlock()
			if err != nil {
				return err
			}
			mu.Lock()
			for group := range mine {
				holder[group] = false
			}
			mu.Unlock()
			results, err := e.store.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(r.Messages)})
			if err := errors.Join(append(results, err)...); err != nil {
				return err
			}
			left.Add(-int64(len(r.Messages)))
		}
		return nil
	})
	e.wantSizes(q, 0, 0, 0)
}

// testConcurrentRedelivery lets deadlines pass under many consumers: what is
// acknowledged is acknowledged in the order of the group.
func testConcurrentRedelivery(t testing.TB, e *env) {
	const groups, consumers, each = 3, 5, 40
	const timeout = 10 * time.Millisecond
	q := e.fifo("q", withTimeout(timeout))
	for g := range groups {
		if err := e.sendGroup(q, string(rune('a'+g)), each); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	done, holds := make(map[string]int), make(map[engine.MessageID][]hold)
	var left atomic.Int64
	left.Store(groups * each)
	late := tooLate(t)
	e.parallel(consumers, func(w int) (err error) {
		defer giveUp(&left, &err)
		for round := 0; left.Load() > 0; round++ {
			if late.Err() != nil {
				return fmt.Errorf("%d messages are still there after %d rounds", left.Load(), round)
			}
			if w == 0 {
				e.clock.Advance(time.Millisecond)
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
			if (round+w)%3 == 0 {
				continue
			}
			for _, d := range r.Messages {
				// The lock keeps the order of the answers for the check.
				mu.Lock()
				results, err := e.store.Acknowledge(t.Context(), engine.AcknowledgeParams{
					Queue: q.ID, Refs: []engine.Ref{d.Ref}, RefuseExpired: true,
				})
				if err == nil && results[0] == nil {
					if numberOf(d.Body) != done[d.Group] {
						err = fmt.Errorf("%s was acknowledged while number %d of its group was left", d.Body, done[d.Group])
					}
					done[d.Group]++
					left.Add(-1)
				}
				mu.Unlock()
				if err != nil {
					return err
				}
				if results[0] != nil {
					break
				}
			}
		}
		return nil
	})
	for id, all := range holds {
		wantApart(t, id, all)
	}
	e.clock.Advance(timeout)
	e.wantSizes(q, 0, 0, 0)
}

func testConcurrentDedup(t testing.TB, e *env) {
	const workers, ids = 8, 40
	q := e.fifo("q")
	var stored atomic.Int64
	var of sync.Map
	e.parallel(workers, func(w int) error {
		for i := range ids {
			sent, err := e.store.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{
				withDedup(fmt.Sprintf("a%d", i), fmt.Sprint("id", i)),
			}})
			if err != nil {
				return err
			}
			if !sent[0].Duplicate {
				stored.Add(1)
			}
			first := engine.Sent{ID: sent[0].ID, Sequence: sent[0].Sequence}
			if before, loaded := of.LoadOrStore(i, first); loaded && before != first {
				return fmt.Errorf("two sends of one id gave %+v and %+v", before, first)
			}
		}
		return nil
	})
	if stored.Load() != ids {
		t.Errorf("%d sends were stored, want %d", stored.Load(), ids)
	}
	e.wantSizes(q, ids, 0, 0)
}

func testConcurrentAttempt(t testing.TB, e *env) {
	const workers, rounds = 6, 20
	q := e.fifo("q")
	for round := range rounds {
		e.push(q, "a1 a2 b1")
		id := fmt.Sprint("attempt", round)
		refs := make([]string, workers)
		e.parallel(workers, func(w int) error {
			r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 10, AttemptID: id})
			refs[w] = fmt.Sprint(refsOf(r.Messages))
			return err
		})
		for w := range workers {
			if refs[w] != refs[0] || len(refs[w]) < 3 {
				t.Fatalf("one attempt id gave the references %q and %q", refs[0], refs[w])
			}
		}
		e.purge(q)
	}
}

// testConcurrentRedrive receives everything as often as it can be: each message
// exactly twice, then it is a dead letter.
func testConcurrentRedrive(t testing.TB, e *env) {
	const workers, n = 6, 120
	dead := e.create("dead")
	q := e.create("q", withRedrive("dead", 2), withTimeout(0))
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	var mu sync.Mutex
	seen := make(map[string]int)
	e.parallel(workers, func(w int) error {
		for range 20 * n {
			r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 1 + w})
			if err != nil || len(r.Messages) == 0 && !r.More {
				return err
			}
			mu.Lock()
			for _, d := range r.Messages {
				seen[d.Body]++
			}
			mu.Unlock()
		}
		return fmt.Errorf("the queue is not empty after %d receives", 20*n)
	})
	e.wantSizes(q, 0, 0, 0)
	e.wantSizes(dead, n, 0, 0)
	for body, times := range seen {
		if times != 2 {
			t.Errorf("message %s was received %d times, want 2", body, times)
		}
	}
	for body, receives := range e.collect(dead, n) {
		if receives != 3 {
			t.Errorf("dead letter %s has %d receives, want 3", body, receives)
		}
	}
}

// testConcurrentMove moves messages while others send to the target and
// receive from it: each arrives once.
func testConcurrentMove(t testing.TB, e *env) {
	const n, sent = 300, 100
	dead, target := e.create("dead"), e.create("target")
	e.sendMany(dead, n, func(int) time.Duration { return 0 })
	task := e.startMove(dead, target, 0)
	var mu sync.Mutex
	seen := make(map[string]int)
	var left atomic.Int64
	left.Store(n + sent)
	late := tooLate(t)
	e.parallel(5, func(w int) (err error) {
		defer giveUp(&left, &err)
		for i := 0; left.Load() > 0; i++ {
			switch {
			case late.Err() != nil:
				return fmt.Errorf("%d messages have not arrived", left.Load())
			case w == 0:
				if _, err := e.store.Move(t.Context()); err != nil {
					return err
				}
			case w == 1 && i < sent:
				_, err := e.store.Send(t.Context(), engine.SendParams{
					Queue: target.ID, Messages: []engine.NewMessage{message(fmt.Sprint("new", i))},
				})
				if err != nil {
					return err
				}
			default:
				r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: target.ID, Max: 10})
				if err != nil {
					return err
				}
				mu.Lock()
				for _, d := range r.Messages {
					seen[d.Body]++
				}
				mu.Unlock()
				left.Add(-int64(len(r.Messages)))
			}
		}
		return nil
	})
	for body, times := range seen {
		if times != 1 {
			t.Errorf("message %s arrived %d times", body, times)
		}
	}
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, n)
	e.wantSizes(dead, 0, 0, 0)
	e.wantSizes(target, 0, n+sent, 0)
}

// testConcurrentMovers steps the tasks from several goroutines.
func testConcurrentMovers(t testing.TB, e *env) {
	const n = 400
	dead, target := e.create("dead"), e.create("target")
	e.sendMany(dead, n, func(int) time.Duration { return 0 })
	task := e.startMove(dead, target, 0)
	e.parallel(4, func(int) error {
		for range maxSweeps {
			r, err := e.store.Move(t.Context())
			if err != nil || !r.More {
				return err
			}
		}
		return fmt.Errorf("there is still more to do after %d steps", maxSweeps)
	})
	e.moveAll()
	e.wantTask(dead, task, engine.MoveCompleted, engine.NoFailure, n)
	e.wantSizes(dead, 0, 0, 0)
	e.collect(target, n)
}
