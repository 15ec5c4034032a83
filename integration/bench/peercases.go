//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"queues/cmd/queues/load"
)

// peerCase is one kind of load.
type peerCase struct {
	name, title string
	// alone is true where one connection waits for each answer.
	alone bool
	// turn is one turn of a server.
	turn func(r *peersRun, ctx context.Context, e *entry, round int) (load.Measure, error)
}

// peerCases are in the order of the table.
var peerCases = []peerCase{
	{"send", "Send", false, func(r *peersRun, ctx context.Context, e *entry, round int) (load.Measure, error) {
		return r.send(ctx, e, round, r.conns, 1)
	}},
	{"send-one", "Send, 1 connection", true, func(r *peersRun, ctx context.Context, e *entry, round int) (load.Measure, error) {
		return r.send(ctx, e, round, 1, 1)
	}},
	{"send-batch", "Send by 10", false, func(r *peersRun, ctx context.Context, e *entry, round int) (load.Measure, error) {
		return r.send(ctx, e, round, r.conns, batchSize)
	}},
	{"settle", "Receive and delete by 10", false, (*peersRun).settle},
}

// turnPatience is how much longer than its load a turn may take, fillPatience
// how long the queue may take to be full.
const (
	turnPatience = time.Minute
	fillPatience = 3 * time.Minute
)

// send sends to a queue that is new in each turn, so that all have the same
// before them.
func (r *peersRun) send(ctx context.Context, e *entry, round, conns, batch int) (load.Measure, error) {
	queue, err := e.process.createQueue(ctx, fmt.Sprintf("sends-%d", round))
	if err != nil {
		return load.Measure{}, err
	}
	return r.under(ctx, e, load.Options{Conns: conns, Duration: r.duration}, e.process.by(batch, queue).Send())
}

// kept is the share of a queue's messages that a turn of settling leaves:
// what a receive finds never depends on the last messages.
const kept = 0.2

// settle receives and deletes from a queue in which the same number of messages
// stands at the beginning of each turn.
func (r *peersRun) settle(ctx context.Context, e *entry, round int) (load.Measure, error) {
	if e.queue == "" {
		queue, err := e.process.createQueue(ctx, "settled")
		if err != nil {
			return load.Measure{}, err
		}
		e.queue = queue
	}
	if err := r.refill(ctx, e); err != nil {
		return load.Measure{}, err
	}
	if round == 0 {
		if m, err := e.process.memory(); err == nil {
			e.full = m.Resident
		}
	}
	o := load.Options{Conns: r.conns, Duration: r.duration, Jobs: int64(float64(e.stand) * (1 - kept) / batchSize)}
	m, err := r.under(ctx, e, o, e.process.by(batchSize, e.queue).Drain())
	e.stand -= int(m.Messages)
	return m, err
}

// refill sends what is missing in the queue of the settling case.
func (r *peersRun) refill(ctx context.Context, e *entry) error {
	ctx, cancel := context.WithTimeoutCause(ctx, fillPatience, fmt.Errorf("not full after %v", fillPatience))
	defer cancel()
	missing := (r.messages - e.stand) / batchSize * batchSize
	if err := e.process.fill(ctx, e.queue, missing); err != nil {
		return fmt.Errorf("cannot be filled with %d messages: %w", missing, err)
	}
	e.stand += missing
	return nil
}

// maxFailing is the share of requests that may fail, and of receives that may
// find nothing, before a turn's figures are worthless.
const maxFailing = 0.01

// worthCounting says what speaks against a turn's figures.
func worthCounting(m load.Measure) error {
	tried := float64(m.Jobs + m.Failed() + m.Empty)
	switch {
	case float64(m.Failed()) > maxFailing*tried:
		most := slices.MaxFunc(slices.Sorted(maps.Keys(m.Failures)), func(a, b string) int { return int(m.Failures[a] - m.Failures[b]) })
		return fmt.Errorf("%d of %.0f failed, most with: %s", m.Failed(), tried, most)
	case float64(m.Empty) > maxFailing*tried:
		return fmt.Errorf("%d of %.0f answers lack what was asked for", m.Empty, tried)
	case m.Messages == 0:
		return errors.New("nothing was done")
	default:
		return nil
	}
}

// requestCPU is the server's CPU time for each request of a turn, in
// microseconds.
func requestCPU(m load.Measure) float64 { return load.Micros(m.Server) / float64(m.Requests()) }
