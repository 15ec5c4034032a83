package sqlite

import (
	"context"
	"sync"
	"sync/atomic"

	"queues/engine"
)

// The bounds of what may wait for the writer; past them a call is told that
// the store is overloaded.
const (
	maxWaiting      = 16384
	maxWaitingBytes = 64 << 20
)

// The bounds of one transaction. A single request may be larger.
const (
	maxBatch      = 256
	maxBatchBytes = 8 << 20
)

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
	// patient: once taken, the call waits for the end whatever its context says.
	patient bool
	// vanished undoes the work for a caller that left; nil when there is
	// nothing to undo.
	vanished func(*tx) error

	phase atomic.Int32
	err   error
	done  chan struct{}
}

// inbox is what waits for the writer.
type inbox struct {
	mu     sync.Mutex
	queue  []*request
	bytes  int
	closed error
	// wake has room for one token; there is one when the writer should look.
	wake chan struct{}
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// put adds a request. An urgent one is the store's own and always finds room.
func (b *inbox) put(r *request, urgent bool) error {
	r.done = make(chan struct{})
	b.mu.Lock()
	switch {
	case b.closed != nil:
		b.mu.Unlock()
		return b.closed
	case !urgent && (len(b.queue) >= maxWaiting || b.bytes > 0 && b.bytes+r.bytes > maxWaitingBytes):
		b.mu.Unlock()
		return &engine.Error{Code: engine.Overloaded, Text: "too much is waiting for the disk; nothing was done, try again"}
	}
	b.queue = append(b.queue, r)
	b.bytes += r.bytes
	b.mu.Unlock()
	b.notify()
	return nil
}

func (b *inbox) notify() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take gives what is waiting, at most one transaction's worth, into batch. It
// blocks while nothing is, and gives false when nothing will be any more.
func (b *inbox) take(batch []*request) ([]*request, bool) {
	for {
		b.mu.Lock()
		n, bytes := 0, 0
		for _, r := range b.queue {
			if n > 0 && (len(batch) >= maxBatch || bytes+r.bytes > maxBatchBytes) {
				break
			}
			n++
			b.bytes -= r.bytes
			if r.phase.CompareAndSwap(waiting, taken) {
				batch = append(batch, r)
				bytes += r.bytes
			}
		}
		rest := copy(b.queue, b.queue[n:])
		clear(b.queue[rest:])
		b.queue = b.queue[:rest]
		closed := b.closed != nil
		b.mu.Unlock()
		if len(batch) > 0 {
			return batch, true
		}
		if closed && rest == 0 {
			return nil, false
		}
		if rest == 0 {
			<-b.wake
		}
	}
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
// of the context.
func (s *Store) do(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.writer.inbox.put(r, false); err != nil {
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
