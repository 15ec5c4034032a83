package engine_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

// wants checks what a poll came to, and when.
func wants(t *testing.T, who string, got answer, took time.Duration, bodies ...string) {
	t.Helper()
	if got.err != nil {
		t.Errorf("%s: %v", who, got.err)
	}
	if diff := cmp.Diff(bodies, got.bodies); diff != "" {
		t.Errorf("%s received other messages (-want +got):\n%s", who, diff)
	}
	if got.took != took {
		t.Errorf("%s took %v, want %v", who, got.took, took)
	}
}

// TestPollIsWoken has one row for each way in which a message becomes
// receivable while a poll waits.
func TestPollIsWoken(t *testing.T) {
	tests := map[string]struct {
		// before puts the queue into its state; then happens three seconds into
		// the poll. Both may be nil.
		before, then func(b *bubble)
		took         time.Duration
		bodies       []string
	}{
		"Send":         {then: func(b *bubble) { b.send(0, "m") }, took: 3 * time.Second, bodies: []string{"m"}},
		"AlreadyThere": {before: func(b *bubble) { b.send(0, "m") }, took: 0, bodies: []string{"m"}},
		"DelayEnds":    {before: func(b *bubble) { b.send(7*time.Second, "m") }, took: 7 * time.Second, bodies: []string{"m"}},
		"DelaySetWhileWaitingEnds": {
			then: func(b *bubble) { b.send(7*time.Second, "m") }, took: 10 * time.Second, bodies: []string{"m"},
		},
		"EarlierDelayOvertakes": {
			before: func(b *bubble) { b.send(15*time.Second, "late") },
			then:   func(b *bubble) { b.send(2*time.Second, "soon") }, took: 5 * time.Second, bodies: []string{"soon"},
		},
		"DelayEndsWithTheWait": {before: func(b *bubble) { b.send(20*time.Second, "m") }, took: 20 * time.Second, bodies: []string{"m"}},
		"TimeoutEnds": {
			before: func(b *bubble) { b.send(0, "m"); b.take(); time.Sleep(18 * time.Second) },
			took:   12 * time.Second, bodies: []string{"m"},
		},
		"NothingHappens": {took: 20 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
				if tt.before != nil {
					tt.before(b)
				}
				p := b.poll(t.Context(), 10, 20*time.Second)
				if tt.then != nil {
					time.Sleep(3 * time.Second)
					tt.then(b)
				}
				wants(t, "the poll", <-p, tt.took, tt.bodies...)
			})
		})
	}
}

func TestPollIsWokenByItsHolder(t *testing.T) {
	settle := map[string]func(b *bubble, d engine.Delivery) ([]error, error){
		"VisibilityZero": func(b *bubble, d engine.Delivery) ([]error, error) {
			return b.ChangeVisibility(b.t.Context(), engine.HideParams{Queue: b.queue, Changes: []engine.HandleChange{{Handle: d.Handle}}})
		},
		"VisibilityShortened": func(b *bubble, d engine.Delivery) ([]error, error) {
			return b.ChangeVisibility(b.t.Context(), engine.HideParams{Queue: b.queue, Changes: []engine.HandleChange{{Handle: d.Handle, Timeout: 4 * time.Second}}})
		},
		"Release": func(b *bubble, d engine.Delivery) ([]error, error) {
			return nil, b.Release(b.t.Context(), b.queue, []engine.Delivery{d})
		},
	}
	took := map[string]time.Duration{"VisibilityShortened": 4 * time.Second}
	for name, f := range settle {
		t.Run(name, func(t *testing.T) {
			inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
				b.send(0, "m")
				d := b.take()
				p := b.poll(t.Context(), 1, 20*time.Second)
				if errs, err := f(b, d); err != nil || errors.Join(errs...) != nil {
					t.Fatal(errs, err)
				}
				wants(t, "the poll", <-p, took[name], "m")
			})
		})
	}
}

func TestLongestWaitingIsServedFirst(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		first := b.poll(t.Context(), 10, 20*time.Second)
		time.Sleep(time.Second)
		second := b.poll(t.Context(), 10, 20*time.Second)
		time.Sleep(time.Second)
		b.send(0, "a")
		wants(t, "the first", <-first, 2*time.Second, "a")
		time.Sleep(time.Second)
		b.send(0, "b")
		wants(t, "the second", <-second, 2*time.Second, "b")
	})
}

func TestOneThatFindsNothingWaitsOn(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		polls := []<-chan answer{
			b.poll(t.Context(), 1, 10*time.Second), b.poll(t.Context(), 1, 10*time.Second), b.poll(t.Context(), 1, 10*time.Second),
		}
		b.send(0, "only")
		wants(t, "the first", <-polls[0], 0, "only")
		for _, p := range polls[1:] {
			wants(t, "another", <-p, 10*time.Second)
		}
	})
}

func TestEnoughAreWokenForWhatIsThere(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		var polls []<-chan answer
		for range 5 {
			polls = append(polls, b.poll(t.Context(), 2, 20*time.Second))
		}
		b.send(0, "1", "2", "3", "4", "5", "6", "7")
		// Which of the four gets which is open: they look at the same time.
		var got []string
		for i, p := range polls[:4] {
			a := <-p
			if a.err != nil || a.took != 0 || len(a.bodies) == 0 {
				t.Errorf("poll %d: %v after %v, %v", i, a.bodies, a.took, a.err)
			}
			got = append(got, a.bodies...)
		}
		slices.Sort(got)
		if diff := cmp.Diff([]string{"1", "2", "3", "4", "5", "6", "7"}, got); diff != "" {
			t.Errorf("four polls received (-want +got):\n%s", diff)
		}
		wants(t, "poll 4", <-polls[4], 20*time.Second)
	})
}

