//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// groupCycleJob is cycleJob on one queue whose messages belong to groups: each
// time another of the n. On a FIFO queue every message has a deduplication id
// of its own.
func groupCycleJob(w wire, queue string, n int, fifo bool) func(int) job {
	// By chance all that is left may stand behind locks for a moment.
	receive := w.receive(queue, 1, 5*time.Second)
	return func(i int) job {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		return func(c *conn) (int, error) {
			dedup := ""
			if fifo {
				dedup = fmt.Sprintf("%x-%x", rand.Uint64(), rand.Uint64()) // not of rng: each turn starts it anew
			}
			c.out = w.appendGrouped(c.out[:0], &c.scratch, queue, fmt.Sprintf("g%d", rng.IntN(n)), dedup)
			if sent, err := sendOne(c, c.out); sent == 0 || err != nil {
				return sent, err
			}
			return settleOne(w, c, queue, receive)
		}
	}
}

// groupCount is how many groups take turns: far more than are locked at once.
func (b *bench) groupCount() int { return max(b.busy, 16*b.conns) }

// standingGroups sends messages to a queue, each to a group of its own, so that
// a cycle over it always finds one.
func (b *bench) standingGroups(ctx context.Context, p *process, queue string, fifo bool) error {
	var next atomic.Int64
	_, err := runLoad(ctx, p, loadOptions{conns: fillConns, jobs: int64(standing*b.conns + b.busy)}, func(int) job {
		return func(c *conn) (int, error) {
			n, dedup := next.Add(1), ""
			if fifo {
				dedup = fmt.Sprintf("standing-%d", n)
			}
			c.out = p.wire.appendGrouped(c.out[:0], &c.scratch, queue, fmt.Sprintf("standing-%d", n), dedup)
			return sendOne(c, c.out)
		}
	})
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
	fifos, err := server.create(ctx, "groups", 1, server.wire.createFIFO)
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
	o := loadOptions{conns: b.conns, duration: b.duration}
	phasePlain, phaseGrouped := "cycle, standard queue", fmt.Sprintf("cycle, standard queue, %d groups", b.groupCount())
	phaseFIFO := fmt.Sprintf("cycle, FIFO queue, %d groups", b.groupCount())
	got, err := b.turns(ctx,
		b.under(phasePlain, server, o, cycleJob(server.wire, []string{plain})),
		b.under(phaseGrouped, server, o, groupCycleJob(server.wire, grouped, b.groupCount(), false)),
		b.under(phaseFIFO, server, o, groupCycleJob(server.wire, fifo, b.groupCount(), true)),
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
	fifos, err := server.create(ctx, "locked", 2, server.wire.createFIFO)
	if err != nil {
		return err
	}
	free, locked := fifos[0], fifos[1]
	many := max(b.deep/5, batchSize)
	b.say("  locking a group of %d messages", many)
	var next atomic.Int64
	_, err = runLoad(ctx, server, loadOptions{conns: fillConns, jobs: int64(many)}, func(int) job {
		return func(c *conn) (int, error) {
			c.out = server.wire.appendGrouped(c.out[:0], &c.scratch, locked, "locked", fmt.Sprintf("locked-%d", next.Add(1)))
			return sendOne(c, c.out)
		}
	})
	if err != nil {
		return err
	}
	if _, err := runLoad(ctx, server, loadOptions{conns: 1, jobs: 1}, receiveJob(server.wire, locked, 1, &handles{})); err != nil {
		return err
	}
	for _, queue := range fifos {
		if err := b.standingGroups(ctx, server, queue, true); err != nil {
			return err
		}
	}
	o := loadOptions{conns: b.conns, duration: b.duration}
	phaseFree, phaseLocked := "cycle, FIFO queue", fmt.Sprintf("cycle, FIFO queue, %d messages behind a lock", many)
	got, err := b.turns(ctx,
		b.under(phaseFree, server, o, groupCycleJob(server.wire, free, b.groupCount(), true)),
		b.under(phaseLocked, server, o, groupCycleJob(server.wire, locked, b.groupCount(), true)),
	)
	if err != nil {
		return err
	}
	b.add(rowLocked, costRow(fmt.Sprintf("Full cycle on a FIFO queue with %d messages behind a lock", many),
		atMost(1.2, 0, "≤ 1.2 × the cost without"), got[phaseLocked], got[phaseFree]))
	return nil
}
