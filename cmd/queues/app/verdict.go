package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
	"queues/engine/sqlite"
)

// maxDetails bounds the lines below a verdict.
const maxDetails = 10

// exitError is a failure with an exit code of its own.
type exitError struct {
	error
	code int
}

func (e *exitError) Unwrap() error { return e.error }

// notLooked is the failure of a check that tells nothing about the data.
func notLooked(err error) error { return &exitError{err, exitUnseen} }

// verdict is what a check that failed says of a path: first what it means and
// what to do, then what was found.
func verdict(path string, folder bool, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return notLooked(fmt.Errorf("%s: the check was stopped before its end, and nothing is known", path))
	case folder && noData(path, err):
		return notLooked(fmt.Errorf("there is no data in %s", path))
	case unseen(err), !folder && hasLog(path):
		return notLooked(fmt.Errorf("%s could not be looked at: %w", path, err))
	}
	var head string
	switch {
	case folder && damaged(err):
		head = "is damaged: serve from it no more, and restore a backup with \"queues restore\" into another folder"
	case folder:
		head = "is not whole, and no server starts with it"
	case damaged(err):
		head = "is damaged: do not use it; take another copy"
	default:
		head = "is no whole copy: do not use it; take another"
	}
	lines := details(err)
	if more := len(lines) - maxDetails; more > 0 {
		lines = append(lines[:maxDetails], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s %s\n  %s", path, head, strings.Join(lines, "\n  "))
}

// unseen reports whether a failure is of the looking, not of what was seen.
func unseen(err error) bool {
	switch engine.ErrorCode(err) {
	case engine.DataInUse, engine.DataNewer:
		return true
	}
	if errors.Is(err, fs.ErrPermission) {
		return true
	}
	e, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return false
	}
	switch e.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrAuth,
		sqlite3.ErrReadonly, sqlite3.ErrNomem, sqlite3.ErrFull, sqlite3.ErrIoErr:
		return true
	}
	return false
}

// damaged reports whether data could be read and is wrong: findings, which have
// no code, or the database's own word for it.
func damaged(err error) bool {
	if e, ok := errors.AsType[sqlite3.Error](err); ok && e.Code == sqlite3.ErrCorrupt {
		return true
	}
	e, ok := errors.AsType[*engine.Error](err)
	return !ok || strings.Contains(e.Text, adviceCheck)
}

// noData reports whether a folder never had a data file.
func noData(dir string, err error) bool {
	if _, there := os.Lstat(filepath.Join(dir, sqlite.DataName)); !errors.Is(there, fs.ErrNotExist) {
		return false
	}
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && e.Code == sqlite3.ErrCantOpen
}

// hasLog reports whether a file is in use, or was: such a one is looked at with
// its folder.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// adviceCheck is what the store advises in many words to do about damage, and
// who reads this has done.
const adviceCheck = `: look at it with "queues check"`

// details are the lines of what a check found.
func details(err error) []string {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, one := range all.Unwrap() {
			lines = append(lines, details(one)...)
		}
		return lines
	}
	text := err.Error()
	if e, ok := err.(*engine.Error); ok { //nolint:errorlint // this very one
		text, _, _ = strings.Cut(e.Text, adviceCheck)
		if e.Err != nil {
			text += ": " + e.Err.Error()
		}
	}
	return strings.Split(strings.TrimSpace(text), "\n")
}
