//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"queues/cmd/queues/load"
	"queues/engine"
)

// state is a queue in which much stands that a cycle must not pay for.
type state struct {
	row, queue, title string
	// base is the queue without it.
	base string
	fill func(ctx context.Context, f *filler, queue engine.QueueID) error
	// groups is how many groups the cycle sends to; 0 for none.
	groups int
}

// states are the queues that are compared; the first three are the bases.
func (b *bench) states() (bases, states []state) {
	few, n := b.groupCount(), b.standing
	some := standing*b.conns + b.busy
	groups := func(n int) func(context.Context, *filler, engine.QueueID) error {
		return func(ctx context.Context, f *filler, queue engine.QueueID) error {
			_, err := f.send(ctx, queue, max(n, some), grouped(load.DefaultBody, n))
			return err
		}
	}
	visible := func(ctx context.Context, f *filler, queue engine.QueueID) error {
		_, err := f.send(ctx, queue, some, plain(load.DefaultBody))
		return err
	}
	delayed := func(ctx context.Context, f *filler, queue engine.QueueID) error {
		delay, shape := hold, plain(load.DefaultBody)
		_, err := f.send(ctx, queue, n, func(i int) engine.NewMessage {
			m := shape(i)
			m.Delay = &delay
			return m
		})
		return errors.Join(err, visible(ctx, f, queue))
	}
	held := func(ctx context.Context, f *filler, queue engine.QueueID) error {
		if _, err := f.send(ctx, queue, n, plain(load.DefaultBody)); err != nil {
			return err
		}
		return errors.Join(f.receive(ctx, queue, n, hold), visible(ctx, f, queue))
	}
	bases = []state{
		{queue: "plain", fill: visible},
		{queue: "fair", fill: groups(few), groups: few},
		{queue: "ordered.fifo", fill: groups(few), groups: few},
	}
	states = []state{
		{rowManyFIFO, "groups.fifo", fmt.Sprintf("FIFO queue of %d groups", n), "ordered.fifo", groups(n), n},
		{rowManyFair, "groups", fmt.Sprintf("standard queue of %d groups", n), "fair", groups(n), n},
		{rowManyDelayed, "delayed", fmt.Sprintf("queue with %d delayed messages", n), "plain", delayed, 0},
		{rowManyInFlight, "held", fmt.Sprintf("queue with %d messages in flight", n), "plain", held, 0},
	}
	return bases, states
}

// standingState compares a full cycle on queues in which many groups, delayed
// messages or messages in flight stand with one on queues without, and the
// memory of a server that has them all with one that has none.
func (b *bench) standingState(ctx context.Context) (err error) {
	dir := filepath.Join(b.dir, "standing")
	defer func() { err = errors.Join(err, b.stopAll(), os.RemoveAll(dir)) }()
	bases, states := b.states()
	before, err := b.memoryWithout(ctx, "standing", filled(bases), func(ctx context.Context, server *process) error {
		sides, err := b.cyclesOf(ctx, server, bases)
		for _, s := range sides {
			if err == nil {
				_, err = s.run(ctx)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	b.say("  filling %d queues", len(states))
	all := append(bases, states...)
	if err := prepare(ctx, dir, filled(all)); err != nil {
		return err
	}
	server, err := b.serveOn(ctx, dir)
	if err != nil {
		return err
	}
	sides, err := b.cyclesOf(ctx, server, all)
	if err != nil {
		return err
	}
	got, err := b.turns(ctx, sides...)
	if err != nil {
		return err
	}
	after, err := server.settled(ctx, b.settle)
	if err != nil {
		return err
	}
	for _, s := range states {
		b.add(s.row, costRow("Full cycle on a "+s.title, atMost(1.2, 0, "≤ 1.2 × the cost without"), got[s.phase()], got[(&state{queue: s.base}).phase()]))
	}
	more := mega(after.Resident - before.Resident)
	b.add(rowManyHeld, row{
		fmt.Sprintf("Memory of all these, %d each, after the cycles", b.standing), atMost(64, 0, "≤ 64 MB more than without"), more,
		fmt.Sprintf("%.1f MB more (%.1f MB, %.1f MB)", more, mega(after.Resident), mega(before.Resident)),
	})
	return nil
}

func (s *state) phase() string { return "cycle, queue " + s.queue }

// filled makes queues.
func filled(states []state) func(context.Context, *filler) error {
	return func(ctx context.Context, f *filler) error {
		for _, s := range states {
			queue, err := f.create(ctx, s.queue)
			if err == nil {
				err = s.fill(ctx, f, queue)
			}
			if err != nil {
				return fmt.Errorf("queue %s: %w", s.queue, err)
			}
		}
		return nil
	}
}

// cyclesOf are the sides of queues, for half of the usual time each: there are
// many.
func (b *bench) cyclesOf(ctx context.Context, server *process, states []state) ([]side, error) {
	var sides []side
	for _, s := range states {
		urls, err := server.urls(ctx, s.queue)
		if err != nil {
			return nil, err
		}
		work := server.on(urls[0])
		if s.groups > 0 {
			work = server.grouped(urls[0], s.groups, strings.HasSuffix(s.queue, ".fifo"))
		}
		sides = append(sides, b.under(s.phase(), server, load.Options{Conns: b.conns, Duration: max(b.duration/2, time.Millisecond)}, work.Cycle()))
	}
	return sides, nil
}

// memoryWithout is the memory of a server that has done the same work on a store
// without what a case is about.
func (b *bench) memoryWithout(ctx context.Context, name string, fill func(context.Context, *filler) error,
	work func(context.Context, *process) error,
) (m load.Memory, err error) {
	dir := filepath.Join(b.dir, name+"-without")
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := prepare(ctx, dir, fill); err != nil {
		return m, err
	}
	server, err := b.serveOn(ctx, dir)
	if err != nil {
		return m, err
	}
	if err := work(ctx, server); err != nil {
		return m, err
	}
	m, err = server.settled(ctx, b.settle)
	return m, errors.Join(err, b.stop(server))
}
