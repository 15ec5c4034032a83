//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"queues/engine"
	"queues/engine/sqlite"
)

// Large states are written by the store itself, without a server before it and
// without a sync before each answer: 1e7 messages would take an hour by requests
// and take a minute so. They are what the server would have written, because
// it is the same code that writes them.

const (
	// past is how long ago what is prepared was sent. It is under an hour: of a
	// store that stood still for longer nothing expires at first.
	past = 30 * time.Minute
	// hold is how long a message that is in flight stays so: the rest of the run.
	hold = 12 * time.Hour
	// writtenAtOnce is how many messages a call of the store has.
	writtenAtOnce = 1000
)

// fillClock is time as a prepared store sees it: it stands still and is moved.
type fillClock struct {
	mu  sync.Mutex
	now time.Time
}

var _ engine.Clock = (*fillClock)(nil)

// Now is the time that was set.
func (c *fillClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Trusted is always true.
func (c *fillClock) Trusted() bool { return true }

// NewTimer makes a timer that never fires: nothing waits in a store.
func (c *fillClock) NewTimer(time.Time) engine.Timer { return neverTimer{} }

func (c *fillClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type neverTimer struct{}

func (neverTimer) C() <-chan struct{} { return nil }
func (neverTimer) Stop()              {}

// filler writes into a store that no server has open.
type filler struct {
	store *sqlite.Store
	clock *fillClock
}

// prepare lets fill write into the store in a folder, made when it is not
// there, and sees to it that all is on the disk: what the system still had to
// write would disturb what is measured next.
func prepare(ctx context.Context, dir string, fill func(context.Context, *filler) error) error {
	clock := &fillClock{now: time.Now().UTC().Truncate(time.Millisecond).Add(-past)}
	s, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, Clock: clock, Sync: sqlite.Off})
	if err != nil {
		return err
	}
	err = fill(ctx, &filler{s, clock})
	if err = errors.Join(err, s.Close()); err != nil {
		return fmt.Errorf("cannot prepare a store: %w", err)
	}
	return onData(dir, func(f *os.File) error { return f.Sync() })
}

// onData does something with the data file of a store.
func onData(dir string, do func(*os.File) error) error {
	f, err := os.OpenFile(filepath.Join(dir, sqlite.DataName), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
}

// chill takes the data file out of the system's cache, as far as the system
// lets it go.
func chill(dir string) error {
	return onData(dir, func(f *os.File) error { return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) })
}

// create makes a queue. A name that ends in ".fifo" makes it a FIFO queue.
func (f *filler) create(ctx context.Context, name string) (engine.QueueID, error) {
	p := engine.CreateQueueParams{
		Name:     engine.QueueName{Namespace: engine.Namespace{Account: "000000000000", Region: "us-east-1"}, Name: name},
		Settings: engine.Settings{Retention: 4 * 24 * time.Hour, VisibilityTimeout: hold, MaxMessageBytes: 1 << 20},
	}
	if strings.HasSuffix(name, ".fifo") {
		p.Kind = engine.FIFO
	}
	got, err := f.store.CreateQueue(ctx, p)
	if err != nil {
		return engine.QueueID{}, err
	}
	return got.Queue.ID, nil
}

// extent is the first and the last of some messages, by their sequence numbers.
type extent struct{ first, last uint64 }

// send sends n messages that shape makes, and gives their extent.
func (f *filler) send(ctx context.Context, queue engine.QueueID, n int, shape func(i int) engine.NewMessage) (extent, error) {
	var e extent
	for done := 0; done < n; {
		messages := make([]engine.NewMessage, min(n-done, writtenAtOnce))
		for i := range messages {
			messages[i] = shape(done + i)
		}
		sent, err := f.store.Send(ctx, engine.SendParams{Queue: queue, Messages: messages})
		if err != nil {
			return e, err
		}
		if done == 0 {
			e.first = sent[0].Sequence
		}
		e.last = sent[len(sent)-1].Sequence
		done += len(messages)
	}
	return e, nil
}

// plain shapes messages of so many bytes and nothing else.
func plain(size int) func(int) engine.NewMessage {
	body := strings.Repeat("x", size)
	return func(int) engine.NewMessage { return engine.NewMessage{Message: engine.Message{Body: body}} }
}

// grouped shapes messages of n groups in turn.
func grouped(size, n int) func(int) engine.NewMessage {
	shape := plain(size)
	return func(i int) engine.NewMessage {
		m := shape(i)
		m.Group, m.Dedup = fmt.Sprintf("g%d", i%n), fmt.Sprintf("d%d", i)
		return m
	}
}

// receive takes n messages in flight for some time.
func (f *filler) receive(ctx context.Context, queue engine.QueueID, n int, visibility time.Duration) error {
	for n > 0 {
		got, err := f.store.Receive(ctx, engine.ReceiveParams{Queue: queue, Max: min(n, writtenAtOnce), Visibility: &visibility})
		if err != nil {
			return err
		}
		if len(got.Messages) == 0 {
			return errors.New("a receive found nothing")
		}
		n -= len(got.Messages)
	}
	return nil
}

// returned receives n messages and lets them become visible again.
func (f *filler) returned(ctx context.Context, queue engine.QueueID, n int) error {
	if err := f.receive(ctx, queue, n, time.Minute); err != nil {
		return err
	}
	f.clock.pass(time.Minute)
	for {
		got, err := f.store.Sweep(ctx)
		if err != nil || !got.More {
			return err
		}
	}
}

// counts are the sizes of a queue.
func (f *filler) counts(ctx context.Context, queue engine.QueueID, want engine.Counts) error {
	got, err := f.store.Counts(ctx, queue)
	got.Oldest = time.Time{}
	if err == nil && got != want {
		err = fmt.Errorf("the prepared queue has %+v, want %+v", got, want)
	}
	return err
}
