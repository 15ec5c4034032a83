package sqlite

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"queues/engine"
)

// TestLoneCallerPanics holds that a store whose transaction was left in its
// middle does nothing more, and says so.
func TestLoneCallerPanics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var armed atomic.Bool
		ended := make(chan error, 1)
		f := open(t, func(o *Options) {
			o.OnFatal = func(err error) { ended <- err }
			o.Report = func([]engine.Report) {
				if armed.Load() {
					panic("told of a message")
				}
			}
		})
		q := f.create("q")
		f.send(q, 1)
		synctest.Wait() // the writer may still look after its files
		armed.Store(true)
		func() {
			defer func() {
				if p := recover(); p != "told of a message" {
					t.Errorf("the send panicked with %v", p)
				}
			}()
			_, _ = f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
		}()
		<-ended
		armed.Store(false)
		_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
		wantCode(t, "a send after it", err, engine.Unavailable)
	})
}

// TestLoneCallersLog holds that the log stays short when every transaction is
// made by its caller, and nothing but these asks for its copying.
func TestLoneCallersLog(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	body := strings.Repeat("x", 4<<10)
	const bound = logBound
	for i := range 10_000 {
		if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, body)}); err != nil {
			t.Fatal(err)
		}
		if i%100 != 0 {
			continue
		}
		info, err := os.Stat(f.path() + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > bound {
			t.Fatalf("the log has %d bytes after %d sends, want %d at most", info.Size(), i+1, bound)
		}
	}
}

// TestCompanySharesCommits holds that only a caller that is alone has a
// transaction of its own: those who come meanwhile are in one.
func TestCompanySharesCommits(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q := f.create("q")
	var commits atomic.Int64
	reached, resume := make(chan struct{}), make(chan struct{})
	fs.mu.Lock()
	fs.stop = func(point string) {
		if point == "commit" && commits.Add(1) == 1 {
			close(reached)
			<-resume
		}
	}
	fs.mu.Unlock()
	var wg sync.WaitGroup
	send := func() {
		if _, err := f.Send(context.Background(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")}); err != nil {
			t.Errorf("a send: %v", err)
		}
	}
	wg.Go(send)
	<-reached
	const company = 20
	for range company {
		wg.Go(send)
	}
	f.waitFor(company)
	close(resume)
	wg.Wait()
	if n := commits.Load(); n != 2 {
		t.Errorf("%d sends beside one took %d commits, want 2 in all", company, n)
	}
	if c := f.counts(q); c.Visible != company+1 {
		t.Errorf("%d messages are there, want %d", c.Visible, company+1)
	}
}
