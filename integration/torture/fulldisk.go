//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// fillDisk lets the disk run full: nothing new is stored any more, what is there
// can be received, deleted and purged, and with room again all goes on.
func (b *breaker) fillDisk(ctx context.Context) error {
	const name = "full disk"
	// There must be something to remove.
	b.load.Open()
	enough := b.changes.Load() + 400
	b.await(10*time.Second, func() bool { return b.changes.Load() >= enough })
	used, err := sizeOf(b.data)
	if err != nil {
		return err
	}
	// Less than there is, so that the reserve is given up, and most of what it
	// gives is gone too: it cannot be taken again before the limit is lifted.
	b.faults.Limit(used - 10<<20)
	probes := 0
	full := func() wire.Answer {
		probes++
		return b.load.Client.Call(ctx, "CreateQueue", wire.Args{"QueueName": fmt.Sprintf("no-room-%d", probes)})
	}
	isFull := false
	b.await(30*time.Second, func() bool {
		a := full()
		isFull = a.Outcome == history.Refused && a.Status == 503
		return isFull
	})
	if !isFull {
		b.violated("faults: %s: the disk did not run full (%d calls found no room)\n%s", name, b.faults.Refused(), b.server.text())
	}
	before := b.deletes.Load()
	removed, receives := 0, 0
	refused := ""
	end := time.Now().Add(3 * time.Second)
	for time.Now().Before(end) {
		a := b.load.Client.Call(ctx, "PurgeQueue", wire.Args{"QueueUrl": wire.QueueURL("settings")})
		if a.Outcome != history.Done {
			refused = fmt.Sprintf("PurgeQueue: status %d %s %s", a.Status, a.Code, a.Message)
			break
		}
		removed++
	}
	b.await(10*time.Second, func() bool { return b.deletes.Load() >= before+50 })
	receives = int(b.deletes.Load() - before)
	if refused != "" || receives < 50 {
		b.violated("faults: %s: %d purges, then %q; %d deletes by the clients, want 50\n%s", name, removed, refused, receives, b.server.text())
	}
	still := full()
	if still.Status != 503 {
		b.violated("faults: %s: a creation was answered with %d on a full disk", name, still.Status)
	}
	b.say("faults: %s: %d calls found no room; meanwhile %d purges and %d deletes were done, and a creation got %d %s", name, b.faults.Refused(), removed, receives, still.Status, still.Code)
	b.faults.Limit(0)
	b.checkRecovery(scenario{name: name})
	return b.check(ctx, name)
}

// sizeOf is how many bytes the files of a folder have.
func sizeOf(dir string) (size uint64, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		info, err := os.Stat(filepath.Join(dir, entry.Name()))
		if err != nil {
			return 0, err
		}
		size += uint64(info.Size())
	}
	return size, nil
}
