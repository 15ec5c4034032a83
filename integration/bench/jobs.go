//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

var errEmpty = errors.New("an answer without messages")

// sendJob sends messages one by one.
func sendJob(w wire, queue string) func(int) job {
	request := w.send(queue)
	return func(int) job { return func(c *conn) (int, error) { return sendOne(c, request) } }
}

func sendOne(c *conn, request []byte) (int, error) {
	body, err := c.do(request)
	return count(body, memberMessageID), err
}

// sendBatchJob sends messages by ten.
func sendBatchJob(w wire, queue string) func(int) job {
	request := w.sendBatch(queue, batchSize)
	return func(int) job { return func(c *conn) (int, error) { return sendAll(c, request, batchSize) } }
}

// sendAll sends a batch of n, none of which may fail.
func sendAll(c *conn, request []byte, n int) (int, error) {
	body, err := c.do(request)
	if err != nil {
		return 0, err
	}
	if got := count(body, memberMessageID); got != n {
		return 0, fmt.Errorf("%d of %d messages were sent: %s", got, n, clip(body))
	}
	return n, nil
}

// handles are receipt handles to delete, taken by many connections.
type handles struct {
	mu   sync.Mutex
	all  []string
	next atomic.Int64
}

func (h *handles) add(more []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, more...)
}

// take gives up to n handles that nobody has taken; none at the end.
func (h *handles) take(n int) []string {
	end := h.next.Add(int64(n))
	start := min(end-int64(n), int64(len(h.all)))
	return h.all[start:min(end, int64(len(h.all)))]
}

// receiveJob receives up to n at once and keeps the handles.
func receiveJob(w wire, queue string, n int, into *handles) func(int) job {
	request := w.receive(queue, n, 0)
	return func(int) job {
		var got []string
		return func(c *conn) (int, error) {
			body, err := c.do(request)
			if err != nil {
				return 0, err
			}
			got = got[:0]
			values(body, memberHandle, func(v []byte) { got = append(got, string(v)) })
			if len(got) > n {
				return 0, fmt.Errorf("%d messages where %d were asked for", len(got), n)
			}
			into.add(got)
			return len(got), nil
		}
	}
}

// deleteJob deletes one by one what was received.
func deleteJob(w wire, queue string, from *handles) func(int) job {
	return func(int) job {
		return func(c *conn) (int, error) {
			taken := from.take(1)
			if len(taken) == 0 {
				return 0, errEmpty
			}
			c.out = w.appendDelete(c.out[:0], &c.scratch, queue, taken[0])
			_, err := c.do(c.out)
			return 1, err
		}
	}
}

// deleteBatchJob deletes by ten what was received.
func deleteBatchJob(w wire, queue string, from *handles) func(int) job {
	return func(int) job {
		return func(c *conn) (int, error) {
			taken := from.take(batchSize)
			if len(taken) == 0 {
				return 0, errEmpty
			}
			c.out = w.appendDeleteBatch(c.out[:0], &c.scratch, queue, taken)
			body, err := c.do(c.out)
			if err != nil {
				return 0, err
			}
			if got := count(body, memberEntryID); got != len(taken) {
				return 0, fmt.Errorf("%d of %d messages were deleted: %s", got, len(taken), clip(body))
			}
			return len(taken), nil
		}
	}
}

// cycleJob sends one message, receives one and deletes it, each time on
// another of the queues.
func cycleJob(w wire, queues []string) func(int) job {
	sends, receives := make([][]byte, len(queues)), make([][]byte, len(queues))
	for i, q := range queues {
		sends[i], receives[i] = w.send(q), w.receive(q, 1, 0)
	}
	return func(i int) job {
		rng := rand.New(rand.NewPCG(uint64(i), 0))
		return func(c *conn) (int, error) {
			q := rng.IntN(len(queues))
			if n, err := sendOne(c, sends[q]); n == 0 || err != nil {
				return n, err
			}
			return settleOne(w, c, queues[q], receives[q])
		}
	}
}

// settleOne receives one message and deletes it.
func settleOne(w wire, c *conn, queue string, receive []byte) (int, error) {
	body, err := c.do(receive)
	if err != nil {
		return 0, err
	}
	n := 0
	values(body, memberHandle, func(v []byte) {
		n++
		c.out = w.appendDelete(c.out[:0], &c.scratch, queue, string(v))
	})
	if n != 1 {
		return 0, fmt.Errorf("%w: %d received in a cycle", errEmpty, n)
	}
	_, err = c.do(c.out)
	return 1, err
}

// createQueues makes n queues and gives their URLs.
func (p *process) createQueues(ctx context.Context, prefix string, n int) ([]string, error) {
	return p.create(ctx, prefix, n, p.wire.createQueue)
}

// create makes n queues by a request for each name, and gives their URLs.
func (p *process) create(ctx context.Context, prefix string, n int, request func(name string) []byte) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute+time.Duration(n)*time.Second)
	defer cancel()
	c, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	urls := make([]string, 0, n)
	for i := range n {
		body, err := c.do(request(fmt.Sprintf("%s-%d", prefix, i)))
		if err != nil {
			return nil, p.failed(fmt.Errorf("cannot create a queue: %w", err))
		}
		values(body, memberQueueURL, func(v []byte) { urls = append(urls, string(v)) })
	}
	if len(urls) != n {
		return nil, fmt.Errorf("%d queues created, want %d", len(urls), n)
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

// fillConns is how many connections fill a queue.
const fillConns = 32

// fill sends n messages to a queue by tens; a rest is left out.
func (p *process) fill(ctx context.Context, queue string, n int) error {
	if n < batchSize {
		return nil
	}
	_, err := runLoad(ctx, p, loadOptions{conns: fillConns, jobs: int64(n / batchSize)}, sendBatchJob(p.wire, queue))
	return err
}

// drop deletes what was received.
func (p *process) drop(ctx context.Context, queue string, h *handles) (measure, error) {
	jobs := (len(h.all) + batchSize - 1) / batchSize
	return runLoad(ctx, p, loadOptions{conns: fillConns, jobs: int64(jobs)}, deleteBatchJob(p.wire, queue, h))
}
