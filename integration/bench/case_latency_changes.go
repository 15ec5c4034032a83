//go:build linux

package main

import (
	"context"

	"queues/cmd/queues/load"
)

// otherAccount is somebody who is permitted something.
const otherAccount = "123456789012"

// change is a change of a queue and a look that shows it.
type change struct{ does, shows load.Ask }

// changesOf are changes of a queue, in cycles after which it is as before.
func (q *queueBench) changesOf(url string) [][]change {
	w := q.server.Wire
	attributes := func(judge load.Judge) load.Ask { return w.GetQueueAttributes(url).Judged(judge) }
	set := func(seconds string) change {
		return change{
			w.SetQueueAttributes(url, "VisibilityTimeout", seconds).Judged(load.Nothing), attributes(load.Attributes("VisibilityTimeout", seconds)),
		}
	}
	tags := w.ListQueueTags(url)
	return [][]change{
		{set("30"), set(load.Hidden)},
		{
			{w.TagQueue(url, "stage", "bench").Judged(load.Nothing), tags.Judged(load.Tags("stage", "bench"))},
			{w.UntagQueue(url, "stage").Judged(load.Nothing), tags.Judged(load.Tags())},
		},
		{
			{w.AddPermission(url, "bench", otherAccount, "SendMessage").Judged(load.Nothing), attributes(load.Times("Sid", 1))},
			{w.RemovePermission(url, "bench").Judged(load.Nothing), attributes(load.Times("Sid", 0))},
		},
	}
}

// proveChanges makes each change of each queue once and looks whether it has
// its effect.
func (q *queueBench) proveChanges(ctx context.Context) error {
	var all []load.Ask
	for _, url := range q.changed {
		for _, cycle := range q.changesOf(url) {
			for _, c := range cycle {
				all = append(all, c.does, c.shows)
			}
		}
	}
	_, err := q.server.under(ctx, load.Options{Conns: 1, Jobs: 1}, load.Cycles(all))
	return err
}

// changes makes the actions that change a queue, each connection those of its
// own, and looks whether all is then as it was before.
func (t *queueTurn) changes(ctx context.Context) error {
	var cycles [][][]load.Ask
	var ends []load.Ask
	for _, url := range t.changed[:t.conns] {
		for k, changes := range t.changesOf(url) {
			if k == len(cycles) {
				cycles = append(cycles, nil)
			}
			var cycle []load.Ask
			for _, c := range changes {
				cycle = append(cycle, c.does)
			}
			cycles[k] = append(cycles[k], cycle)
			ends = append(ends, changes[len(changes)-1].shows)
		}
	}
	for _, c := range cycles {
		if err := t.timed(ctx, c...); err != nil {
			return err
		}
	}
	return t.server.done(ctx, ends...)
}
