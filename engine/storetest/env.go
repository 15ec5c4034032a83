package storetest

import (
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// env is one test's store with all that surrounds it. Its methods fail the test
// when the store returns an error.
type env struct {
	t     testing.TB
	h     Harness
	dir   string
	clock *ManualClock
	store engine.Store
	log   reportLog
}

func newEnv(t testing.TB, h Harness) *env {
	t.Helper()
	e := &env{t: t, h: h, dir: t.TempDir(), clock: NewManualClock(time.Time{})}
	e.open()
	return e
}

func (e *env) open() {
	e.t.Helper()
	e.store = e.h.Open(e.t, e.dir, e.clock, e.log.add)
}

// close closes the store and has its data checked.
func (e *env) close() {
	e.t.Helper()
	if err := e.store.Close(); err != nil {
		e.t.Errorf("Close: %v", err)
	}
	if e.h.Check != nil {
		e.h.Check(e.t, e.dir)
	}
}

// reopen restarts the store.
func (e *env) reopen() {
	e.t.Helper()
	e.close()
	e.open()
}

// finish ends a test, one that has failed as well.
func (e *env) finish() {
	e.t.Helper()
	if e.store != nil {
		e.close()
	}
}

// reportLog keeps the reports of a store.
type reportLog struct {
	mu      sync.Mutex
	reports []engine.Report
}

func (l *reportLog) add(reports []engine.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reports = append(l.reports, reports...)
}

// take gives the reports since the last take, in one for each queue.
func (l *reportLog) take() map[engine.QueueID]engine.Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	sums := make(map[engine.QueueID]engine.Report)
	for _, r := range l.reports {
		sum := sums[r.Queue]
		sum.Queue = r.Queue
		sum.Ready += r.Ready
		sum.Due = earlier(sum.Due, r.Due)
		sum.Deleted = sum.Deleted || r.Deleted
		sums[r.Queue] = sum
	}
	l.reports = nil
	return sums
}

// home is the namespace of the tests that need only one.
var home = engine.Namespace{Account: "000000000000", Region: "us-east-1"}

func named(name string) engine.QueueName { return engine.QueueName{Namespace: home, Name: name} }

// defaults are the settings of a queue that a test does not care about.
func defaults() engine.Settings {
	return engine.Settings{
		MaxMessageBytes:   1 << 20,
		Retention:         4 * 24 * time.Hour,
		VisibilityTimeout: 30 * time.Second,
	}
}

// randomBytes makes n bytes, none of them zero.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	for i := range b {
		b[i] |= 1
	}
	return b
}
