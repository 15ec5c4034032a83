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
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// DataName is the database within the data folder.
const DataName = "queues.db"

// SyncMode says what an answer promises.
type SyncMode uint8

// The sync modes.
const (
	// Full: what was answered survives a crash of the machine.
	Full SyncMode = iota
	// Normal: what was answered survives a crash of the process. A crash of the
	// machine may lose the last moments but leaves the data whole.
	Normal
	// Off: a crash of the machine may leave the data unusable.
	Off
)

// pragma is the value of SQLite's synchronous setting.
func (m SyncMode) pragma() int64 {
	switch m {
	case Normal:
		return 1
	case Off:
		return 0
	default:
		return 2
	}
}

// Options configure a [Store]. Dir and Clock are required.
type Options struct {
	// Dir is the data folder; it is made when it is not there.
	Dir   string
	Clock engine.Clock
	// Report is told of every commit; nil for nobody.
	Report engine.ReportFunc
	// Log takes warnings; nil for nowhere.
	Log *slog.Logger
	// Sync says what an answer promises.
	Sync SyncMode
	// ExpiryGrace is how long nothing expires after an opening that finds the
	// stored clock more than an hour behind: either the store was not running,
	// or the clock is wrong. Zero for no such rule.
	ExpiryGrace time.Duration
	// OnFatal is told, in a goroutine of its own, when the store has failed for
	// good and refuses everything; nil for nobody. The process should end.
	OnFatal func(error)
	// Fault is for tests. It is asked at the opening, as "open", and before each
	// step of a transaction, by the step's name: "begin", "commit", or
	// "statement:" and the statement. For the log it is asked as "checkpoint" when
	// the writer copies it, as "copy" when it is to be copied beside the writer,
	// and there, on another goroutine, as "copying". What it returns is treated
	// as if the database had returned it.
	Fault func(point string) error
}

// Store is the embedded store.
type Store struct {
	o        Options
	log      *slog.Logger
	lock     *folderLock
	writer   *writer
	readers  *readers
	registry *registry
	secret   [32]byte

	// failed is set when the store has failed for good, hurt when damage was met
	// in the data, and lost while one of its files is gone.
	failed, hurt, lost atomic.Pointer[error]
	// copying is true while a backup is made or read, viewing while it holds the
	// log, scarce while the disk is full.
	copying, viewing, scarce atomic.Bool
	// opened and openedLog are the data file and its log as they were opened.
	opened, openedLog fs.FileInfo
	// data is the data file by itself. To close any descriptor of a file takes
	// all locks of the process on it, so it is closed after the last connection,
	// and by a store that has failed not at all.
	data *os.File

	mu      sync.RWMutex
	closing bool
	calls   sync.WaitGroup
	close   func() error
}

var _ engine.Store = (*Store)(nil)

// Open opens the data folder, and makes it when it is empty or not there. It
// returns DataInUse when another process has it, DataNewer when a newer version
// wrote it, and DataUnusable when it cannot be opened, read or written.
func Open(ctx context.Context, o Options) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Store{o: o, log: o.Log, registry: newRegistry()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.close = sync.OnceValue(s.closeAll)
	if err := makeFolder(o.Dir, s.log); err != nil {
		return nil, err
	}
	lock, err := lockFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	s.lock = lock
	err = s.openData()
	if err != nil && fullDisk(err) {
		// Even reading needs a little room beside the data.
		(&reserve{path: filepath.Join(o.Dir, reserveName)}).giveUp()
		err = s.openData()
	}
	if err != nil {
		return nil, errors.Join(translateOpen(o.Dir, err), lock.release())
	}
	return s, nil
}

// openData opens everything behind the lock.
func (s *Store) openData() (err error) {
	path := s.path()
	if s.o.Fault != nil {
		if err := s.o.Fault("open"); err != nil {
			return err
		}
	}
	if err := refuseElsewhere(path); err != nil {
		return err
	}
	if err := removeLeftovers(s.o.Dir); err != nil {
		return err
	}
	if err := examine(s.o.Dir, s.lock); err != nil {
		return err
	}
	if s.o.Sync != Full {
		if err := s.lock.markUnsynced(); err != nil {
			return err
		}
	}
	if s.opened, err = makeFile(path); err != nil {
		return err
	}
	if err := rewriteLog(path); err != nil {
		return err
	}
	found, err := sizeOf(path + "-wal")
	if err != nil {
		return err
	}
	// A migration is a transaction in the log too.
	c, err := openConn(path, "synchronous = FULL")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = c.close()
			if s.data != nil {
				_ = s.data.Close()
			}
			// It may have worked off the log and removed it.
			if size, _ := sizeOf(path + "-wal"); size < 0 {
				_ = s.lock.markClosed()
			}
		}
	}()
	if err := migrate(c); err != nil {
		return err
	}
	// Its modes are changed only now that it is known to be ours.
	if err := tighten(path, s.log); err != nil {
		return err
	}
	if err := renew(c, s.o.Clock.Now()); err != nil {
		return err
	}
	if err := configureWriter(c, s.o.Sync); err != nil {
		return err
	}
	if err := writable(c); err != nil {
		return err
	}
	if s.secret, err = readSecret(c); err != nil {
		return err
	}
	synced := s.o.Sync == Full
	if synced && !s.lock.synced && found > 0 {
		if synced, err = startLogOver(c, path); err != nil {
			return err
		}
	}
	w, err := newWriter(c, s)
	if err != nil {
		return err
	}
	if s.readers, err = openReaders(path, s.noteDamage); err != nil {
		return err
	}
	if s.data, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return errors.Join(err, s.readers.close())
	}
	if w.copier, err = openCopier(s.data, &s.o); err != nil {
		return errors.Join(err, s.readers.close())
	}
	s.openedLog, err = os.Stat(path + "-wal")
	if err == nil {
		err = s.lock.markOpen(synced)
	}
	if err != nil {
		return errors.Join(err, s.readers.close(), w.copier.conn.close())
	}
	s.writer = w
	go w.loop()
	go w.copier.loop(w.inbox.nudge)
	return nil
}

