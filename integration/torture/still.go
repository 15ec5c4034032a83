//go:build linux

package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"queues/integration/torture/contents"
)

// stillFor is how long files must not have changed to be taken for still.
const stillFor = 100 * time.Millisecond

// copyStill copies a data folder that a server has open and nobody calls. It
// reports false when the files were never still for long enough.
func copyStill(ctx context.Context, from, to string) (bool, error) {
	type stamp struct {
		size    int64
		changed time.Time
	}
	look := func() (now [2]stamp, err error) {
		for i, name := range []string{"queues.db", "queues.db-wal"} {
			info, err := os.Stat(filepath.Join(from, name))
			if err != nil {
				return now, err
			}
			now[i] = stamp{info.Size(), info.ModTime()}
		}
		return now, nil
	}
	tick := time.NewTicker(stillFor / 2)
	defer tick.Stop()
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		before, err := look()
		if err != nil {
			return false, err
		}
		if time.Since(before[0].changed) < stillFor || time.Since(before[1].changed) < stillFor {
			continue
		}
		if err := contents.Copy(from, to); err != nil {
			return false, err
		}
		after, err := look()
		if err != nil {
			return false, err
		}
		if after == before {
			return true, nil
		}
	}
	return false, os.RemoveAll(to)
}
