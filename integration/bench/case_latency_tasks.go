//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"

	"queues/cmd/queues/load"
)

// letterRate is how many messages a second a task moves that is to last: the
// fewest.
const letterRate = 1

// tasks starts and cancels move tasks, each of a dead-letter queue of its own:
// a queue has one at a time, and a task has not ended yet when its end is asked
// for. One more is looked at while it runs.
func (t *queueTurn) tasks(ctx context.Context) error {
	letters := t.letters[:t.number(t.conns)]
	if err := t.addLetters(ctx, append([]string{t.dead}, letters...)); err != nil {
		return err
	}
	handles := make([]string, len(letters))
	if err := t.once(ctx, t.starts(letters), t.keepHandles(handles)); err != nil {
		return err
	}
	if err := t.once(ctx, t.cancels(handles), nil); err != nil {
		return err
	}
	if err := t.cancelled(ctx, letters); err != nil {
		return err
	}
	one, handle := []string{t.dead}, make([]string, 1)
	if _, err := t.server.under(ctx, load.Options{Conns: 1, Jobs: 1}, load.InTurn(t.starts(one), t.keepHandles(handle))); err != nil {
		return err
	}
	if err := t.timed(ctx, []load.Ask{t.task(t.dead, "RUNNING")}); err != nil {
		return err
	}
	if err := t.server.done(ctx, t.cancels(handle)...); err != nil {
		return err
	}
	return t.cancelled(ctx, one)
}

// addLetters adds small messages to queues, more than a task moves in a turn.
func (t *queueTurn) addLetters(ctx context.Context, urls []string) error {
	small, err := load.NewWire(load.WireOptions{URL: "http://" + t.server.Wire.Addr, Body: smallBody})
	if err != nil {
		return err
	}
	var asks []load.Ask
	for _, url := range urls {
		asks = append(asks, small.SendBatch(url, batchSize).Judged(load.Members("MessageId", batchSize)))
	}
	return t.server.done(ctx, asks...)
}

func (t *queueTurn) starts(urls []string) (asks []load.Ask) {
	for _, url := range urls {
		asks = append(asks, t.server.Wire.StartMessageMoveTask(arnOf(url), arnOf(t.moved), letterRate).Judged(load.Members("TaskHandle", 1)))
	}
	return asks
}

func (t *queueTurn) keepHandles(handles []string) func(i int, body []byte) {
	return func(i int, body []byte) { handles[i] = t.server.Wire.TaskHandleIn(body) }
}

func (t *queueTurn) cancels(handles []string) (asks []load.Ask) {
	for _, handle := range handles {
		asks = append(asks, t.server.Wire.CancelMessageMoveTask(handle).Judged(load.Members("ApproximateNumberOfMessagesMoved", 1)))
	}
	return asks
}

// task is a look at a queue's newest task, which must be in a state.
func (t *queueTurn) task(url, status string) load.Ask {
	return t.server.Wire.ListMessageMoveTasks(arnOf(url)).Judged(load.Members("Status", 1), load.Texts("SourceArn", arnOf(url), "Status", status))
}

// cancelled waits until the newest tasks of queues have ended as they should:
// they do so in the background.
func (t *queueTurn) cancelled(ctx context.Context, urls []string) error {
	return until(ctx, func() (bool, error) {
		var asks []load.Ask
		for _, url := range urls {
			asks = append(asks, t.task(url, "CANCELLED"))
		}
		err := t.server.done(ctx, asks...)
		if errors.Is(err, load.ErrWrong) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("a cancelled move task: %w", err)
		}
		return true, nil
	})
}
