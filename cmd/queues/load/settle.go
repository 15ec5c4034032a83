package load

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
)

// Handles are receipt handles, taken by many connections.
type Handles struct {
	mu   sync.Mutex
	all  []string
	next atomic.Int64
}

// Len is how many there are.
func (h *Handles) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.all)
}

// Rewind lets them be taken from the first on.
func (h *Handles) Rewind() { h.next.Store(0) }

func (h *Handles) add(more []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, more...)
}

// take gives up to n handles that nobody has taken; none at the end. Nobody
// adds meanwhile.
func (h *Handles) take(n int) []string {
	end := h.next.Add(int64(n))
	start := min(end-int64(n), int64(len(h.all)))
	return h.all[start:min(end, int64(len(h.all)))]
}

// again is take from the beginning whenever the end is reached.
func (h *Handles) again(n int) []string {
	end := h.next.Add(int64(n))
	if len(h.all) < n {
		return h.all
	}
	start := (end - int64(n)) % int64(len(h.all)-n+1)
	return h.all[start : start+int64(n)]
}

func contains(body, text []byte) bool { return bytes.Contains(body, text) }

// take receives once and adds the handles to got.
func (w Work) take(c *Conn, receive *Request, got []string) ([]string, error) {
	body, err := c.Do(ReceiveMessage, receive.Bytes())
	if err != nil {
		return nil, err
	}
	w.Wire.Protocol.values(body, memberHandle, func(v []byte) { got = append(got, string(v)) })
	if len(got) > w.batch() {
		return nil, fmt.Errorf("%d messages where %d were asked for", len(got), w.batch())
	}
	return got, nil
}

// Receive receives and keeps the handles.
func (w Work) Receive(into *Handles) func(int) Job {
	receives := w.receives()
	return func(i int) Job {
		rng := w.rng(i)
		var got []string
		return func(c *Conn) (int, error) {
			var err error
			if got, err = w.take(c, receives[rng.IntN(len(receives))], got[:0]); err != nil {
				return 0, err
			}
			into.add(got)
			return len(got), nil
		}
	}
}

// Drain receives from a queue and deletes what it got. Only what was deleted
// counts.
func (w Work) Drain() func(int) Job {
	receives := w.receives()
	return func(i int) Job {
		rng := w.rng(i)
		var got []string
		return func(c *Conn) (int, error) {
			q := rng.IntN(len(receives))
			var err error
			if got, err = w.take(c, receives[q], got[:0]); err != nil || len(got) == 0 {
				return 0, err
			}
			return w.settle(c, DeleteMessage, w.Queues[q], got)
		}
	}
}

// Delete deletes what was received from the only queue.
func (w Work) Delete(from *Handles) func(int) Job {
	return w.over(DeleteMessage, from.take)
}

// Visibility changes the visibility of what was received from the only queue,
// of the same messages again and again.
func (w Work) Visibility(from *Handles) func(int) Job {
	return w.over(ChangeMessageVisibility, from.again)
}

func (w Work) over(single Action, take func(n int) []string) func(int) Job {
	return func(int) Job {
		return func(c *Conn) (int, error) {
			taken := take(w.batch())
			if len(taken) == 0 {
				return 0, ErrEmpty
			}
			return w.settle(c, single, w.Queues[0], taken)
		}
	}
}

// settle makes one request of the action, or of its batch form, for received
// messages.
func (w Work) settle(c *Conn, single Action, queue string, handles []string) (int, error) {
	if w.Batch > 0 {
		a := DeleteMessageBatch
		if single == ChangeMessageVisibility {
			a = ChangeMessageVisibilityBatch
		}
		c.Out = w.Wire.appendSettled(c.Out[:0], &c.Scratch, a, queue, handles)
		body, err := c.Do(a, c.Out)
		if err != nil {
			return 0, err
		}
		return w.Wire.Protocol.entries(body, len(handles))
	}
	if single == ChangeMessageVisibility {
		c.Out = w.Wire.appendVisibility(c.Out[:0], &c.Scratch, queue, handles[0])
	} else {
		c.Out = w.Wire.AppendDelete(c.Out[:0], &c.Scratch, queue, handles[0])
	}
	_, err := c.Do(single, c.Out)
	return 1, err
}

// HandlesIn gives the receipt handles in the answer to a receive.
func (w *Wire) HandlesIn(body []byte) []string {
	var got []string
	w.Protocol.values(body, memberHandle, func(v []byte) { got = append(got, string(v)) })
	return got
}
