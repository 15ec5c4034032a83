package load

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// Job is one unit of work of one connection: one exchange or a few. It gives
// the number of messages that it moved; none without an error counts as
// ErrEmpty.
type Job func(c *Conn) (messages int, err error)

// Work makes jobs on queues. The zero Batch is the single form of an action.
type Work struct {
	Wire *Wire
	// Queues are their URLs; each job takes one by chance.
	Queues []string
	// Batch is how many messages each request has, at most 10.
	Batch int
	// Groups is how many message groups there are, by chance one for each
	// message; 0 for none, EachItsOwn for a group for each message.
	Groups int
	// FIFO gives each message a deduplication id.
	FIFO bool
	// Wait is how long a receive waits, in whole seconds.
	Wait time.Duration
}

// EachItsOwn is the number of groups where each message has its own.
const EachItsOwn = -1

// batch is how many messages a request has.
func (w Work) batch() int { return max(w.Batch, 1) }

// Send sends messages.
func (w Work) Send() func(int) Job {
	send := w.sender()
	return func(i int) Job {
		rng := w.rng(i)
		return func(c *Conn) (int, error) { return send(c, rng.IntN(len(w.Queues)), rng) }
	}
}

// rng is the chance of one connection; the same in each turn.
func (w Work) rng(i int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(i), uint64(max(w.Groups, 0))))
}

// sender makes the function that sends one request's messages to a queue.
func (w Work) sender() func(c *Conn, queue int, rng *rand.Rand) (int, error) {
	if w.Groups != 0 {
		return w.sendGrouped
	}
	requests := make([]*Request, len(w.Queues))
	for i, q := range w.Queues {
		if w.Batch > 0 {
			requests[i] = w.Wire.SendBatch(q, w.Batch)
		} else {
			requests[i] = w.Wire.Send(q)
		}
	}
	return func(c *Conn, queue int, _ *rand.Rand) (int, error) { return w.sent(c, requests[queue].Bytes()) }
}

// sent makes a send and counts what it gave.
func (w Work) sent(c *Conn, request []byte) (int, error) {
	if w.Batch == 0 {
		return SendOne(c, w.Wire, request)
	}
	body, err := c.Do(SendMessageBatch, request)
	if err != nil {
		return 0, err
	}
	n, err := w.Wire.Protocol.entries(body, w.Batch)
	if got := w.Wire.Protocol.count(body, memberMessageID); err == nil && got != n {
		return 0, &EntryError{Done: got, Of: n, Body: string(clip(body))}
	}
	return n, err
}

// SendOne makes a SendMessage and gives how many messages were sent.
func SendOne(c *Conn, w *Wire, request []byte) (int, error) {
	body, err := c.Do(SendMessage, request)
	return w.Protocol.count(body, memberMessageID), err
}

// sendGrouped sends one request's messages, each to a group.
func (w Work) sendGrouped(c *Conn, queue int, rng *rand.Rand) (int, error) {
	groups, dedups := make([]string, w.batch()), make([]string, w.batch())
	for i := range groups {
		// Not of rng: each turn starts that anew.
		id := strconv.FormatUint(rand.Uint64(), 36) + "-" + strconv.FormatUint(rand.Uint64(), 36)
		if groups[i] = id; w.Groups > 0 {
			groups[i] = "g" + strconv.Itoa(rng.IntN(w.Groups))
		}
		if w.FIFO {
			dedups[i] = id
		}
	}
	if w.Batch == 0 {
		c.Out = w.Wire.AppendGrouped(c.Out[:0], &c.Scratch, w.Queues[queue], groups[0], dedups[0])
	} else {
		c.Out = w.Wire.appendGroupedBatch(c.Out[:0], &c.Scratch, w.Queues[queue], groups, dedups)
	}
	return w.sent(c, c.Out)
}

// receives are a receive for each queue.
func (w Work) receives() []*Request {
	requests := make([]*Request, len(w.Queues))
	for i, q := range w.Queues {
		requests[i] = w.Wire.Receive(q, w.batch(), w.Wait)
	}
	return requests
}

// Attributes asks for the attributes of a queue, each time of another by
// chance. Each answer counts as one message.
func (w Work) Attributes() func(int) Job {
	requests := make([]*Request, len(w.Queues))
	for i, q := range w.Queues {
		requests[i] = w.Wire.GetQueueAttributes(q)
	}
	return func(i int) Job {
		rng := w.rng(i)
		return func(c *Conn) (int, error) {
			body, err := c.Do(GetQueueAttributes, requests[rng.IntN(len(requests))].Bytes())
			if err != nil || !contains(body, memberWaiting) {
				return 0, err
			}
			return 1, nil
		}
	}
}

// Cycle sends, receives and deletes, each time on another queue. Something must
// stand in the queues, so that a receive never depends on the send before it.
func (w Work) Cycle() func(int) Job {
	send, receives := w.sender(), w.receives()
	return func(i int) Job {
		rng := w.rng(i)
		var got []string
		return func(c *Conn) (int, error) {
			q := rng.IntN(len(w.Queues))
			if n, err := send(c, q, rng); n == 0 || err != nil {
				return n, err
			}
			var err error
			if got, err = w.take(c, receives[q], got[:0]); err != nil {
				return 0, err
			}
			if len(got) == 0 {
				return 0, fmt.Errorf("%w in a cycle", ErrEmpty)
			}
			return w.settle(c, DeleteMessage, w.Queues[q], got)
		}
	}
}
