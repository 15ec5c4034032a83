package sqlite

import (
	"log/slog"
	"os"
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
)

// tendLog keeps the write-ahead log bounded. It runs between transactions.
func (w *writer) tendLog() {
	if w.batches++; w.batches%walLook != 0 || w.fatal != nil {
		return
	}
	info, err := os.Stat(w.store.path() + "-wal")
	if err != nil || info.Size() < walWanted {
		return
	}
	// Waits for the readers, whose reads are short, up to the busy timeout.
	if err := w.conn.exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		w.log.Warn("the write-ahead log could not start over", slog.Any("error", err))
	}
}
