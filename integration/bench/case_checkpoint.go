//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"queues/cmd/queues/load"
)

const (
	// checkpointConns is how many connections send across checkpoints: enough to
	// make the log grow, few enough not to wait for a core.
	checkpointConns = 8
	// leastCheckpoints is how many there are in each turn, and checkpointWait how
	// long they are waited for.
	leastCheckpoints = 3
	checkpointWait   = time.Minute
	// checkpointLook is the time between two looks at the data file, which
	// nothing but a checkpoint writes.
	checkpointLook = 5 * time.Millisecond
)

// checkpoints compares the longest sends, while the log is copied into the data
// file again and again, with the longest of what the disk does at the least.
func (b *bench) checkpoints(ctx context.Context) error {
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queue, err := server.createQueue(ctx, "sends")
	if err != nil {
		return err
	}
	file, err := newSyncFile(b.dir)
	if err != nil {
		return err
	}
	defer file.close()
	seen := 0
	o := load.Options{Conns: checkpointConns, Duration: b.duration, During: func(ctx context.Context) error {
		n, err := countCheckpoints(ctx, server.data, b.duration)
		seen += n
		return err
	}}
	const phaseDisk, phaseSends = "4 KB overwrite + fdatasync, beside checkpoints", "SendMessage across checkpoints, 8 connections"
	got, err := b.turns(ctx,
		side{phases: []string{phaseDisk}, bare: true, run: func(ctx context.Context) ([]load.Measure, error) {
			m, err := file.measure(ctx, b.duration)
			return []load.Measure{m}, err
		}},
		b.under(phaseSends, server, o, server.on(queue).Send()),
	)
	if err != nil {
		return err
	}
	sends, disk := got[phaseSends], got[phaseDisk]
	var stalls []float64
	for i := range sends {
		stalls = append(stalls, (maximum(sends[i])-maximum(disk[i]))/1e3)
	}
	longest := median(stalls)
	b.add(rowCheckpoint, row{
		"Longest send across checkpoints", atMost(20, 0, "≤ 20 ms more than the longest 4 KB overwrite + fdatasync"), longest,
		fmt.Sprintf("%.1f ms more (%.1f ms, %.1f ms; p99.9 %.1f ms, %.1f ms; %d checkpoints)", longest, sends.over(maximum)/1e3, disk.over(maximum)/1e3,
			sends.over(load.Measure.P999)/1e3, disk.over(load.Measure.P999)/1e3, seen),
	})
	return nil
}

func maximum(m load.Measure) float64 { return load.Micros(m.Latency.Max()) }

// countCheckpoints watches the data file for some time, and until it has been
// written often enough.
func countCheckpoints(ctx context.Context, dir string, d time.Duration) (n int, err error) {
	var last time.Time
	begun := time.Now()
	for {
		err := onData(dir, func(f *os.File) error {
			info, err := f.Stat()
			if err == nil && !info.ModTime().Equal(last) {
				if !last.IsZero() {
					n++
				}
				last = info.ModTime()
			}
			return err
		})
		switch waited := time.Since(begun); {
		case err != nil:
			return n, err
		case n >= leastCheckpoints && waited >= d:
			return n, nil
		case waited > checkpointWait:
			return n, errors.New("the log was not copied into the data file")
		}
		if err := load.Pause(ctx, checkpointLook); err != nil {
			return n, err
		}
	}
}
