package sqlite

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"queues/engine"
)

// restoreName is a copy on its way into a data folder.
const restoreName = "restore.tmp"

// Restore makes the store of a data folder out of a copy. The folder is made
// when it is not there; one that has data is refused. The copy is not changed.
//
// What is put in place has been checked whole and is on disk; when Restore
// fails, nothing is, and what it has made is removed again. The store opens as one of its own from then on: what was
// given out elsewhere since the copy was made cannot act on what happens in it.
func Restore(ctx context.Context, from string, o Options) error {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	made, err := missing(o.Dir)
	if err != nil {
		return unusable("the data folder cannot be opened: check the path", err)
	}
	if err := makeFolder(o.Dir, log); err != nil {
		return err
	}
	lock, err := lockFolder(o.Dir)
	if err != nil {
		return err
	}
	if err := restore(ctx, from, o); err != nil {
		if lock.made {
			// While it is held, so that nobody else has come to use it.
			err = errors.Join(err, os.Remove(lock.file.Name()))
			for _, path := range made {
				_ = os.Remove(path) // somebody may have put something there
			}
		}
		return errors.Join(err, lock.release())
	}
	// Whatever was here before left no log that could be missed.
	return errors.Join(lock.markClosed(), lock.release())
}

// missing gives a folder and those that lead to it, as far as they are not there,
// the innermost first.
func missing(path string) (paths []string, err error) {
	for ; ; path = filepath.Dir(path) {
		switch _, err := os.Lstat(path); {
		case errors.Is(err, fs.ErrNotExist):
			paths = append(paths, path)
		default:
			return paths, err
		}
	}
}

func restore(ctx context.Context, from string, o Options) (err error) {
	path := filepath.Join(o.Dir, DataName)
	if there := dataIn(path); len(there) > 0 {
		return unusable("there is data in "+o.Dir+" already, which is not overwritten: restore into an empty folder, or move "+
			strings.Join(there, " and ")+" away", nil)
	}
	if err := regular(from); err != nil {
		return err
	}
	if err := refusePartial(from); err != nil {
		return err
	}
	if log, err := sizeOf(from + "-wal"); err != nil || log > 0 {
		return errors.Join(err, unusable("the file "+from+" has a log beside it, so it is no finished copy: restore one made by \"queues backup\"", nil))
	}
	if err := removeLeftovers(o.Dir); err != nil {
		return err
	}
	staged := filepath.Join(o.Dir, restoreName)
	defer func() {
		if err != nil {
			err = errors.Join(err, removeLeftovers(o.Dir))
		}
	}()
	if err := copyFile(ctx, from, staged); err != nil {
		if fullDisk(err) {
			return unusable("the disk has no room for "+from, err)
		}
		return unusable("the file "+from+" cannot be copied into "+o.Dir, err)
	}
	if err := makeReady(ctx, staged, o); err != nil {
		if errors.As(err, new(*engine.Error)) {
			return err
		}
		return unusable("the file "+from+" is not a whole store and was not restored: take another copy", err)
	}
	if err := os.Rename(staged, path); err != nil {
		return err
	}
	return syncFolder(o.Dir)
}

// dataIn gives the files of a database that are there. The index of a log alone
// is none.
func dataIn(path string) (there []string) {
	for _, file := range []string{path, path + "-wal", path + "-journal", path + "-shm"} {
		if _, err := os.Lstat(file); err == nil && (file != path+"-shm" || len(there) > 0) {
			there = append(there, file)
		}
	}
	return there
}

// makeReady brings a staged copy to this version, checks it and marks it.
func makeReady(ctx context.Context, path string, o Options) (err error) {
	size, err := sizeOf(path)
	if err != nil || size == 0 {
		return errors.Join(err, errors.New("it is empty"))
	}
	if err := checkLength(path, size, 0); err != nil {
		return err
	}
	c, err := openConn(path, "synchronous = FULL")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	// Everything is in the one file from here on, which is what is moved.
	if err := c.exec("PRAGMA journal_mode = DELETE"); err != nil {
		return err
	}
	// Before it is migrated too: that would build on whatever is there.
	if err := checkAll(ctx, c); err != nil {
		return err
	}
	if err := migrate(c); err != nil {
		return err
	}
	if err := checkAll(ctx, c); err != nil {
		return err
	}
	return markCopy(c, o.Clock.Now())
}

// copyFile copies a file and makes the copy durable.
func copyFile(ctx context.Context, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch _, err := io.CopyN(out, in, 64<<20); {
		case errors.Is(err, io.EOF):
			return out.Sync()
		case err != nil:
			return err
		}
	}
}
