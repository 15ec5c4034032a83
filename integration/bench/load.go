//go:build linux

package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// job is one unit of work of one connection: one exchange or a few. It gives
// the number of messages that it moved, which must not be zero.
type job func(c *conn) (messages int, err error)

// loadOptions say how much work is done. With jobs it ends when they are done;
// without, after the duration, before which there is a warm-up.
type loadOptions struct {
	conns    int
	duration time.Duration
	jobs     int64
}

// measure is what one turn of load gave.
type measure struct {
	elapsed        time.Duration
	jobs, messages int64
	latency        *histogram
	// server and generator are the CPU time of both sides meanwhile.
	server, generator time.Duration
}

func (m measure) rate() float64      { return float64(m.messages) / m.elapsed.Seconds() }
func (m measure) jobRate() float64   { return float64(m.jobs) / m.elapsed.Seconds() }
func (m measure) cpu() float64       { return micros(m.server) / float64(m.jobs) }
func (m measure) genCPU() float64    { return micros(m.generator) / float64(m.jobs) }
func (m measure) p50() float64       { return micros(m.latency.quantile(0.5)) }
func (m measure) p99() float64       { return micros(m.latency.quantile(0.99)) }
func micros(d time.Duration) float64 { return float64(d) / 1e3 }

// load is one turn under way.
type load struct {
	budget atomic.Int64
	// counting is true within the window, over once it has ended.
	counting, over atomic.Bool
	done, messages atomic.Int64
}

// maxWarmUp bounds the time before the window of a load by duration.
const maxWarmUp = 500 * time.Millisecond

// maxStall bounds the window of a load in which nothing finishes.
const maxStall = 30 * time.Second

// runLoad lets connections to p work side by side. newJob makes the job of the
// i-th connection.
func runLoad(ctx context.Context, p *process, o loadOptions, newJob func(i int) job) (measure, error) {
	// A server that hangs must not hang us.
	ctx, cancel := context.WithTimeoutCause(ctx, o.duration+10*time.Minute, fmt.Errorf("%s hangs under load", p.name))
	defer cancel()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	conns := make([]*conn, o.conns)
	for i := range conns {
		c, err := p.dial(ctx)
		if err != nil {
			return measure{}, err
		}
		defer c.close()
		conns[i] = c
	}

	l := &load{}
	l.budget.Store(o.jobs)
	l.counting.Store(o.jobs > 0)
	histograms := make([]*histogram, o.conns)
	before, err := takeStock(p, l)
	if err != nil {
		return measure{}, err
	}
	var wg sync.WaitGroup
	for i, c := range conns {
		histograms[i] = &histogram{}
		wg.Go(func() {
			if err := l.work(c, newJob(i), o.jobs > 0, histograms[i]); err != nil {
				l.over.Store(true)
				// The first failure counts; those that follow from it do not.
				fail(fmt.Errorf("%s: %w", p.name, err))
			}
		})
	}
	var after stock
	if o.jobs == 0 {
		err = pause(ctx, min(o.duration/4, maxWarmUp))
		l.counting.Store(true)
		if err == nil {
			before, err = takeStock(p, l)
		}
		// On a machine that is busy elsewhere a short window may see nothing
		// finish: it goes on until something has.
		for waited := time.Duration(0); err == nil && (waited < o.duration || l.done.Load() == 0 && waited < maxStall); waited += o.duration {
			err = pause(ctx, o.duration)
		}
		if err == nil {
			after, err = takeStock(p, l)
		}
		l.over.Store(true)
	}
	wg.Wait()
	if o.jobs > 0 {
		after, err = takeStock(p, l)
	}
	if cause := context.Cause(ctx); cause != nil {
		err = p.failed(cause)
	}
	if err != nil {
		return measure{}, err
	}
	total := &histogram{}
	for _, h := range histograms {
		total.merge(h)
	}
	m := after.since(before)
	m.latency = total
	if m.jobs == 0 {
		return m, fmt.Errorf("%s did nothing in %v", p.name, m.elapsed)
	}
	return m, nil
}

// work runs one connection's jobs to the end.
func (l *load) work(c *conn, do job, budgeted bool, h *histogram) error {
	for !l.over.Load() {
		if budgeted && l.budget.Add(-1) < 0 {
			return nil
		}
		start := time.Now()
		n, err := do(c)
		if err == nil && n == 0 {
			err = errEmpty
		}
		if err != nil {
			return err
		}
		if l.counting.Load() {
			h.add(time.Since(start))
			l.done.Add(1)
			l.messages.Add(int64(n))
		}
	}
	return nil
}

// stock is the state of all counters at one moment.
type stock struct {
	at             time.Time
	jobs, messages int64
	server, self   time.Duration
}

func takeStock(p *process, l *load) (stock, error) {
	server, err := p.cpu()
	if err != nil {
		return stock{}, err
	}
	self, err := cpuTime(0)
	return stock{at: time.Now(), jobs: l.done.Load(), messages: l.messages.Load(), server: server, self: self}, err
}

func (s stock) since(before stock) measure {
	return measure{
		elapsed: s.at.Sub(before.at), jobs: s.jobs - before.jobs, messages: s.messages - before.messages,
		server: s.server - before.server, generator: s.self - before.self,
	}
}