func TestPollsOfOtherQueuesSleepOn(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		p := b.poll(t.Context(), 1, 20*time.Second)
		mine := b.queue
		b.queue = b.create("other")
		b.send(0, "elsewhere")
		b.queue = mine
		wants(t, "the poll", <-p, 20*time.Second)
	})
}

func TestPollEndsWithItsContext(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		ctx, cancel := context.WithCancel(t.Context())
		gone := b.poll(ctx, 1, 20*time.Second)
		stays := b.poll(t.Context(), 1, 20*time.Second)
		cancel()
		if a := <-gone; !errors.Is(a.err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", a.err)
		}
		b.send(0, "m")
		wants(t, "the one that stayed", <-stays, 0, "m")
	})
}

// TestClaimForAGoneCallerIsUndone plays a caller that goes away while the
// store claims for it, a hundred times, which must neither count as receives
// nor keep the message from the next caller.
func TestClaimForAGoneCallerIsUndone(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		b.send(0, "m")
		for range 100 {
			ctx, cancel := context.WithCancel(t.Context())
			b.store.onReceive(func(_ context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				res, err := b.store.Store.Receive(t.Context(), p)
				cancel()
				return res, err
			})
			if a := <-b.poll(ctx, 1, 20*time.Second); !errors.Is(a.err, context.Canceled) {
				t.Fatalf("got %v, %v; want context.Canceled", a.bodies, a.err)
			}
		}
		b.store.receive.Store(nil)
		if d := b.take(); d.Receives != 1 {
			t.Errorf("receive count %d, want 1", d.Receives)
		}
	})
}

// TestWakeIsPassedOn: the longest waiting is woken but fails; the message must
// reach the next in line without another event.
func TestWakeIsPassedOn(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		first := b.poll(t.Context(), 1, 20*time.Second)
		second := b.poll(t.Context(), 1, 20*time.Second)
		failed := &engine.Error{Code: engine.Unavailable, Text: "for the test"}
		b.store.onReceive(func(context.Context, engine.ReceiveParams) (engine.ReceiveResult, error) {
			b.store.receive.Store(nil)
			return engine.ReceiveResult{}, failed
		})
		b.send(0, "m")
		if a := <-first; !errors.Is(a.err, failed) {
			t.Errorf("got %v, want the store's error", a.err)
		}
		wants(t, "the second", <-second, 0, "m")
	})
}

func TestPollEndsWithItsQueue(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		p := b.poll(t.Context(), 1, 20*time.Second)
		time.Sleep(time.Second)
		if err := b.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: b.queue}); err != nil {
			t.Fatal(err)
		}
		// A queue of the same name is another queue.
		old := b.queue
		b.queue = b.create("q")
		b.send(0, "for the new queue")
		a := <-p
		if a.err == nil || engine.ErrorCode(a.err) != engine.QueueNotFound || a.took != time.Second {
			t.Errorf("got %v, %v after %v; want QueueNotFound after 1s", a.bodies, a.err, a.took)
		}
		if b.queue == old {
			t.Error("the new queue has the old one's identity")
		}
		if d := b.take(); d.Body != "for the new queue" {
			t.Errorf("got %q", d.Body)
		}
	})
}

func TestDrainEndsPolls(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		p := b.poll(t.Context(), 1, 20*time.Second)
		time.Sleep(time.Second)
		b.Drain()
		wants(t, "the parked poll", <-p, time.Second)
		wants(t, "a later poll", <-b.poll(t.Context(), 1, 20*time.Second), 0)
		b.send(0, "m")
		wants(t, "a receive with something there", <-b.poll(t.Context(), 1, 20*time.Second), 0, "m")
	})
}

func TestTooManyPollsLookOnce(t *testing.T) {
	inBubble(t, engine.Options{MaxParked: 2}, func(t *testing.T, b *bubble) {
		first := b.poll(t.Context(), 1, 5*time.Second)
		second := b.poll(t.Context(), 1, 5*time.Second)
		wants(t, "the third", <-b.poll(t.Context(), 1, 5*time.Second), 0)
		wants(t, "the first", <-first, 5*time.Second)
		wants(t, "the second", <-second, 5*time.Second)
		wants(t, "one after them", <-b.poll(t.Context(), 1, 5*time.Second), 5*time.Second)
	})
}

func TestInFlightLimit(t *testing.T) {
	inBubble(t, engine.Options{}, func(t *testing.T, b *bubble) {
		b.send(0, "1", "2", "3")
		short := engine.ReceiveParams{Queue: b.queue, Max: 10, InFlightLimit: 2}
		res, err := b.Receive(t.Context(), short)
		if err != nil || len(res.Messages) != 2 {
			t.Fatalf("got %d messages, %v; want 2", len(res.Messages), err)
		}
		if _, err := b.Receive(t.Context(), short); err == nil || engine.ErrorCode(err) != engine.InFlightLimit {
			t.Errorf("a short receive at the limit gave %v, want InFlightLimit", err)
		}
		long := short
		long.Wait = 20 * time.Second
		done := make(chan answer, 1)
		go func() {
			start := time.Now()
			r, err := b.Receive(t.Context(), long)
			a := answer{err: err, took: time.Since(start)}
			for _, d := range r.Messages {
				a.bodies = append(a.bodies, d.Body)
			}
			done <- a
		}()
		time.Sleep(3 * time.Second)
		if _, err := b.Acknowledge(t.Context(), engine.SettleParams{Queue: b.queue, Handles: []string{res.Messages[0].Handle}}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		wants(t, "the long receive", <-done, 3*time.Second, "3")
	})
}
