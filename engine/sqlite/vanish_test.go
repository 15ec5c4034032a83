package sqlite

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// TestVanishedReceivers gives up receives while their transaction commits: each
// message is there again, as if it had never been received.
func TestVanishedReceivers(t *testing.T) {
	t.Parallel()
	for name, visibility := range map[string]time.Duration{"Hidden": time.Minute, "Visible": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			f := open(t, withFaults(fs))
			q := f.create("q")
			f.send(q, 5)
			for range 20 {
				f.vanishFor(fs, q, 3, &visibility)
				// The undoing comes before whatever is asked next.
				if c := f.counts(q); c.Visible != 5 {
					t.Fatalf("counts are %+v, want 5 visible", c)
				}
			}
			f.remembered()
			got := f.receive(q, 10)
			if len(got) != 5 {
				t.Fatalf("%d messages are left, want 5", len(got))
			}
			for i, d := range got {
				if d.Receives != 1 || !d.FirstReceived.Equal(f.clock.Now()) || d.Sequence != uint64(i+1) {
					t.Errorf("message %d: %d receives, first at %v", d.Sequence, d.Receives, d.FirstReceived)
				}
			}
		})
	}
}

// vanish gives up a receive of up to n messages while its transaction commits.
func (f *fixture) vanish(fs *faults, q *engine.Queue, n int) {
	f.t.Helper()
	f.vanishFor(fs, q, n, nil)
}

func (f *fixture) vanishFor(fs *faults, q *engine.Queue, n int, visibility *time.Duration) {
	f.t.Helper()
	h := fs.hold("commit")
	ctx, cancel := context.WithCancel(f.t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := f.Receive(ctx, engine.ReceiveParams{Queue: q.ID, Max: n, Visibility: visibility})
		if engine.ErrorCode(err) != engine.OutcomeUnknown || !errors.Is(err, context.Canceled) {
			f.t.Errorf("the receive gave %v, want an unknown outcome", err)
		}
	})
	<-h.reached
	cancel()
	wg.Wait()
	close(h.resume)
}

// TestGivenUpWaiting gives up calls that the writer has not taken: nothing
// happens, and the error says so.
func TestGivenUpWaiting(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q := f.create("q")
	h := fs.hold("commit")
	var wg sync.WaitGroup
	wg.Go(func() { f.send(q, 1) })
	<-h.reached
	ctx, cancel := context.WithCancel(t.Context())
	wg.Go(func() {
		_, err := f.Receive(ctx, engine.ReceiveParams{Queue: q.ID, Max: 1})
		if !errors.Is(err, context.Canceled) || errors.As(err, new(*engine.Error)) {
			t.Errorf("the receive gave %v, want the context's error alone", err)
		}
	})
	wg.Go(func() {
		_, err := f.Send(ctx, engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
		if !errors.Is(err, context.Canceled) || errors.As(err, new(*engine.Error)) {
			t.Errorf("the send gave %v, want the context's error alone", err)
		}
	})
	f.waitFor(2)
	cancel()
	f.waitForGone(2)
	close(h.resume)
	wg.Wait()
	if c := f.counts(q); c.Visible != 1 || c.InFlight != 0 {
		t.Errorf("counts are %+v, want 1 visible", c)
	}
}

// waitForGone returns when so many waiting requests were given up.
func (f *fixture) waitForGone(n int) {
	f.t.Helper()
	b := f.writer.inbox
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		b.mu.Lock()
		left := 0
		for _, r := range slices.Concat(b.small.queue, b.large.queue) {
			if r.phase.Load() == gone {
				left++
			}
		}
		b.mu.Unlock()
		if left >= n {
			return
		}
		runtime.Gosched()
	}
	f.t.Fatal("the calls did not end with their context")
}

// TestUpdateWaits holds that a change never runs beside what its caller does
// after the call.
func TestUpdateWaits(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q := f.create("q")
	h := fs.hold("commit")
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := f.UpdateQueue(ctx, engine.UpdateQueueParams{Queue: q.ID, Touch: true, Change: func(q *engine.Queue) error {
			q.Delay = time.Second
			return nil
		}})
		if err != nil {
			t.Errorf("UpdateQueue: %v", err)
		}
	})
	<-h.reached
	cancel()
	close(h.resume)
	wg.Wait()
}

// TestCloseFinishes closes a store under load: what succeeded is there, and
// everything else was refused.
func TestCloseFinishes(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	var wg sync.WaitGroup
	var mu sync.Mutex
	sent := int64(0)
	for range 8 {
		wg.Go(func() {
			for {
				_, err := f.Send(context.Background(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
				if err != nil {
					if engine.ErrorCode(err) != engine.Closed {
						t.Errorf("a send gave %v, want Closed", err)
					}
					return
				}
				mu.Lock()
				sent++
				mu.Unlock()
			}
		})
	}
	for f.counts(q).Visible < 100 {
		continue
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	wantCode(t, "Health", f.Health(t.Context()), engine.Closed)
	f.open()
	if c := f.counts(q); c.Visible != sent {
		t.Errorf("%d messages are there, %d were sent", c.Visible, sent)
	}
}
