//go:build linux

package main

import (
	"context"
	"fmt"

	"queues/cmd/queues/load"
)

// Messages for one turn, per second of its duration: about what a server does
// in that time. A turn of receives or deletes goes by number, since it must
// find what it takes and stay under the limit of messages in flight.
const (
	singlesPerSecond = 4000
	batchedPerSecond = 15_000
	// maxInFlight is well under what SQS allows for one queue.
	maxInFlight = 100_000
)

// settleBatches compares receives and deletes of ten with those of one.
func (b *bench) settleBatches(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queues, err := server.createQueues(ctx, "settle", 2)
	if err != nil {
		return err
	}
	const receiveOne, receiveTen = "ReceiveMessage of 1", "ReceiveMessage of 10"
	const deleteOne, deleteTen = "DeleteMessage", "DeleteMessageBatch of 10"
	form := func(phases []string, queue string, perSecond, n int) side {
		return side{phases: phases, run: func(ctx context.Context) ([]load.Measure, error) {
			messages := min(max(int(b.duration.Seconds()*float64(perSecond)), 10*n), maxInFlight) / n * n
			// Some more than are taken: a receive may give less than it could.
			if err := server.fill(ctx, queue, messages+messages/10+batchSize); err != nil {
				return nil, err
			}
			got := &load.Handles{}
			o := load.Options{Conns: b.conns, Jobs: int64(messages / n)}
			received, err := server.under(ctx, o, server.by(n, queue).Receive(got))
			if err != nil {
				return nil, err
			}
			o.Jobs = int64((got.Len() + n - 1) / n)
			deleted, err := server.under(ctx, o, server.by(n, queue).Delete(got))
			return []load.Measure{received, deleted}, err
		}}
	}
	got, err := b.turns(ctx,
		form([]string{receiveOne, deleteOne}, queues[0], singlesPerSecond, 1),
		form([]string{receiveTen, deleteTen}, queues[1], batchedPerSecond, batchSize),
	)
	if err != nil {
		return err
	}
	conns := fmt.Sprintf(", %d connections", b.conns)
	b.add(rowReceiveBatch, againstSingle("Receive of 10"+conns, got[receiveTen], got[receiveOne]))
	b.add(rowDeleteBatch, againstSingle("DeleteMessageBatch of 10"+conns, got[deleteTen], got[deleteOne]))
	return nil
}
