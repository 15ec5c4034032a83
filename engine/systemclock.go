package engine

import (
	"sync"
	"time"
)

// leapAhead is how far the wall clock must run ahead of the monotonic one
// between two readings to count as a leap, and leapDistrust how long the clock
// is not trusted after it. A wrong clock is usually set right within minutes.
const (
	leapAhead    = time.Hour
	leapDistrust = 10 * time.Minute
)

// SystemClock follows the machine's wall clock but never runs backwards: while
// the wall clock is behind what was said before, it goes on by monotonic time. After a leap ahead of more than an hour it is not trusted for ten
// minutes.
type SystemClock struct {
	mu sync.Mutex
	// read is the last reading of the machine, with its monotonic part, and
	// value is what this clock said then.
	read, value time.Time
	// distrusted is the monotonic reading until which a leap is remembered.
	distrusted time.Time
	source     func() time.Time
}

// NewSystemClock gives a clock that starts at the wall clock's time.
func NewSystemClock() *SystemClock { return newSystemClock(time.Now) }

func newSystemClock(source func() time.Time) *SystemClock {
	now := source()
	return &SystemClock{read: now, value: now.Round(0), source: source}
}

// Now is the current time, truncated to the millisecond, in UTC.
func (c *SystemClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.step().UTC().Truncate(time.Millisecond)
}

// step reads the machine once and gives the clock's own value.
func (c *SystemClock) step() time.Time {
	read := c.source()
	passed := read.Sub(c.read) // by the monotonic reading
	wall := read.Round(0)
	if wall.Sub(c.read.Round(0))-passed > leapAhead {
		c.distrusted = read.Add(leapDistrust)
	}
	if wall.Before(c.value) {
		// The wall was set back: go on beside it rather than stand still, which
		// would freeze every deadline.
		wall = c.value.Add(passed)
	}
	c.read, c.value = read, wall
	return wall
}

// NewTimer makes a timer that fires once the clock reaches at.
func (c *SystemClock) NewTimer(at time.Time) Timer {
	t := &systemTimer{fired: make(chan struct{})}
	t.timer = time.AfterFunc(at.Sub(c.Now()), func() { close(t.fired) })
	return t
}

// Trusted is false for ten minutes after a leap ahead.
func (c *SystemClock) Trusted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.step()
	return !c.read.Before(c.distrusted)
}

type systemTimer struct {
	timer *time.Timer
	fired chan struct{}
}

func (t *systemTimer) C() <-chan struct{} { return t.fired }

func (t *systemTimer) Stop() { t.timer.Stop() }
