//go:build linux

package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

const (
	// honestTries is how often an honest client tries a call that it is asked to
	// try again, as an SDK set to many would, and honestRest the rest after the
	// first try; it doubles, up to a second.
	honestTries = 12
	honestRest  = 50 * time.Millisecond
	// honestPause is its rest between rounds.
	honestPause = 20 * time.Millisecond
)

// honest is a client that goes about its business while others misbehave: it
// sends a message, receives it and deletes it, again and again.
type honest struct {
	client *wire.Client
	queue  string
	stop   context.CancelFunc
	group  sync.WaitGroup

	calls, again int
	took         latencies
	err          error
}

// newHonest makes the client's queue and makes one round, so that it has a
// connection before others come.
func newHonest(ctx context.Context, url string) (*honest, error) {
	h := &honest{client: wire.New(), queue: "honest"}
	h.client.Use(url)
	if _, err := h.call(ctx, "CreateQueue", wire.Args{"QueueName": h.queue}); err != nil {
		return nil, err
	}
	return h, h.round(ctx, 0)
}

// work makes rounds until end is called.
func (h *honest) work(ctx context.Context) {
	ctx, h.stop = context.WithCancel(ctx)
	h.calls, h.again, h.took = 0, 0, nil
	h.group.Go(func() {
		for i := 1; h.err == nil && pause(ctx, honestPause) == nil; i++ {
			h.err = h.round(context.WithoutCancel(ctx), i)
		}
	})
}

// end ends the rounds, and gives the first thing that went wrong.
func (h *honest) end() error {
	h.stop()
	h.group.Wait()
	h.client.Use("")
	return h.err
}

// round sends, receives and deletes one message.
func (h *honest) round(ctx context.Context, i int) error {
	url, body := wire.QueueURL(h.queue), fmt.Sprintf("message %d", i)
	if _, err := h.call(ctx, "SendMessage", wire.Args{"QueueUrl": url, "MessageBody": body}); err != nil {
		return err
	}
	a, err := h.call(ctx, "ReceiveMessage", wire.Args{"QueueUrl": url, "WaitTimeSeconds": 5})
	if err != nil {
		return err
	}
	if len(a.Messages) != 1 || a.Messages[0].Body != body {
		return fmt.Errorf("it received %+v, not its message %d", a.Messages, i)
	}
	_, err = h.call(ctx, "DeleteMessage", wire.Args{"QueueUrl": url, "ReceiptHandle": a.Messages[0].ReceiptHandle})
	return err
}

// call makes a call, and again while it is asked to.
func (h *honest) call(ctx context.Context, action string, in wire.Args) (wire.Answer, error) {
	begun, rest := time.Now(), honestRest
	for try := 1; ; try++ {
		a := h.client.Call(ctx, action, in)
		if a.Outcome == history.Done {
			h.calls++
			h.took = append(h.took, time.Since(begun))
			return a, nil
		}
		if !retryable(&a) || try == honestTries {
			return a, fmt.Errorf("its %s failed after %d tries: status %d %s %s", action, try, a.Status, a.Code, a.Message)
		}
		h.again++
		if err := pause(ctx, rest); err != nil {
			return a, err
		}
		rest = min(2*rest, time.Second)
	}
}

// retryable reports whether an answer says that nothing happened and that the
// call may be made again, in the words that every SDK knows.
func retryable(a *wire.Answer) bool {
	return a.Outcome == history.Refused &&
		(a.Status == 503 || throttled(a))
}

// throttled reports the answer to a call that finds too much work before it.
func throttled(a *wire.Answer) bool { return a.Status == 403 && a.Code == "RequestThrottled" }

// String says how it fared.
func (h *honest) String() string {
	return fmt.Sprintf("an honest client made %d calls meanwhile (%d tried again), %v", h.calls, h.again, h.took)
}
