package sqlite

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// storageError is a failure of the database in the middle of a transaction. It
// never leaves the package: the writer turns it into a domain error.
type storageError struct {
	// point names what failed, such as "commit" or "statement:send.messages".
	point string
	err   error
}

func (e *storageError) Error() string { return e.point + ": " + e.err.Error() }

func (e *storageError) Unwrap() error { return e.err }

// severity is what a failure means for what comes after it.
type severity uint8

const (
	// passing: the transaction is undone and the next one may succeed.
	passing severity = iota
	// culpable: one request of the transaction is at fault, not the database.
	culpable
	// doubtful: the transaction may be on disk although it failed.
	doubtful
	// fatal: what is on disk is no longer known.
	fatal
)

// severityOf judges a failure by the database's own code.
func severityOf(err error) severity {
	if errors.As(err, new(*requestError)) {
		return culpable
	}
	if errors.As(err, new(*syncError)) {
		return fatal
	}
	e, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return passing
	}
	switch e.ExtendedCode {
	case sqlite3.ErrIoErrFsync, sqlite3.ErrIoErrDirFsync:
		return fatal
	case sqlite3.ErrIoErrSHMMap, sqlite3.ErrIoErrSHMSize, sqlite3.ErrIoErrSHMLock, sqlite3.ErrIoErrSHMOpen:
		return doubtful
	}
	switch e.Code {
	case sqlite3.ErrTooBig, sqlite3.ErrConstraint, sqlite3.ErrMismatch, sqlite3.ErrRange, sqlite3.ErrMisuse:
		return culpable
	case sqlite3.ErrNomem:
		return doubtful
	}
	return passing
}

// fullDisk tells whether there was no room on the disk for what failed.
func fullDisk(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrFull || e.SystemErrno == syscall.ENOSPC) || errors.Is(err, syscall.ENOSPC)
}

// requestError is a fault of one request's own code: it panicked, or it failed
// after it had written.
type requestError struct{ err error }

func (e *requestError) Error() string { return e.err.Error() }

func (e *requestError) Unwrap() error { return e.err }

// syncError is a sync of a file that failed outside of SQLite.
type syncError struct{ err error }

func (e *syncError) Error() string { return e.err.Error() }

func (e *syncError) Unwrap() error { return e.err }

// unavailable is the error of a call that did nothing because the database
// failed.
func unavailable(err error) error {
	text := "the store cannot do it just now; nothing was done, try again"
	if e, ok := errors.AsType[sqlite3.Error](err); ok && e.Code == sqlite3.ErrFull {
		text = "the disk is full; nothing was done, free some space and try again"
	}
	return &engine.Error{Code: engine.Unavailable, Text: text, Err: err}
}

// outcomeUnknown is the error of a call of which nobody knows whether it
// happened.
func outcomeUnknown(text string, err error) error {
	return &engine.Error{Code: engine.OutcomeUnknown, Text: text, Err: err}
}

func errClosed() error {
	return &engine.Error{Code: engine.Closed, Text: "the store is closed"}
}

func errQueueNotFound() error {
	return &engine.Error{Code: engine.QueueNotFound, Text: "the queue does not exist"}
}

func internal(format string, args ...any) error {
	return &engine.Error{Code: engine.Internal, Text: fmt.Sprintf(format, args...)}
}
