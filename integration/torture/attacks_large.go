//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// mostRest is the longest rest between two tries of one of many clients, a part
// of it by chance, as SDKs have it.
const mostRest = 8 * time.Second

// pour sends n messages of 1 MiB from several clients, each again while it is
// asked to, and gives how many were sent and how often it was asked to.
func (o *overload) pour(ctx context.Context, queue string, clients, n int) (sent, again int, err error) {
	var group sync.WaitGroup
	var next, done, repeated atomic.Int64
	var failure atomic.Pointer[string]
	send := wire.Prepare("SendMessage", wire.Args{"QueueUrl": wire.QueueURL(queue), "MessageBody": strings.Repeat("m", 1<<20)})
	for range clients {
		group.Go(func() {
			for next.Add(1) <= int64(n) && failure.Load() == nil {
				for rest := honestRest; ; rest = min(2*rest, mostRest) {
					a := o.client.CallPrepared(ctx, send)
					if a.Outcome == history.Done {
						done.Add(1)
						break
					}
					if !retryable(&a) || pause(ctx, rand.N(rest)) != nil {
						text := fmt.Sprintf("status %d %s %s", a.Status, a.Code, a.Message)
						failure.Store(&text)
						return
					}
					repeated.Add(1)
				}
			}
		})
	}
	group.Wait()
	if text := failure.Load(); text != nil {
		err = errors.New(*text)
	}
	return int(done.Load()), int(repeated.Load()), err
}

// largest sends messages of 1 MiB by the thousand, from more clients than the
// server has room for, and receives them all.
func largest(ctx context.Context, o *overload) error {
	messages, senders := 2000, 300
	if o.Short {
		messages, senders = 300, 150
	}
	if err := o.create(ctx, "large"); err != nil {
		return err
	}
	begun := time.Now()
	sent, again, err := o.pour(ctx, "large", senders, messages)
	if err != nil {
		o.violated("overload: a send of 1 MiB: %v", err)
		return nil
	}
	spent := time.Since(begun)
	o.say("overload: the largest messages: %d of 1 MiB sent by %d clients in %v (%.0f MB/s), tried again %d times",
		sent, senders, spent.Round(100*time.Millisecond), float64(sent)*1.048576/spent.Seconds(), again)
	begun = time.Now()
	got, err := o.drink(ctx, "large", messages)
	o.say("overload: the largest messages: %d received and deleted in %v", got, time.Since(begun).Round(100*time.Millisecond))
	o.expect(messages, got, "messages of 1 MiB came back")
	return err
}

// mostEmpty is how many receives of one client in a row may come back empty
// while there are messages: others may hold all that is left, and be slow to
// delete it.
const mostEmpty = 10

// drink receives and deletes until n messages have come, or none do.
func (o *overload) drink(ctx context.Context, queue string, n int) (int, error) {
	var group sync.WaitGroup
	var got atomic.Int64
	var failure atomic.Pointer[string]
	url := wire.QueueURL(queue)
	for range 8 {
		group.Go(func() {
			empty := 0
			for got.Load() < int64(n) && failure.Load() == nil && ctx.Err() == nil {
				a := o.client.Call(ctx, "ReceiveMessage", wire.Args{"QueueUrl": url, "MaxNumberOfMessages": 10, "VisibilityTimeout": 600, "WaitTimeSeconds": 2})
				if retryable(&a) {
					_ = pause(ctx, honestRest)
					continue
				}
				if empty++; len(a.Messages) > 0 {
					empty = 0
				}
				if a.Outcome != history.Done || empty == mostEmpty && got.Load() < int64(n) {
					text := fmt.Sprintf("a receive of 1 MiB: status %d %s %s, %d messages", a.Status, a.Code, a.Message, len(a.Messages))
					failure.Store(&text)
					return
				}
				for _, m := range a.Messages {
					a := o.client.Call(ctx, "DeleteMessage", wire.Args{"QueueUrl": url, "ReceiptHandle": m.ReceiptHandle})
					if a.Outcome == history.Done && len(m.Body) == 1<<20 {
						got.Add(1)
					}
				}
			}
		})
	}
	group.Wait()
	if text := failure.Load(); text != nil {
		return int(got.Load()), errors.New(*text)
	}
	return int(got.Load()), ctx.Err()
}
