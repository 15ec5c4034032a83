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
	once, resumed   sync.Once
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

// goOn ends the hanging.
func (s *stalled) goOn() { s.resumed.Do(func() { close(s.resume) }) }

// While the disk hangs, work waits for it up to a bound. Past it a caller is
// told to try again, in the word that every SDK does so for, and nothing of
// what it sent is stored; what waited is stored once the disk goes on.
func TestTooMuchWaitsForTheDisk(t *testing.T) {
	t.Parallel()
	for _, w := range wires { // one after the other: it is much for a busy machine
		t.Run(w.name, func(t *testing.T) {
			// Of 64 MiB 48 may wait in large messages, here of 1 MiB and what belongs to them.
			const room, more = 47, 12
			disk := newStalled()
			l := newPipeListener()
			a, err := app.New(app.Config{Data: t.TempDir(), Sync: "off", Listener: l, Admin: "127.0.0.1:0", Fault: disk.fault})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
			ended := make(chan error, 1)
			go func() { ended <- a.Run(ctx) }()
			defer func() {
				disk.goOn()
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
			answers := make(chan *reply, 1+room+more)
			send := func() {
				var r *reply
				defer func() { answers <- r }() // also when the call has failed the test
				r = e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": strings.Repeat("m", 1<<20)})
				if r.Status == 200 {
					stored.Add(1)
				}
			}
			group.Go(send)
			<-disk.reached
			// One after the other: a server that is kept from reading by all the others
			// takes a client for one that is too slow.
			for i := range room {
				group.Go(send)
				for deadline := time.Now().Add(patience); countsAt(t, a.AdminAddr()).Reserved < int64(i+2)<<20; {
					if time.Now().After(deadline) {
						t.Fatalf("send %d does not come", i)
					}
				}
			}
			for range more {
				group.Go(send)
			}
			deadline := time.After(patience)
			for range more {
				select {
				case r := <-answers:
					if r == nil {
						t.Fatal("a send has failed")
					}
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
			disk.goOn()
			group.Wait()
			if n := stored.Load(); n != 1+room {
				t.Errorf("%d sends were stored, want the one under way and the %d large ones that may wait", n, room)
			}
			e.wantCounts(t, url, counts{fmt.Sprint(stored.Load()), "0", "0"})
		})
	}
}
