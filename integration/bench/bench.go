//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"queues/cmd/queues/load"
)

// settings are the sizes of a run.
type settings struct {
	// run chooses the rows by name.
	run *regexp.Regexp
	// duration is the length of one turn, rounds how often each side has one.
	duration time.Duration
	rounds   int
	// conns is the number of connections under load.
	conns int
	// settle is the longest wait for memory to settle, window the time over
	// which an idle server is watched.
	settle, window time.Duration
	// shallow and deep are the backlogs that are compared, in messages, busy
	// the number of busy queues, polls that of idle long polls.
	shallow, deep, busy, polls int
	// wakes and starts are how often a wake-up and a start are measured.
	wakes, starts int
}

func defaultSettings() settings {
	return settings{
		duration: 3 * time.Second, rounds: 5, conns: 64, settle: 20 * time.Second, window: 10 * time.Second,
		shallow: 10_000, deep: 1_000_000, busy: 1000, polls: 10_000, wakes: 500, starts: 11,
	}
}

// shortSettings are for a look in CI: all rows in under a minute, with figures
// that only a regression of several times would show in.
func shortSettings() settings {
	return settings{
		duration: 300 * time.Millisecond, rounds: 2, conns: 64, settle: 2 * time.Second, window: 2 * time.Second,
		shallow: 2000, deep: 50_000, busy: 200, polls: 2000, wakes: 50, starts: 3,
	}
}

// bench is one run.
type bench struct {
	settings
	// server is the binary under test, self this program.
	server, self string
	// dir is the run's temporary folder, on the same disk as the working
	// directory.
	dir      string
	progress io.Writer

	rows []row
	// latencies is a table of its own; see case_latency.go.
	latencies []latencyRow
	details   []detail
	notes     []string
	warnings  []string
	// failures make the whole run fail once all is measured.
	failures []string
	started  int
	running  []*process
}

// detail is one line beneath the table: the medians of one side of a
// comparison.
type detail struct {
	phase string
	series
}

// say tells what goes on.
func (b *bench) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.progress, format+"\n", args...)
}

func (b *bench) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

func (b *bench) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	b.warnings = append(b.warnings, text)
	b.say("warning: %s", text)
}

// fail notes what makes the figures worthless.
func (b *bench) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	b.failures = append(b.failures, text)
	b.say("failure: %s", text)
}

// quiet is the share of all cores that others may use before figures become
// doubtful.
const quiet = 0.05

// judgeMachine says how much of the machine went to other processes.
func (b *bench) judgeMachine(others float64) {
	b.note("Other processes used %.1f %% of the machine's CPU time meanwhile.", 100*others)
	if others > quiet {
		b.warn("the machine was not quiet (%.0f %% of its CPU time went to others): figures are too low and ratios doubtful", 100*others)
	}
}

// add puts a row into the table if it was chosen.
func (b *bench) add(name string, r row) {
	if b.wants(name) {
		b.rows = append(b.rows, r)
	}
}

// wants says whether a row was chosen.
func (b *bench) wants(name string) bool { return b.run == nil || b.run.MatchString(name) }

// measured runs every case that has a chosen row.
func (b *bench) measured(ctx context.Context) error {
	for _, c := range cases {
		if !c.chosen(b.run) {
			continue
		}
		b.say("%s", c.title)
		begun := time.Now()
		err := c.run(b, ctx)
		// A case leaves no server behind that would disturb the next one.
		if err = errors.Join(err, b.stopAll()); err != nil {
			return fmt.Errorf("%s: %w", c.title, err)
		}
		b.say("%s: done in %.1f s", c.title, time.Since(begun).Seconds())
	}
	if len(b.rows) == 0 {
		return errors.New("no row has such a name")
	}
	return nil
}

// stopAll stops what is still running.
func (b *bench) stopAll() error {
	var errs []error
	for _, p := range b.running {
		errs = append(errs, p.stop())
	}
	b.running = nil
	return errors.Join(errs...)
}

// stop stops one server before the end of its case.
func (b *bench) stop(p *process) error {
	for i, q := range b.running {
		if q == p {
			b.running = append(b.running[:i], b.running[i+1:]...)
			break
		}
	}
	return p.stop()
}

