//go:build linux

package main

import (
	"context"
	"fmt"
	"time"

	"queues/cmd/queues/load"
)

// grouped is work on one queue whose messages belong to groups: each time
// another of the n. On a FIFO queue every message has a deduplication id of its
// own.
func (p *process) grouped(queue string, n int, fifo bool) load.Work {
	// By chance all that is left may stand behind locks for a moment.
	return load.Work{Wire: p.Wire, Queues: []string{queue}, Groups: n, FIFO: fifo, Wait: 5 * time.Second}
}

// groupCount is how many groups take turns: far more than are locked at once.
func (b *bench) groupCount() int { return max(b.busy, 16*b.conns) }

// standingGroups sends messages to a queue, each to a group of its own, so that
// a cycle over it always finds one.
func (b *bench) standingGroups(ctx context.Context, p *process, queue string, fifo bool) error {
	o := load.Options{Conns: fillConns, Jobs: int64(standing*b.conns + b.busy)}
	_, err := p.under(ctx, o, p.grouped(queue, load.EachItsOwn, fifo).Send())
	return err
}

// groups compares the full cycle on a FIFO queue, and on a standard queue whose
// messages have groups, with that on a plain standard queue.
func (b *bench) groups(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	standards, err := server.createQueues(ctx, "standard", 2)
	if err != nil {
		return err
	}
	fifos, err := server.createFIFO(ctx, "groups", 1)
	if err != nil {
		return err
	}
	plain, grouped, fifo := standards[0], standards[1], fifos[0]
	if err := server.fill(ctx, plain, standing*b.conns+b.busy+batchSize); err != nil {
		return err
	}
	if err := b.standingGroups(ctx, server, grouped, false); err != nil {
		return err
	}
	if err := b.standingGroups(ctx, server, fifo, true); err != nil {
		return err
	}
	o := load.Options{Conns: b.conns, Duration: b.duration}
	phasePlain, phaseGrouped := "cycle, standard queue", fmt.Sprintf("cycle, standard queue, %d groups", b.groupCount())
	phaseFIFO := fmt.Sprintf("cycle, FIFO queue, %d groups", b.groupCount())
	got, err := b.turns(ctx,
		b.under(phasePlain, server, o, server.on(plain).Cycle()),
		b.under(phaseGrouped, server, o, server.grouped(grouped, b.groupCount(), false).Cycle()),
		b.under(phaseFIFO, server, o, server.grouped(fifo, b.groupCount(), true).Cycle()),
	)
	if err != nil {
		return err
	}
	b.add(rowFIFO, costRow("Full cycle on a FIFO queue, against a standard one", target{}, got[phaseFIFO], got[phasePlain]))
	b.add(rowGrouped, costRow("Full cycle on a standard queue with groups, against one without", target{}, got[phaseGrouped], got[phasePlain]))
	return nil
}

// lockedGroup compares the full cycle on a FIFO queue behind a locked group of
// many messages with that on one without.
func (b *bench) lockedGroup(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	fifos, err := server.createFIFO(ctx, "locked", 2)
	if err != nil {
		return err
	}
	free, locked := fifos[0], fifos[1]
	many := max(b.deep/5, batchSize)
	b.say("  locking a group of %d messages", many)
	// One group.
	_, err = server.under(ctx, load.Options{Conns: fillConns, Jobs: int64(many)}, server.grouped(locked, 1, true).Send())
	if err != nil {
		return err
	}
	if _, err := server.under(ctx, load.Options{Conns: 1, Jobs: 1}, server.on(locked).Receive(&load.Handles{})); err != nil {
		return err
	}
	for _, queue := range fifos {
		if err := b.standingGroups(ctx, server, queue, true); err != nil {
			return err
		}
	}
	o := load.Options{Conns: b.conns, Duration: b.duration}
	phaseFree, phaseLocked := "cycle, FIFO queue", fmt.Sprintf("cycle, FIFO queue, %d messages behind a lock", many)
	got, err := b.turns(ctx,
		b.under(phaseFree, server, o, server.grouped(free, b.groupCount(), true).Cycle()),
		b.under(phaseLocked, server, o, server.grouped(locked, b.groupCount(), true).Cycle()),
	)
	if err != nil {
		return err
	}
	b.add(rowLocked, costRow(fmt.Sprintf("Full cycle on a FIFO queue with %d messages behind a lock", many),
		atMost(1.2, 0, "≤ 1.2 × the cost without"), got[phaseLocked], got[phaseFree]))
	return nil
}
