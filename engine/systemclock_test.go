package engine

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestSystemClock(t *testing.T) {
	t.Parallel()

	bubble := func(t *testing.T, f func(t *testing.T, c *SystemClock)) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) { f(t, NewSystemClock()) })
	}

	t.Run("FollowsTheWall", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(t *testing.T, c *SystemClock) {
			start := c.Now()
			time.Sleep(90 * time.Second)
			if got := c.Now().Sub(start); got != 90*time.Second {
				t.Errorf("passed %v, want 90s", got)
			}
		})
	})

	t.Run("RoundsToTheMillisecondInUTC", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(t *testing.T, c *SystemClock) {
			time.Sleep(1234567 * time.Nanosecond)
			now := c.Now()
			if now.Nanosecond()%int(time.Millisecond) != 0 || now.Location() != time.UTC {
				t.Errorf("got %v", now)
			}
		})
	})

	t.Run("TimerFiresWhenTheClockReachesIt", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(t *testing.T, c *SystemClock) {
			at := c.Now().Add(5 * time.Second)
			timer := c.NewTimer(at)
			defer timer.Stop()
			<-timer.C()
			if got := c.Now(); !got.Equal(at) {
				t.Errorf("fired at %v, want %v", got, at)
			}
			past := c.NewTimer(at.Add(-time.Hour))
			defer past.Stop()
			<-past.C()
		})
	})

	t.Run("StoppedTimerStaysSilent", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(t *testing.T, c *SystemClock) {
			timer := c.NewTimer(c.Now().Add(time.Second))
			timer.Stop()
			timer.Stop()
			time.Sleep(time.Minute)
			select {
			case <-timer.C():
				t.Error("fired after Stop")
			default:
			}
		})
	})
}

func TestSystemClockLeaps(t *testing.T) {
	t.Parallel()
	now := reading{wall: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	c := newSystemClock(func() reading { return now })
	first := c.Now()
	// step lets d pass and moves the wall by skew beside it, as an operator or
	// NTP would.
	step := func(d, skew time.Duration) time.Time {
		now.mono += d
		now.wall = now.wall.Add(d + skew)
		return c.Now()
	}

	if got := step(time.Second, -2*time.Hour).Sub(first); got != time.Second {
		t.Errorf("after the wall fell back the clock moved by %v, want 1s", got)
	}
	if got := step(time.Second, 0).Sub(first); got != 2*time.Second {
		t.Errorf("beside a wall that is behind the clock moved by %v, want 2s", got)
	}
	if c.Trusted() {
		t.Error("trusted two hours ahead of the wall")
	}
	step(0, 45*time.Minute)
	step(0, 45*time.Minute)
	if !c.Trusted() {
		t.Error("less than an hour ahead of the wall is no doubt")
	}
	step(0, -90*time.Minute)
	if got := step(0, 2*time.Hour+30*time.Minute).Sub(first); got != 30*time.Minute+2*time.Second {
		t.Errorf("once the wall is ahead the clock moved to %v, want the wall", got)
	}
	// 2.5 h in one step is a leap, wherever it started.
	if c.Trusted() {
		t.Error("trusted right after a leap of more than an hour")
	}
	step(9*time.Minute, 0)
	if c.Trusted() {
		t.Error("trusted nine minutes after the leap")
	}
	step(2*time.Minute, 0)
	if !c.Trusted() {
		t.Error("still distrusted eleven minutes after the leap")
	}
	step(time.Second, 59*time.Minute)
	if !c.Trusted() {
		t.Error("59 minutes ahead are no leap")
	}
}

// TestSystemClockBesideTheWall sets the wall back and reads the clock rarely:
// no time is lost that has passed.
func TestSystemClockBesideTheWall(t *testing.T) {
	t.Parallel()
	now := reading{wall: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	c := newSystemClock(func() reading { return now })
	first := c.Now()
	now.wall = now.wall.Add(-5 * time.Minute)
	c.Now()
	now.mono, now.wall = 15*time.Minute, now.wall.Add(15*time.Minute)
	if got := c.Now().Sub(first); got != 15*time.Minute {
		t.Errorf("the clock moved by %v in 15 minutes", got)
	}
}

func TestSystemClockHold(t *testing.T) {
	t.Parallel()
	now := reading{wall: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	c := newSystemClock(func() reading { return now })
	held := now.wall.Add(time.Hour)
	c.Hold(held)
	if got := c.Now(); !got.Equal(held) {
		t.Errorf("held at %v the clock says %v", held, got)
	}
	now.mono, now.wall = time.Minute, now.wall.Add(time.Minute)
	if !c.Trusted() {
		t.Error("an hour ahead of the wall is no doubt")
	}
	if got, want := c.Now(), held.Add(time.Minute); !got.Equal(want) {
		t.Errorf("a minute later it says %v, want %v: time must go on", got, want)
	}
	now.mono, now.wall = 2*time.Hour, now.wall.Add(2*time.Hour)
	c.Hold(now.wall.Add(24 * time.Hour))
	if c.Trusted() {
		t.Error("trusted a day ahead of the wall")
	}
	now.mono, now.wall = now.mono+13*24*time.Hour, now.wall.Add(13*24*time.Hour)
	if c.Trusted() {
		t.Error("trusted after 13 days, a day ahead of the wall")
	}
	now.mono, now.wall = now.mono+25*time.Hour, now.wall.Add(25*time.Hour)
	if !c.Trusted() {
		t.Error("not trusted after 14 days: what is left is of this clock's time")
	}
	now.mono, now.wall = now.mono+time.Hour, now.wall.Add(25*time.Hour)
	c.Hold(held)
	if got := c.Now(); !got.Equal(now.wall) {
		t.Errorf("once the wall has caught up it says %v, want %v", got, now.wall)
	}
}
