package sqlite

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"queues/engine"
)

// holders watches that each group has one holder at a time and that its
// messages come in order.
type holders struct {
	t    *testing.T
	mu   sync.Mutex
	by   map[string]int
	last map[string]uint64
}

func (h *holders) take(who int, ds []engine.Delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range ds {
		if other, held := h.by[d.Group]; held && other != who {
			h.t.Errorf("group %s is held by %d and %d", d.Group, other, who)
		}
		h.by[d.Group] = who
		if d.Sequence <= h.last[d.Group] {
			h.t.Errorf("group %s: %d comes after %d", d.Group, d.Sequence, h.last[d.Group])
		}
		h.last[d.Group] = d.Sequence
	}
}

func (h *holders) give(ds []engine.Delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range ds {
		delete(h.by, d.Group)
	}
}

// TestOneHolder lets many send to one queue and many receive from it.
func TestOneHolder(t *testing.T) {
	t.Parallel()
	const senders, receivers, each, groups = 4, 16, 150, 9
	f := open(t)
	q := f.createFIFO("q")
	h := &holders{t: t, by: make(map[string]int), last: make(map[string]uint64)}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var left atomic.Int64
	left.Store(senders * each * 3)
	var wg sync.WaitGroup
	for s := range senders {
		wg.Go(func() {
			for i := range each {
				ms := messages(3, "")
				for j := range ms {
					ms[j].Group, ms[j].Dedup = fmt.Sprint("g", (i+j)%groups), fmt.Sprint(s, i, j)
				}
				if _, err := f.Send(ctx, engine.SendParams{Queue: q.ID, Messages: ms}); err != nil {
					t.Errorf("Send: %v", err)
					return
				}
			}
		})
	}
	for who := range receivers {
		wg.Go(func() {
			for left.Load() > 0 {
				r, err := f.Receive(ctx, engine.ReceiveParams{Queue: q.ID, Max: 1 + who%10, InFlightLimit: 50})
				if err != nil {
					t.Errorf("Receive: %v", err)
					return
				}
				h.take(who, r.Messages)
				// Given up before the store knows: after it another may hold.
				h.give(r.Messages)
				p := engine.AcknowledgeParams{Queue: q.ID, Refs: refs(r.Messages), RefuseExpired: true}
				outcomes, err := f.Acknowledge(ctx, p)
				if err != nil {
					t.Errorf("Acknowledge: %v", err)
					return
				}
				for _, outcome := range outcomes {
					if outcome != nil {
						t.Errorf("Acknowledge: %v", outcome)
					}
				}
				left.Add(-int64(len(r.Messages)))
			}
		})
	}
	wg.Wait()
	f.wantSizes(q, 0, 0, 0)
	if n := f.rows("groups"); n != 0 {
		t.Errorf("%d groups are left", n)
	}
}
