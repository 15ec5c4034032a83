package sqlite

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// TestReceiveGivesUp has more groups to pass by than one receive looks at: it
// answers without a message, says so and reports it, and repeated receives get
// to what stands behind. What comes later is found at once.
func TestReceiveGivesUp(t *testing.T) {
	t.Parallel()
	const n = 2 * maxTurns * stepRows
	var mu sync.Mutex
	ready := make(map[engine.QueueID]int)
	fs := &faults{}
	f := open(t, withFaults(fs), func(o *Options) {
		o.Report = func(reports []engine.Report) {
			mu.Lock()
			defer mu.Unlock()
			for _, r := range reports {
				ready[r.Queue] += r.Ready
			}
		}
	})
	f.createFIFO("dlq")
	q := f.createFIFO("q", settingsOf(func(s *engine.Settings) { s.VisibilityTimeout = time.Hour }))
	f.spread(q, n, func(i int) string { return fmt.Sprint("g", i) })
	f.spendAll(q, 1)
	f.sendGrouped(q, "good-1")
	f.set(q, redriveTo("dlq", 1))

	begins, moves := 0, 0
	fs.mu.Lock()
	fs.stop = func(point string) {
		switch point {
		case "begin":
			begins++
		case "statement:redrive.copy":
			moves++
		}
	}
	fs.mu.Unlock()
	mu.Lock()
	clear(ready)
	mu.Unlock()
	r := f.receiveAll(q, 10)
	if len(r.Messages) != 0 || !r.More || !r.Sweep {
		t.Fatalf("the receive gave %v, more %v, sweep %v", bodies(r.Messages), r.More, r.Sweep)
	}
	mu.Lock()
	if ready[q.ID] == 0 {
		t.Error("nobody is told that a receive may go on")
	}
	mu.Unlock()
	fs.mu.Lock()
	if begins > maxTurns || moves > stepMoves {
		t.Errorf("one receive took %d transactions and %d moves", begins, moves)
	}
	fs.mu.Unlock()
	f.sendGrouped(q, "later-1")
	f.expect(q, 10, time.Hour, "later-1")
	for looks := 0; ; looks++ {
		if got := f.receive(q, 10); len(got) > 0 {
			if len(got) != 1 || got[0].Body != "good-1" {
				t.Fatalf("received %v", bodies(got))
			}
			break
		}
		if looks == 3 {
			t.Fatal("what stands behind is not found")
		}
	}
}

// TestVanishedReceiversOfGroups gives up receives of queues with groups while
// their transaction commits: the messages are there again and their groups stand
// open, as noisy or quiet as before.
func TestVanishedReceiversOfGroups(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*fixture) *engine.Queue{
		"Fair": func(f *fixture) *engine.Queue { return f.create("q") },
		"FIFO": func(f *fixture) *engine.Queue { return f.createFIFO("q") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			f := open(t, withFaults(fs))
			q := make(f)
			f.sendGrouped(q, "a-1 a-2 b-1 c-1")
			for range 10 {
				f.vanish(fs, q, 3)
				if c := f.counts(q); c.Visible != 4 || c.InFlight != 0 {
					t.Fatalf("counts are %+v, want 4 visible", c)
				}
			}
			f.remembered()
			f.reopen()
			got := f.receive(q, 10)
			if len(got) != 4 {
				t.Fatalf("received %v", bodies(got))
			}
			for _, d := range got {
				if d.Receives != 1 {
					t.Errorf("%s has %d receives", d.Body, d.Receives)
				}
			}
		})
	}
}

// TestCrashOfGroups opens the files of a store with groups that was never
// closed, in the midst of moves that a receive has left.
func TestCrashOfGroups(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*fixture, string) *engine.Queue{
		"Fair": func(f *fixture, name string) *engine.Queue { return f.create(name) },
		"FIFO": func(f *fixture, name string) *engine.Queue { return f.createFIFO(name) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const n = 1000
			s := open(t)
			dlq, q := make(s, "dlq"), make(s, "q")
			s.spread(q, n, func(i int) string { return fmt.Sprint("g", i%300) })
			s.spendAll(q, 1)
			s.set(q, redriveTo("dlq", 1))
			s.sendGrouped(q, "good-1")
			s.expect(q, 1, time.Hour, "good-1")
			if _, err := s.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			moved := s.counts(dlq).Visible
			f := open(t, func(o *Options) { o.Dir = copyData(t, s.o.Dir); o.Clock = s.clock })
			if got := f.counts(dlq).Visible; got != moved || moved <= stepMoves || moved >= n {
				t.Fatalf("%d had moved before the crash and %d after it", moved, got)
			}
			f.expect(q, 10, time.Hour, "")
			f.sweep()
			f.wantSizes(q, 0, 1, 0)
			f.wantSizes(dlq, n, 0, 0)
		})
	}
}
