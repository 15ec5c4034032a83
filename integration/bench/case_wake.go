//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// parkTime is how long a poll is given to be waiting.
const parkTime = 5 * time.Millisecond

// wakeUp measures the time from a send to the answer of a waiting receive.
func (b *bench) wakeUp(ctx context.Context) error {
	server, err := b.serve(ctx, "--sync=off")
	if err != nil {
		return err
	}
	queue, err := server.createQueue(ctx, "wakes")
	if err != nil {
		return err
	}
	null, err := b.helper(ctx, "null")
	if err != nil {
		return err
	}
	exchanges, err := b.pacedExchanges(ctx, null)
	if err != nil {
		return err
	}
	poller, err := server.dial(ctx)
	if err != nil {
		return err
	}
	defer poller.close()
	sender, err := server.dial(ctx)
	if err != nil {
		return err
	}
	defer sender.close()
	poll, send := server.wire.receive(queue, 1, maxWait), server.wire.send(queue)
	latency := &histogram{}
	warmUp := b.wakes / 10
	for i := range b.wakes + warmUp {
		took, err := oneWake(ctx, server.wire, queue, poller, sender, poll, send)
		if err != nil {
			return server.failed(err)
		}
		if i >= warmUp {
			latency.add(took)
		}
	}
	b.note("Beside the wake-ups: a plain exchange with the null handler, at the same pace, took p50 %.2f ms, p99 %.2f ms, max %.2f ms.",
		micros(exchanges.quantile(0.5))/1e3, micros(exchanges.quantile(0.99))/1e3, micros(exchanges.max)/1e3)
	p50, p99 := latency.quantile(0.5), latency.quantile(0.99)
	b.add(rowWakeUp, row{
		"Long-poll wake-up after a send, without fsync: p99", atMost(5e3, 0, "≤ 5 ms"), micros(p99),
		fmt.Sprintf("%.2f ms (p50 %.2f ms, max %.2f ms, %d times)", micros(p99)/1e3, micros(p50)/1e3, micros(latency.max)/1e3, b.wakes),
	})
	return nil
}

// pacedExchanges tells what the machine alone does to the latency of something
// that happens now and then.
func (b *bench) pacedExchanges(ctx context.Context, null *process) (*histogram, error) {
	c, err := null.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	request, latency := null.wire.send("queue"), &histogram{}
	for range b.wakes {
		if err := pause(ctx, parkTime); err != nil {
			return nil, err
		}
		start := time.Now()
		if n, err := sendOne(c, request); n != 1 || err != nil {
			return nil, errors.Join(errEmpty, err)
		}
		latency.add(time.Since(start))
	}
	return latency, nil
}

// oneWake leaves a receive waiting, sends, and gives the time from the send's
// first byte to the last of the receive's answer. The message is deleted.
func oneWake(ctx context.Context, w wire, queue string, poller, sender *conn, poll, send []byte) (time.Duration, error) {
	type arrival struct {
		at   time.Time
		body []byte
		err  error
	}
	arrived := make(chan arrival, 1)
	go func() {
		body, err := poller.do(poll)
		arrived <- arrival{time.Now(), body, err}
	}()
	if err := pause(ctx, parkTime); err != nil {
		return 0, err
	}
	sent := time.Now()
	if n, err := sendOne(sender, send); n != 1 || err != nil {
		return 0, errors.Join(errEmpty, err)
	}
	a := <-arrived
	if a.err != nil {
		return 0, a.err
	}
	n := 0
	values(a.body, memberHandle, func(v []byte) {
		n++
		sender.out = w.appendDelete(sender.out[:0], &sender.scratch, queue, string(v))
	})
	if n != 1 {
		return 0, fmt.Errorf("%w: a poll ended with %d", errEmpty, n)
	}
	_, err := sender.do(sender.out)
	return a.at.Sub(sent), err
}
