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
	b.checkNull(base, sends)
	return nil
}

// checkNull fails where the generator cannot drive even a null handler much
// faster than the server.
func (b *bench) checkNull(null, sends series) {
	if ratio := sends.ratio(null, load.Measure.Rate); ratio > 0.8 {
		b.fail("the null handler is hardly faster than the server (%.0f %% of its rate): the generator is the bottleneck", 100*ratio)
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
		side{phases: []string{phaseDisk}, bare: true, run: func(ctx context.Context) ([]load.Measure, error) {
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

// signedSends compares sends that are really signed with those whose signature
// has the form only.
func (b *bench) signedSends(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queue, err := server.createQueue(ctx, "sends")
	if err != nil {
		return err
	}
	wire, err := load.NewWire(load.WireOptions{
		URL: "http://" + server.Wire.Addr, Signer: &load.Signer{KeyID: "AKIAIOSFODNN7EXAMPLE", Secret: "secret", Region: "us-east-1"},
	})
	if err != nil {
		return err
	}
	o := load.Options{Conns: b.conns, Duration: b.duration}
	const plain, signed = "SendMessage (beside signed ones)", "SendMessage, signed"
	got, err := b.turns(ctx,
		b.under(plain, server, o, server.on(queue).Send()),
		b.under(signed, server, o, load.Work{Wire: wire, Queues: []string{queue}}.Send()),
	)
	if err != nil {
		return err
	}
	b.add(rowSigned, costRow("Durable SendMessage, signed, against one with the form of a signature", target{}, got[signed], got[plain]))
	return nil
}
