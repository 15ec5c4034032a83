//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"queues/integration/torture/load"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

// breaker lets the disk fail under a server.
type breaker struct {
	*torture
	dir, data, library string
	faults             *powercut.Faults
	faultFile          string
	load               *load.Load
	server             *server
	// changes and deletes count the calls that were answered with success.
	changes, deletes atomic.Int64
	// results counts what became of the scenarios; fired the calls that failed
	// by point.
	results map[string]int
	fired   map[string]int
}

// breaking is the part faults.
func breaking(ctx context.Context, t *torture) error {
	b := &breaker{torture: t, dir: filepath.Join(t.dir, "faults"), load: load.New(wire.New(), t.Seed), results: make(map[string]int), fired: make(map[string]int)}
	b.data, b.faultFile = filepath.Join(b.dir, "data"), filepath.Join(b.dir, "control")
	if err := os.MkdirAll(b.data, 0o700); err != nil {
		return err
	}
	var err error
	if b.library, err = powercut.Build(ctx, b.dir); err != nil {
		return err
	}
	if b.faults, err = powercut.NewFaults(b.faultFile); err != nil {
		return err
	}
	defer func() { _ = b.faults.Close() }() // the program is about to end
	if err := b.start(); err != nil {
		return err
	}
	defer func() { b.server.kill() }()
	if err := load.Create(ctx, b.load.Client); err != nil {
		return err
	}
	b.load.Watch(func(action string) {
		if strings.HasPrefix(action, "SendMessage") || action == "SetQueueAttributes" {
			b.changes.Add(1)
		}
		if strings.HasPrefix(action, "DeleteMessage") {
			b.deletes.Add(1)
		}
	})
	working, stop := context.WithCancel(ctx)
	defer b.load.Wait()
	defer stop()
	b.load.Start(working)
	all := scenarios()
	if b.Fault != "" {
		all = slices.DeleteFunc(all, func(s scenario) bool { return !strings.Contains(s.name, b.Fault) })
	} else if b.Short {
		b.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		// Some of the reads in any case.
		reads := slices.DeleteFunc(slices.Clone(all), func(s scenario) bool { return s.fault.Kind != powercut.ReadAt })
		all = append(all[:16], reads[:4]...)
	}
	for _, s := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		began := time.Now()
		if err := b.suffer(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if d := time.Since(began); d > 5*time.Second {
			b.say("faults: %s took %v", s.name, d.Round(time.Second/10))
		}
	}
	if err := b.fillDisk(ctx); err != nil {
		return err
	}
	stop()
	b.load.Wait()
	if err := b.freshStarts(ctx); err != nil {
		return err
	}
	b.summary(len(all))
	if b.broken() {
		return keepHistory(b.load.History, b.dir)
	}
	return nil
}

// launch starts the server under the recorder without waiting for it.
func (b *breaker) launch() (err error) {
	b.server, err = startServer(b.torture.server, b.data, []string{
		"LD_PRELOAD=" + b.library, "TORTURE_DATA=" + b.data, "TORTURE_FAULTS=" + b.faultFile, "TORTURE_READS=1",
	})
	return err
}

// start starts it and waits.
func (b *breaker) start() error {
	if err := b.launch(); err != nil {
		return err
	}
	if err := b.server.await(); err != nil {
		return err
	}
	b.load.Client.Use(b.server.url)
	return nil
}

// suffer lets one scenario happen, and checks everything after it.
func (b *breaker) suffer(ctx context.Context, s scenario) error {
	if s.starting {
		if err := b.sufferStart(s); err != nil {
			return err
		}
	} else {
		b.load.Open()
		b.await(300*time.Millisecond, func() bool { return false })
		if s.fault.Skip = uint32(b.random.IntN(10)); s.fault.Kind == powercut.SyncBegin {
			s.fault.Skip = uint32(b.random.IntN(2)) // there are few of the database
		}
		if err := b.faults.Arm(s.fault); err != nil {
			return err
		}
		// Checkpoints come after a thousand pages.
		b.await(20*time.Second, func() bool { return b.faults.Fired() > 0 })
		b.await(400*time.Millisecond, func() bool { return false })
	}
	fired := b.faults.Fired()
	b.fired[s.name] += fired
	b.faults.Disarm()
	switch ended := b.ended(s.stops); {
	case fired == 0 && !s.starting:
		b.violated("faults: %s: the point was not reached", s.name)
	case ended && !s.stops && !s.may:
		b.violated("faults: %s: the server ended: %v\n%s", s.name, b.server.err, b.server.text())
	case !ended && s.stops && fired > 0:
		b.violated("faults: %s: the server goes on", s.name)
	case ended:
		b.checkEnd(s)
		b.results["stopped"]++
	default:
		b.checkRecovery(s)
		b.results["went on"]++
	}
	return b.check(ctx, s.name)
}

