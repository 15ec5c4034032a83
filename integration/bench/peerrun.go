//go:build linux

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"queues/cmd/queues/load"
)

// entry is a contender within a run.
type entry struct {
	contender
	// recipe starts it; absent says why it cannot be.
	recipe recipe
	absent string
	// process is the one of the present case; nil when it did not start.
	process *process
	// queue and stand are the queue of the settling case and how many messages
	// stand in it.
	queue string
	stand int
	// got has what came of each case.
	got map[string]*outcome
	// idle is what it held in RAM before anything came, full with the messages
	// of the settling case in it; in bytes, 0 for unknown.
	idle, full int64
}

// outcome is what came of one case.
type outcome struct {
	series
	// failed says why there are no figures; empty for none.
	failed string
}

// peersRun is a run of the tree's server beside those of others.
type peersRun struct {
	*bench
	cache    string
	messages int
	entries  []*entry
}

// prepare makes all ready, and notes which cannot be.
func (r *peersRun) prepare(ctx context.Context, all []contender) error {
	in := &installer{cache: r.cache, progress: r.progress}
	for _, c := range all {
		if !c.ours && !r.wants(c.name) {
			continue
		}
		e := &entry{contender: c, got: map[string]*outcome{}}
		var err error
		if e.recipe, err = c.prepare(ctx, in); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			e.absent = firstLine(err)
			r.say("%s: %s", c.name, e.absent)
		}
		e.version = cmp.Or(e.version, e.recipe.version, "-")
		r.entries = append(r.entries, e)
	}
	return nil
}

// measured runs all cases.
func (r *peersRun) measured(ctx context.Context) error {
	for _, c := range peerCases {
		r.say("%s", c.title)
		if err := errors.Join(r.measure(ctx, c), r.stopAll()); err != nil {
			return fmt.Errorf("%s: %w", c.title, err)
		}
	}
	return nil
}

// measure lets all take turns at one case, each on a server that has just
// started. What fails leaves its case; only failures of our own end the run.
func (r *peersRun) measure(ctx context.Context, c peerCase) error {
	for _, e := range r.entries {
		if e.absent != "" {
			continue
		}
		e.got[c.name] = &outcome{}
		if err := r.start(ctx, e); err != nil {
			if err := r.drop(ctx, e, c, err); err != nil {
				return err
			}
		}
	}
	for round := range r.rounds {
		for i := range r.entries {
			e := r.entries[(round+i)%len(r.entries)]
			out := e.got[c.name]
			if out == nil || out.failed != "" {
				continue
			}
			m, err := r.patiently(ctx, e, c, round)
			if err == nil {
				err = worthCounting(m)
			}
			if err != nil {
				if err := r.drop(ctx, e, c, err); err != nil {
					return err
				}
				continue
			}
			out.series = append(out.series, m)
			r.say("  round %d of %d: %s: %.0f messages/s, server CPU %.1f µs", round+1, r.rounds, e.name, m.Rate(), requestCPU(m))
		}
	}
	for _, e := range r.entries {
		if out := e.got[c.name]; out != nil && out.over(load.Measure.GenCPU) > out.over(load.Measure.CPU) {
			r.warn("%s, %s: the generator used more CPU than the server and may have been the bottleneck", e.name, c.title)
		}
	}
	return nil
}

// drop takes a server out of a case. Of our own it is an error.
func (r *peersRun) drop(ctx context.Context, e *entry, c peerCase, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if e.ours {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	e.got[c.name].failed = firstLine(err)
	r.say("  %s fails: %s", e.name, e.got[c.name].failed)
	return nil
}

// start starts a contender and waits until it answers.
func (r *peersRun) start(ctx context.Context, e *entry) error {
	addr, err := freeAddr(ctx)
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	r.started++
	dir := filepath.Join(r.dir, fmt.Sprintf("data-%d", r.started))
	argv, err := e.recipe.argv(port, dir)
	if err != nil {
		return err
	}
	host := cmp.Or(e.host, "127.0.0.1")
	p, err := startProcess(ctx, program{
		name: e.name, argv: argv, env: []string{"NODE_ENV=production"}, dir: dir, foreign: !e.ours,
		wire: load.WireOptions{URL: "http://" + net.JoinHostPort(host, port), Protocol: e.wire},
		log:  filepath.Join(r.dir, fmt.Sprintf("log-%d", r.started)),
	})
	if err != nil {
		return err
	}
	r.running = append(r.running, p)
	e.process, e.queue, e.stand = p, "", 0
	if err := p.ready(ctx); err != nil {
		return fmt.Errorf("does not start: %w", err)
	}
	if m, err := p.memory(); err == nil && e.idle == 0 {
		e.idle = m.Resident
	}
	return nil
}

// patiently is a turn of a server that is there.
func (r *peersRun) patiently(ctx context.Context, e *entry, c peerCase, round int) (load.Measure, error) {
	select {
	case <-e.process.gone:
		return load.Measure{}, fmt.Errorf("it ended by itself: %s", e.process.cmd.ProcessState)
	default:
		return c.turn(r, ctx, e, round)
	}
}

// under loads a server, and gives up one that takes too long.
func (r *peersRun) under(ctx context.Context, e *entry, o load.Options, newJob func(int) load.Job) (load.Measure, error) {
	limit := 2*r.duration + turnPatience
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("a turn took more than %v", limit))
	defer cancel()
	o.Tolerant = true
	return load.Run(ctx, &e.process.Server, o, newJob)
}

// whole measures our own server and others and gives the report. After a failure it reports
// what was measured before it.
func (r *peersRun) whole(ctx context.Context, commandLine string, others ...contender) (report []byte, err error) {
	if r.dir, err = tempDir(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.stopAll(), os.RemoveAll(r.dir)) }()
	if r.server == "" {
		if r.server, err = buildServer(ctx, r.dir, r.progress); err != nil {
			return nil, err
		}
	}
	if err := r.prepare(ctx, append(own(r.server), others...)); err != nil {
		return nil, err
	}
	before, err := workSoFar()
	if err != nil {
		return nil, err
	}
	err = r.measured(ctx)
	if after, e := workSoFar(); e == nil {
		r.judgeMachine(after.othersShare(before))
	}
	return r.report(commandLine), err
}
