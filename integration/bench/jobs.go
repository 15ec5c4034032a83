//go:build linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"queues/cmd/queues/load"
	"queues/engine/sqlite"
)

// job is something big that a server does in one queue.
type job struct {
	row, title string
	// begin makes ready; what it gives does the job and returns when it is over.
	begin func(ctx context.Context, v victim) (func(ctx context.Context) error, error)
}

// victim is what a job works off: n messages of a queue.
type victim struct {
	server *process
	queue  string
	mass   extent
	n      int
}

// The jobs, and what their end is: for those that only mark what is dead, that
// the last row of it has left the data file.
var jobs = []job{
	{rowBesideBackup, "a backup", func(_ context.Context, v victim) (func(context.Context) error, error) {
		return func(ctx context.Context) error {
			size, err := v.server.backup(ctx)
			if least := int64(v.n) * load.DefaultBody; err == nil && size < least {
				err = fmt.Errorf("a backup of %d bytes, want %d at least", size, least)
			}
			return err
		}, nil
	}},
	{rowBesidePurge, "a purge", removing("PurgeQueue", nil)},
	{rowBesideDelete, "a deletion", removing("DeleteQueue", nil)},
	{rowBesideExpiry, "an expiry", removing("SetQueueAttributes", args{"Attributes": args{"MessageRetentionPeriod": "60"}})},
	{rowBesideDrain, "a dead-letter drain", drain},
}

// removing is a job that begins with a request and ends when all messages have
// left the data file.
func removing(action string, more args) func(context.Context, victim) (func(context.Context) error, error) {
	return func(_ context.Context, v victim) (func(context.Context) error, error) {
		in := args{"QueueUrl": v.queue}
		for k, value := range more {
			in[k] = value
		}
		return func(ctx context.Context) error {
			if err := v.server.ask(ctx, action, in, nil); err != nil {
				return err
			}
			return v.removed(ctx)
		}, nil
	}
}

// jobLook is the time between two looks at how far a job is, jobLimit the
// longest that one may take.
const (
	jobLook  = 50 * time.Millisecond
	jobLimit = 8 * time.Minute
)

// until asks again and again whether a job is over.
func until(ctx context.Context, over func() (bool, error)) error {
	begun := time.Now()
	for {
		if done, err := over(); done || err != nil {
			return err
		}
		if time.Since(begun) > jobLimit {
			return errors.New("the job does not end")
		}
		if err := load.Pause(ctx, jobLook); err != nil {
			return err
		}
	}
}

// removed waits until no row of the messages is left. It looks into the data
// file, since to callers they are gone at once.
func (v victim) removed(ctx context.Context) (err error) {
	file := url.URL{Scheme: "file", OmitHost: true, Path: filepath.Join(v.server.data, sqlite.DataName), RawQuery: "mode=ro"}
	db, err := sql.Open("sqlite3", file.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return until(ctx, func() (bool, error) {
		left := true
		err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM messages WHERE id BETWEEN ? AND ?)", int64(v.mass.first), int64(v.mass.last)).Scan(&left)
		return !left, err
	})
}

// drain is a move of all messages out of a dead-letter queue.
func drain(ctx context.Context, v victim) (func(context.Context) error, error) {
	arn := arnOf(v.queue)
	err := v.server.ask(ctx, "CreateQueue", args{"QueueName": "drained", "Attributes": args{
		"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":5}`, arn),
	}}, nil)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		if err := v.server.ask(ctx, "StartMessageMoveTask", args{"SourceArn": arn, "DestinationArn": arnOf("drained")}, nil); err != nil {
			return err
		}
		return until(ctx, func() (bool, error) {
			var got struct {
				Results []struct {
					Status                           string
					ApproximateNumberOfMessagesMoved int
				}
			}
			if err := v.server.ask(ctx, "ListMessageMoveTasks", args{"SourceArn": arn}, &got); err != nil {
				return false, err
			}
			if len(got.Results) != 1 {
				return false, fmt.Errorf("%d move tasks, want 1", len(got.Results))
			}
			switch r := got.Results[0]; {
			case r.Status == "RUNNING":
				return false, nil
			case r.Status == "COMPLETED" && r.ApproximateNumberOfMessagesMoved == v.n:
				return true, nil
			default:
				return false, fmt.Errorf("the move task is %s after %d of %d messages", r.Status, r.ApproximateNumberOfMessagesMoved, v.n)
			}
		})
	}, nil
}
