package integration

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"queues/cmd/queues/app"
)

// stalled is a disk that can be made to hang in its next commit.
type stalled struct {
	armed           atomic.Bool
	reached, resume chan struct{}
	once            sync.Once
}

func newStalled() *stalled {
	return &stalled{reached: make(chan struct{}), resume: make(chan struct{})}
}

// fault hangs in a commit once it is armed.
func (s *stalled) fault(point string) error {
	if point == "commit" && s.armed.Load() {
		s.once.Do(func() { close(s.reached) })
		<-s.resume
	}
	return nil
}

// While the disk hangs, work waits for it up to a bound. Past it a caller is
// told to try again, in the word that every SDK does so for, and nothing of
// what it sent is stored; what waited is stored once the disk goes on.
func TestTooMuchWaitsForTheDisk(t *testing.T) {
	t.Parallel()
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			const room, sends = 48, 80 // of 64 MiB 48 may wait in large messages, of 1 MiB here
			disk := newStalled()
			l := newPipeListener()
			a, err := app.New(app.Config{Data: t.TempDir(), Sync: "off", Listener: l, Admin: "off", Fault: disk.fault})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
			ended := make(chan error, 1)
			go func() { ended <- a.Run(ctx) }()
			defer func() {
				stop()
				if err := <-ended; err != nil {
					t.Errorf("the server ended with: %v", err)
				}
			}()
			e := newEnv(t, &server{url: "http://" + apiAddr.String(), host: apiAddr.String(), dial: l.dial}, w)
			url := e.createNamed(t, "q", nil)

			disk.armed.Store(true)
			var group sync.WaitGroup
			var stored atomic.Int64
			answers := make(chan *reply, sends)
			send := func() {
				r := e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": strings.Repeat("m", 1<<20)})
				if r.Status == 200 {
					stored.Add(1)
				}
				answers <- r
			}
			group.Go(send)
			<-disk.reached
			for range sends - 1 {
				group.Go(send)
			}
			deadline := time.After(time.Minute)
			for range sends - 1 - room {
				select {
				case r := <-answers:
					if r.Status != 403 || r.Code != "RequestThrottled" {
						t.Errorf("the answer is %d %s %q, want 403 RequestThrottled", r.Status, r.Code, r.Message)
					}
				case <-deadline:
					t.Fatal("a send too many has no answer")
				}
			}
			if n := stored.Load(); n != 0 {
				t.Errorf("%d sends were answered with success while the disk hangs", n)
			}
			disk.armed.Store(false)
			close(disk.resume)
			group.Wait()
			if n := stored.Load(); n > room+1 || n < room-1 {
				t.Errorf("%d sends were stored, want the one under way and the %d MiB of large ones that may wait", n, room)
			}
			e.wantCounts(t, url, counts{fmt.Sprint(stored.Load()), "0", "0"})
		})
	}
}
