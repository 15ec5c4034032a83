//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"

	"queues/cmd/queues/load"
)

// latencyConns are the connections at which latencies are measured.
var latencyConns = []int{1, 8, 64}

// latencyForms are the actions of each form, in the order in which a message
// meets them.
var latencyForms = []struct {
	batch   int
	actions []string
}{
	{1, []string{"SendMessage", "ReceiveMessage of 1", "ChangeMessageVisibility", "DeleteMessage"}},
	{batchSize, []string{"SendMessageBatch of 10", "ReceiveMessage of 10", "ChangeMessageVisibilityBatch of 10", "DeleteMessageBatch of 10"}},
}

// latencyRow is one action's latency at each number of connections.
type latencyRow struct {
	action string
	at     []series
}

// latency measures each action at several numbers of connections.
func (b *bench) latency(ctx context.Context) error {
	if err := b.messageLatency(ctx); err != nil {
		return err
	}
	if err := b.queueLatency(ctx); err != nil {
		return err
	}
	b.add(rowLatency, row{title: "Latency of each action at 1, 8 and 64 connections", measured: "in the table below"})
	return nil
}

// messageLatency measures the actions that deal with messages.
func (b *bench) messageLatency(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	var sides []side
	for _, form := range latencyForms {
		for _, conns := range latencyConns {
			queues, err := server.createQueues(ctx, fmt.Sprintf("latency-%d-%d", form.batch, conns), 2)
			if err != nil {
				return err
			}
			sides = append(sides, b.lives(server, conns, form.batch, form.actions, queues[0], queues[1]))
		}
	}
	got, err := b.alternate(ctx, sides...)
	if err != nil {
		return err
	}
	for _, form := range latencyForms {
		b.addLatencies(got, form.actions)
	}
	return b.stop(server)
}

// addLatencies adds a row for each of the actions.
func (b *bench) addLatencies(got map[string]series, actions []string) {
	for _, action := range actions {
		r := latencyRow{action: action}
		for _, conns := range latencyConns {
			r.at = append(r.at, got[latencyPhase(action, conns)])
		}
		b.latencies = append(b.latencies, r)
	}
}

func latencyPhase(action string, conns int) string {
	return fmt.Sprintf("%s, %d connections", action, conns)
}

// lives is a side in which messages go through all actions, by n in a request.
// Sends and changes of visibility go by time; receives and deletes by number,
// fewer where fewer connections do them.
func (b *bench) lives(server *process, conns, n int, actions []string, sent, taken string) side {
	phases := make([]string, len(actions))
	for i, a := range actions {
		phases[i] = latencyPhase(a, conns)
	}
	perSecond := singlesPerSecond
	if n > 1 {
		perSecond = batchedPerSecond
	}
	d := b.duration / 2
	messages := int(d.Seconds()*float64(perSecond)) * (conns + 16) / (64 + 16)
	messages = min(max(messages, 10*n), maxInFlight) / n * n
	timed := load.Options{Conns: conns, Duration: d}
	return side{phases: phases, run: func(ctx context.Context) ([]load.Measure, error) {
		send, err := server.under(ctx, timed, server.by(n, sent).Send())
		if err != nil {
			return nil, err
		}
		if err := server.fill(ctx, taken, messages+messages/10+batchSize); err != nil {
			return nil, err
		}
		held := &load.Handles{}
		work := server.by(n, taken)
		receive, err := server.under(ctx, load.Options{Conns: conns, Jobs: int64(messages / n)}, work.Receive(held))
		if err != nil {
			return nil, err
		}
		extend, err := server.under(ctx, timed, work.Visibility(held))
		if err != nil {
			return nil, err
		}
		held.Rewind()
		del, err := server.under(ctx, load.Options{Conns: conns, Jobs: int64((held.Len() + n - 1) / n)}, work.Delete(held))
		return []load.Measure{send, receive, extend, del}, err
	}}
}

// reportLatencies writes the table.
func (b *bench) reportLatencies(w func(format string, args ...any)) {
	if len(b.latencies) == 0 {
		return
	}
	w("\nLatency in µs, p50 / p99 / p99.9, medians of %d rounds; of fewer than a thousand requests in a round p99.9 is the slowest.\n", b.rounds)
	head, rule := "| Action |", "| --- |"
	for _, conns := range latencyConns {
		head += fmt.Sprintf(" %d connections |", conns)
		rule += " ---: |"
	}
	w("%s\n%s", strings.Replace(head, " 1 connections", " 1 connection", 1), rule)
	for _, r := range b.latencies {
		line := "| " + r.action + " |"
		for _, s := range r.at {
			line += fmt.Sprintf(" %.0f / %.0f / %.0f |", s.over(load.Measure.P50), s.over(load.Measure.P99), s.over(load.Measure.P999))
		}
		w("%s", line)
	}
}
