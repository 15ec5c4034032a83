//go:build linux

package main

import (
	"context"
	"fmt"
	"time"

	"queues/cmd/queues/load"
)

// start measures the time from the start of the process to its first answer.
func (b *bench) start(ctx context.Context) error {
	var took []float64
	for range b.starts {
		server, err := b.serve(ctx)
		if err != nil {
			return err
		}
		took = append(took, load.Micros(time.Since(server.begun)))
		if err := b.stop(server); err != nil {
			return err
		}
	}
	middle := median(took)
	lowest, highest := took[0], took[0]
	for _, t := range took {
		lowest, highest = min(lowest, t), max(highest, t)
	}
	b.add(rowStart, row{
		"Start to first answer, empty store", atMost(100e3, 0, "≤ 100 ms"), middle,
		fmt.Sprintf("%.1f ms (%.1f to %.1f ms, %d times)", middle/1e3, lowest/1e3, highest/1e3, b.starts),
	})
	return nil
}

// idle watches a server that has a queue with messages and nobody connected.
func (b *bench) idle(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queue, err := server.createQueue(ctx, "idle")
	if err != nil {
		return err
	}
	if err := server.fill(ctx, queue, 10*batchSize); err != nil {
		return err
	}
	share, err := b.idleShare(ctx, server)
	if err != nil {
		return err
	}
	b.add(rowIdle, row{title: "Idle server: CPU", value: share, measured: fmt.Sprintf("%.3f %% of a core over %v", 100*share, b.window)})
	return nil
}
