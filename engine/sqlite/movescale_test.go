package sqlite

import (
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// drained is how many messages TestDrain moves.
var drained = flag.Int("sqlite.drained", 3000, "how many messages of 1 KB a move task is measured with")

// TestDrain lets a move task empty a queue while a neighbour receives, and
// tells what both felt.
func TestDrain(t *testing.T) {
	t.Parallel()
	f := open(t, func(o *Options) { o.Sync = Full })
	from, neighbour := f.create("from"), f.create("neighbour")
	f.create("to")
	body := strings.Repeat("x", 1024)
	for sent := 0; sent < *drained; sent += 500 {
		for _, q := range []*engine.Queue{from, neighbour} {
			if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(500, body)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.startMove(from, "to", 0)
	start := time.Now()
	var took time.Duration
	var wg sync.WaitGroup
	over := make(chan struct{})
	wg.Go(func() {
		f.move()
		took = time.Since(start)
		close(over)
	})
	measure := func(until <-chan struct{}, n int) []time.Duration {
		var each []time.Duration
		for range n {
			at := time.Now()
			f.touch(neighbour, 1)
			each = append(each, time.Since(at))
			select {
			case <-until:
				return each
			default:
			}
		}
		return each
	}
	during := measure(over, 1<<30)
	wg.Wait()
	alone := measure(nil, 200)
	slices.Sort(during)
	slices.Sort(alone)
	at := func(of []time.Duration, percent int) time.Duration { return of[(len(of)-1)*percent/100] }
	t.Logf("%d messages moved in %v, %.0f a second; a neighbour's receive took %v (median) and %v (99 of 100) meanwhile, %v and %v alone",
		*drained, took.Round(time.Millisecond), float64(*drained)/took.Seconds(), at(during, 50), at(during, 99), at(alone, 50), at(alone, 99))
	if task := f.moves(from)[0]; task.Moved != int64(*drained) || task.Status != engine.MoveCompleted {
		t.Errorf("the task is %+v", task)
	}
}
