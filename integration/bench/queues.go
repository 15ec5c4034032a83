//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"

	"queues/cmd/queues/load"
)

// batchSize is the number of entries in every batch.
const batchSize = 10

// on is work on queues, one message at a time.
func (p *process) on(queues ...string) load.Work {
	return load.Work{Wire: p.Wire, Queues: queues}
}

// by is work on one queue, n messages at a time; 1 is the single form.
func (p *process) by(n int, queue string) load.Work {
	w := p.on(queue)
	if n > 1 {
		w.Batch = n
	}
	return w
}

// createQueues makes n queues and gives their URLs.
func (p *process) createQueues(ctx context.Context, prefix string, n int) ([]string, error) {
	urls, err := p.Create(ctx, n, func(i int) *load.Request { return p.Wire.CreateQueue(fmt.Sprintf("%s-%d", prefix, i), false) })
	if err != nil {
		return nil, p.failed(err)
	}
	return urls, nil
}

// createFIFO makes n FIFO queues and gives their URLs.
func (p *process) createFIFO(ctx context.Context, prefix string, n int) ([]string, error) {
	urls, err := p.Create(ctx, n, func(i int) *load.Request { return p.Wire.CreateQueue(fmt.Sprintf("%s-%d.fifo", prefix, i), true) })
	if err != nil {
		return nil, p.failed(err)
	}
	return urls, nil
}

// createQueue makes one queue and gives its URL.
func (p *process) createQueue(ctx context.Context, name string) (string, error) {
	urls, err := p.createQueues(ctx, name, 1)
	if err != nil {
		return "", err
	}
	return urls[0], nil
}

// arnOf is the ARN of a queue by its name or its URL.
func arnOf(queue string) string {
	return "arn:aws:sqs:us-east-1:000000000000:" + queue[strings.LastIndexByte(queue, '/')+1:]
}

// named is the URL of a queue by that of another and its name.
func named(url, name string) string { return url[:strings.LastIndexByte(url, '/')+1] + name }

// done makes each of some requests once; all must be answered as they must.
func (p *process) done(ctx context.Context, asks ...load.Ask) error {
	_, err := p.under(ctx, load.Options{Conns: min(fillConns, len(asks)), Jobs: int64(len(asks))}, load.InTurn(asks, nil))
	return err
}

// fillConns is how many connections fill a queue.
const fillConns = 32

// fill sends n messages to a queue by tens; a rest is left out.
func (p *process) fill(ctx context.Context, queue string, n int) error {
	if n < batchSize {
		return nil
	}
	_, err := p.under(ctx, load.Options{Conns: fillConns, Jobs: int64(n / batchSize)}, p.by(batchSize, queue).Send())
	return err
}

// drop deletes what was received.
func (p *process) drop(ctx context.Context, queue string, h *load.Handles) error {
	jobs := int64((h.Len() + batchSize - 1) / batchSize)
	if jobs == 0 {
		return nil
	}
	_, err := p.under(ctx, load.Options{Conns: fillConns, Jobs: jobs}, p.by(batchSize, queue).Delete(h))
	return err
}
