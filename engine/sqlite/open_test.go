package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

func TestPragmasReadBack(t *testing.T) {
	t.Parallel()
	files, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		mode SyncMode
		want int64
	}{
		"Full":   {Full, 2},
		"Normal": {Normal, 1},
		"Off":    {Off, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t, func(o *Options) { o.Sync = tc.mode })
			for range 2 { // a new store, and one opened again
				c := f.writer.conn
				for pragma, want := range map[string]int64{
					"synchronous": tc.want, "page_size": pageSize, "auto_vacuum": autoVacuum,
					"application_id": applicationID, "user_version": int64(len(files)),
					"wal_autocheckpoint": 0, "journal_size_limit": walKept,
				} {
					if got, err := c.int("PRAGMA " + pragma); err != nil || got != want {
						t.Errorf("PRAGMA %s is %d (%v), want %d", pragma, got, err, want)
					}
				}
				if got, err := c.text("PRAGMA journal_mode"); err != nil || got != "wal" {
					t.Errorf("PRAGMA journal_mode is %s (%v), want wal", got, err)
				}
				f.reopen()
			}
		})
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	// What has a meaning in a URL is a letter in a path.
	dir := filepath.Join(t.TempDir(), "new", "a?b#c%20d e")
	f := open(t, func(o *Options) { o.Dir = dir })
	q := f.create("q")
	f.send(q, 1)
	for path, want := range map[string]os.FileMode{
		dir: 0o700, f.path(): 0o600, f.path() + "-wal": 0o600, filepath.Join(dir, LockName): 0o600,
		filepath.Join(dir, reserveName): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

func TestLooseModes(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f := open(t, func(o *Options) { o.Dir = dir })
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(f.path(), 0o644); err != nil {
		t.Fatal(err)
	}
	f.o.Log = slog.New(slog.NewTextHandler(&log, nil))
	f.open()
	if info, err := os.Stat(f.path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the data file has mode %v (%v), want 600", info.Mode(), err)
	}
	for _, want := range []string{"chmod 700", "others could read the data file"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q: %s", want, log.String())
		}
	}
}

func TestOneProcessPerFolder(t *testing.T) {
	t.Parallel()
	f := open(t)
	_, err := Open(t.Context(), f.o)
	wantCode(t, "a second Open", err, engine.DataInUse)
	if !strings.Contains(err.Error(), fmt.Sprintf("pid %d", os.Getpid())) {
		t.Errorf("the error does not name the owner: %v", err)
	}
	wantCode(t, "Check beside a store", Check(t.Context(), f.o.Dir), engine.DataInUse)
	f.reopen()
}

// TestOpensOnFullDisk opens a store where only the reserve is left: what is in
// it can be received and removed, which is what will make room.
func TestOpensOnFullDisk(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	f.send(q, 3)
	f.finish()
	reserve := filepath.Join(f.o.Dir, reserveName)
	f.o.Fault = func(point string) error {
		if info, err := os.Stat(reserve); point == "open" && err == nil && info.Size() > 0 {
			return sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrSHMSize, SystemErrno: syscall.ENOSPC}
		}
		return nil
	}
	f.open()
	if got := f.receive(q, 10); len(got) != 3 {
		t.Errorf("received %d messages, want 3", len(got))
	}
}

func TestRefusedData(t *testing.T) {
	t.Parallel()
	withFile := func(content []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, DataName), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	withDatabase := func(statements string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			withFile(nil)(t, dir)
			execOn(t, dir, statements)
		}
	}
	// ours makes a real store and breaks it.
	ours := func(breakIt func(*testing.T, string)) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			s, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock()})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			breakIt(t, dir)
		}
	}
	for name, tc := range map[string]struct {
		prepare func(*testing.T, string)
		code    engine.Code
		advice  string
	}{
		"NotADatabase": {withFile(bytes.Repeat([]byte("text"), 1000)), engine.DataUnusable, "not a database"},
		"ForeignDatabase": {
			withDatabase("CREATE TABLE t (x)"), engine.DataUnusable, "another program",
		},
		"ForeignApplication": {
			withDatabase("PRAGMA application_id = 7; CREATE TABLE t (x)"), engine.DataUnusable, "another program",
		},
		"NewerSchema": {
			ours(func(t *testing.T, dir string) { execOn(t, dir, "PRAGMA user_version = 99") }),
			engine.DataNewer, "use that version",
		},
		"NoSecret": {
			ours(func(t *testing.T, dir string) { execOn(t, dir, "DELETE FROM meta") }), engine.DataUnusable, "",
		},
		"NoStoreState": {
			ours(func(t *testing.T, dir string) { execOn(t, dir, "DELETE FROM queue_state") }), engine.DataUnusable, "",
		},
		"Truncated": {
			ours(func(t *testing.T, dir string) {
				if err := os.Truncate(filepath.Join(dir, DataName), 3*pageSize); err != nil {
					t.Fatal(err)
				}
			}), engine.DataUnusable, "damaged",
		},
		"FileIsAFolder": {
			func(t *testing.T, dir string) {
				if err := os.Mkdir(filepath.Join(dir, DataName), 0o700); err != nil {
					t.Fatal(err)
				}
			}, engine.DataUnusable, "",
		},
		"LockIsAFolder": {
			func(t *testing.T, dir string) {
				if err := os.Mkdir(filepath.Join(dir, LockName), 0o700); err != nil {
					t.Fatal(err)
				}
			}, engine.DataUnusable, "cannot be written",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tc.prepare(t, dir)
			before, _ := os.ReadFile(filepath.Join(dir, DataName))
			_, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock()})
			wantCode(t, "Open", err, tc.code)
			if !strings.Contains(err.Error(), tc.advice) {
				t.Errorf("the error gives no such advice as %q: %v", tc.advice, err)
			}
			if after, _ := os.ReadFile(filepath.Join(dir, DataName)); !bytes.Equal(before, after) {
				t.Error("the refused file was changed")
			}
		})
	}
}

func TestFolderIsAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{path, filepath.Join(path, "below")} {
		_, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock()})
		wantCode(t, "Open of "+dir, err, engine.DataUnusable)
	}
}

// TestHalfMade opens what a crash between the first page and the schema leaves.
func TestHalfMade(t *testing.T) {
	t.Parallel()
	f := &fixture{t: t, clock: newTestClock()}
	f.o = Options{Dir: t.TempDir(), Clock: f.clock}
	if err := os.WriteFile(filepath.Join(f.o.Dir, DataName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	execOn(t, f.o.Dir, "PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL")
	f.open()
	f.send(f.create("q"), 1)
	f.finish()
}

func TestSecretStays(t *testing.T) {
	t.Parallel()
	f := open(t)
	secret := f.Secret()
	f.reopen()
	if f.Secret() != secret {
		t.Error("the secret changed with a restart")
	}
	if other := open(t); other.Secret() == secret {
		t.Error("two stores have one secret")
	}
}

func TestSeverity(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		want severity
	}{
		"Fsync":      {sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrFsync}, fatal},
		"DirFsync":   {sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrDirFsync}, fatal},
		"Write":      {sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrWrite}, passing},
		"Full":       {sqlite3.Error{Code: sqlite3.ErrFull}, passing},
		"SHM":        {sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrSHMSize}, doubtful},
		"TooBig":     {sqlite3.Error{Code: sqlite3.ErrTooBig}, culpable},
		"Constraint": {&storageError{"x", sqlite3.Error{Code: sqlite3.ErrConstraint}}, culpable},
		"Other":      {errors.New("other"), passing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := severityOf(tc.err); got != tc.want {
				t.Errorf("severity %d, want %d", got, tc.want)
			}
		})
	}
}

func TestStoredClock(t *testing.T) {
	t.Parallel()
	t.Run("Ahead", func(t *testing.T) {
		t.Parallel()
		var log bytes.Buffer
		f := open(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		q := f.create("q")
		f.send(q, 1)
		f.clock.advance(-time.Hour)
		f.reopen()
		if !strings.Contains(log.String(), "the clock is behind") {
			t.Errorf("no warning: %s", log.String())
		}
		f.send(q, 1) // Check finds it if it arrived before the other
		f.finish()
		f.o.Clock = &heldClock{testClock: f.clock}
		f.open()
		if got, want := f.o.Clock.(*heldClock).held, f.clock.Now().Add(time.Hour); !got.Equal(want) {
			t.Errorf("the clock was told to hold %v, want %v", got, want)
		}
	})
	t.Run("FarBehindNothingExpires", func(t *testing.T) {
		t.Parallel()
		f := open(t, func(o *Options) { o.ExpiryGrace = 10 * time.Minute })
		q := f.create("q", func(s *engine.Settings) { s.Retention = time.Hour })
		f.send(q, 3)
		f.clock.advance(2 * time.Hour)
		f.reopen()
		if c := f.counts(q); c.Visible != 3 {
			t.Errorf("within the grace there are %+v, want 3 visible", c)
		}
		f.sweep()
		f.clock.advance(10 * time.Minute)
		if c := f.counts(q); c != (engine.Counts{}) {
			t.Errorf("after the grace there are %+v, want none", c)
		}
	})
}

// heldClock is a clock that can be told to go on from a time.
type heldClock struct {
	*testClock
	held time.Time
}

func (c *heldClock) Hold(at time.Time) { c.held = at }

// execOn runs statements on the data file of a folder.
func execOn(t testing.TB, dir, statements string) {
	t.Helper()
	c, err := openConn(filepath.Join(dir, DataName))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.exec(statements), c.close()); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

func wantCode(t testing.TB, call string, err error, code engine.Code) {
	t.Helper()
	if err == nil {
		t.Fatalf("%s succeeded, want code %d", call, code)
	}
	if got := engine.ErrorCode(err); got != code {
		t.Fatalf("%s gave code %d, want %d: %v", call, got, code, err)
	}
}

// sweep sweeps until there is nothing left to do.
func (f *fixture) sweep() engine.SweepResult {
	f.t.Helper()
	for range 10_000 {
		r, err := f.Sweep(context.Background())
		if err != nil {
			f.t.Fatalf("Sweep: %v", err)
		}
		if !r.More {
			return r
		}
	}
	f.t.Fatal("Sweep never ends")
	return engine.SweepResult{}
}
