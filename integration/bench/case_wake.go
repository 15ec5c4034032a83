//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queues/cmd/queues/load"
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
	poller, err := server.Dial(ctx)
	if err != nil {
		return err
	}
	defer poller.Quit()
	sender, err := server.Dial(ctx)
	if err != nil {
		return err
	}
	defer sender.Quit()
	poll, send := server.Wire.Receive(queue, 1, maxWait).Bytes(), server.Wire.Send(queue).Bytes()
	latency := &load.Histogram{}
	warmUp := b.wakes / 10
	for i := range b.wakes + warmUp {
		took, err := oneWake(ctx, server.Wire, queue, poller, sender, poll, send)
		if err != nil {
			return server.failed(err)
		}
		if i >= warmUp {
			latency.Add(took)
		}
	}
	b.note("Beside the wake-ups: a plain exchange with the null handler, at the same pace, took p50 %.2f ms, p99 %.2f ms, max %.2f ms.",
		load.Micros(exchanges.Quantile(0.5))/1e3, load.Micros(exchanges.Quantile(0.99))/1e3, load.Micros(exchanges.Max())/1e3)
	p50, p99 := latency.Quantile(0.5), latency.Quantile(0.99)
	b.add(rowWakeUp, row{
		"Long-poll wake-up after a send, without fsync: p99", atMost(5e3, 0, "≤ 5 ms"), load.Micros(p99),
		fmt.Sprintf("%.2f ms (p50 %.2f ms, max %.2f ms, %d times)", load.Micros(p99)/1e3, load.Micros(p50)/1e3, load.Micros(latency.Max())/1e3, b.wakes),
	})
	return nil
}

// pacedExchanges tells what the machine alone does to the latency of something
// that happens now and then.
func (b *bench) pacedExchanges(ctx context.Context, null *process) (*load.Histogram, error) {
	c, err := null.Dial(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Quit()
	request, latency := null.Wire.Send("queue").Bytes(), &load.Histogram{}
	for range b.wakes {
		if err := load.Pause(ctx, parkTime); err != nil {
			return nil, err
		}
		start := time.Now()
		if n, err := load.SendOne(c, null.Wire, request); n != 1 || err != nil {
			return nil, errors.Join(load.ErrEmpty, err)
		}
		latency.Add(time.Since(start))
	}
	return latency, nil
}

// oneWake leaves a receive waiting, sends, and gives the time from the send's
// first byte to the last of the receive's answer. The message is deleted.
func oneWake(ctx context.Context, w *load.Wire, queue string, poller, sender *load.Conn, poll, send []byte) (time.Duration, error) {
	type arrival struct {
		at   time.Time
		body []byte
		err  error
	}
	arrived := make(chan arrival, 1)
	go func() {
		body, err := poller.Do(load.ReceiveMessage, poll)
		arrived <- arrival{time.Now(), body, err}
	}()
	if err := load.Pause(ctx, parkTime); err != nil {
		return 0, err
	}
	sent := time.Now()
	if n, err := load.SendOne(sender, w, send); n != 1 || err != nil {
		return 0, errors.Join(load.ErrEmpty, err)
	}
	a := <-arrived
	if a.err != nil {
		return 0, a.err
	}
	got := w.HandlesIn(a.body)
	if len(got) != 1 {
		return 0, fmt.Errorf("%w: a poll ended with %d", load.ErrEmpty, len(got))
	}
	sender.Out = w.AppendDelete(sender.Out[:0], &sender.Scratch, queue, got[0])
	_, err := sender.Do(load.DeleteMessage, sender.Out)
	return a.at.Sub(sent), err
}
