package storetest

import (
	"sync"
	"time"

	"queues/engine"
)

// Epoch is where a [ManualClock] made with a zero time starts.
var Epoch = time.Date(2026, time.January, 2, 3, 4, 5, 678e6, time.UTC)

// ManualClock is a clock that moves only when it is told to. It is safe for
// concurrent use.
type ManualClock struct {
	mu        sync.Mutex
	now       time.Time
	untrusted bool
	timers    map[*manualTimer]struct{}
}

var _ engine.Clock = (*ManualClock)(nil)

// NewManualClock makes a clock that stands at start, or at [Epoch] when start
// is zero, and is trusted.
func NewManualClock(start time.Time) *ManualClock {
	if start.IsZero() {
		start = Epoch
	}
	return &ManualClock{now: tick(start), timers: make(map[*manualTimer]struct{})}
}

// tick brings a time into the form that clocks give.
func tick(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Now is the time the clock stands at.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d, which may be negative to play a clock that was
// set back, and fires the timers that fall due.
func (c *ManualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set(c.now.Add(d))
}

// Set moves the clock to t and fires the timers that fall due.
func (c *ManualClock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set(t)
}

func (c *ManualClock) set(t time.Time) {
	c.now = tick(t)
	for timer := range c.timers {
		if !timer.at.After(c.now) {
			delete(c.timers, timer)
			close(timer.c)
		}
	}
}

// Trusted is what the last SetTrusted said, true at first.
func (c *ManualClock) Trusted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.untrusted
}

// SetTrusted says what Trusted answers from now on.
func (c *ManualClock) SetTrusted(trusted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.untrusted = !trusted
}

// NewTimer makes a timer that fires when the clock is moved to at or past it.
func (c *ManualClock) NewTimer(at time.Time) engine.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &manualTimer{clock: c, at: at, c: make(chan struct{})}
	if at.After(c.now) {
		c.timers[t] = struct{}{}
	} else {
		close(t.c)
	}
	return t
}

// Timers is how many timers wait: made, not fired and not stopped.
func (c *ManualClock) Timers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}

type manualTimer struct {
	clock *ManualClock
	at    time.Time
	c     chan struct{}
}

// C is closed when the timer fires.
func (t *manualTimer) C() <-chan struct{} { return t.c }

// Stop takes the timer off the clock.
func (t *manualTimer) Stop() {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	delete(t.clock.timers, t)
}
