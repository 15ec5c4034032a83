//go:build linux

package main

import (
	"context"
	"fmt"

	"queues/cmd/queues/load"
)

// backlog compares receives at two depths, and memory with a backlog and
// without.
func (b *bench) backlog(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queues, err := server.createQueues(ctx, "backlog", 2)
	if err != nil {
		return err
	}
	shallow, deep := queues[0], queues[1]
	empty, err := server.settled(ctx, b.settle)
	if err != nil {
		return err
	}
	b.say("  filling a queue with %d messages", b.deep)
	if err := server.fill(ctx, deep, b.deep); err != nil {
		return err
	}
	full, err := server.settled(ctx, b.settle)
	if err != nil {
		return err
	}
	more := mega(full.Resident - empty.Resident)
	b.note("Memory (VmRSS of the server, once it has stopped shrinking, at most %v): empty %.1f MB, with %d messages of 1 KB %.1f MB. "+
		"Without pages of files (RssAnon): %.1f MB and %.1f MB.",
		b.settle, mega(empty.Resident), b.deep, mega(full.Resident), mega(empty.Anonymous), mega(full.Anonymous))
	if b.wants(rowDepth) {
		if err := b.depths(ctx, server, shallow, deep); err != nil {
			return err
		}
	}
	b.add(rowMemory, row{
		fmt.Sprintf("Memory at a backlog of %d", b.deep), atMost(64, 0, "≤ 64 MB more than empty"), more,
		fmt.Sprintf("%.1f MB more (%.1f MB, %.1f MB)", more, mega(full.Resident), mega(empty.Resident)),
	})
	return nil
}

// depths compares the cost of single receives, each backlog being filled up
// again after every turn.
func (b *bench) depths(ctx context.Context, server *process, shallow, deep string) error {
	if err := server.fill(ctx, shallow, b.shallow); err != nil {
		return err
	}
	at := func(phase, queue string) side {
		return side{phases: []string{phase}, run: func(ctx context.Context) ([]load.Measure, error) {
			got := &load.Handles{}
			o := load.Options{Conns: b.conns, Jobs: int64(b.shallow / 2)}
			received, err := server.under(ctx, o, server.on(queue).Receive(got))
			if err != nil {
				return nil, err
			}
			if err := server.drop(ctx, queue, got); err != nil {
				return nil, err
			}
			return []load.Measure{received}, server.fill(ctx, queue, got.Len())
		}}
	}
	phaseShallow, phaseDeep := fmt.Sprintf("ReceiveMessage of 1 at %d", b.shallow), fmt.Sprintf("ReceiveMessage of 1 at %d", b.deep)
	got, err := b.turns(ctx, at(phaseShallow, shallow), at(phaseDeep, deep))
	if err != nil {
		return err
	}
	b.add(rowDepth, costRow(fmt.Sprintf("Receive at a backlog of %d", b.deep), atMost(1.2, 0, fmt.Sprintf("≤ 1.2 × the cost at %d", b.shallow)),
		got[phaseDeep], got[phaseShallow]))
	return nil
}

// costRow compares the cost of the same jobs under two conditions: server CPU
// and, at the same connections, time. The worse of the two counts.
func costRow(title string, t target, s, base series) row {
	cpu := s.ratio(base, load.Measure.CPU)
	time := s.ratio(base, func(m load.Measure) float64 { return 1 / m.JobRate() })
	return row{
		title, t, max(cpu, time),
		fmt.Sprintf("CPU %s (%.1f µs, %.1f µs), time %s (%.0f/s, %.0f/s)",
			times(cpu), s.over(load.Measure.CPU), base.over(load.Measure.CPU), times(time), s.over(load.Measure.JobRate), base.over(load.Measure.JobRate)),
	}
}

// standing is how many messages wait in each busy queue, so that a receive
// never has to take the one that was just sent.
const standing = 4

// busyQueues compares the full cycle over many queues with that over one.
func (b *bench) busyQueues(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	b.say("  creating %d queues", b.busy)
	one, err := server.createQueues(ctx, "one", 1)
	if err != nil {
		return err
	}
	many, err := server.createQueues(ctx, "many", b.busy)
	if err != nil {
		return err
	}
	if err := server.fill(ctx, one[0], standing*b.busy+batchSize); err != nil {
		return err
	}
	// One after the other, so that each gets its own.
	for _, queue := range many {
		if err := server.Once(ctx, server.Wire.SendBatch(queue, standing)); err != nil {
			return err
		}
	}
	o := load.Options{Conns: b.conns, Duration: b.duration}
	phaseOne, phaseMany := "send, receive, delete on 1 queue", fmt.Sprintf("send, receive, delete over %d queues", b.busy)
	got, err := b.turns(ctx,
		b.under(phaseOne, server, o, server.on(one...).Cycle()),
		b.under(phaseMany, server, o, server.on(many...).Cycle()),
	)
	if err != nil {
		return err
	}
	b.add(rowQueues, costRow(fmt.Sprintf("Full cycle over %d busy queues", b.busy), atMost(1.5, 0, "≤ 1.5 × the cost with one"),
		got[phaseMany], got[phaseOne]))
	return nil
}

func mega(bytes int64) float64 { return float64(bytes) / (1 << 20) }
