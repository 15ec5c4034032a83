package sqlite

import (
	"log/slog"
	"time"
)

const (
	// aheadWarning is how far the stored time may be ahead of the clock without
	// a word.
	aheadWarning = 5 * time.Minute
	// behindDoubt is how far it may be behind without doubt about the clock.
	behindDoubt = time.Hour
)

// holder is a clock that can be told what it must not fall behind. While the
// machine's clock is behind, such a clock goes on from there; any other seems
// to stand still.
type holder interface{ Hold(at time.Time) }

// startClock compares the clock with the last time stored.
func (w *writer) startClock() {
	o := &w.store.o
	if w.latest == 0 {
		return
	}
	stored := fromMS(w.latest)
	now := o.Clock.Now()
	switch behind := now.Sub(stored); {
	case behind < -aheadWarning:
		w.log.Warn("the clock is behind the last time stored; deadlines count from the stored time until it has caught up",
			slog.Time("stored", stored), slog.Time("clock", now))
	case behind > behindDoubt && o.ExpiryGrace > 0:
		w.graceUntil = toMS(now) + spanMS(o.ExpiryGrace)
	}
	if h, ok := o.Clock.(holder); ok {
		h.Hold(stored)
	}
}

// newTx begins a transaction in memory and takes the time for it.
func (w *writer) newTx() *tx {
	w.latest = max(w.latest, toMS(w.store.o.Clock.Now()))
	return &tx{
		w: w, now: w.latest, nowArg: w.latest,
		expiry: w.latest >= w.graceUntil && w.store.o.Clock.Trusted(),
	}
}
