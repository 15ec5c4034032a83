//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// latencies are how long calls took.
type latencies []time.Duration

// at gives the latency that a share of the calls, from 0 to 1, did not exceed,
// zero of none.
func (l latencies) at(share float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l))
	return sorted[int(share*float64(len(sorted)-1))]
}

func (l latencies) String() string {
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	return fmt.Sprintf("p50 %v, p99 %v, max %v", round(l.at(.5)), round(l.at(.99)), round(l.at(1)))
}

const (
	// mostGrace is what an honest call may take on a disk that takes no time,
	// and mostSyncs how many of the disk's longest syncs it may take beside: it
	// may come when a transaction is under way and the log is to be copied, which
	// syncs twice more, has its own to wait for, and each of these may write
	// megabytes where the yardstick writes a page.
	mostGrace = 2 * time.Second
	mostSyncs = 6
)

// mostOf is the longest that an honest call may take beside an attack, on a
// disk whose longest sync took so long meanwhile. One call in a hundred may
// take half of it.
func mostOf(sync time.Duration) time.Duration { return mostGrace + mostSyncs*sync }

// judge gives what is wrong with how long an honest client's calls took, empty
// when nothing is.
func judge(calls, syncs latencies) string {
	most := mostOf(syncs.at(1))
	switch {
	case len(calls) == 0:
		return "it made no call"
	case len(syncs) == 0:
		return "nobody measured the disk"
	case calls.at(1) > most:
		return fmt.Sprintf("a call took %v, more than %v beside a sync of %v", calls.at(1), most, syncs.at(1))
	case calls.at(.99) > most/2:
		return fmt.Sprintf("one call in a hundred took %v or more, more than %v beside a sync of %v", calls.at(.99), most/2, syncs.at(1))
	}
	return ""
}

// yardstick writes a page now and then, on the disk of the server, and makes it
// durable. It tells how slow the machine is, whatever the server does.
type yardstick struct {
	stop  context.CancelFunc
	group sync.WaitGroup
	syncs latencies
	err   error
}

// syncEvery is how often.
const syncEvery = 50 * time.Millisecond

// newYardstick begins to measure, in a file of the folder.
func newYardstick(ctx context.Context, dir string) (*yardstick, error) {
	file, err := os.Create(filepath.Join(dir, "yardstick"))
	if err != nil {
		return nil, err
	}
	y := &yardstick{}
	ctx, y.stop = context.WithCancel(ctx)
	y.group.Go(func() {
		page := make([]byte, 4096)
		for first := true; y.err == nil && (first || pause(ctx, syncEvery) == nil); first = false {
			begun := time.Now()
			_, err := file.WriteAt(page, 0)
			y.err = errors.Join(err, unix.Fdatasync(int(file.Fd())))
			y.syncs = append(y.syncs, time.Since(begun))
		}
		y.err = errors.Join(y.err, file.Close())
	})
	return y, nil
}

// end ends the measurement.
func (y *yardstick) end() (latencies, error) {
	y.stop()
	y.group.Wait()
	return y.syncs, y.err
}
