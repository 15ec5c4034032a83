//go:build linux

package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/load"
	"queues/integration/torture/wire"
)

// quiet waits until nothing goes on in a server that nobody else calls, and
// asks for the counts of all queues.
func quiet(ctx context.Context, l *load.Load) (*history.State, error) {
	if err := load.Quiet(ctx, l.Client); err != nil {
		return nil, err
	}
	state := &history.State{Counts: make(map[string]history.Counts)}
	for queue := range l.History.Queues {
		a := l.Client.Call(ctx, "GetQueueAttributes", wire.Args{"QueueUrl": wire.QueueURL(queue), "AttributeNames": []string{"All"}})
		if a.Outcome != history.Done {
			if a.Outcome == history.Refused && a.Status == 400 {
				continue // it is deleted
			}
			return nil, fmt.Errorf("the counts of %s: status %d %s %s", queue, a.Status, a.Code, a.Message)
		}
		var c history.Counts
		for name, to := range map[string]*int{
			"ApproximateNumberOfMessages": &c.Visible, "ApproximateNumberOfMessagesNotVisible": &c.Hidden, "ApproximateNumberOfMessagesDelayed": &c.Delayed,
		} {
			n, err := strconv.Atoi(a.Attributes[name])
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", name, queue, err)
			}
			*to = n
		}
		state.Counts[queue] = c
	}
	state.At = l.History.Now()
	return state, nil
}

// examine looks into a data folder that no process has open, through a copy,
// and adds what is there to the history.
func examine(ctx context.Context, h *history.History, state *history.State, data, copied string) error {
	if err := contents.Copy(data, copied); err != nil {
		return err
	}
	found, err := contents.Of(ctx, copied)
	if err != nil {
		return err
	}
	state.Contents = found.Messages
	h.AddState(*state)
	return os.RemoveAll(copied)
}

// keepHistory writes a history down, one event a line.
func keepHistory(h *history.History, dir string) (err error) {
	file, err := os.Create(filepath.Join(dir, "history.jsonl.gz"))
	if err != nil {
		return err
	}
	z := gzip.NewWriter(file)
	defer func() { err = errors.Join(err, z.Close(), file.Close()) }()
	out := json.NewEncoder(z)
	for e := range h.All() {
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

func minOf(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return slices.Min(all).Round(time.Millisecond)
}

func maxOf(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return slices.Max(all).Round(time.Millisecond)
}