// serverName is how errors call the server under test.
const serverName = "the server"

// launch starts the real binary on an empty store and does not wait for it.
func (b *bench) launch(ctx context.Context, flags ...string) (*process, error) {
	admin, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(b.dir, fmt.Sprintf("data-%d", b.started))
	return b.launchAs(ctx, serverName, dir, func(addr string) []string {
		return append([]string{b.server, "serve", "--listen", addr, "--admin", admin, "--data", dir}, flags...)
	})
}

// serve starts the real binary on an empty store.
func (b *bench) serve(ctx context.Context, flags ...string) (*process, error) {
	p, err := b.launch(ctx, flags...)
	if err != nil {
		return nil, err
	}
	return p, p.ready(ctx)
}

// helper starts this program as one of the servers to compare with.
func (b *bench) helper(ctx context.Context, kind string) (*process, error) {
	p, err := b.launchAs(ctx, kind, "", func(addr string) []string { return []string{b.self, kind, addr} })
	if err != nil {
		return nil, err
	}
	return p, p.ready(ctx)
}

func (b *bench) launchAs(ctx context.Context, name, dir string, argv func(addr string) []string) (*process, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	b.started++
	log := filepath.Join(b.dir, fmt.Sprintf("log-%d", b.started))
	p, err := startProcess(ctx, program{name: name, argv: argv(addr), wire: load.WireOptions{URL: "http://" + addr}, log: log, dir: dir})
	if err != nil {
		return nil, err
	}
	b.running = append(b.running, p)
	return p, nil
}

// side is one of those that take turns. It gives a measure for each of its
// phases.
type side struct {
	phases []string
	run    func(ctx context.Context) ([]load.Measure, error)
	// bare is a side beside which the generator may be the bottleneck: it does
	// next to nothing itself.
	bare bool
}

// under is a side with one phase: load on p.
func (b *bench) under(phase string, p *process, o load.Options, newJob func(int) load.Job) side {
	return side{phases: []string{phase}, bare: p.Name != serverName, run: func(ctx context.Context) ([]load.Measure, error) {
		m, err := p.under(ctx, o, newJob)
		return []load.Measure{m}, err
	}}
}

// turns lets the sides alternate for all rounds and shows the medians beneath
// the table.
func (b *bench) turns(ctx context.Context, sides ...side) (map[string]series, error) {
	all, err := b.alternate(ctx, sides...)
	if err != nil {
		return nil, err
	}
	for _, s := range sides {
		for _, phase := range s.phases {
			b.details = append(b.details, detail{phase, all[phase]})
		}
	}
	return all, nil
}

// alternate lets the sides alternate for all rounds, each round beginning with
// another, and gives the series of each phase by its name.
func (b *bench) alternate(ctx context.Context, sides ...side) (map[string]series, error) {
	all := map[string]series{}
	for round := range b.rounds {
		for i := range sides {
			s := sides[(round+i)%len(sides)]
			got, err := s.run(ctx)
			if err != nil {
				return nil, err
			}
			for k, m := range got {
				b.say("  round %d of %d: %s: %.0f/s, p50 %.0f µs, server CPU %.1f µs", round+1, b.rounds, s.phases[k], m.Rate(), m.P50(), m.CPU())
				all[s.phases[k]] = append(all[s.phases[k]], m)
			}
		}
	}
	for _, s := range sides {
		for _, phase := range s.phases {
			if !s.bare {
				b.checkGenerator(phase, all[phase])
			}
		}
	}
	return all, nil
}

// checkGenerator fails a phase in which the generator may have been the
// bottleneck.
func (b *bench) checkGenerator(phase string, s series) {
	if gen, cpu := s.over(load.Measure.GenCPU), s.over(load.Measure.CPU); gen > cpu {
		b.fail("%s: the generator used more CPU per request (%.1f µs) than the server (%.1f µs)", phase, gen, cpu)
	}
}

// tempDir makes the folder of a run on the disk of the working directory: the
// usual place for temporary files if that is there, else the working directory
// itself.
func tempDir() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	parent := wd
	if device(os.TempDir()) == device(wd) {
		parent = os.TempDir()
	}
	return os.MkdirTemp(parent, ".bench-*")
}
