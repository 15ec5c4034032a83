package storetest_test

import (
	"sync"
	"testing"
	"time"

	"queues/engine"
	"queues/engine/storetest"
)

func fired(timer engine.Timer) bool {
	select {
	case <-timer.C():
		return true
	default:
		return false
	}
}

func TestManualClockMoves(t *testing.T) {
	t.Parallel()
	c := storetest.NewManualClock(time.Time{})
	if got := c.Now(); !got.Equal(storetest.Epoch) || got.Location() != time.UTC {
		t.Errorf("a new clock is at %v", got)
	}
	c.Advance(time.Second + time.Microsecond)
	if got, want := c.Now(), storetest.Epoch.Add(time.Second); !got.Equal(want) {
		t.Errorf("the clock is at %v, want whole milliseconds: %v", got, want)
	}
	c.Set(storetest.Epoch)
	if got := c.Now(); !got.Equal(storetest.Epoch) {
		t.Errorf("the clock that was set back is at %v", got)
	}
	if !c.Trusted() {
		t.Error("a new clock is not trusted")
	}
	c.SetTrusted(false)
	if c.Trusted() {
		t.Error("the clock is trusted against its will")
	}
}

func TestManualClockTimers(t *testing.T) {
	t.Parallel()
	c := storetest.NewManualClock(time.Time{})
	past, now := c.NewTimer(storetest.Epoch.Add(-time.Hour)), c.NewTimer(storetest.Epoch)
	soon, late := c.NewTimer(storetest.Epoch.Add(time.Second)), c.NewTimer(storetest.Epoch.Add(time.Hour))
	stopped := c.NewTimer(storetest.Epoch.Add(time.Second))
	stopped.Stop()
	stopped.Stop()
	if !fired(past) || !fired(now) || fired(soon) || c.Timers() != 2 {
		t.Errorf("at the start: past %v, now %v, soon %v, %d wait", fired(past), fired(now), fired(soon), c.Timers())
	}
	c.Advance(time.Second - time.Millisecond)
	if fired(soon) {
		t.Error("a timer fired a millisecond early")
	}
	c.Advance(time.Millisecond)
	if !fired(soon) || fired(late) || fired(stopped) {
		t.Errorf("after a second: soon %v, late %v, stopped %v", fired(soon), fired(late), fired(stopped))
	}
	c.Set(storetest.Epoch.Add(2 * time.Hour))
	if !fired(late) || c.Timers() != 0 {
		t.Errorf("in the end: late %v, %d wait", fired(late), c.Timers())
	}
	late.Stop()
}

func TestManualClockConcurrently(t *testing.T) {
	t.Parallel()
	c := storetest.NewManualClock(time.Time{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				timer := c.NewTimer(c.Now().Add(time.Millisecond))
				c.Advance(time.Millisecond)
				<-timer.C()
				timer.Stop()
			}
		})
	}
	wg.Wait()
	if got, want := c.Now(), storetest.Epoch.Add(800*time.Millisecond); !got.Equal(want) || c.Timers() != 0 {
		t.Errorf("the clock is at %v, want %v; %d timers wait", got, want, c.Timers())
	}
}
