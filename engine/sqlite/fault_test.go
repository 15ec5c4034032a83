package sqlite

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// faults decides at which point a store fails. It remembers all points asked.
type faults struct {
	mu     sync.Mutex
	at     string
	err    error
	points []string
	// stop, when set, is called at every point.
	stop func(point string)
}

func (f *faults) ask(point string) error {
	f.mu.Lock()
	stop := f.stop
	f.points = append(f.points, point)
	var err error
	if point == f.at {
		err = f.err
	}
	f.mu.Unlock()
	if stop != nil {
		stop(point)
	}
	return err
}

// arm lets the store fail at a point; an empty one disarms.
func (f *faults) arm(point string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at, f.err, f.points = point, err, nil
}

// asked gives the points since the last arm, each once.
func (f *faults) asked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	points := slices.Clone(f.points)
	slices.Sort(points)
	return slices.Compact(points)
}

// since gives the points from the first of this name since the last arm on, in
// their order.
func (f *faults) since(point string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := slices.Index(f.points, point)
	if at < 0 {
		return nil
	}
	return slices.Clone(f.points[at:])
}

func withFaults(f *faults) func(*Options) { return func(o *Options) { o.Fault = f.ask } }

var errDisk = sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrWrite}

// stage is a store whose queue has messages of every class.
type stage struct {
	*fixture
	q, other               *engine.Queue
	held, again, late, due []engine.Ref
	*deadStage
}

func newStage(t *testing.T, fs *faults) *stage {
	t.Helper()
	s := &stage{fixture: open(t, withFaults(fs))}
	s.deadStage = newDeadStage(s.fixture)
	s.q, s.other = s.create("q"), s.create("other")
	short := s.create("short", func(q *engine.Settings) { q.Retention = time.Minute })
	s.send(short, 3)
	zero := time.Duration(0)
	receive := func(visibility time.Duration) []engine.Ref {
		r, err := s.Receive(t.Context(), engine.ReceiveParams{Queue: s.q.ID, Max: 1, Visibility: &visibility})
		if err != nil {
			t.Fatal(err)
		}
		return refs(r.Messages)
	}
	s.send(s.q, 1)
	for range 3 {
		s.late = receive(zero)
	}
	s.send(s.q, 1)
	s.due = receive(10 * time.Second)
	s.send(s.q, 2)
	s.held = append(receive(time.Hour), receive(time.Hour)...)
	s.send(s.q, 1)
	s.again = receive(zero)
	s.send(s.q, 3)
	for _, delay := range []time.Duration{10 * time.Second, time.Hour} {
		p := engine.SendParams{Queue: s.q.ID, Messages: []engine.NewMessage{{Delay: &delay}}}
		if _, err := s.Send(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	s.clock.advance(2 * time.Minute)
	return s
}

// memory is what the writer has in memory.
type memory struct {
	Epoch, Cursor, Cut, Purged int64
	Count                      [classes]int64
	Moved, Groups              int64
	Snapshot                   *engine.Queue
	Tasks                      []engine.MoveTask
	// Grouped is what else is stored of a queue with groups, a text for each row.
	Grouped []string
}

// remembered gives the writer's memory, and checks that it is what is on disk.
func (f *fixture) remembered() map[string]memory {
	f.t.Helper()
	all := make(map[string]memory)
	err := f.do(context.Background(), &request{name: "a look", run: func(t *tx) error {
		for id, q := range t.w.byID {
			if _, err := t.queue(id); err != nil {
				return err
			}
			m := memory{q.epoch, q.cursor, q.cut, q.purged, q.count, q.moved, q.groups, q.snapshot, nil, nil}
			err := t.run(t.w.lastMove, func(r row) error {
				task, err := readMove(r)
				m.Tasks = append(m.Tasks, task.MoveTask)
				return err
			}, q.number, int64(100))
			if err != nil {
				return err
			}
			stored := storedFair
			if q.fifo() {
				stored = storedFIFO
			}
			if m.Grouped, err = stored(t, q); err != nil {
				return err
			}
			all[q.snapshot.Name.Name] = m
			m.Tasks, m.Grouped = nil, nil
			if t.w.byName[q.snapshot.Name] != q || f.registry.find(q.snapshot.Name) != q.snapshot {
				f.t.Errorf("queue %s is not the same by id, by name and for readers", q.snapshot.Name.Name)
			}
			onDisk := &queue{}
			err = t.run(t.w.readState, func(r row) error { onDisk.setState(r, 0); return nil }, q.number)
			if err != nil {
				return err
			}
			if d := cmp.Diff(m, memory{onDisk.epoch, onDisk.cursor, onDisk.cut, q.purged, onDisk.count, onDisk.moved, onDisk.groups, q.snapshot, nil, nil}); d != "" {
				f.t.Errorf("queue %s differs (-memory +disk):\n%s", q.snapshot.Name.Name, d)
			}
		}
		if len(t.w.byName) != len(t.w.byID) {
			f.t.Errorf("%d queues by name, %d by id", len(t.w.byName), len(t.w.byID))
		}
		return nil
	}})
	if err != nil {
		f.t.Fatal(err)
	}
	c, err := openConn(f.path(), "query_only = ON")
	if err != nil {
		f.t.Fatal(err)
	}
	if err := errors.Join(checkAll(context.Background(), c), c.close()); err != nil {
		f.t.Errorf("the data is broken: %v", err)
	}
	return all
}

// TestFailingStatements lets every statement of every call fail, and the
// commit: the call must have done nothing, in memory and on disk.
func TestFailingStatements(t *testing.T) {
	t.Parallel()
	calls := maps.Clone(calls)
	maps.Copy(calls, deadCalls)
	failEverywhere(t, newStage, calls)
}

// staged is a store made ready for calls.
type staged interface {
	remembered() map[string]memory
	sweep() engine.SweepResult
	reopen()
}

func failEverywhere[S staged](t *testing.T, newStage func(*testing.T, *faults) S, calls map[string]func(S, context.Context) error) {
	t.Helper()
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			s := newStage(t, fs)
			fs.arm("", nil)
			if err := call(s, t.Context()); err != nil {
				t.Fatal(err)
			}
			points := fs.asked()
			if !slices.Contains(points, "commit") {
				t.Fatalf("the call asks for no fault at its commit: %v", points)
			}
			for _, point := range points {
				fs := &faults{}
				s := newStage(t, fs)
				before := s.remembered()
				fs.arm(point, errDisk)
				wantCode(t, point, call(s, t.Context()), engine.Unavailable)
				fs.arm("", nil)
				if d := cmp.Diff(before, s.remembered()); d != "" {
					t.Errorf("%s failed and changed (-before +after):\n%s", point, d)
				}
				if err := call(s, t.Context()); err != nil {
					t.Errorf("after %s had failed: %v", point, err)
				}
				s.remembered()
				s.sweep()
				after := s.remembered()
				s.reopen()
				if d := cmp.Diff(after, s.remembered()); d != "" {
					t.Errorf("%s: a restart changed (-before +after):\n%s", point, d)
				}
			}
		})
	}
}

