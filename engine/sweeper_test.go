package engine_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"queues/engine"
)

func TestSweeper(t *testing.T) {
	// idle is a store with nothing to do.
	idle := func() (engine.SweepResult, error) { return engine.SweepResult{}, nil }

	t.Run("SleepsWhileNothingHappens", func(t *testing.T) {
		inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
			time.Sleep(time.Minute) // the queue's creation was a commit
			before := b.store.sweeps.Load()
			time.Sleep(24 * time.Hour)
			if n := b.store.sweeps.Load() - before; n != 0 {
				t.Errorf("%d steps in an idle day", n)
			}
		})
	})
	t.Run("FollowsACommitWithinItsLag", func(t *testing.T) {
		inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
			b.store.onSweep(idle)
			time.Sleep(time.Hour)
			before := b.store.sweeps.Load()
			for range 100 {
				b.send(0, "m")
			}
			time.Sleep(31 * time.Second)
			if n := b.store.sweeps.Load() - before; n != 1 {
				t.Errorf("%d steps after a burst of commits, want 1", n)
			}
		})
	})
	t.Run("WakesWhenSomethingIsDue", func(t *testing.T) {
		inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
			time.Sleep(time.Hour)
			due := time.Now().Add(90 * time.Minute)
			at := make(chan time.Time, 8)
			b.store.onSweep(func() (engine.SweepResult, error) {
				at <- time.Now()
				if time.Now().Before(due) {
					return engine.SweepResult{Next: due}, nil
				}
				return engine.SweepResult{}, nil
			})
			b.send(0, "m")
			<-at
			if got := <-at; !got.Equal(due) {
				t.Errorf("woke at %v, want %v", got, due)
			}
		})
	})
	t.Run("GoesOnWhileThereIsMore", func(t *testing.T) {
		inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
			time.Sleep(time.Hour)
			var left atomic.Int64
			left.Store(50)
			b.store.onSweep(func() (engine.SweepResult, error) { return engine.SweepResult{More: left.Add(-1) > 0}, nil })
			if err := b.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: b.queue}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // a purge needs no lag
			if n := left.Load(); n != 0 {
				t.Errorf("%d steps left", n)
			}
		})
	})
	t.Run("TriesAgainAfterAFailure", func(t *testing.T) {
		inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
			time.Sleep(time.Hour)
			var steps atomic.Int64
			b.store.onSweep(func() (engine.SweepResult, error) {
				if steps.Add(1) <= 3 {
					return engine.SweepResult{}, errors.New("for the test")
				}
				return engine.SweepResult{}, nil
			})
			before := b.store.sweeps.Load()
			b.send(0, "m")
			time.Sleep(time.Hour)
			if n := b.store.sweeps.Load() - before; n != 4 {
				t.Errorf("%d steps, want 3 that fail and 1 that does not", n)
			}
		})
	})
}

func TestExpiredMessagesLeaveWithoutAReceive(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		b.send(0, "m")
		time.Sleep(4*24*time.Hour + time.Minute)
		c, err := b.Counts(t.Context(), b.queue)
		if err != nil || c != (engine.Counts{}) {
			t.Errorf("got %+v, %v; want an empty queue", c, err)
		}
	})
}

func TestCloseTwiceAndBeforeStart(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		b.Close()
		b.Close()
	})
}
