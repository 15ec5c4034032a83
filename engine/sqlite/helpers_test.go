package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// patience is how long a test waits for what must happen, on a machine that has
// much else to do.
const patience = 5 * time.Minute

// testClock moves only when it is told to.
type testClock struct {
	mu        sync.Mutex
	now       time.Time
	untrusted bool
}

func newTestClock() *testClock {
	return &testClock{now: time.Date(2026, time.March, 4, 5, 6, 7, 89e6, time.UTC)}
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *testClock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now.UTC().Truncate(time.Millisecond)
}

func (c *testClock) Trusted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.untrusted
}

func (c *testClock) NewTimer(time.Time) engine.Timer { panic("a store has no timers") }

// fixture is a store in a folder of its own.
type fixture struct {
	*Store
	t     testing.TB
	clock *testClock
	o     Options
}

// open opens a store in a new folder. Its data is checked when the test ends.
func open(t testing.TB, change ...func(*Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, clock: newTestClock()}
	f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
	for _, c := range change {
		c(&f.o)
	}
	f.open()
	t.Cleanup(f.finish)
	return f
}

func (f *fixture) open() {
	f.t.Helper()
	s, err := Open(f.t.Context(), f.o)
	if err != nil {
		f.t.Fatalf("Open: %v", err)
	}
	f.Store = s
}

// finish closes the store and checks what it leaves.
func (f *fixture) finish() {
	f.t.Helper()
	if err := f.Close(); err != nil {
		f.t.Errorf("Close: %v", err)
	}
	if err := Check(context.Background(), f.o.Dir); err != nil {
		f.t.Errorf("Check: %v", err)
	}
}

func (f *fixture) reopen() {
	f.t.Helper()
	f.finish()
	f.open()
}

func name(n string) engine.QueueName {
	return engine.QueueName{Namespace: engine.Namespace{Account: "000000000000", Region: "us-east-1"}, Name: n}
}

func (f *fixture) create(n string, change ...func(*engine.Settings)) *engine.Queue {
	f.t.Helper()
	settings := engine.Settings{Retention: 4 * 24 * time.Hour, VisibilityTimeout: 30 * time.Second}
	for _, c := range change {
		c(&settings)
	}
	r, err := f.CreateQueue(f.t.Context(), engine.CreateQueueParams{Name: name(n), Settings: settings})
	if err != nil {
		f.t.Fatalf("CreateQueue: %v", err)
	}
	return r.Queue
}

func messages(n int, body string) []engine.NewMessage {
	ms := make([]engine.NewMessage, n)
	for i := range ms {
		ms[i].Body = cmp.Or(body, fmt.Sprintf("m%d", i))
	}
	return ms
}

// send sends n messages, m0 and so on.
func (f *fixture) send(q *engine.Queue, n int) {
	f.t.Helper()
	for n > 0 {
		part := min(n, 1000)
		if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(part, "")}); err != nil {
			f.t.Fatalf("Send: %v", err)
		}
		n -= part
	}
}

func (f *fixture) receive(q *engine.Queue, n int) []engine.Delivery {
	f.t.Helper()
	r, err := f.Receive(f.t.Context(), engine.ReceiveParams{Queue: q.ID, Max: n})
	if err != nil {
		f.t.Fatalf("Receive: %v", err)
	}
	return r.Messages
}

func (f *fixture) ack(q *engine.Queue, ds ...engine.Delivery) {
	f.t.Helper()
	outcomes, err := f.Acknowledge(f.t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: refs(ds)})
	if err != nil {
		f.t.Fatalf("Acknowledge: %v", err)
	}
	for i, outcome := range outcomes {
		if outcome != nil {
			f.t.Fatalf("Acknowledge of %s: %v", ds[i].Body, outcome)
		}
	}
}

func refs(ds []engine.Delivery) []engine.Ref {
	var refs []engine.Ref
	for _, d := range ds {
		refs = append(refs, d.Ref)
	}
	return refs
}

// number asks the writer's own connection for a number. The writer must not use
// it meanwhile: what it tends after a transaction comes when the caller has its
// answer already.
func (f *fixture) number(query string) int64 {
	f.t.Helper()
	f.writer.turn.Lock()
	defer f.writer.turn.Unlock()
	n, err := f.writer.conn.int(query)
	if err != nil {
		f.t.Fatal(err)
	}
	return n
}

func (f *fixture) counts(q *engine.Queue) engine.Counts {
	f.t.Helper()
	c, err := f.Counts(f.t.Context(), q.ID)
	if err != nil {
		f.t.Fatalf("Counts: %v", err)
	}
	return c
}

func bodies(ds []engine.Delivery) []string {
	var bodies []string
	for _, d := range ds {
		bodies = append(bodies, d.Body)
	}
	return bodies
}