// configureWriter sets what a connection does not remember from the file.
func configureWriter(c *conn, mode SyncMode) error {
	pragmas := []string{
		fmt.Sprintf("synchronous = %d", mode.pragma()),
		"fullfsync = ON",
		"checkpoint_fullfsync = ON",
		"wal_autocheckpoint = 0", // SQLite's own would keep its errors to itself
		fmt.Sprintf("journal_size_limit = %d", walKept),
		fmt.Sprintf("busy_timeout = %d", lockWait.Milliseconds()),
		"cache_size = -16384",
		"temp_store = MEMORY",
	}
	for _, pragma := range pragmas {
		if err := c.exec("PRAGMA " + pragma); err != nil {
			return err
		}
	}
	// The driver is compiled to sync less in WAL mode; a setting that did not
	// take would break the promise in silence.
	got, err := c.int("PRAGMA synchronous")
	if err != nil {
		return err
	}
	if got != mode.pragma() {
		return fmt.Errorf("synchronous reads back as %d, want %d", got, mode.pragma())
	}
	return nil
}

// writable fails for a connection that can only read. Where a file cannot be
// opened for writing at that moment, SQLite opens it for reading and says
// nothing; such a store would refuse every change until its end.
func writable(c *conn) error {
	if err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	return c.exec("ROLLBACK")
}

func readSecret(c *conn) (secret [32]byte, err error) {
	n := 0
	err = c.query("SELECT value FROM meta WHERE key = 'secret'", func(r row) error {
		n = copy(secret[:], r.blob(0))
		return nil
	})
	if err == nil && n != len(secret) {
		err = unusable("the data has lost the secret of its receipt handles: "+adviceDamaged, nil)
	}
	return secret, err
}

// makeFolder makes the data folder and checks who may look into it.
func makeFolder(dir string, log *slog.Logger) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return unusable("the data folder cannot be made: check the path and who may write above it", err)
		}
		return syncFolder(filepath.Dir(dir))
	case err != nil:
		return unusable("the data folder cannot be opened: check the path", err)
	case !info.IsDir():
		return unusable("the path of the data folder "+dir+" is a file: give a folder", nil)
	}
	if info.Mode().Perm()&0o077 != 0 {
		log.Warn("others may look into the data folder, take the right from them with chmod 700",
			slog.String("dir", dir), slog.String("mode", info.Mode().Perm().String()))
	}
	if networked(dir) {
		log.Warn("the data folder is on a network file system, where locks and syncs may not hold",
			slog.String("dir", dir))
	}
	return nil
}

// makeFile makes the data file unless it is there, readable by its owner alone;
// SQLite gives its other files the same mode.
func makeFile(path string) (fs.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return info, syncFolder(filepath.Dir(path))
}

// tighten takes from others the right to read the data.
func tighten(path string, log *slog.Logger) error {
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err != nil {
			return err
		}
		log.Warn("others could read the data file, their right is taken away", slog.String("file", file))
		if err := os.Chmod(file, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// syncFolder makes new names in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// translateOpen gives the domain error of an opening that failed.
func translateOpen(dir string, err error) error {
	if errors.As(err, new(*engine.Error)) {
		return err
	}
	return translateFile(filepath.Join(dir, DataName), err)
}

// translateFile is translateOpen for a file by itself.
func translateFile(path string, err error) error {
	if errors.As(err, new(*engine.Error)) {
		return err
	}
	text := "the data in " + path + " cannot be used: check that this user may read and write there and that the disk has room"
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		switch e.Code {
		case sqlite3.ErrNotADB:
			text = "the file " + path + " is not a database, or its beginning is damaged: give another folder, or " + adviceRestore
		case sqlite3.ErrCorrupt:
			text = "the file " + path + " is damaged: " + adviceDamaged
		case sqlite3.ErrBusy, sqlite3.ErrLocked:
			text = "the file " + path + " is locked by another program: close it there"
		}
	}
	return unusable(text, err)
}

// path is where the data file is.
func (s *Store) path() string { return dataPath(s.o.Dir) }

// dataPath is where the data file of a folder is. When it is a link, that is
// where it leads: SQLite's other files are beside the file itself.
func dataPath(dir string) string {
	path := filepath.Join(dir, DataName)
	if file, err := filepath.EvalSymlinks(path); err == nil {
		return file
	}
	return path
}
