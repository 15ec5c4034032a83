package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"queues/engine"
)

const (
	// backupName is a copy under way, in the data folder. What a crash leaves of
	// it is removed by the next start.
	backupName = "backup.tmp"
	// backupStep is how many pages are copied between two looks at the caller,
	// the disk and the log.
	backupStep = 256
	// backupSpare is how much room a copy leaves on the disk.
	backupSpare = 64 << 20
	// backupLog is how much the log may grow beyond the size of the data while
	// the copy holds on to its view of it.
	backupLog = 1 << 30
)

// PartialCopy is the pattern of the names, as for [os.CreateTemp], under which
// whoever takes a copy keeps it until it is whole and on disk.
const PartialCopy = ".queues-backup-*.tmp"

// refusePartial refuses a copy that is still named as one under way. After a
// power cut it can pass every check and have lost a part of a message: what was
// not on disk yet may be missing anywhere.
func refusePartial(path string) error {
	for _, pattern := range append([]string{PartialCopy}, leftovers...) {
		if ok, err := filepath.Match(pattern, filepath.Base(path)); ok || err != nil {
			return errors.Join(err, unusable("the file "+path+" is a copy that was never finished, and nothing tells whether it is whole: take one made by \"queues backup\"", nil))
		}
	}
	return nil
}

// Copy is a finished copy of a store, one whole database in one file. It must
// be closed; until then there can be no other.
type Copy struct {
	store *Store
	file  *os.File
	// Size is its length in bytes.
	Size  int64
	close func() error
}

// Read reads on. It fails when the store needs the room on the disk.
func (c *Copy) Read(p []byte) (int, error) {
	if c.store.scarce.Load() {
		return 0, errBackupRoom(0)
	}
	return c.file.Read(p)
}

// Close lets the copy go, and the room that it takes.
func (c *Copy) Close() error { return c.close() }

// Backup makes a consistent copy of the store as it is at one moment after the
// call, while it serves. The copy is a file in the data folder that has no name
// any more when Backup returns, so that nothing is left of it whatever happens.
//
// It returns Overloaded while another copy is made or read, Unavailable when
// there is no room for it, the log has grown too long meanwhile or a file of the
// data is gone, Closed when the store closes, and the context's error.
func (s *Store) Backup(ctx context.Context) (*Copy, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	if !s.copying.CompareAndSwap(false, true) {
		return nil, &engine.Error{Code: engine.Overloaded, Text: "a backup is being made: wait for it and try again"}
	}
	c, err := s.backup(ctx)
	if err != nil {
		s.copying.Store(false)
		return nil, s.translateBackup(err)
	}
	return c, nil
}

func (s *Store) backup(ctx context.Context) (_ *Copy, err error) {
	// A connection to a log that is gone would make an empty one, and the next
	// start could not tell any more that one is missing.
	if err := s.filesPresent(); err != nil {
		return nil, err
	}
	path := filepath.Join(s.o.Dir, backupName)
	if err := s.roomForBackup(); err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		// The file itself stays for as long as it is open.
		if err = errors.Join(err, os.Remove(path)); err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	if err := s.copyTo(ctx, path); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return &Copy{store: s, file: file, Size: info.Size(), close: sync.OnceValue(func() error {
		defer s.copying.Store(false)
		return file.Close()
	})}, nil
}

// copyTo copies the database into a file and marks it.
func (s *Store) copyTo(ctx context.Context, path string) (err error) {
	from, err := openConn(s.path(), "query_only = ON", "cache_size = -2048",
		fmt.Sprintf("synchronous = %d", s.o.Sync.pragma()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.close()) }()
	to, err := openConn(path, "journal_mode = OFF", "synchronous = OFF")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	if err := s.copyView(ctx, from, to); err != nil {
		return err
	}
	return markCopy(to, s.o.Clock.Now())
}

// copyView copies what is there at one moment, and leaves the log short.
func (s *Store) copyView(ctx context.Context, from, to *conn) error {
	s.viewing.Store(true)
	defer s.viewing.Store(false)
	err := s.copyPages(ctx, from, to)
	return errors.Join(err, s.catchUpLog(from))
}

// copyPages copies everything in one view of the database. The writer goes on
// meanwhile: its commits wait in the log, which cannot start over until the
// view is given up.
func (s *Store) copyPages(ctx context.Context, from, to *conn) (err error) {
	if err := from.exec("BEGIN"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.exec("COMMIT")) }()
	if _, err := from.int("SELECT count(*) FROM meta"); err != nil { // the view begins
		return err
	}
	b, err := to.c.Backup("main", from.c, "main")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Finish()) }()
	for {
		if err := s.mayGoOn(ctx, int64(b.PageCount())*pageSize); err != nil {
			return err
		}
		before := b.Remaining()
		done, err := b.Step(backupStep)
		if done || err != nil {
			return err
		}
		if b.Remaining() == before && before > 0 {
			return errors.New("the copy does not go on: something else has opened " + backupName)
		}
	}
}

// mayGoOn asks whether a copy of so many bytes may go on.
func (s *Store) mayGoOn(ctx context.Context, size int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	closing := s.closing
	s.mu.RUnlock()
	if closing {
		return errClosed()
	}
	if free, ok := freeSpace(s.o.Dir); s.scarce.Load() || ok && free < backupSpare {
		return errBackupRoom(0)
	}
	if info, err := os.Stat(s.path() + "-wal"); err == nil && info.Size() > size+backupLog {
		return &engine.Error{Code: engine.Unavailable, Text: "the backup was given up because so much was written meanwhile: try again at a quieter time"}
	}
	return nil
}

// roomForBackup refuses a copy for which there is no room.
func (s *Store) roomForBackup() error {
	info, err := os.Stat(s.path())
	if err != nil {
		return err
	}
	need := info.Size() + backupSpare
	if log, err := os.Stat(s.path() + "-wal"); err == nil {
		need += log.Size()
	}
	if free, ok := freeSpace(s.o.Dir); s.scarce.Load() || ok && free < need {
		return errBackupRoom(need)
	}
	return nil
}

// catchUpLog copies what has gathered in the log into the data file, beside the
// writer: else the writer would do it all at once, and everybody wait for it. A
// sync that fails in it is the end of the store, as it is in the writer.
func (s *Store) catchUpLog(c *conn) error {
	err := c.query("PRAGMA wal_checkpoint(PASSIVE)", nil)
	if err == nil {
		return nil
	}
	s.log.Warn("the log could not be worked off after a backup", slog.Any("error", err))
	if severityOf(err) != fatal {
		return nil
	}
	return s.do(context.Background(), &request{name: "a backup", run: func(t *tx) error { return t.fail("checkpoint", err) }})
}

func errBackupRoom(need int64) error {
	text := "the disk has no room for a backup: free some space in the data folder's file system and try again"
	if need > 0 {
		text = fmt.Sprintf("the disk has no room for a backup: it needs %d MiB free in the data folder's file system while it is made", need>>20+1)
	}
	return &engine.Error{Code: engine.Unavailable, Text: text}
}

// translateBackup gives the domain error of a backup that failed.
func (s *Store) translateBackup(err error) error {
	switch {
	case errors.As(err, new(*engine.Error)), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case fullDisk(err):
		return errBackupRoom(0)
	}
	s.noteDamage(err)
	if damagedBy(err) {
		return &engine.Error{Code: engine.Unavailable, Text: "there is no whole data to make a backup of", Err: err}
	}
	return &engine.Error{Code: engine.Unavailable, Text: "the backup failed", Err: err}
}
