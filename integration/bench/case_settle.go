//go:build linux

package main

import (
	"context"
	"fmt"
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
	form := func(phases []string, queue string, perSecond, n int, del func(wire, string, *handles) func(int) job) side {
		return side{phases, func(ctx context.Context) ([]measure, error) {
			messages := min(max(int(b.duration.Seconds()*float64(perSecond)), 10*n), maxInFlight) / n * n
			// Some more than are taken: a receive may give less than it could.
			if err := server.fill(ctx, queue, messages+messages/10+batchSize); err != nil {
				return nil, err
			}
			got := &handles{}
			o := loadOptions{conns: b.conns, jobs: int64(messages / n)}
			received, err := runLoad(ctx, server, o, receiveJob(server.wire, queue, n, got))
			if err != nil {
				return nil, err
			}
			o.jobs = int64((len(got.all) + n - 1) / n)
			deleted, err := runLoad(ctx, server, o, del(server.wire, queue, got))
			return []measure{received, deleted}, err
		}}
	}
	got, err := b.turns(ctx,
		form([]string{receiveOne, deleteOne}, queues[0], singlesPerSecond, 1, deleteJob),
		form([]string{receiveTen, deleteTen}, queues[1], batchedPerSecond, batchSize, deleteBatchJob),
	)
	if err != nil {
		return err
	}
	conns := fmt.Sprintf(", %d connections", b.conns)
	b.add(rowReceiveBatch, againstSingle("Receive of 10"+conns, got[receiveTen], got[receiveOne]))
	b.add(rowDeleteBatch, againstSingle("DeleteMessageBatch of 10"+conns, got[deleteTen], got[deleteOne]))
	return nil
}
