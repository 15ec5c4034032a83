package sqlite

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

const many = 2*stepRows + 500

func (f *fixture) setDelay(q *engine.Queue, delay time.Duration) {
	f.t.Helper()
	_, err := f.UpdateQueue(f.t.Context(), engine.UpdateQueueParams{Queue: q.ID, Change: func(q *engine.Queue) error {
		q.Delay = delay
		return nil
	}})
	if err != nil {
		f.t.Fatalf("UpdateQueue: %v", err)
	}
}

func (f *fixture) wantSizes(q *engine.Queue, visible, inFlight, delayed int64) {
	f.t.Helper()
	f.sweep()
	c := f.counts(q)
	if c.Visible != visible || c.InFlight != inFlight || c.Delayed != delayed {
		f.t.Errorf("%d visible, %d in flight, %d delayed, want %d, %d, %d",
			c.Visible, c.InFlight, c.Delayed, visible, inFlight, delayed)
	}
}

func delayed10(p *engine.CreateQueueParams) { p.Settings.Delay = 10 * time.Second }

// TestManyDelayed lets more fall due, and be delayed again, than one step
// takes.
func TestManyDelayed(t *testing.T) {
	t.Parallel()
	for name, group := range map[string]func(int) string{
		"OneGroup":   func(int) string { return "g" },
		"ManyGroups": func(i int) string { return fmt.Sprint("g", i) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			q := f.createFIFO("q", delayed10)
			f.spread(q, many, group)
			f.expect(q, 10, time.Minute, "")
			f.wantSizes(q, 0, 0, many)
			f.clock.advance(10 * time.Second)
			f.expect(q, 2, 0, "m0 m1")
			f.wantSizes(q, many, 0, 0)
			f.expect(q, 1, time.Hour, map[string]string{"OneGroup": "m0", "ManyGroups": "m2"}[name])
			// What was received is not delayed again, all else is.
			f.setDelay(q, time.Minute)
			want := map[string][3]int64{"OneGroup": {1, 1, many - 2}, "ManyGroups": {2, 1, many - 3}}[name]
			f.wantSizes(q, want[0], want[1], want[2])
			f.reopen()
			f.expect(q, 10, time.Hour, map[string]string{"OneGroup": "", "ManyGroups": "m0 m1"}[name])
			f.setDelay(q, time.Second)
			if got := f.receive(q, 10); len(got) != map[string]int{"OneGroup": 0, "ManyGroups": 10}[name] {
				t.Errorf("received %d messages", len(got))
			}
			f.sweep()
			if c := f.counts(q); c.Delayed != 0 {
				t.Errorf("%d are delayed still", c.Delayed)
			}
		})
	}
}

// TestDelayedAgainAfterRestart raises the delay and stops before all is
// recounted.
func TestDelayedAgainAfterRestart(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.createFIFO("q")
	f.spread(q, many, func(i int) string { return fmt.Sprint("g", i%10) })
	f.setDelay(q, time.Minute)
	f.reopen()
	f.expect(q, 10, time.Minute, "")
	f.wantSizes(q, 0, 0, many)
	f.clock.advance(time.Minute)
	f.expect(q, 1, time.Minute, "m0")
}

// TestManyExpired lets more messages of a locked group expire than one receive
// removes: the first that lives is received all the same.
func TestManyExpired(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.createFIFO("q", func(p *engine.CreateQueueParams) { p.Settings.Retention = time.Hour })
	f.spread(q, 10*stepRows, func(int) string { return "g" })
	f.expect(q, 1, 10*time.Hour, "m0")
	f.clock.advance(30 * time.Minute)
	f.sendGrouped(q, "g-1 h-1")
	f.clock.advance(30 * time.Minute)
	f.reopen()
	f.expect(q, 2, time.Minute, "h-1 g-1")
	f.wantSizes(q, 0, 2, 0)
	f.clock.advance(30 * time.Minute)
	f.expect(q, 2, time.Minute, "")
	f.sweep()
	if n := f.rows("groups"); n != 0 {
		t.Errorf("%d groups are left", n)
	}
}

// TestManyTimedOut gives back more messages than one step promotes, in the order
// of their deadlines.
func TestManyTimedOut(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.createFIFO("q")
	f.spread(q, many, func(i int) string { return fmt.Sprint("g", i) })
	for i := range many / 500 {
		r, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 500, Visibility: new(time.Duration(10-i) * time.Second)})
		if err != nil || len(r.Messages) != 500 {
			t.Fatalf("received %d messages (%v)", len(r.Messages), err)
		}
	}
	f.clock.advance(10 * time.Second)
	f.reopen()
	got := f.receive(q, many)
	for len(got) < many {
		more := f.receive(q, many)
		if len(more) == 0 {
			t.Fatalf("received %d messages, want %d", len(got), many)
		}
		got = append(got, more...)
	}
	if got[0].Sequence != many-499 || got[many-1].Sequence != 500 {
		t.Errorf("the first is number %d and the last %d", got[0].Sequence, got[many-1].Sequence)
	}
}

// TestLineOfDeadGroups takes all messages of many groups away behind the back
// of the line.
func TestLineOfDeadGroups(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.createFIFO("q", func(p *engine.CreateQueueParams) { p.Settings.Retention = time.Hour })
	f.spread(q, many, func(i int) string { return fmt.Sprint("g", i) })
	f.clock.advance(time.Minute)
	f.sendGrouped(q, "last-1")
	f.clock.advance(59 * time.Minute)
	f.expect(q, 1, time.Minute, "last-1")
}
