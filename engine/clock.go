package engine

import "time"

// Clock is the time of messages. It never runs backwards.
type Clock interface {
	// Now is the current time, truncated to the millisecond, in UTC.
	Now() time.Time
	// NewTimer makes a timer that fires once the clock reaches at, at once if
	// it has.
	NewTimer(at time.Time) Timer
	// Trusted is false while the clock may be wrong, for example for a while
	// after it leapt ahead: what would expire is kept until it is true again.
	Trusted() bool
}

// Timer is one wait on a [Clock].
type Timer interface {
	// C is closed when the timer fires.
	C() <-chan struct{}
	// Stop releases the timer. It may be called more than once.
	Stop()
}
