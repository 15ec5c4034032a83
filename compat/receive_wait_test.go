package compat_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"queues/compat"
	"queues/engine"
	"queues/engine/sqlite"
	"queues/engine/storetest"
	"queues/protocol"
)

// inBubble runs a test over each store, with a service whose clock is the
// bubble's.
func inBubble(t *testing.T, o compat.Options, test func(t *testing.T, e *env)) {
	t.Helper()
	for name, open := range stores {
		dir := t.TempDir()
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := engine.NewSystemClock()
				wakeups := engine.NewWakeups(clock)
				store := open(t, dir, clock, wakeups.Report)
				t.Cleanup(func() { _ = store.Close() })
				test(t, &env{t: t, service: newService(t, store, clock, wakeups, o), caller: home})
			})
		})
	}
}

// stores are the stores that waits are tested over.
var stores = map[string]func(t *testing.T, dir string, clock engine.Clock, report engine.ReportFunc) engine.Store{
	"Model": func(_ *testing.T, _ string, clock engine.Clock, report engine.ReportFunc) engine.Store {
		return storetest.NewModel(clock, report)
	},
	"SQLite": func(t *testing.T, dir string, clock engine.Clock, report engine.ReportFunc) engine.Store {
		store, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir, Clock: clock, Report: report, Sync: sqlite.Off})
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		return store
	},
}

// after starts f when the time has passed. The function returned waits for the
// end of f.
func after(d time.Duration, f func()) (wait func()) {
	done := make(chan struct{})
	time.AfterFunc(d, func() {
		defer close(done)
		f()
	})
	return func() { <-done }
}

// took is how long a receive takes in the bubble.
func (e *env) took(in *protocol.ReceiveMessageInput) (messages []protocol.Message, seconds float64) {
	e.t.Helper()
	start := time.Now()
	messages = e.receiveAs(in)
	return messages, time.Since(start).Seconds()
}

// Request over queue; an explicit zero does not wait.
func TestReceiveWait(t *testing.T) {
	for name, test := range map[string]struct {
		queue string
		wait  *int32
		want  float64
	}{
		"Default":     {"0", nil, 0},
		"Queue":       {"3", nil, 3},
		"RequestZero": {"3", new(int32(0)), 0},
		"RequestLess": {"3", new(int32(1)), 1},
		"RequestMost": {"0", new(int32(20)), 20},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, compat.Options{}, func(t *testing.T, e *env) {
				url := e.create("q", "ReceiveMessageWaitTimeSeconds", test.queue)
				got, seconds := e.took(&protocol.ReceiveMessageInput{QueueURL: url, WaitTimeSeconds: test.wait})
				if len(got) != 0 || seconds != test.want {
					t.Errorf("%d messages after %v s, want none after %v s", len(got), seconds, test.want)
				}
			})
		})
	}
}

// Whatever makes a message available ends the wait.
func TestReceiveWaitEnds(t *testing.T) {
	for name, test := range map[string]struct {
		before func(e *env, url *string) // before the wait begins
		during func(e *env, url *string) // two seconds into it
		want   float64
	}{
		"Send":  {nil, func(e *env, url *string) { e.send(url, "b") }, 2},
		"There": {func(e *env, url *string) { e.send(url, "b") }, nil, 0},
		"Delay": {func(e *env, url *string) {
			e.run(protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b"), DelaySeconds: new(int32(5))})
		}, nil, 5},
		"Timeout": {func(e *env, url *string) {
			e.send(url, "b")
			e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, VisibilityTimeout: new(int32(7))})
		}, nil, 7},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, compat.Options{}, func(t *testing.T, e *env) {
				url := e.create("q")
				if test.before != nil {
					test.before(e, url)
				}
				if test.during != nil {
					defer after(2*time.Second, func() { test.during(e, url) })()
				}
				got, seconds := e.took(&protocol.ReceiveMessageInput{QueueURL: url, WaitTimeSeconds: new(int32(20))})
				if bodies(got) != "b" || seconds != test.want {
					t.Errorf("received %q after %v s, want b after %v s", bodies(got), seconds, test.want)
				}
			})
		})
	}
}

func TestReceiveWaitFreed(t *testing.T) {
	inBubble(t, compat.Options{}, func(t *testing.T, e *env) {
		url := e.create("q")
		e.send(url, "b")
		held := e.one(url)
		defer after(2*time.Second, func() { e.hide(url, held.ReceiptHandle, 0) })()
		got, seconds := e.took(&protocol.ReceiveMessageInput{QueueURL: url, WaitTimeSeconds: new(int32(20))})
		if bodies(got) != "b" || seconds != 2 {
			t.Errorf("received %q after %v s, want b after 2 s", bodies(got), seconds)
		}
	})
}

// The deletion of the queue ends the wait with an error, even when the name
// has a new queue.
func TestReceiveWaitQueueDeleted(t *testing.T) {
	inBubble(t, compat.Options{}, func(t *testing.T, e *env) {
		url := e.create("q")
		replaced := after(2*time.Second, func() {
			e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: url})
			e.create("q")
			e.send(url, "fresh")
		})
		start := time.Now()
		e.refused(protocol.ReceiveMessage, &protocol.ReceiveMessageInput{QueueURL: url, WaitTimeSeconds: new(int32(20))}, noQueue, noQueueText)
		if passed := time.Since(start); passed != 2*time.Second {
			t.Errorf("the wait ended after %v, want 2 s", passed)
		}
		replaced()
		e.wantCounts(url, "1 0 0")
	})
}

// A caller that goes away takes no message with it.
func TestReceiveWaitCallerGone(t *testing.T) {
	inBubble(t, compat.Options{}, func(t *testing.T, e *env) {
		url := e.create("q")
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		in := &protocol.ReceiveMessageInput{QueueURL: url, WaitTimeSeconds: new(int32(20))}
		if _, err := e.service.Do(ctx, e.caller, protocol.Call{Operation: protocol.ReceiveMessage, Input: in}); err == nil || err.Kind != protocol.ServiceUnavailable {
			t.Errorf("the error is %v, want ServiceUnavailable", err)
		}
		e.send(url, "b")
		e.wantCounts(url, "1 0 0")
	})
}

// At the in-flight limit a long poll waits for room instead of failing.
func TestReceiveWaitInFlightLimit(t *testing.T) {
	inBubble(t, compat.Options{InFlightLimit: 1}, func(t *testing.T, e *env) {
		url := e.create("q")
		e.send(url, "a")
		held := e.one(url)
		e.send(url, "b")
		in := &protocol.ReceiveMessageInput{QueueURL: url, WaitTimeSeconds: new(int32(5))}
		if got, seconds := e.took(in); len(got) != 0 || seconds != 5 {
			t.Errorf("%d messages after %v s, want none after 5 s", len(got), seconds)
		}
		defer after(2*time.Second, func() { e.delete(url, held.ReceiptHandle) })()
		if got, seconds := e.took(in); bodies(got) != "b" || seconds != 2 {
			t.Errorf("received %q after %v s, want b after 2 s", bodies(got), seconds)
		}
	})
}