// sufferStart restarts the server with the fault in force. If it starts all the
// same, it is used for a while.
func (b *breaker) sufferStart(s scenario) error {
	if b.random.IntN(2) == 0 {
		b.server.kill() // with the log to be recovered
	} else if err := b.server.stop(); err != nil {
		return err
	}
	if err := b.faults.Arm(s.fault); err != nil {
		return err
	}
	if err := b.launch(); err != nil {
		return err
	}
	// That it has ended is no error here; its words are judged.
	if b.server.await() == nil {
		b.load.Client.Use(b.server.url)
		b.load.Open()
		b.await(300*time.Millisecond, func() bool { return false })
	}
	return nil
}

// await waits until something is so, the server has ended, or the time is over.
func (b *breaker) await(most time.Duration, so func() bool) {
	for end := time.Now().Add(most); time.Now().Before(end) && !so(); {
		select {
		case <-b.server.ended:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// ended reports whether the server has ended; when it should, it is given time.
func (b *breaker) ended(should bool) bool {
	if should {
		b.await(5*time.Second, func() bool { return false })
	}
	select {
	case <-b.server.ended:
		return true
	default:
		return false
	}
}

// checkEnd judges how the server ended: with status 1 and words that say why.
func (b *breaker) checkEnd(s scenario) {
	text := b.server.text()
	if code := b.server.cmd.ProcessState.ExitCode(); code != 1 {
		b.violated("faults: %s: the server ended with %v, want status 1\n%s", s.name, b.server.cmd.ProcessState, text)
	}
	if !strings.Contains(text, "queues: ") {
		b.violated("faults: %s: the server ended without a word: %q", s.name, text)
	}
}

// checkRecovery judges whether a server that goes on takes changes again.
func (b *breaker) checkRecovery(s scenario) {
	before := b.changes.Load()
	b.await(20*time.Second, func() bool { return b.changes.Load() >= before+20 })
	if got := b.changes.Load() - before; got < 20 {
		b.violated("faults: %s: the server took %d changes in 20s after the fault was over\n%s", s.name, got, b.server.text())
	}
}

// check ends the server, starts it without faults and compares everything.
func (b *breaker) check(ctx context.Context, name string) error {
	b.load.Shut()
	select {
	case <-b.server.ended:
	default:
		b.load.Settle()
		if b.random.IntN(2) == 0 {
			b.server.kill()
		} else if err := b.server.stop(); err != nil {
			b.violated("faults: %s: %v", name, err)
		}
	}
	b.load.Settle()
	if err := b.start(); err != nil {
		b.violated("faults: %s: afterwards: %v", name, err)
		return err
	}
	state, err := quiet(ctx, b.load)
	if err != nil {
		return err
	}
	b.server.kill()
	if err := examine(ctx, b.load.History, state, b.data, filepath.Join(b.dir, "copy")); err != nil {
		b.violated("faults: %s: %v", name, err)
		return err
	}
	for _, found := range b.load.History.Check() {
		b.violated("faults: %s: %v", name, found)
	}
	for _, text := range b.load.Failed() {
		b.violated("faults: %s", text)
	}
	if b.results["told"]++; b.results["told"]%10 == 0 {
		b.say("faults: %d scenarios, %d calls, %d events, %d violations", b.results["told"], b.load.Client.Calls(), b.load.History.Len(), len(b.violations)-b.before)
	}
	return b.start()
}

// summary says what the part has done.
func (b *breaker) summary(n int) {
	failed := 0
	var idle []string
	for name, fired := range b.fired {
		failed += fired
		if fired == 0 {
			idle = append(idle, name)
		}
	}
	slices.Sort(idle)
	b.say("faults: %d scenarios, %d calls to the system failed; after %d the server went on, after %d it stopped with a message", n, failed, b.results["went on"], b.results["stopped"])
	b.say("faults: %d calls; %s", b.load.Client.Calls(), b.load.History.Tally())
	if len(idle) > 0 {
		b.say("faults: these points are not passed at a start: %s", strings.Join(idle, ", "))
	}
}
