package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

const (
	adviceRestore = "restore a backup with \"queues restore\""
	adviceDamaged = "look at it with \"queues check\", and " + adviceRestore + " into another folder"
	adviceAnew    = "to start anew, give another folder or empty this one"
)

// wholeCheck is up to which size every page of a file is looked at when it is
// opened, and every index compared with its rows: one that misses a row hides
// a message for good. Of a larger one it is what the store needs to start;
// "queues check" looks at the rest.
const wholeCheck = 64 << 20

// leftovers are what a backup or a restore can leave behind that was cut off.
var leftovers = []string{backupName + "*", restoreName + "*"}

// removeLeftovers removes them. The folder must be owned.
func removeLeftovers(dir string) error {
	var errs []error
	for _, pattern := range leftovers {
		paths, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		errs = append(errs, err)
		for _, path := range paths {
			errs = append(errs, os.Remove(path))
		}
	}
	return errors.Join(errs...)
}

// escapeGlob makes letters of what has a meaning in a pattern.
func escapeGlob(path string) string {
	var b []byte
	for i := range len(path) {
		if bytes.IndexByte([]byte(`*?[\`), path[i]) >= 0 {
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}

// examine looks at a data folder before anything in it is touched, and refuses
// what is not a whole store: opening it would make the damage worse, or hide
// it.
func examine(dir string, lock *folderLock) error {
	path := dataPath(dir)
	size, err := sizeOf(path)
	if err != nil {
		return err
	}
	logSize, err := sizeOf(path + "-wal")
	if err != nil {
		return err
	}
	if size <= 1 { // SQLite takes a file of one byte for an empty one
		reserved, err := sizeOf(filepath.Join(dir, reserveName))
		if err != nil {
			return err
		}
		if logSize > 0 || reserved > 0 || lock.unclean {
			what := "empty"
			if size < 0 {
				what = "missing"
			}
			return unusable("the file "+path+" is "+what+", though there was data in this folder: put it back, or "+
				adviceRestore+"; "+adviceAnew, nil)
		}
		return nil
	}
	if lock.unclean && logSize < 0 && !isCopy(path) {
		return unusable("the server that last had "+dir+" was cut off, and its log "+path+"-wal, with the latest messages, is missing since: put it back, or "+
			adviceRestore+"; if it was another program that opened the data since, such as sqlite3, nothing is lost: remove "+filepath.Join(dir, LockName), nil)
	}
	if journal, err := sizeOf(path + "-journal"); err != nil || journal > 0 {
		// Written to by another mode than ours, or for a renewal. It is SQLite's
		// to undo what was cut off, and only a connection that writes may.
		return errors.Join(err, recoverJournal(path))
	}
	if lock.synced && logSize > 0 {
		if err := checkLogOf(dir); err != nil {
			return err
		}
	}
	c, err := openToLook(path)
	if err != nil {
		return err
	}
	return errors.Join(examineData(c, path, size, logSize, lock.unclean), c.close())
}

// isCopy tells whether a file is a copy that nobody has opened yet, which has
// no log.
func isCopy(path string) bool {
	c, err := openConnAs(toReadAlone, path)
	if err != nil {
		return false
	}
	defer func() { _ = c.close() }()
	copied, err := readNumber(c, metaCopied)
	return err == nil && copied != 0
}

// openToLook opens a database that nobody writes. Without a log it makes none.
func openToLook(path string) (*conn, error) {
	logSize, err := sizeOf(path + "-wal")
	if err != nil {
		return nil, err
	}
	if logSize <= 0 {
		return openConnAs(toReadAlone, path)
	}
	return openConnAs(toRead, path)
}

// examineData looks at the database through a connection that cannot write: no
// more than a look may happen to what is not ours. opened tells that the owner
// before had opened it, and so had made what a store is made of.
func examineData(c *conn, path string, size, logSize int64, opened bool) error {
	version, err := identify(c)
	if err != nil {
		return err
	}
	if version == 0 && opened {
		return unusable("the server that last had "+path+" was cut off, and since then there is nothing in the file nor in its log "+path+
			"-wal: put them back, or "+adviceRestore+"; "+adviceAnew, nil)
	}
	if version == 0 {
		return nil
	}
	if logSize > 0 {
		if err := logBelongs(c, path); err != nil {
			return err
		}
	}
	if err := checkLength(path, size, logSize); err != nil {
		return err
	}
	if err := quickCheck(c, size+max(logSize, 0)); err != nil {
		return err
	}
	// Whatever the size, what the store holds in memory must be there.
	err = errors.Join(checkSchema(c, version), checkMeta(c), checkRules(context.Background(), c, rules[1:3]))
	if err != nil {
		return unusable("the data in "+path+" is not whole: "+adviceDamaged, err)
	}
	return nil
}

// logBelongs refuses a log that is another database's: SQLite itself would take
// it, and make of both a ruin or something older. The file alone tells
// whose it is, as long as that can be read without its log.
func logBelongs(c *conn, path string) error {
	alone, err := openConnAs(toReadAlone, path)
	if err != nil {
		return nil // nothing can be told from it
	}
	defer func() { _ = alone.close() }()
	foreign := unusable("the log "+path+"-wal belongs to another file than "+path+
		": put the one that was there back, or, if this is a backup, move the log away, and "+path+"-shm with it", nil)
	if copied, err := readNumber(alone, metaCopied); err == nil && copied != 0 {
		return foreign
	}
	before, err := readSecret(alone)
	if err != nil {
		return nil // the log may hold the first pages, or the file be half written to
	}
	with, err := readSecret(c)
	if err != nil {
		return err
	}
	if with != before {
		return foreign
	}
	return nil
}

// quickCheck looks for damage, in a time that is bounded.
func quickCheck(c *conn, size int64) error {
	checks := []string{"PRAGMA integrity_check(1)"}
	if size > wholeCheck {
		checks = []string{"PRAGMA quick_check(meta)", "PRAGMA quick_check(queues)", "PRAGMA quick_check(queue_state)"}
	}
	for _, check := range checks {
		found := ""
		err := c.query(check, func(r row) error {
			if text := r.text(0); text != "ok" && found == "" {
				found = text
			}
			return nil
		})
		if err != nil {
			return err
		}
		if found != "" {
			return fmt.Errorf("%s: %w", found, sqlite3.Error{Code: sqlite3.ErrCorrupt})
		}
	}
	return nil
}

// recoverJournal lets SQLite undo a transaction that was cut off.
func recoverJournal(path string) error {
	c, err := openConn(path)
	if err != nil {
		return err
	}
	_, err = identify(c)
	return errors.Join(err, c.close())
}

// sizeOf gives the size of a file, -1 for one that is not there.
func sizeOf(path string) (int64, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return -1, nil
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("%s is not a file", path)
	}
	return info.Size(), nil
}

// regular refuses what is no file: reading a pipe or a device may have no end.
func regular(path string) error {
	if _, err := sizeOf(path); err != nil {
		return unusable("the file "+path+" cannot be read as a copy: give one that \"queues backup\" made", err)
	}
	return nil
}

// damagedBy tells whether a failure means that the file is damaged.
func damagedBy(err error) bool {
	if errors.Is(err, errMeta) {
		return true
	}
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB)
}

// noteDamage remembers that damage was met. What can be served still is, but
// the store is not healthy any more.
func (s *Store) noteDamage(err error) {
	if err == nil || !damagedBy(err) {
		return
	}
	var found error = &engine.Error{
		Code: engine.Unavailable,
		Text: "the data in " + s.o.Dir + " is damaged: stop the server, " + adviceDamaged, Err: err,
	}
	if s.hurt.CompareAndSwap(nil, &found) {
		s.log.Error("the data is damaged: "+adviceDamaged, slog.String("dir", s.o.Dir), slog.Any("error", err))
	}
}
