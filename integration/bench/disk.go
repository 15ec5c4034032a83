//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"queues/cmd/queues/load"
)

// syncFile measures the disk: one block written over an old one and synced,
// which is the least that a durable store can do for a commit.
type syncFile struct {
	file *os.File
	next int64
}

const (
	blockBytes = 4096
	// syncBlocks gives the file the size that a write-ahead log has.
	syncBlocks = 1024
)

func newSyncFile(dir string) (*syncFile, error) {
	f, err := os.Create(filepath.Join(dir, "sync"))
	if err != nil {
		return nil, err
	}
	// The blocks exist before they are measured: growing a file costs more.
	if _, err = f.Write(bytes.Repeat([]byte{1}, blockBytes*syncBlocks)); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &syncFile{file: f}, nil
}

// close needs no care: the file goes with the run.
func (s *syncFile) close() { _ = s.file.Close() }

// measure overwrites and syncs one block after the other for the duration.
func (s *syncFile) measure(ctx context.Context, d time.Duration) (load.Measure, error) {
	block := bytes.Repeat([]byte{2}, blockBytes)
	m := load.Measure{Latency: &load.Histogram{}}
	begun := time.Now()
	for time.Since(begun) < d && ctx.Err() == nil {
		start := time.Now()
		if _, err := s.file.WriteAt(block, s.next%syncBlocks*blockBytes); err != nil {
			return m, err
		}
		if err := unix.Fdatasync(int(s.file.Fd())); err != nil {
			return m, err
		}
		m.Latency.Add(time.Since(start))
		s.next++
		m.Jobs++
	}
	m.Messages, m.Elapsed = m.Jobs, time.Since(begun)
	return m, ctx.Err()
}
