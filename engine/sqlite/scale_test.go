package sqlite

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"queues/engine"
)

// TestBacklog compares a receive from a deep queue with one from a shallow
// queue: it must cost the same.
func TestBacklog(t *testing.T) {
	t.Parallel()
	f := open(t)
	shallow, deep := f.create("shallow"), f.create("deep")
	f.send(shallow, 1_000)
	f.send(deep, 100_000)
	const rounds = 90
	var ofShallow, ofDeep []time.Duration
	for range rounds {
		start := time.Now()
		f.receive(shallow, 10)
		between := time.Now()
		f.receive(deep, 10)
		ofShallow, ofDeep = append(ofShallow, between.Sub(start)), append(ofDeep, time.Since(between))
	}
	a, b := quick(ofShallow), quick(ofDeep)
	t.Logf("a receive of 10: %v at 1e3, %v at 1e5", a, b)
	if b > 3*a {
		t.Errorf("a receive of 10 takes %v at 1e5, %v at 1e3", b, a)
	}
}

// saturate is how long TestLogStaysBounded loads the store.
var saturate = flag.Duration("sqlite.saturate", 2*time.Second, "how long the log is watched under saturated sends")

// TestLogStaysBounded sends and receives from many goroutines for a while,
// without a pause in which a checkpoint could catch up, and watches the
// write-ahead log grow.
func TestLogStaysBounded(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	body := strings.Repeat("x", 4<<10)
	end := time.Now().Add(*saturate)
	var sent, largest atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				p := engine.SendParams{Queue: q.ID, Messages: messages(10, body)}
				if _, err := f.Send(context.Background(), p); err != nil {
					t.Errorf("Send: %v", err)
					return
				}
				sent.Add(10)
				if _, err := f.Receive(context.Background(), engine.ReceiveParams{Queue: q.ID, Max: 1}); err != nil {
					t.Errorf("Receive: %v", err)
					return
				}
				if n%16 != 0 {
					continue
				}
				info, err := os.Stat(f.path() + "-wal")
				if err != nil {
					t.Error(err)
					return
				}
				for old := largest.Load(); info.Size() > old && !largest.CompareAndSwap(old, info.Size()); {
					old = largest.Load()
				}
			}
		})
	}
	wg.Wait()
	t.Logf("the log reached %d MiB while %d MiB of bodies were sent in %v", largest.Load()>>20, sent.Load()*int64(len(body))>>20, *saturate)
	if largest.Load() > 128<<20 {
		t.Errorf("the log grew to %d bytes", largest.Load())
	}
}

// TestShrinks gives the room of a purged queue back to the file system.
func TestShrinks(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	body := strings.Repeat("x", 64<<10)
	for range 60 {
		if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(10, body)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: q.ID}); err != nil {
		t.Fatal(err)
	}
	if r := f.sweep(); !r.Next.IsZero() {
		t.Errorf("an empty store wants to be swept at %v", r.Next)
	}
	pages := f.number("PRAGMA page_count")
	if pages > keptPages+300 {
		t.Errorf("the file has %d pages after everything is gone", pages)
	}
	// What only the log says does not help a disk that is full.
	info, err := os.Stat(f.path())
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > (keptPages+300)<<12 {
		t.Errorf("the file has %d bytes for its %d pages", info.Size(), pages)
	}
}

// TestIdleQueuesAreFree holds that idle queues are not looked at by a sweep.
func TestIdleQueuesAreFree(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	for i := range 200 {
		q := f.create(fmt.Sprint("q", i))
		f.send(q, 1)
		f.receive(q, 1)
	}
	f.reopen()
	f.sweep()
	fs.arm("", nil)
	r := f.sweep()
	for _, point := range fs.asked() {
		if strings.HasPrefix(point, "statement:promote") || strings.HasPrefix(point, "statement:expire") {
			t.Errorf("a sweep with nothing due runs %s", point)
		}
	}
	if want := f.clock.Now().Add(30 * time.Second); !r.Next.Equal(want) {
		t.Errorf("the next sweep is due at %v, want %v", r.Next, want)
	}
}
