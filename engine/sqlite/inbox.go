package sqlite

import (
	"context"
	"sync"
	"sync/atomic"

	"queues/engine"
)

// The bounds of what may wait for the writer; past them a call is told that
// the store is overloaded. Large requests may not take all the bytes, so that
// small ones find room beside any number of them.
const (
	maxWaiting           = 16384
	maxWaitingBytes      = 64 << 20
	maxLargeWaitingBytes = 48 << 20
)

// The bounds of one transaction. A single request may be larger.
const (
	maxBatch      = 256
	maxBatchBytes = 8 << 20
	// maxSharedBytes bounds what a transaction with small requests in it has of
	// large ones; one of them is always there.
	maxSharedBytes = 1 << 20
)

// smallBytes is the size up to which a request is small.
const smallBytes = 16 << 10

// The phases of a request. The caller and the writer move it on with a compare
// and swap, so that exactly one of them wins.
const (
	// waiting: the caller may still take it back.
	waiting int32 = iota
	// taken: the writer has it.
	taken
	// answered: the writer is done and the caller reads the outcome.
	answered
	// gone: the caller left, before or after the request was taken.
	gone
)

// request is one call on its way through the writer.
type request struct {
	// name is what the call is, for errors.
	name  string
	bytes int
	// run does the work. It may run more than once and starts afresh each time.
	run func(*tx) error
	// brief: it may be done on its caller's goroutine. What takes back what it
	// did for a caller that left may not: it has to notice that during a sync.
	brief bool
	// patient: once taken, the call waits for the end whatever its context says.
	patient bool
	// vanished undoes the work for a caller that left; nil when there is
	// nothing to undo.
	vanished func(*tx) error

	phase atomic.Int32
	err   error
	done  chan struct{}
}

// inbox is what waits for the writer. Small requests overtake large ones: the
// writer takes bytes of bodies much slower than callers can send them, and a
// caller with a hundred bytes, or one who only deletes, would wait for all the
// megabytes before it. Calls that wait at the same time have no order among
// each other, so that nobody can tell.
type inbox struct {
	mu           sync.Mutex
	small, large lane
	closed       error
	// nudged is true when the writer should look after its files.
	nudged bool
	// wake has room for one token; there is one when the writer should look.
	wake chan struct{}
	// callers counts the calls that wait for the writer or are the writer.
	callers atomic.Int32
}

// lane is a part of the inbox, first in, first out.
type lane struct {
	queue []*request
	bytes int
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// put adds a request. An urgent one is the store's own and always finds room.
func (b *inbox) put(r *request, urgent bool) error {
	r.done = make(chan struct{})
	b.mu.Lock()
	if err := b.refusal(r, urgent); err != nil {
		b.mu.Unlock()
		return err
	}
	to := b.laneOf(r)
	to.queue = append(to.queue, r)
	to.bytes += r.bytes
	b.mu.Unlock()
	b.notify()
	return nil
}

// refusal tells why a request may not come in, nil when it may.
func (b *inbox) refusal(r *request, urgent bool) error {
	bytes, large := b.small.bytes+b.large.bytes, b.large.bytes
	full := b.rest() >= maxWaiting ||
		bytes > 0 && bytes+r.bytes > maxWaitingBytes ||
		b.laneOf(r) == &b.large && large > 0 && large+r.bytes > maxLargeWaitingBytes
	switch {
	case b.closed != nil:
		return b.closed
	case full && !urgent:
		return &engine.Error{Code: engine.Overloaded, Text: "too much is waiting for the disk; nothing was done, try again"}
	}
	return nil
}

// laneOf tells where a request waits.
func (b *inbox) laneOf(r *request) *lane {
	if r.bytes > smallBytes {
		return &b.large
	}
	return &b.small
}

// Busy reports that a call with so many bytes of bodies would be refused now
// because too much waits for the disk. It does not block.
func (s *Store) Busy(bytes int64) bool {
	b := s.writer.inbox
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed == nil && b.refusal(&request{bytes: int(bytes)}, false) != nil
}

func (b *inbox) notify() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// idle reports that the writer has nothing to do and that requests may come in.
func (b *inbox) idle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed == nil && !b.nudged && b.rest() == 0
}

// rest is how many requests wait. b.mu must be held.
func (b *inbox) rest() int { return len(b.small.queue) + len(b.large.queue) }

// nudge wakes the writer to look after its files.
func (b *inbox) nudge() {
	b.mu.Lock()
	b.nudged = true
	b.mu.Unlock()
	b.notify()
}

// wait blocks until there is something for the writer to do. It gives false
// when there never will be.
func (b *inbox) wait() bool {
	for {
		b.mu.Lock()
		some := b.nudged || b.rest() > 0
		closed := b.closed != nil
		b.nudged = false
		b.mu.Unlock()
		if some || closed {
			return some
		}
		<-b.wake
	}
}

// take gives what is waiting, at most one transaction's worth, into batch.
// Those whose callers have given up are dropped.
func (b *inbox) take(batch []*request) []*request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.share(batch)
}

// share fills one transaction from both lanes. b.mu must be held.
func (b *inbox) share(batch []*request) []*request {
	if len(b.large.queue) == 0 {
		return b.small.take(batch, maxBatch, maxBatchBytes)
	}
	// One request of either kind is in every transaction, so neither starves.
	batch = b.small.take(batch, maxBatch-1, maxBatchBytes)
	if len(batch) > 0 {
		return b.large.take(batch, maxBatch, maxSharedBytes)
	}
	return b.large.take(batch, maxBatch, maxBatchBytes)
}

// take moves requests into the batch, until it has most or these would have
// more than so many bytes together; one is taken whatever its size.
func (l *lane) take(batch []*request, most, mostBytes int) []*request {
	n, bytes := 0, 0
	for _, r := range l.queue {
		if n > 0 && (len(batch) >= most || bytes+r.bytes > mostBytes) {
			break
		}
		n++
		l.bytes -= r.bytes
		if r.phase.CompareAndSwap(waiting, taken) {
			batch = append(batch, r)
			bytes += r.bytes
		}
	}
	rest := copy(l.queue, l.queue[n:])
	clear(l.queue[rest:])
	l.queue = l.queue[:rest]
	return batch
}

// close refuses further requests with err. Those that wait stay.
func (b *inbox) close(err error) {
	b.mu.Lock()
	if b.closed == nil {
		b.closed = err
	}
	b.mu.Unlock()
	b.notify()
}

// do hands a request to the writer and waits for its outcome, or for the end
// of the context; alone, it does the request itself.
func (s *Store) do(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := s.writer
	w.inbox.callers.Add(1)
	defer w.inbox.callers.Add(-1)
	if r.brief && w.alone(r) {
		return r.err
	}
	if err := w.inbox.put(r, false); err != nil {
		return err
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
	}
	if r.phase.CompareAndSwap(waiting, gone) {
		return ctx.Err()
	}
	if !r.patient && r.phase.CompareAndSwap(taken, gone) {
		return outcomeUnknown(r.name+" was given up while it was being done", ctx.Err())
	}
	<-r.done
	return r.err
}

// enter begins a call; every entered call is waited for by Close.
func (s *Store) enter(ctx context.Context) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closing {
		return errClosed()
	}
	if err := s.failed.Load(); err != nil {
		return *err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.calls.Add(1)
	return nil
}
