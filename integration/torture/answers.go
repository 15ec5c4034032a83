//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"

	"queues/integration/torture/history"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

// answersAfterSync looks whether an answer comes after a sync of the log that
// holds what it answers for.
func (r *recording) answersAfterSync(ctx context.Context) error {
	const calls = 40
	lengths := []int64{r.length()}
	for i := range calls {
		a := r.load.Client.Call(ctx, "SetQueueAttributes", wire.Args{
			"QueueUrl": wire.QueueURL("plain"), "Attributes": map[string]string{"ReceiveMessageWaitTimeSeconds": fmt.Sprint(i % 2)},
		})
		if a.Outcome != history.Done {
			return fmt.Errorf("a call was answered with %d %s", a.Status, a.Message)
		}
		lengths = append(lengths, r.length())
	}
	records, err := powercut.Read(r.log)
	if err != nil {
		return err
	}
	good := 0
	for i := range calls {
		if syncedFirst(records, lengths[i], lengths[i+1]) {
			good++
		}
	}
	r.say("power: sync=%s: %d of %d answers came after a write and a sync of the log", r.sync, good, calls)
	if r.sync == "full" && good != calls {
		r.violated("power: sync=full: %d answers came before their sync", calls-good)
	}
	return nil
}

// syncedFirst reports whether a part of a recording, of one call, has a write to
// the log, a sync of it after its last write, and then an answer.
func syncedFirst(records []powercut.Record, from, to int64) bool {
	wal := make(map[uint64]bool)
	var wrote, synced bool
	begun := make(map[uint64]bool)
	for i := range records {
		r := &records[i]
		if r.Kind == powercut.Create || r.Kind == powercut.Open {
			wal[r.File] = strings.HasSuffix(r.Path, "-wal")
		}
		if r.End <= from || r.End > to {
			continue
		}
		switch r.Kind {
		case powercut.Write:
			if wal[r.File] {
				wrote, synced = true, false
				clear(begun)
			}
		case powercut.SyncBegin:
			begun[r.ID] = wal[r.File]
		case powercut.SyncEnd:
			synced = synced || begun[r.ID] && r.Result == 0
		case powercut.Answer:
			return wrote && synced
		}
	}
	return false
}
