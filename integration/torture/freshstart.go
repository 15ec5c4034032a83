//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"queues/integration/torture/history"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

// freshStarts lets the n-th call of each kind fail while a server makes a new
// data folder: it may end with a message or get along, and once the cause is
// gone it must start on what it has left.
func (b *breaker) freshStarts(ctx context.Context) error {
	kinds := map[string]powercut.Kind{
		"create": powercut.Create, "open": powercut.Open, "write": powercut.Write, "truncate": powercut.Truncate,
		"allocate": powercut.Allocate, "sync": powercut.SyncBegin, "unlink": powercut.Unlink,
	}
	most, ends, starts := uint32(200), 0, 0
	for name, kind := range kinds {
		step := uint32(1)
		if b.Short {
			step = 1 + uint32(b.random.IntN(12))
		}
		for n := uint32(0); n < most; n += step {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			err := []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EROFS}[b.random.IntN(3)]
			fault := powercut.Fault{Kind: kind, Error: err, Skip: n, Times: 1}
			ended, reached, startErr := b.freshStart(ctx, fault)
			if startErr != nil {
				b.violated("faults: new folder, %s %d fails with %s: %v", name, n+1, errorName(err), startErr)
			}
			if !reached {
				break
			}
			if starts++; ended {
				ends++
			}
		}
	}
	b.say("faults: %d starts on a new folder, in each of which a call failed: %d ended with a message, %d got along; all started afterwards", starts, ends, starts-ends)
	return nil
}

// freshStart does it once. It tells whether the server ended, and whether the
// call was reached at all.
func (b *breaker) freshStart(ctx context.Context, fault powercut.Fault) (ended, reached bool, err error) {
	data := filepath.Join(b.dir, "fresh")
	if err := os.RemoveAll(data); err != nil {
		return false, false, err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return false, false, err
	}
	if err := b.faults.Arm(fault); err != nil {
		return false, false, err
	}
	start := func() (*server, error) {
		return startServer(b.torture.server, data, []string{"LD_PRELOAD=" + b.library, "TORTURE_DATA=" + data, "TORTURE_FAULTS=" + b.faultFile})
	}
	first, err := start()
	if err != nil {
		return false, false, err
	}
	failure := first.await()
	reached = b.faults.Fired() > 0
	b.faults.Disarm()
	first.kill()
	if failure != nil && !strings.Contains(first.text(), "queues: ") {
		return true, reached, fmt.Errorf("it ended without a word: %w", failure)
	}
	second, err := start()
	if err != nil {
		return failure != nil, reached, err
	}
	defer second.kill()
	if err := second.await(); err != nil {
		return failure != nil, reached, err
	}
	c := wire.New()
	c.Use(second.url)
	if a := c.Call(ctx, "CreateQueue", wire.Args{"QueueName": "q"}); a.Outcome != history.Done {
		return failure != nil, reached, fmt.Errorf("it does not take a queue afterwards: status %d %s", a.Status, a.Message)
	}
	return failure != nil, reached, second.stop()
}
