//go:build linux

package main

import (
	"context"
	"fmt"

	"queues/cmd/queues/load"
)

// sendLoad compares durable single sends with the null handler and with our
// own handler over a store that answers at once.
func (b *bench) sendLoad(ctx context.Context) error {
	null, err := b.helper(ctx, "null")
	if err != nil {
		return err
	}
	instant, err := b.helper(ctx, "instant")
	if err != nil {
		return err
	}
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queue, err := server.createQueue(ctx, "sends")
	if err != nil {
		return err
	}
	instantQueue, err := instant.createQueue(ctx, "sends")
	if err != nil {
		return err
	}
	o := load.Options{Conns: b.conns, Duration: b.duration}
	const phaseNull, phaseServer, phaseInstant = "null handler", "SendMessage", "SendMessage, instant store"
	got, err := b.turns(ctx,
		b.under(phaseNull, null, o, null.on(queue).Send()),
		b.under(phaseServer, server, o, server.on(queue).Send()),
		b.under(phaseInstant, instant, o, instant.on(instantQueue).Send()),
	)
	if err != nil {
		return err
	}
	base, sends := got[phaseNull], got[phaseServer]
	rate, cpu, own := sends.ratio(base, load.Measure.Rate), sends.ratio(base, load.Measure.CPU), sends.ratio(got[phaseInstant], load.Measure.Rate)
	title := fmt.Sprintf("Durable SendMessage, 1 KB, %d connections", b.conns)
	b.add(rowSendRate, row{
		title + ": rate", atLeast(0.35, 0.5, "≥ 35 % of the null handler, aim 50 %"), rate,
		fmt.Sprintf("%s (%.0f/s of %.0f/s)", percent(rate), sends.over(load.Measure.Rate), base.over(load.Measure.Rate)),
	})
	b.add(rowSendCPU, row{
		title + ": server CPU", atMost(3, 2, "≤ 3 × the null handler, aim 2 ×"), cpu,
		fmt.Sprintf("%s (%.1f µs, %.1f µs)", times(cpu), sends.over(load.Measure.CPU), base.over(load.Measure.CPU)),
	})
	b.add(rowSendInstant, row{
		title + ": rate", atLeast(0.6, 0, "≥ 60 % of our handler over an instant store"), own,
		fmt.Sprintf("%s (of %.0f/s)", percent(own), got[phaseInstant].over(load.Measure.Rate)),
	})
	b.checkGenerator(base, sends)
	return nil
}

// checkGenerator warns where the generator may have been the bottleneck.
func (b *bench) checkGenerator(null, sends series) {
	if gen, cpu := sends.over(load.Measure.GenCPU), sends.over(load.Measure.CPU); gen > cpu {
		b.warn("the generator used more CPU per request (%.1f µs) than the server (%.1f µs): it may be the bottleneck", gen, cpu)
	}
	if ratio := sends.ratio(null, load.Measure.Rate); ratio > 0.8 {
		b.warn("the null handler is hardly faster than the server (%.0f %% of its rate): the generator may be the bottleneck", 100*ratio)
	}
}

// sendOne compares the latency of a send on one connection with what the disk
// needs for the least a durable store can do.
func (b *bench) sendOne(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	null, err := b.helper(ctx, "null")
	if err != nil {
		return err
	}
	queue, err := server.createQueue(ctx, "sends")
	if err != nil {
		return err
	}
	file, err := newSyncFile(b.dir)
	if err != nil {
		return err
	}
	defer file.close()
	o := load.Options{Conns: 1, Duration: b.duration}
	const phaseNull, phaseServer, phaseDisk = "null handler, 1 connection", "SendMessage, 1 connection", "4 KB overwrite + fdatasync"
	got, err := b.turns(ctx,
		side{[]string{phaseDisk}, func(ctx context.Context) ([]load.Measure, error) {
			m, err := file.measure(ctx, b.duration)
			return []load.Measure{m}, err
		}},
		b.under(phaseServer, server, o, server.on(queue).Send()),
		b.under(phaseNull, null, o, null.on(queue).Send()),
	)
	if err != nil {
		return err
	}
	sends, disk := got[phaseServer], got[phaseDisk]
	ratio := sends.ratio(disk, load.Measure.P50)
	b.add(rowSendOne, row{
		"Durable SendMessage, 1 KB, 1 connection: p50", atMost(2, 1.5, "≤ 2 × a 4 KB overwrite + fdatasync, aim 1.5 ×"), ratio,
		fmt.Sprintf("%s (%.0f µs, %.0f µs)", times(ratio), sends.over(load.Measure.P50), disk.over(load.Measure.P50)),
	})
	return nil
}

// sendBatches compares messages by ten with messages one by one.
func (b *bench) sendBatches(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queue, err := server.createQueue(ctx, "sends")
	if err != nil {
		return err
	}
	o := load.Options{Conns: b.conns, Duration: b.duration}
	const single, batch = "SendMessage (beside batches)", "SendMessageBatch of 10"
	got, err := b.turns(ctx,
		b.under(single, server, o, server.on(queue).Send()),
		b.under(batch, server, o, server.by(batchSize, queue).Send()),
	)
	if err != nil {
		return err
	}
	b.add(rowSendBatch, againstSingle("Durable SendMessageBatch of 10, "+fmt.Sprint(b.conns)+" connections", got[batch], got[single]))
	return nil
}

// againstSingle is the row of a batch form.
func againstSingle(title string, batch, single series) row {
	ratio := batch.ratio(single, load.Measure.Rate)
	return row{
		title + ": messages/s", atLeast(3, 0, "≥ 3 × the single form"), ratio,
		fmt.Sprintf("%s (%.0f/s, %.0f/s)", times(ratio), batch.over(load.Measure.Rate), single.over(load.Measure.Rate)),
	}
}
