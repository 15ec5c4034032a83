package sqlite

import (
	"flag"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// backedUp is how large the data is that TestBackupFelt copies.
var backedUp = flag.Int("sqlite.backup", 8, "how many MB of data a backup is measured with")

// felt is what senders felt in some span of time.
type felt struct {
	mu   sync.Mutex
	each []time.Duration
}

func (s *felt) add(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.each = append(s.each, d)
}

// take gives the middle, the 99th of 100 and the longest, and how many there
// were, and begins anew.
func (s *felt) take() (p50, p99, longest time.Duration, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.each)
	if n = len(s.each); n > 0 {
		p50, p99, longest = s.each[n/2], s.each[(n-1)*99/100], s.each[n-1]
	}
	s.each = nil
	return p50, p99, longest, n
}

// TestBackupFelt makes a copy while 16 senders send durably, and tells what
// they felt and how long the log became.
func TestBackupFelt(t *testing.T) {
	t.Parallel()
	f := open(t, func(o *Options) { o.Sync = Full })
	q, neighbour := f.create("q"), f.create("neighbour")
	body := strings.Repeat("x", 1024)
	for sent := 0; sent < *backedUp; sent++ {
		if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1000, body)}); err != nil {
			t.Fatal(err)
		}
	}
	var feel felt
	over := make(chan struct{})
	var senders sync.WaitGroup
	for range 16 {
		senders.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				at := time.Now()
				if _, err := f.Send(t.Context(), engine.SendParams{Queue: neighbour.ID, Messages: messages(1, body)}); err != nil {
					t.Errorf("Send: %v", err)
					return
				}
				feel.add(time.Since(at))
			}
		})
	}
	wait := func(n int) {
		for {
			feel.mu.Lock()
			enough := len(feel.each) >= n
			feel.mu.Unlock()
			if enough {
				return
			}
			f.counts(neighbour) // takes its turn behind the senders
		}
	}
	tell := func(when string, began time.Time) {
		took := time.Since(began)
		p50, p99, longest, n := feel.take()
		log, err := sizeOf(f.path() + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-7s %8s: %6.0f sends/s, %8s (median) %8s (99 of 100) %8s (longest), log %3d MiB", when, took.Round(time.Millisecond),
			float64(n)/took.Seconds(), p50.Round(time.Microsecond), p99.Round(time.Microsecond), longest.Round(time.Microsecond), log>>20)
	}
	began := time.Now()
	wait(100 * *backedUp)
	tell("before", began)
	began = time.Now()
	c, err := f.Backup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tell("copying", began)
	began = time.Now()
	n, err := io.Copy(io.Discard, c)
	if err != nil || c.Close() != nil || n != c.Size {
		t.Errorf("read %d of %d bytes, %v", n, c.Size, err)
	}
	tell("reading", began)
	began = time.Now()
	wait(100 * *backedUp)
	tell("after", began)
	close(over)
	senders.Wait()
	if log, err := sizeOf(f.path() + "-wal"); err != nil || log > 2*walWanted+int64(*backedUp)<<21 {
		t.Errorf("the log has %d bytes, %v", log, err)
	}
}
