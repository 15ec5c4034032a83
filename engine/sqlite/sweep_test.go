package sqlite

import (
	"context"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// TestSweepInCompany sweeps alone and together with other calls, which wait for
// the end of the step: it must be a small one.
func TestSweepInCompany(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		kind  engine.Kind
		group string
		empty func(f *fixture, q *engine.Queue)
		alone int
		with  int
	}{
		"Purged": {empty: func(f *fixture, q *engine.Queue) {
			if err := f.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: q.ID}); err != nil {
				t.Fatal(err)
			}
		}, alone: sweepRows, with: sharedRows},
		"Expired":        {empty: expireAll, alone: sweepRows, with: sharedRows},
		"ExpiredInOrder": {kind: engine.FIFO, group: "g", empty: expireAll, alone: sweepRows / groupedCost, with: sharedRows / groupedCost},
		"ExpiredInGroup": {group: "g", empty: expireAll, alone: sweepRows / groupedCost, with: sharedRows / groupedCost},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			other := f.create("other")
			q := f.create("q")
			if tc.kind == engine.FIFO {
				q = f.createFIFO("q.fifo")
			}
			ms := messages(1000, "")
			for i := range ms {
				if ms[i].Group = tc.group; tc.kind == engine.FIFO {
					ms[i].Dedup = ms[i].Body
				}
			}
			if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: ms}); err != nil {
				t.Fatal(err)
			}
			tc.empty(f, q)
			before := f.rows("messages")
			f.together(func() { f.counts(other) }, f.sweepOnce)
			between := f.rows("messages")
			f.sweepOnce()
			if removed := before - between; removed != int64(tc.with) {
				t.Errorf("in company %d messages were removed, want %d", removed, tc.with)
			}
			if removed := between - f.rows("messages"); removed != int64(tc.alone) {
				t.Errorf("alone %d messages were removed, want %d", removed, tc.alone)
			}
			f.sweep()
			if n := f.rows("messages"); n != 0 {
				t.Errorf("%d messages are left", n)
			}
		})
	}
}

// expireAll lets everything expire.
func expireAll(f *fixture, _ *engine.Queue) { f.clock.advance(5 * 24 * time.Hour) }

func (f *fixture) sweepOnce() {
	if _, err := f.Sweep(context.Background()); err != nil {
		f.t.Errorf("Sweep: %v", err)
	}
}

// together makes calls of the writer that share one transaction: they come while
// another one is under way.
func (f *fixture) together(calls ...func()) {
	f.t.Helper()
	var wg sync.WaitGroup
	reached, resume := make(chan struct{}), make(chan struct{})
	wg.Go(func() {
		err := f.do(context.Background(), &request{name: "a test", run: func(*tx) error {
			close(reached)
			<-resume
			return nil
		}})
		if err != nil {
			f.t.Error(err)
		}
	})
	<-reached
	for _, call := range calls {
		wg.Go(call)
	}
	f.waitFor(len(calls))
	close(resume)
	wg.Wait()
}
