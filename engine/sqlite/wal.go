package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// checkpoint copies the log into the data file. It reports whether a reader was
// in the way. A sync that fails in it is the end, as it is in a commit.
func (w *writer) checkpoint(mode string) (busy bool, err error) {
	if w.fault != nil {
		err = w.fault("checkpoint")
	}
	if err == nil {
		err = w.conn.query("PRAGMA wal_checkpoint("+mode+")", func(r row) error { busy = r.int(0) != 0; return nil })
	}
	if err != nil && severityOf(err) == fatal {
		w.fail(err)
	}
	return busy, err
}

// rewriteLog writes the log that a crash has left once more, byte for byte,
// before anything is done with it. What it holds may be in the system's cache
// alone: after a failed sync the system takes what it could not write for
// written, and no later sync says anything of it. Whatever was appended to such
// a log would be lost with it, and a copy of it into the data file, cut off in
// the middle, would leave that broken.
func rewriteLog(path string) (err error) {
	file, err := os.OpenFile(path+"-wal", os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	block := make([]byte, 1<<20)
	for at := int64(0); ; {
		n, err := file.ReadAt(block, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n == 0 {
			break
		}
		if _, err := file.WriteAt(block[:n], at); err != nil {
			return err
		}
		at += int64(n)
	}
	return file.Sync()
}

// The writer looks after its files and its log after so many transactions, or
// when the log may have grown by so many pages, and once a second: to ask for
// the length of the log costs 2.9 µs.
const (
	tendAfter = 8
	tendGrown = 256
)

// pages is roughly how many pages a transaction has added to the log. Rows that
// are written next to each other share them, and one statement may touch many;
// tendAfter bounds how often the latter counts too little.
func (t *tx) pages(batch []*request) int {
	if !t.begun || t.writes == 0 {
		return 0
	}
	bytes := 0
	for _, r := range batch {
		bytes += r.bytes
	}
	return t.writes + bytes/4096
}

// tending reports whether it is time to look after the files.
func (w *writer) tending() bool {
	long := w.grown >= tendGrown && !w.store.viewing.Load() // a backup keeps the log
	return w.untended >= tendAfter || long || w.copier.ended() || w.latest >= w.looked+lookEvery ||
		!w.reserve.held && w.latest >= w.reserve.retry
}

// tend looks after the files. It runs between transactions, when the callers
// have their answers.
func (w *writer) tend() {
	if w.fatal != nil {
		w.untended, w.grown = 0, 0
		return // least of all may the log be copied now: see rewriteLog
	}
	w.tendFiles()
	w.tendLog()
	w.tendReserve()
	w.untended = 0
}

// tendLog keeps the write-ahead log bounded.
func (w *writer) tendLog() {
	ended := w.collectRound()
	if w.fatal != nil || w.store.viewing.Load() {
		return // a backup holds the log, and works it off itself
	}
	if w.copyGrown += w.grown; (w.grown > 0 || ended) && !w.putOff() {
		w.copyLog(ended)
	}
	w.grown = 0
	if w.batches += w.untended; w.batches < w.lookAt || w.fatal != nil || w.copier.running {
		return
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
	busy, err = w.checkpoint("RESTART")
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
	if w.store.viewing.Load() {
		w.shrunk = true // the next sweep asks again
		return
	}
	if w.awaitRound(); w.fatal != nil {
		return
	}
	busy, err := w.checkpoint("PASSIVE")
	if err != nil || busy {
		w.shrunk = true // the next sweep asks again
		w.log.Warn("the data file could not be cut to its size", slog.Any("error", err))
	}
}
