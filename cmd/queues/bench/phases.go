package bench

import (
	"context"
	"fmt"
	"time"

	"queues/cmd/queues/load"
)

// Sizes of what is made ready for an action.
const (
	// fillConns is how many connections fill the queue, fillBytes what one of
	// their requests has at most.
	fillConns = 32
	fillBytes = 256 << 10
	// maxHeld and maxHeldFIFO are well under what servers let be in flight in a
	// queue, maxStanding the most bytes that stand in it.
	maxHeld     = 50_000
	maxHeldFIFO = 15_000
	maxStanding = 256 << 20
	// receiveWait lets servers that look at a part of a queue at first look at
	// the rest, groupWait bounds the time in which all that is left stands
	// behind locks.
	receiveWait = time.Second
	groupWait   = 5 * time.Second
)

// work is what the action makes.
func (r *run) work() load.Work {
	w := load.Work{Wire: r.server.Wire, Queues: []string{r.queue}, Groups: r.Groups, FIFO: r.FIFO, Wait: receiveWait}
	if r.Batch > 1 {
		w.Batch = r.Batch
	}
	if r.FIFO && r.Groups == 0 {
		w.Groups = 16 * r.Connections
	}
	if w.Groups > 0 {
		w.Wait = groupWait
	}
	return w
}

// measure runs the action.
func (r *run) measure(ctx context.Context) (load.Measure, error) {
	w := r.work()
	if r.Action == "send" || r.Action == "cycle" {
		r.result.Groups = w.Groups
	}
	switch r.Action {
	case "send":
		return r.window(ctx, w.Send())
	case "attributes":
		return r.window(ctx, w.Attributes())
	case "cycle":
		if err := r.fill(ctx, r.bounded(4*r.Connections*r.Batch)); err != nil {
			return load.Measure{}, err
		}
		return r.window(ctx, w.Cycle())
	case "visibility":
		held, err := r.hold(ctx, w, r.bounded(4*r.Connections*r.Batch))
		if err != nil {
			return load.Measure{}, err
		}
		return r.window(ctx, w.Visibility(held))
	default: // receive or delete
		return r.rounds(ctx, w)
	}
}

// window loads for the duration.
func (r *run) window(ctx context.Context, newJob func(int) load.Job) (load.Measure, error) {
	done := r.observe()
	defer done()
	before := r.memory()
	m, err := load.Run(ctx, r.server, r.options(0), newJob)
	r.grown(before)
	return m, err
}

func (r *run) options(jobs int64) load.Options {
	o := load.Options{Conns: r.Connections, Jobs: jobs, Tolerant: true, Progress: r.progress.tell}
	if jobs == 0 {
		o.Duration = r.Duration
	}
	return o
}

// bounded is how many of n messages may stand in the queue, at least one batch.
func (r *run) bounded(n int) int {
	held := maxHeld
	if r.FIFO {
		held = maxHeldFIFO
	}
	return max(min(n, held, maxStanding/r.Body), r.Batch)
}

// fill sends at least n messages.
func (r *run) fill(ctx context.Context, n int) error {
	w := load.Work{Wire: r.server.Wire, Queues: []string{r.queue}, Groups: r.Groups, FIFO: r.FIFO}
	if r.FIFO {
		w.Groups = load.EachItsOwn // so that none locks others
	}
	size := max(min(10, fillBytes/r.Body), 1)
	if size > 1 {
		w.Batch = size
	}
	_, err := load.Run(ctx, r.server, load.Options{Conns: min(fillConns, r.Connections), Jobs: int64((n + size - 1) / size)}, w.Send())
	if err != nil {
		return fmt.Errorf("cannot fill the queue: %w", err)
	}
	return nil
}

// hold sends n messages and receives about as many.
func (r *run) hold(ctx context.Context, w load.Work, n int) (*load.Handles, error) {
	if err := r.fill(ctx, n+n/10); err != nil {
		return nil, err
	}
	held := &load.Handles{}
	_, err := load.Run(ctx, r.server, r.quietly(n), w.Receive(held))
	if err == nil && held.Len() == 0 {
		err = fmt.Errorf("%s: nothing can be received", r.Endpoint)
	}
	return held, err
}

// quietly is load that is not measured.
func (r *run) quietly(messages int) load.Options {
	return load.Options{Conns: r.Connections, Jobs: int64((messages + r.Batch - 1) / r.Batch), Tolerant: true}
}

// rounds measures receives or deletes, which use messages up: each round makes
// new ones, measures, and clears away. The first is a warm-up.
func (r *run) rounds(ctx context.Context, w load.Work) (load.Measure, error) {
	done := r.observe()
	defer done()
	n := r.bounded(20 * r.Connections * r.Batch)
	var total load.Measure
	for round := 0; total.Elapsed < r.Duration; round++ {
		m, err := r.round(ctx, w, n)
		if err != nil {
			return total, err
		}
		if round > 0 || m.Messages == 0 {
			total.Add(m)
		}
		if m.Messages == 0 {
			break // and none will follow
		}
		left := (r.Duration - total.Elapsed).Seconds()
		n = r.bounded(max(int(m.Rate()*left*1.1), r.Connections*r.Batch))
	}
	return total, nil
}

// round is one of them with n messages.
func (r *run) round(ctx context.Context, w load.Work, n int) (m load.Measure, err error) {
	held := &load.Handles{}
	if r.Action == "delete" {
		if held, err = r.hold(ctx, w, n); err != nil {
			return m, err
		}
		before := r.memory()
		m, err = load.Run(ctx, r.server, r.options(int64((held.Len()+r.Batch-1)/r.Batch)), w.Delete(held))
		r.grown(before)
		return m, err
	}
	if err := r.fill(ctx, n+n/10); err != nil {
		return m, err
	}
	before := r.memory()
	m, err = load.Run(ctx, r.server, r.options(int64((n+r.Batch-1)/r.Batch)), w.Receive(held))
	r.grown(before)
	if err != nil || held.Len() == 0 {
		return m, err
	}
	_, err = load.Run(ctx, r.server, r.quietly(held.Len()), w.Delete(held))
	return m, err
}

// memory is what the server holds; nothing when that cannot be read.
func (r *run) memory() int64 {
	if r.server.PID == 0 {
		return 0
	}
	m, err := load.MemoryOf(r.server.PID)
	if err != nil {
		return 0
	}
	return m.Resident
}

// grown notes what the server holds after a window.
func (r *run) grown(before int64) {
	if s := r.result.Server; s != nil {
		s.MemoryBytes = r.memory()
		s.grown += s.MemoryBytes - before
	}
}
