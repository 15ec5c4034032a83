//go:build linux

package main

import (
	"context"
	"fmt"

	"queues/cmd/queues/load"
)

// queueActions are the actions that deal with queues, in the order in which a
// queue meets them, and what the table calls them.
var queueActions = []struct {
	action load.Action
	title  string
}{
	{load.CreateQueue, "CreateQueue"},
	{load.GetQueueURL, "GetQueueUrl"},
	{load.ListQueues, fmt.Sprintf("ListQueues of %d", lookedAt)},
	{load.GetQueueAttributes, "GetQueueAttributes"},
	{load.SetQueueAttributes, "SetQueueAttributes"},
	{load.TagQueue, "TagQueue"},
	{load.UntagQueue, "UntagQueue"},
	{load.ListQueueTags, "ListQueueTags"},
	{load.AddPermission, "AddPermission"},
	{load.RemovePermission, "RemovePermission"},
	{load.ListDeadLetterSourceQueues, fmt.Sprintf("ListDeadLetterSourceQueues of %d", lookedAt)},
	{load.StartMessageMoveTask, "StartMessageMoveTask"},
	{load.ListMessageMoveTasks, "ListMessageMoveTasks"},
	{load.CancelMessageMoveTask, "CancelMessageMoveTask"},
	{load.PurgeQueue, fmt.Sprintf("PurgeQueue of %d messages", purged)},
	{load.DeleteQueue, "DeleteQueue"},
}

const (
	// lookedAt is how many queues there are to be looked at, all of them with the
	// same dead-letter queue.
	lookedAt = 10
	// purged is how many messages are in a queue that is purged.
	purged = 3
	// queuesPerSecond is about how much is done to queues that is counted by
	// number.
	queuesPerSecond = 6000
)

// queueBench is what the actions are made on.
type queueBench struct {
	*bench
	server *process
	// dead is the dead-letter queue of those looked at, moved where its messages
	// are moved.
	dead, moved string
	looked      []string
	// changed are as many as there are connections at most: each changes its own.
	changed []string
	// letters are dead-letter queues, for a move task each.
	letters []string
	// lives counts the turns in which queues are made and deleted.
	lives int
}

// queueLatency measures the actions that deal with queues.
func (b *bench) queueLatency(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	q := &queueBench{bench: b, server: server}
	if err := q.prepare(ctx); err != nil {
		return err
	}
	var titles []string
	for _, a := range queueActions {
		titles = append(titles, a.title)
	}
	var sides []side
	for _, conns := range latencyConns {
		s := side{run: func(ctx context.Context) ([]load.Measure, error) { return q.turn(ctx, conns) }}
		for _, title := range titles {
			s.phases = append(s.phases, latencyPhase(title, conns))
		}
		sides = append(sides, s)
	}
	got, err := b.alternate(ctx, sides...)
	if err != nil {
		return err
	}
	b.addLatencies(got, titles)
	return b.stop(server)
}

// prepare makes the queues that stay, and sees to it that every change has its
// effect.
func (q *queueBench) prepare(ctx context.Context) error {
	var err error
	create := func(prefix string, n int, dead func(i int) string) (urls []string) {
		if err == nil {
			urls, err = q.server.Create(ctx, n, func(i int) *load.Request {
				attributes := []string{"VisibilityTimeout", load.Hidden}
				if dead != nil {
					attributes = append(attributes, "RedrivePolicy", fmt.Sprintf(`{"deadLetterTargetArn":"%s","maxReceiveCount":5}`, arnOf(dead(i))))
				}
				return q.server.Wire.CreateQueueWith(fmt.Sprintf("%s%d", prefix, i), attributes...)
			})
		}
		return urls
	}
	ends := create("latency-end-", 2, nil)
	if err == nil {
		q.dead, q.moved = ends[0], ends[1]
	}
	q.looked = create("latency-looked-", lookedAt, func(int) string { return q.dead })
	q.changed = create("latency-changed-", latencyConns[len(latencyConns)-1], nil)
	q.letters = create("latency-letters-", q.number(latencyConns[len(latencyConns)-1]), nil)
	create("latency-source-", len(q.letters), func(i int) string { return q.letters[i] })
	if err != nil {
		return q.server.failed(err)
	}
	for _, url := range q.looked {
		w := q.server.Wire
		if err := q.server.done(ctx, w.TagQueue(url, lookedTags...).Judged(load.Nothing),
			w.AddPermission(url, "looked", otherAccount, "SendMessage").Judged(load.Nothing)); err != nil {
			return err
		}
	}
	return q.proveChanges(ctx)
}

// number is how many queues have something done to them at a number of
// connections. It is half of the most at one connection: fewer would say nothing
// about the slowest in a thousand.
func (q *queueBench) number(conns int) int {
	most := int(q.length().Seconds() * queuesPerSecond)
	return max(most*(conns+64)/(64+64), batchSize)
}

// turn makes all actions at a number of connections.
func (q *queueBench) turn(ctx context.Context, conns int) ([]load.Measure, error) {
	t := &queueTurn{queueBench: q, conns: conns, got: map[load.Action]load.Measure{}}
	for _, part := range []func(context.Context) error{t.lifetimes, t.looks, t.changes, t.tasks} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	measures := make([]load.Measure, len(queueActions))
	for i, a := range queueActions {
		m, ok := t.got[a.action]
		if !ok {
			return nil, fmt.Errorf("%w: no %s in a whole turn", load.ErrEmpty, a.action)
		}
		measures[i] = m
	}
	return measures, nil
}
