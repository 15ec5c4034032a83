package storetest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// bent is a model with one fault: each function that is set stands in for the
// method of that name.
type bent struct {
	*Model
	// mu guards what a fault remembers and quiet.
	mu    sync.Mutex
	quiet bool

	create     func(context.Context, engine.CreateQueueParams) (engine.CreateQueueResult, error)
	find       func(context.Context, engine.QueueName) (*engine.Queue, error)
	list       func(context.Context, engine.ListQueuesParams) (engine.ListQueuesResult, error)
	update     func(context.Context, engine.UpdateQueueParams) (*engine.Queue, error)
	deleteFunc func(context.Context, engine.DeleteQueueParams) error
	purge      func(context.Context, engine.PurgeQueueParams) error
	counts     func(context.Context, engine.QueueID) (engine.Counts, error)
	send       func(context.Context, engine.SendParams) ([]engine.Sent, error)
	receive    func(context.Context, engine.ReceiveParams) (engine.ReceiveResult, error)
	release    func(context.Context, engine.QueueID, []engine.Ref) error
	ack        func(context.Context, engine.AcknowledgeParams) ([]error, error)
	change     func(context.Context, engine.ChangeVisibilityParams) ([]error, error)
	sweep      func(context.Context) (engine.SweepResult, error)
	sources    func(context.Context, engine.ListSourcesParams) (engine.ListQueuesResult, error)
	startMove  func(context.Context, engine.StartMoveParams) (engine.MoveTask, error)
	cancelMove func(context.Context, engine.CancelMoveParams) (engine.MoveTask, error)
	listMoves  func(context.Context, engine.ListMovesParams) ([]engine.MoveTask, error)
	move       func(context.Context) (engine.SweepResult, error)
	// reports bends every report.
	reports func(engine.Report) engine.Report
	// reopened bends what is there after a restart.
	reopened func(*Model)
	// closing bends what a close leaves.
	closing func()
}

// inside gives a fault access to a queue of the model, nil when there is none.
func (b *bent) inside(id engine.QueueID, work func(q *modelQueue)) {
	b.world.mu.Lock()
	defer b.world.mu.Unlock()
	if q := b.world.queues[id]; q != nil {
		work(q)
	}
}

// message gives the model's message of a reference, nil when there is none.
func (b *bent) message(q *modelQueue, ref engine.Ref) *modelMessage {
	i := slices.IndexFunc(q.messages, func(msg *modelMessage) bool { return msg.arrival == b.world.refs[ref].arrival })
	if i < 0 {
		return nil
	}
	return q.messages[i]
}

// bentHarness makes models with a fault.
func bentHarness(fault func(*bent)) Harness {
	var mu sync.Mutex
	models := make(map[string]*Model)
	return Harness{
		Features: Features{Persistent: true},
		Open: func(_ testing.TB, dir string, clock engine.Clock, report engine.ReportFunc) engine.Store {
			mu.Lock()
			defer mu.Unlock()
			b := &bent{}
			fault(b)
			told := report
			if b.reports != nil {
				told = func(all []engine.Report) {
					for i := range all {
						all[i] = b.reports(all[i])
					}
					report(all)
				}
			}
			if before := models[dir]; before != nil {
				b.Model = before.Reopen(clock, told)
				if b.reopened != nil {
					b.reopened(b.Model)
				}
			} else {
				b.Model = NewModel(clock, told)
			}
			models[dir] = b.Model
			return b
		},
	}
}

// recorder stands in for a test that may fail.
type recorder struct {
	testing.TB
	mu     sync.Mutex
	failed bool
	first  string
}

func (r *recorder) fail(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.failed {
		r.first = text
	}
	r.failed = true
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *recorder) Helper()                        {}
func (r *recorder) Log(...any)                     {}
func (r *recorder) Logf(string, ...any)            {}
func (r *recorder) Fail()                          { r.fail("failed") }
func (r *recorder) Error(args ...any)              { r.fail(fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, a ...any) { r.fail(fmt.Sprintf(format, a...)) }
func (r *recorder) FailNow()                       { r.fail("failed"); runtime.Goexit() }
func (r *recorder) Fatal(args ...any)              { r.fail(fmt.Sprint(args...)); runtime.Goexit() }
func (r *recorder) Fatalf(format string, a ...any) {
	r.fail(fmt.Sprintf(format, a...))
	runtime.Goexit()
}

// noticed runs a test that may fail, panic or hang, and says what it found.
func noticed(t *testing.T, work func(t testing.TB)) (string, bool) {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				r.fail(fmt.Sprint("panic: ", p))
			}
		}()
		work(r)
	}()
	timer := time.NewTimer(2 * time.Minute)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		t.Errorf("a test hangs on a fault instead of failing")
	}
	return r.first, r.Failed()
}

// brokenStore is one fault that a store could have.
type brokenStore struct {
	name string
	// area is the part of the suite that has to notice it.
	area string
	// walk: the random walk has to notice it too.
	walk  bool
	fault func(b *bent)
}

// TestFaultsAreNoticed proves that the suite can fail: it breaks one rule of
// the model at a time.
func TestFaultsAreNoticed(t *testing.T) {
	t.Parallel()
	faults := slices.Concat(queueFaults(), sendFaults(), receiveFaults(), refFaults(), restFaults(), restartFaults(),
		fifoFaults(), lockFaults(), dedupFaults(), attemptFaults(), redriveFaults(), letterFaults(), moveFaults(), taskFaults(), fairFaults())
	names := make(map[string]bool)
	for _, broken := range faults {
		if names[broken.name] {
			t.Errorf("two faults have the name %s", broken.name)
		}
		names[broken.name] = true
		t.Run(broken.name, func(t *testing.T) {
			t.Parallel()
			h := bentHarness(broken.fault)
			if where, found := noticedByArea(t, h, broken.area); found {
				t.Logf("suite: %s", where)
			} else {
				t.Errorf("the tests of %s do not notice", broken.area)
			}
			if !broken.walk {
				return
			}
			if where, found := noticedByWalk(t, h); found {
				t.Logf("walk: %s", where)
			} else {
				t.Error("the walk does not notice")
			}
		})
	}
	t.Logf("%d faults", len(faults))
}

// noticedByArea runs one part of the suite until a test fails.
func noticedByArea(t *testing.T, h Harness, name string) (string, bool) {
	for _, a := range areas(h.Features) {
		if a.name != name {
			continue
		}
		for _, tc := range a.tests {
			what, found := noticed(t, func(t testing.TB) { runTest(t, h, tc) })
			if found {
				return a.name + "/" + tc.name + ": " + what, true
			}
		}
	}
	return "", false
}

// noticedByWalk walks from some seeds until one walk fails.
func noticedByWalk(t *testing.T, h Harness) (string, bool) {
	for seed := uint64(1); seed <= 24; seed++ {
		what, found := noticed(t, func(t testing.TB) { runWalk(t, h, seed, 1500) })
		if found {
			return what, true
		}
	}
	return "", false
}
