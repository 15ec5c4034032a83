//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queues/cmd/queues/load"
)

// queueTurn is one turn of the actions that deal with queues.
type queueTurn struct {
	*queueBench
	conns int
	got   map[load.Action]load.Measure
}

// length is how long an action is measured, of those that are by time.
func (q *queueBench) length() time.Duration { return q.duration / 8 }

// once measures requests that are each made once.
func (t *queueTurn) once(ctx context.Context, asks []load.Ask, took func(i int, body []byte)) error {
	m, err := t.server.under(ctx, load.Options{Conns: t.conns, Jobs: int64(len(asks))}, load.InTurn(asks, took))
	if err == nil {
		t.keep(m, asks[0].Request.Action)
	}
	return err
}

// timed measures requests that are made again and again, a cycle for each
// connection, for as long as its actions need.
func (t *queueTurn) timed(ctx context.Context, cycles ...[]load.Ask) error {
	var actions []load.Action
	for _, a := range cycles[0] {
		if !slices.Contains(actions, a.Request.Action) {
			actions = append(actions, a.Request.Action)
		}
	}
	d := t.length() * time.Duration(len(actions))
	m, err := whole(actions, func() (load.Measure, error) {
		return t.server.under(ctx, load.Options{Conns: t.conns, Duration: d}, load.Cycles(cycles...))
	})
	if err != nil {
		return err
	}
	for _, a := range actions {
		t.keep(m, a)
	}
	return nil
}

// maxWindows bounds how often what is measured by time is begun anew.
const maxWindows = 100

// whole measures until all actions were seen. A window that is short for a
// machine that is busy elsewhere may see the end of a cycle only: it is followed
// by another.
func whole(actions []load.Action, window func() (load.Measure, error)) (load.Measure, error) {
	var m load.Measure
	for range maxWindows {
		more, err := window()
		if err != nil {
			return m, err
		}
		m.Add(more)
		if !slices.ContainsFunc(actions, func(a load.Action) bool { return m.Actions[a] == nil }) {
			return m, nil
		}
	}
	return m, fmt.Errorf("%w: a cycle is never whole", load.ErrEmpty)
}

// keep keeps what a measure says of one action. Rates and CPU are those of all
// requests beside it.
func (t *queueTurn) keep(m load.Measure, a load.Action) {
	m.Latency, m.Jobs, m.Messages = m.Actions[a], m.Requests(), m.Requests()
	t.got[a] = m
}

// lifetimes makes queues, purges and deletes them: none can be purged twice
// within a minute, and no name used again.
func (t *queueTurn) lifetimes(ctx context.Context) error {
	t.lives++
	prefix, w := fmt.Sprintf("latency-life-%d-", t.lives), t.server.Wire
	var creates, fills, purges, checks, deletes []load.Ask
	for i := range t.number(t.conns) {
		name := fmt.Sprintf("%s%d", prefix, i)
		url := named(t.dead, name)
		creates = append(creates, w.CreateQueue(name, false).Judged(load.Queue(url)))
		fills = append(fills, w.SendBatch(url, purged).Judged(load.Members("MessageId", purged)))
		purges = append(purges, w.PurgeQueue(url).Judged(load.Nothing))
		checks = append(checks, w.GetQueueAttributes(url).Judged(load.Attributes("ApproximateNumberOfMessages", "0")))
		deletes = append(deletes, w.DeleteQueue(url).Judged(load.Nothing))
	}
	if err := t.once(ctx, creates, nil); err != nil {
		return err
	}
	if err := t.server.done(ctx, fills...); err != nil {
		return err
	}
	if err := t.once(ctx, purges, nil); err != nil {
		return err
	}
	if err := t.server.done(ctx, checks...); err != nil {
		return err
	}
	if err := t.once(ctx, deletes, nil); err != nil {
		return err
	}
	return t.server.done(ctx, w.ListQueuesOf(prefix).Judged(load.Queues(prefix, 0)))
}

// lookedTags are the tags of the queues that are looked at.
var lookedTags = []string{"owner", "bench", "stage", "production", "cost-centre", "1234"}

// looks makes the actions that only look.
func (t *queueTurn) looks(ctx context.Context) error {
	w := t.server.Wire
	lists := w.ListQueuesOf("latency-looked-").Judged(load.Queues("latency-looked-", lookedAt))
	sources := w.ListDeadLetterSourceQueues(t.dead).Judged(load.Queues("latency-looked-", lookedAt))
	var finds, attributes, tags [][]load.Ask
	for i, url := range t.looked {
		finds = append(finds, []load.Ask{w.GetQueueURL(fmt.Sprintf("latency-looked-%d", i)).Judged(load.Queue(url))})
		attributes = append(attributes, []load.Ask{w.GetQueueAttributes(url).Judged(
			load.Attributes("VisibilityTimeout", load.Hidden, "QueueArn", arnOf(url)), load.Times("Sid", 1))})
		tags = append(tags, []load.Ask{w.ListQueueTags(url).Judged(load.Tags(lookedTags...))})
	}
	for _, cycles := range [][][]load.Ask{{{lists}}, {{sources}}, finds, attributes, tags} {
		if err := t.timed(ctx, cycles...); err != nil {
			return err
		}
	}
	return nil
}
