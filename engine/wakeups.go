package engine

import (
	"container/list"
	"sync"
	"time"
)

// Wakeups are the lines of receives that wait, one for each queue that has
// any, longest waiting first. A store reports its commits here.
//
// The rules: a report wakes as many as could take what it made ready, the
// longest waiting first. One that finds something leaves, and if there is more
// the next is woken; one that finds nothing keeps its place; one that leaves
// without having looked passes its wake on. A line's timer runs only while
// somebody waits in it.
//
// Its lock is held for moves in memory only, never over a call of the store.
type Wakeups struct {
	clock Clock
	mu    sync.Mutex
	lines map[QueueID]*line
	// drained is closed when nobody may wait any longer.
	drained chan struct{}
	// activity holds a token after a commit.
	activity chan struct{}
}

// line is the receives that wait on one queue.
type line struct {
	waiters *list.List // of *waiter
	// due is when the timer fires; zero for no timer. cancel ends its wait.
	due    time.Time
	cancel chan struct{}
}

// waiter is one receive that may wait. All fields but wake belong to the lock.
type waiter struct {
	queue   QueueID
	line    *line
	element *list.Element
	// max is the most messages it would take.
	max int
	// woken is true from a wake to the start of the look that it calls for.
	woken bool
	// deleted is true once its queue is.
	deleted bool
	// wake holds a token while woken or deleted.
	wake chan struct{}
}

// NewWakeups gives empty lines on the clock.
func NewWakeups(clock Clock) *Wakeups {
	return &Wakeups{
		clock: clock, lines: map[QueueID]*line{},
		drained: make(chan struct{}), activity: make(chan struct{}, 1),
	}
}

// Report takes what a commit did; it is the [ReportFunc] for a store.
func (w *Wakeups) Report(reports []Report) {
	select {
	case w.activity <- struct{}{}:
	default:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range reports {
		l := w.lines[r.Queue]
		if l == nil {
			continue
		}
		if r.Deleted {
			for e := l.waiters.Front(); e != nil; e = e.Next() {
				e.Value.(*waiter).deleted = true
				e.Value.(*waiter).rouse()
			}
		}
		l.wakeFor(r.Ready)
		w.arm(l, r.Due)
	}
}

// join puts a receive at the end of its queue's line. It stands there before
// its first look, so that no commit falls between the look and the wait.
func (w *Wakeups) join(queue QueueID, max int) *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.lines[queue]
	if l == nil {
		l = &line{waiters: list.New()}
		w.lines[queue] = l
	}
	x := &waiter{queue: queue, line: l, max: max, wake: make(chan struct{}, 1)}
	x.element = l.waiters.PushBack(x)
	return x
}

// look tells that the receive is about to look: wakes from here on call for
// another look. It is false when the queue is deleted.
func (w *Wakeups) look(x *waiter) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	x.woken = false
	return !x.deleted
}

// wait tells when the queue's next message falls due, as far as the receive's
// look could see.
func (w *Wakeups) wait(x *waiter, due time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arm(x.line, due)
}

// leave takes the receive out of its line. If there is more to take, or a wake
// was meant for it that it did not follow, the next in line is woken.
func (w *Wakeups) leave(x *waiter, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := x.line
	l.waiters.Remove(x.element)
	if l.waiters.Len() == 0 {
		l.disarm()
		delete(w.lines, x.queue)
		return
	}
	if more || x.woken {
		l.wakeNext()
	}
}

// drain ends all waiting, for good.
func (w *Wakeups) drain() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.drained:
	default:
		close(w.drained)
	}
}

// wakeFor wakes the longest waiting who are not awake yet, until they could
// take n messages.
func (l *line) wakeFor(n int) {
	for e := l.waiters.Front(); e != nil && n > 0; e = e.Next() {
		if x := e.Value.(*waiter); !x.woken {
			x.woken = true
			x.rouse()
			n -= x.max
		}
	}
}

// wakeNext sees to it that somebody looks: the longest waiting is woken unless
// another is awake already, who passes the wake on in turn.
func (l *line) wakeNext() {
	for e := l.waiters.Front(); e != nil; e = e.Next() {
		if e.Value.(*waiter).woken {
			return
		}
	}
	l.wakeFor(1)
}

// rouse leaves the waiter a token.
func (x *waiter) rouse() {
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// arm makes the line's timer fire at due, if that is earlier than what it is
// set to. A zero due is none.
func (w *Wakeups) arm(l *line, due time.Time) {
	if due.IsZero() || !l.due.IsZero() && !due.Before(l.due) {
		return
	}
	l.disarm()
	cancel := make(chan struct{})
	l.due, l.cancel = due, cancel
	timer := w.clock.NewTimer(due)
	go func() {
		defer timer.Stop()
		select {
		case <-cancel:
		case <-timer.C():
			w.fire(l, cancel)
		}
	}()
}

// fire wakes the longest waiting for what falls due; its look promotes and
// reports it, which wakes the others.
func (w *Wakeups) fire(l *line, cancel chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if l.cancel != cancel {
		return // set anew or ended in the meantime
	}
	l.due, l.cancel = time.Time{}, nil
	l.wakeFor(1)
}

// disarm ends the timer.
func (l *line) disarm() {
	if l.cancel != nil {
		close(l.cancel)
		l.due, l.cancel = time.Time{}, nil
	}
}
