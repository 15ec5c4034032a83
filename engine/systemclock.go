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
	// aheadDistrust is the longest retention of SQS.
	aheadDistrust = 14 * 24 * time.Hour
)

// SystemClock follows the machine's wall clock but never runs backwards: while
// the wall clock is behind what was said before, it goes on by monotonic time.
//
// It is not trusted for ten minutes after a leap ahead of more than an hour. Nor
// is it while it is more than an hour ahead of the wall clock, since one of them
// was wrong and has been set right; but only for as long as messages are kept at
// most: those from before are then over by any clock.
type SystemClock struct {
	source func() reading
	mu     sync.Mutex
	// last is the last reading of the machine, and value what this clock said
	// then.
	last  reading
	value time.Time
	// distrusted is the monotonic time until which a leap is remembered.
	distrusted time.Duration
	// ahead is true while this clock is far ahead of the wall, since that
	// monotonic time.
	ahead bool
	since time.Duration
}

// reading is what the machine says at one moment: its wall clock, and the time
// since some fixed moment by a clock that nobody can set.
type reading struct {
	wall time.Time
	mono time.Duration
}

// NewSystemClock gives a clock that starts at the wall clock's time.
func NewSystemClock() *SystemClock {
	start := time.Now()
	return newSystemClock(func() reading {
		now := time.Now()
		return reading{wall: now.Round(0), mono: now.Sub(start)}
	})
}

// NewSystemClockOf gives a clock over a source other than the machine: its wall
// clock, and the time since some fixed moment by a clock that nobody can set.
// Timers run by the machine all the same.
func NewSystemClockOf(source func() (wall time.Time, mono time.Duration)) *SystemClock {
	return newSystemClock(func() reading {
		wall, mono := source()
		return reading{wall: wall.Round(0), mono: mono}
	})
}

func newSystemClock(source func() reading) *SystemClock {
	now := source()
	return &SystemClock{source: source, last: now, value: now.wall}
}

// Now is the current time, truncated to the millisecond, in UTC.
func (c *SystemClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.step().UTC().Truncate(time.Millisecond)
}

// Hold makes the clock go on from at when it is behind. A store calls it with
// the last time it has stored, so that time never runs backwards over a restart.
func (c *SystemClock) Hold(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.step(); c.value.Before(at) {
		c.value = at
		c.step()
	}
}

// step reads the machine once and gives the clock's own value.
func (c *SystemClock) step() time.Time {
	now := c.source()
	passed := now.mono - c.last.mono
	if now.wall.Sub(c.last.wall)-passed > leapAhead {
		c.distrusted = now.mono + leapDistrust
	}
	c.last = now
	// When the wall was set back, go on beside it rather than wait for it, which
	// would freeze every deadline.
	if c.value = c.value.Add(passed); c.value.Before(now.wall) {
		c.value = now.wall
	}
	if far := c.value.Sub(now.wall) > leapAhead; far != c.ahead {
		c.ahead, c.since = far, now.mono
	}
	return c.value
}

// NewTimer makes a timer that fires once the clock reaches at.
func (c *SystemClock) NewTimer(at time.Time) Timer {
	t := &systemTimer{fired: make(chan struct{})}
	t.timer = time.AfterFunc(at.Sub(c.Now()), func() { close(t.fired) })
	return t
}

// Trusted is false for ten minutes after a leap ahead, and while this clock is
// far ahead of the wall.
func (c *SystemClock) Trusted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.step()
	return c.last.mono >= c.distrusted && (!c.ahead || c.last.mono-c.since >= aheadDistrust)
}

type systemTimer struct {
	timer *time.Timer
	fired chan struct{}
}

func (t *systemTimer) C() <-chan struct{} { return t.fired }

func (t *systemTimer) Stop() { t.timer.Stop() }
