package sqlite

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"queues/engine"
)

const (
	reserveName = "reserve"
	// reserveBytes is enough for the write-ahead log of many deletions.
	reserveBytes = 16 << 20
	// reserveRetry is how long the writer waits before it tries to take the
	// reserve again, in milliseconds.
	reserveRetry = 1000
)

// reserve is room on the disk that is given up when it is full: removing
// messages takes room before it gives any, and must still work then. While the
// reserve is not held, nothing new is stored.
type reserve struct {
	path string
	held bool
	// retry is when to try to take it again.
	retry int64
}

// take fills the reserve. It reports whether it is held.
func (r *reserve) take() bool {
	file, err := os.OpenFile(r.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false
	}
	err = errors.Join(allocate(file, reserveBytes), file.Close())
	if r.held = err == nil; !r.held {
		r.giveUp()
	}
	return r.held
}

// giveUp frees the room.
func (r *reserve) giveUp() {
	r.held = false
	_ = os.Truncate(r.path, 0)
}

// openReserve takes the reserve of a folder. It may be that there is no room;
// then only removals work until there is.
func (w *writer) openReserve(dir string) {
	w.reserve = reserve{path: filepath.Join(dir, reserveName)}
	if !w.reserve.take() {
		w.store.scarce.Store(true)
		w.log.Warn("the disk is nearly full; nothing new is stored until there is room")
	}
}

// tendReserve tries to take the reserve again.
func (w *writer) tendReserve() {
	r := &w.reserve
	if r.held || w.latest < r.retry || w.fatal != nil {
		return
	}
	r.retry = w.latest + reserveRetry
	if w.store.viewing.Load() {
		return // it holds the log, and gives up by itself
	}
	if w.awaitRound(); w.fatal != nil {
		return
	}
	// The log may hold the very room that is missing.
	_, err := w.checkpoint("TRUNCATE")
	if w.fatal == nil && r.take() {
		w.store.scarce.Store(false)
		w.log.Info("the disk has room again", slog.Any("checkpoint", err))
	}
}

// room refuses what would store something new while the disk is full, or while
// what is stored would be lost.
func (t *tx) room() error {
	if err := t.w.store.lost.Load(); err != nil {
		return &engine.Error{
			Code: engine.Unavailable,
			Text: "a file of the server's data is gone, and what is stored now could be lost; nothing was done, look at the server's log",
			Err:  *err,
		}
	}
	if t.w.reserve.held {
		return nil
	}
	return &engine.Error{
		Code: engine.Unavailable,
		Text: "the disk is full; nothing was done, free some space and try again",
	}
}

// gaveWay reports whether a failure was for want of room and giving up the
// reserve has made some.
func (w *writer) gaveWay(err error) bool {
	if !fullDisk(err) || !w.reserve.held {
		return false
	}
	w.reserve.giveUp()
	w.store.scarce.Store(true)
	w.reserve.retry = w.latest + reserveRetry
	w.log.Error("the disk is full: nothing new is stored until there is room", slog.Any("error", err))
	return true
}

// writeZeros makes a file so long by writing to it.
func writeZeros(file *os.File, size int64) error {
	block := make([]byte, 1<<20)
	for at := int64(0); at < size; at += int64(len(block)) {
		if _, err := file.WriteAt(block, at); err != nil {
			return err
		}
	}
	return file.Sync()
}
