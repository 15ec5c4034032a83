package sqlite

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"
)

const (
	// walKept is what the write-ahead log is cut down to when it starts over.
	// Growing a file costs more than overwriting it, so it is not cut to nothing.
	walKept = 32 << 20
	// walWanted is the size from which the writer itself makes the log start
	// over. SQLite does it when a commit meets no reader, which under steady
	// reading may take long.
	walWanted = 64 << 20
	// walLook is after how many transactions the writer looks at its size.
	walLook = 64
	// walRest is how many it lets pass after it could not.
	walRest = 4096
	// walWait is how long the writer waits for the readers to let the log start
	// over. Nothing is written meanwhile.
	walWait = time.Second
	// lockWait is how long a transaction waits for the lock while a program
	// outside holds it: a checkpoint of a backup holds it for as long as it
	// waits for readers, usually up to 5 seconds. Callers wait rather than see
	// the outsider.
	lockWait = 10 * time.Second
)

// tendLog keeps the write-ahead log bounded. It runs between transactions.
func (w *writer) tendLog() {
	if w.batches++; w.batches < w.lookAt || w.fatal != nil || w.store.copying.Load() {
		return // a backup holds the log, and works it off itself
	}
	w.lookAt = w.batches + walLook
	info, err := os.Stat(w.store.path() + "-wal")
	if err != nil || info.Size() < walWanted {
		return
	}
	busy, err := w.restartLog()
	if err != nil || busy {
		w.lookAt += walRest
		w.log.Warn("the write-ahead log could not start over; a reader outside this program may hold it",
			slog.Int64("bytes", info.Size()), slog.Any("error", err))
	}
}

// restartLog makes the log start over: it waits for the readers, whose reads
// are short. The log is cut to what is kept by the commit that starts it over.
// It tells whether a reader was in the way until the wait was over.
func (w *writer) restartLog() (busy bool, err error) {
	if err := w.conn.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", walWait.Milliseconds())); err != nil {
		return false, err
	}
	err = w.conn.query("PRAGMA wal_checkpoint(RESTART)", func(r row) error { busy = r.int(0) != 0; return nil })
	return busy, errors.Join(err, w.conn.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", lockWait.Milliseconds())))
}

// cut takes the pages that were given up off the file. Until the log is copied
// into it, only the log says that they are gone, and in an idle store no commit
// would do that: the room would be missing on a disk that is full. It runs
// after a commit.
func (w *writer) cut() {
	if !w.cutFile {
		return
	}
	w.cutFile = false
	if w.store.copying.Load() {
		w.shrunk = true // the next sweep asks again
		return
	}
	busy := int64(0)
	err := w.conn.query("PRAGMA wal_checkpoint(PASSIVE)", func(r row) error { busy = r.int(0); return nil })
	if err != nil || busy != 0 {
		w.shrunk = true // the next sweep asks again
		w.log.Warn("the data file could not be cut to its size", slog.Any("error", err))
	}
}