// TestOneAtFault lets one request of a batch fail by its own fault: the others
// must not feel it.
func TestOneAtFault(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]func(*tx, *queue) error{
		"Panic":          func(*tx, *queue) error { panic("a fault") },
		"RefusalTooLate": func(tx *tx, q *queue) error { tx.ready(q, 1); return errors.New("too late") },
		"Constraint": func(tx *tx, q *queue) error {
			return tx.run(tx.w.addGarbage, nil, "no number")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			f := open(t, withFaults(fs))
			q := f.create("q")
			h := fs.hold("commit")
			var wg sync.WaitGroup
			wg.Go(func() { f.send(q, 1) }) // occupies the writer
			<-h.reached
			bad := &request{name: "a bad one", run: func(tx *tx) error {
				q, err := tx.queue(q.ID)
				if err != nil {
					return err
				}
				tx.add(tx.w.insertMessages, tx.w.nextID, q.epoch, int64(1), tx.now, nil, []byte{}, "unwanted")
				return tc(tx, q)
			}}
			good := func() {
				p := engine.SendParams{Queue: q.ID, Messages: messages(1, "")}
				if _, err := f.Send(context.Background(), p); err != nil {
					t.Errorf("a good one: %v", err)
				}
			}
			wg.Go(good)
			wg.Go(func() { wantInternal(t, f.do(context.Background(), bad)) })
			wg.Go(good)
			f.waitFor(3)
			close(h.resume)
			wg.Wait()
			if c := f.counts(q); c.Visible != 3 {
				t.Errorf("%d messages, want 3", c.Visible)
			}
			f.remembered()
		})
	}
}

func wantInternal(t *testing.T, err error) {
	t.Helper()
	if err == nil || engine.ErrorCode(err) != engine.Internal {
		t.Errorf("the fault gave %v, want Internal", err)
	}
}

// held is a stop of the writer: reached is closed when it is there, and it goes
// on when resume is.
type held struct{ reached, resume chan struct{} }

// hold stops the writer at a point, once.
func (f *faults) hold(at string) held {
	h := held{make(chan struct{}), make(chan struct{})}
	var once sync.Once
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop = func(point string) {
		if point == at {
			once.Do(func() { close(h.reached); <-h.resume })
		}
	}
	return h
}

// waitFor returns when so many requests wait for the writer.
func (f *fixture) waitFor(n int) {
	f.t.Helper()
	b := f.writer.inbox
	for deadline := time.Now().Add(patience); ; {
		b.mu.Lock()
		waiting := b.rest()
		b.mu.Unlock()
		if waiting >= n {
			return
		}
		if time.Now().After(deadline) {
			f.t.Fatalf("%d requests wait, want %d", waiting, n)
		}
		runtime.Gosched()
	}
}

func TestPanicInChange(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	_, err := f.UpdateQueue(t.Context(), engine.UpdateQueueParams{Queue: q.ID, Change: func(*engine.Queue) error { panic("x") }})
	wantInternal(t, err)
	f.send(q, 1)
}
