//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"queues/cmd/queues/load"
)

const (
	// neighbourConns is how many connections work on the neighbour's queue, each
	// with neighbourRest between two cycles: a neighbour that has something to do
	// and does not take the machine for itself, so that it waits for nothing but
	// what it shares with the job.
	neighbourConns = 8
	neighbourRest  = 5 * time.Millisecond
	// leastBeside is the shortest turn beside a job, so that something happens in
	// it however short the job is.
	leastBeside = 300 * time.Millisecond
)

// neighbourActions are what a neighbour does.
var neighbourActions = []load.Action{load.SendMessage, load.ReceiveMessage, load.DeleteMessage}

// neighbours measures what one queue's callers feel of a big job on another
// queue, beside what they feel without it. Each job has a store of its own.
func (b *bench) neighbours(ctx context.Context) error {
	for _, j := range jobs {
		if !b.wants(j.row) {
			continue
		}
		b.say("  %s: filling a queue with %d messages", j.title, b.mass)
		if err := b.beside(ctx, j); err != nil {
			return fmt.Errorf("%s: %w", j.title, err)
		}
	}
	return nil
}

// beside measures a neighbour of one job.
func (b *bench) beside(ctx context.Context, j job) (err error) {
	dir := filepath.Join(b.dir, "neighbours")
	defer func() { err = errors.Join(err, b.stopAll(), os.RemoveAll(dir)) }()
	var mass extent
	err = prepare(ctx, dir, func(ctx context.Context, f *filler) error {
		queue, err := f.create(ctx, "mass")
		if err != nil {
			return err
		}
		if mass, err = f.send(ctx, queue, b.mass, plain(load.DefaultBody)); err != nil {
			return err
		}
		neighbour, err := f.create(ctx, "neighbour")
		if err == nil {
			_, err = f.send(ctx, neighbour, standing*neighbourConns, plain(load.DefaultBody))
		}
		return err
	})
	if err != nil {
		return err
	}
	server, err := b.serveOn(ctx, dir)
	if err != nil {
		return err
	}
	urls, err := server.urls(ctx, "mass", "neighbour")
	if err != nil {
		return err
	}
	run, err := j.begin(ctx, victim{server: server, queue: urls[0], mass: mass, n: b.mass})
	if err != nil {
		return err
	}
	o := load.Options{Conns: neighbourConns, Duration: b.duration}
	cycle := resting(server.on(urls[1]).Cycle())
	quiet, err := server.under(ctx, o, cycle)
	if err != nil {
		return err
	}
	var took time.Duration
	// A longer turn would go on without the job.
	o.Duration = min(b.duration, leastBeside)
	o.During = func(ctx context.Context) error {
		begun := time.Now()
		err := run(ctx)
		took = time.Since(begun)
		return err
	}
	busy, err := server.under(ctx, o, cycle)
	if err != nil {
		return err
	}
	for _, a := range neighbourActions {
		if quiet.Actions[a] == nil || busy.Actions[a] == nil {
			return fmt.Errorf("%w: no %s in a whole turn", load.ErrEmpty, a)
		}
	}
	b.checkGenerator("a neighbour of "+j.title, series{quiet, busy})
	r := besideRow(fmt.Sprintf("A neighbour of %s of %d messages: p99", j.title, b.mass), quiet, busy, took)
	b.say("  %s: %s", j.title, r.measured)
	b.add(j.row, r)
	return nil
}

// besideRow compares the latencies of a neighbour with and without a job.
func besideRow(title string, quiet, busy load.Measure, took time.Duration) row {
	millis := func(d time.Duration) float64 { return load.Micros(d) / 1e3 }
	worst := 0.0
	measured := ""
	for i, a := range neighbourActions {
		alone, with := quiet.Actions[a], busy.Actions[a]
		worst = max(worst, millis(with.Quantile(0.99)-alone.Quantile(0.99)))
		if i > 0 {
			measured += ", "
		}
		measured += fmt.Sprintf("%s %.1f / %.1f / %.1f (%.1f)", a, millis(with.Quantile(0.5)), millis(with.Quantile(0.99)), millis(with.Max()), millis(alone.Quantile(0.99)))
	}
	return row{
		title, atMost(20, 0, "≤ 20 ms more than without"), worst,
		fmt.Sprintf("%.1f ms more; p50 / p99 / max, in parentheses p99 without, ms: %s; the job took %.1f s", worst, measured, took.Seconds()),
	}
}

// resting lets a connection rest before each job.
func resting(newJob func(int) load.Job) func(int) load.Job {
	return func(i int) load.Job {
		do := newJob(i)
		return func(c *load.Conn) (int, error) {
			time.Sleep(neighbourRest)
			return do(c)
		}
	}
}
