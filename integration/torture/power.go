//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/load"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

// recording is a server at work under the recorder.
type recording struct {
	*torture
	sync, dir, data, log string
	library              string
	faults               *powercut.Faults
	load                 *load.Load
	server               *server
	mu                   sync.Mutex
	samples              []sample
	ready                int64
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
		r := &recording{torture: t, sync: mode.sync, dir: filepath.Join(t.dir, "power-"+mode.sync), library: library, load: load.New(wire.New(), t.Seed)}
		r.data, r.log = filepath.Join(r.dir, "data"), filepath.Join(r.dir, "log")
		if err := os.MkdirAll(r.data, 0o700); err != nil {
			return err
		}
		if r.faults, err = powercut.NewFaults(filepath.Join(r.dir, "faults")); err != nil {
			return err
		}
		defer func() { _ = r.faults.Close() }() // the program is about to end
		if err := r.record(ctx); err != nil {
			return fmt.Errorf("sync=%s: %w", mode.sync, err)
		}
		if err := r.cutAll(ctx, mode.cuts); err != nil {
			return fmt.Errorf("sync=%s: %w", mode.sync, err)
		}
	}
	return ctx.Err()
}

// start starts the server under the recorder.
func (r *recording) start() (err error) {
	r.server, err = startServer(r.torture.server, r.data, []string{
		"LD_PRELOAD=" + r.library, "TORTURE_DATA=" + r.data, "TORTURE_LOG=" + r.log, "TORTURE_FAULTS=" + filepath.Join(r.dir, "faults"),
	}, "--sync="+r.sync)
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

// answersAfterSync looks whether an answer comes after a sync of the log that
// holds what it answers for.
func (r *recording) answersAfterSync(ctx context.Context) error {
	const calls = 40
	lengths := []int64{r.length()}
	for i := range calls {
		a := r.load.Client.Call(ctx, "SetQueueAttributes", wire.Args{
			"QueueUrl": wire.QueueURL("plain"), "Attributes": map[string]string{"ReceiveMessageWaitTimeSeconds": fmt.Sprint(i % 2)},
		})
		if a.Outcome != history.Done {
			return fmt.Errorf("a call was answered with %d %s", a.Status, a.Message)
		}
		lengths = append(lengths, r.length())
	}
	records, err := powercut.Read(r.log)
	if err != nil {
		return err
	}
	good := 0
	for i := range calls {
		if syncedFirst(records, lengths[i], lengths[i+1]) {
			good++
		}
	}
	r.say("power: sync=%s: %d of %d answers came after a write and a sync of the log", r.sync, good, calls)
	if r.sync == "full" && good != calls {
		r.violated("power: sync=full: %d answers came before their sync", calls-good)
	}
	return nil
}

// syncedFirst reports whether a part of a recording, of one call, has a write to
// the log, a sync of it after its last write, and then an answer.
func syncedFirst(records []powercut.Record, from, to int64) bool {
	wal := make(map[uint64]bool)
	var wrote, synced bool
	begun := make(map[uint64]bool)
	for i := range records {
		r := &records[i]
		if r.Kind == powercut.Create || r.Kind == powercut.Open {
			wal[r.File] = strings.HasSuffix(r.Path, "-wal")
		}
		if r.End <= from || r.End > to {
			continue
		}
		switch r.Kind {
		case powercut.Write:
			if wal[r.File] {
				wrote, synced = true, false
				clear(begun)
			}
		case powercut.SyncBegin:
			begun[r.ID] = wal[r.File]
		case powercut.SyncEnd:
			synced = synced || begun[r.ID] && r.Result == 0
		case powercut.Answer:
			return wrote && synced
		}
	}
	return false
}

// cutAll cuts the power at many moments of a recording.
func (r *recording) cutAll(ctx context.Context, cuts int) error {
	records, err := powercut.Read(r.log)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(r.Seed, uint64(len(r.sync))))
	at, kinds := choose(random, records, r.ready, cuts)
	w := powercut.NewWorld()
	next, opened, whole, lossy, broken := 0, 0, 0, 0, 0
	firstLoss := ""
	for i := range records {
		if err := w.Apply(&records[i]); err != nil {
			return err
		}
		for ; next < len(at) && at[next] == i; next++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s := powercut.NewSurvival(random)
			dir := filepath.Join(r.dir, fmt.Sprintf("image-%d", next))
			image := w.Image(s)
			if err := image.Write(dir); err != nil {
				return err
			}
			found, err := r.judge(ctx, records[i].End, dir)
			where := fmt.Sprintf("power: sync=%s: cut %d after record %d of %d, %v", r.sync, next, i, len(records), s)
			switch {
			case err != nil:
				broken++
				if r.sync != "off" {
					r.keep(image)
					r.violated("%s: %v", where, err)
				}
			case len(found) > 0:
				opened++
				lossy++
				firstLoss = found[0].String()
				if r.sync == "full" {
					r.keep(image)
					r.violated("%s: %v (%d violations)", where, found[0], len(found))
				}
			default:
				opened++
				whole++
			}
			if len(r.violations) > 0 && r.sync == "full" {
				return keepHistory(r.load.History, r.dir)
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
	}
	r.say("power: sync=%s: %d records, %.1f MB, %d events; %d cuts (%s)", r.sync, len(records), float64(r.length())/1e6, r.load.History.Len(), len(at), kinds)
	r.say("power: sync=%s: of %d images %d opened and passed the check, %d kept all that was answered, %d lost some, %d were broken",
		r.sync, len(at), opened, whole, lossy, broken)
	if r.sync != "full" {
		if lossy+broken == 0 {
			r.violated("power: sync=%s loses nothing: the cuts prove nothing", r.sync)
		} else if firstLoss != "" {
			r.say("power: sync=%s: such as %s", r.sync, firstLoss)
		}
	}
	return os.Remove(r.log)
}

// choose chooses the records after which the power is cut: a part anywhere, a
// part in the first creation of everything, a part around the syncs of the
// database itself, which are in checkpoints.
func choose(random *rand.Rand, records []powercut.Record, ready int64, cuts int) (at []int, kinds string) {
	db := make(map[uint64]bool)
	var checkpoints []int
	first := 0
	for i := range records {
		r := &records[i]
		if r.Kind == powercut.Create || r.Kind == powercut.Open {
			db[r.File] = strings.HasSuffix(r.Path, ".db")
		}
		if r.End <= ready {
			first = i + 1
		}
		if r.Kind == powercut.SyncBegin && db[r.File] || r.Kind == powercut.Write && db[r.File] {
			checkpoints = append(checkpoints, i)
		}
	}
	early, middle := 0, 0
	for range cuts {
		switch n := random.IntN(10); {
		case n < 2 && first > 0:
			at = append(at, random.IntN(first))
			early++
		case n < 5 && len(checkpoints) > 0:
			i := checkpoints[random.IntN(len(checkpoints))] + random.IntN(3)
			at = append(at, min(i, len(records)-1))
			middle++
		default:
			at = append(at, random.IntN(len(records)))
		}
	}
	slices.Sort(at)
	return at, fmt.Sprintf("%d in the first creation, %d in checkpoints", early, middle)
}

// judge looks into an image of a cut at this length of the log: an error when
// it cannot be used, and else what was violated.
func (r *recording) judge(ctx context.Context, length int64, dir string) ([]history.Violation, error) {
	found, err := contents.Of(ctx, dir)
	if err != nil {
		return nil, err
	}
	if length < r.ready {
		return nil, nil // nobody was told anything yet
	}
	answered, begun := r.moment(length)
	h := r.load.History.Until(answered, begun)
	h.AddState(history.State{At: begun, Contents: found.Messages})
	return h.Check(), nil
}

// moment gives when the log had this length: all that was answered by the first
// is in it, and nothing that began after the second.
func (r *recording) moment(length int64) (answered, begun time.Duration) {
	begun = r.load.History.Now()
	for _, s := range r.samples {
		if s.length <= length {
			answered = max(answered, s.before)
		}
		if s.length >= length {
			begun = min(begun, s.after)
		}
	}
	return min(answered, begun), begun
}

// keep keeps an image for the evidence; looking into it has changed the first.
func (r *recording) keep(image powercut.Image) {
	if err := image.Write(filepath.Join(r.dir, "evidence")); err != nil {
		r.say("power: the evidence cannot be kept: %v", err)
	}
}
