//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"queues/integration/torture/load"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

// recording is a server at work under the recorder.
type recording struct {
	*torture
	// name is what is said of it.
	name                 string
	sync, dir, data, log string
	args                 []string
	// ballast is how many messages the queue of that name has.
	ballast int
	// unfinished judges a copy in an image that was under way.
	unfinished func(ctx context.Context, length int64, dir string) error
	library    string
	faults     *powercut.Faults
	load       *load.Load
	server     *server
	mu         sync.Mutex
	samples    []sample
	ready      int64
}

// sample is the length of the log at some moment from before to after.
type sample struct {
	before, after time.Duration
	length        int64
}

// power is the part of that name.
func power(ctx context.Context, t *torture) error {
	library, err := powercut.Build(ctx, t.dir)
	if err != nil {
		return err
	}
	for _, mode := range []struct {
		sync string
		cuts int
	}{{"full", t.Cuts}, {"normal", t.Cuts / 4}, {"off", t.Cuts / 4}} {
		r, err := newRecording(t, "power-"+mode.sync, library)
		if err != nil {
			return err
		}
		r.name, r.sync = "power: sync="+mode.sync, mode.sync
		defer func() { _ = r.faults.Close() }() // the program is about to end
		if err := r.record(ctx); err != nil {
			return fmt.Errorf("sync=%s: %w", mode.sync, err)
		}
		records, err := powercut.Read(r.log)
		if err != nil {
			return err
		}
		random := rand.New(rand.NewPCG(r.Seed, uint64(len(r.sync))))
		at, kinds := choose(random, records, r.ready, mode.cuts)
		if err := r.cutAll(ctx, random, records, at, kinds); err != nil {
			return fmt.Errorf("sync=%s: %w", mode.sync, err)
		}
	}
	return ctx.Err()
}

// newRecording makes the folder of a recording.
func newRecording(t *torture, dir, library string) (*recording, error) {
	r := &recording{torture: t, dir: filepath.Join(t.dir, dir), library: library, load: load.New(wire.New(), t.Seed)}
	r.data, r.log = filepath.Join(r.dir, "data"), filepath.Join(r.dir, "log")
	if err := os.MkdirAll(r.data, 0o700); err != nil {
		return nil, err
	}
	var err error
	r.faults, err = powercut.NewFaults(filepath.Join(r.dir, "faults"))
	return r, err
}

// start starts the server under the recorder.
func (r *recording) start() (err error) {
	r.server, err = startServer(r.torture.server, r.data, []string{
		"LD_PRELOAD=" + r.library, "TORTURE_DATA=" + r.data, "TORTURE_LOG=" + r.log, "TORTURE_FAULTS=" + filepath.Join(r.dir, "faults"),
	}, append([]string{"--sync=" + r.sync}, r.args...)...)
	if err != nil {
		return err
	}
	if err := r.server.await(); err != nil {
		return err
	}
	r.load.Client.Use(r.server.url)
	return nil
}

// length is how long the log is.
func (r *recording) length() int64 {
	info, err := os.Stat(r.log)
	if err != nil {
		return 0
	}
	return info.Size()
}

// mark notes how long the log is at a moment that has just passed.
func (r *recording) mark(before time.Duration) {
	length := r.length()
	after := r.load.History.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.samples = append(r.samples, sample{before, after, length})
}

// record lets clients work while everything is recorded: over a first start, an
// orderly restart, a kill, and, where syncs are made, the end that a failed one
// makes.
func (r *recording) record(ctx context.Context) error {
	if err := r.start(); err != nil {
		return err
	}
	defer func() { r.server.kill() }()
	if err := load.Create(ctx, r.load.Client); err != nil {
		return err
	}
	r.ready = r.length()
	if err := r.answersAfterSync(ctx); err != nil {
		return err
	}
	r.load.Mark = r.mark
	working, stop := context.WithCancel(ctx)
	defer r.load.Wait()
	defer stop()
	r.load.Start(working)
	ends := []func() error{r.stopNow, r.killNow}
	if r.sync == "full" {
		ends = append(ends, r.failSync(powercut.WAL), r.failSync(powercut.Database))
	}
	for i, end := range ends {
		if i > 0 {
			if err := r.start(); err != nil {
				return err
			}
		}
		if err := r.work(ctx, end); err != nil {
			return err
		}
	}
	if err := r.start(); err != nil {
		return err
	}
	return r.work(ctx, r.killNow)
}

// work lets the clients work for a while, and ends the server under them.
func (r *recording) work(ctx context.Context, end func() error) error {
	spell := 2500 * time.Millisecond
	if r.Short {
		spell = 700 * time.Millisecond
	}
	r.load.Open()
	select {
	case <-time.After(spell):
	case <-r.server.ended:
		return fmt.Errorf("the server ended by itself: %w\n%s", r.server.err, r.server.text())
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := end(); err != nil {
		return err
	}
	r.load.Shut()
	r.load.Settle()
	return nil
}

func (r *recording) stopNow() error { return r.server.stop() }

func (r *recording) killNow() error {
	r.server.kill()
	return nil
}

// failSync gives an end of the server by syncs that fail, to the last one that
// it makes on its way down.
func (r *recording) failSync(class powercut.Class) func() error {
	return func() error {
		if err := r.faults.Arm(powercut.Fault{Kind: powercut.SyncBegin, Class: class, Error: syscall.EIO, Times: powercut.Always}); err != nil {
			return err
		}
		defer r.faults.Disarm()
		select {
		case <-r.server.ended:
			return nil
		case <-time.After(20 * time.Second):
			r.violated("power: a failed sync did not end the server (%d failed)", r.faults.Fired())
			r.server.kill()
			return nil
		}
	}
}
