package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// logBytes is the size of a store's write-ahead log.
func logBytes(t *testing.T, f *fixture) int64 {
	t.Helper()
	info, err := os.Stat(f.path() + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// fillLog sends until the log is copied into the data file, or the store has
// had enough.
func (f *fixture) fillLog(q *engine.Queue) error {
	f.t.Helper()
	body := strings.Repeat("x", 100<<10)
	for range 2 * walPages / 25 { // pages in a body
		p := engine.SendParams{Queue: q.ID, Messages: messages(1, body)}
		if _, err := f.Send(f.t.Context(), p); err != nil {
			return err
		}
	}
	return nil
}

// TestFailedCheckpoint lets the copying of the log fail: a sync that fails is
// the end of the store, anything else is only put off.
func TestFailedCheckpoint(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		code  sqlite3.ErrNoExtended
		fatal bool
	}{
		"Sync":  {sqlite3.ErrIoErrFsync, true},
		"Write": {sqlite3.ErrIoErrWrite, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			told := make(chan error, 1)
			f := open(t, withFaults(fs), func(o *Options) { o.OnFatal = func(err error) { told <- err } })
			q := f.create("q")
			fs.arm("checkpoint", sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: tc.code})
			err := f.fillLog(q)
			if !tc.fatal {
				if err != nil {
					t.Fatalf("a send while the log cannot be copied: %v", err)
				}
				full := logBytes(t, f)
				fs.arm("", nil)
				if err := f.fillLog(q); err != nil {
					t.Fatal(err)
				}
				if got := logBytes(t, f); got > full*3/2 {
					t.Errorf("the log grew from %d to %d bytes after it could be copied again", full, got)
				}
				return
			}
			if err == nil {
				t.Fatal("the store went on after a failed sync")
			}
			wantCode(t, "a send after the failed sync", err, engine.Unavailable)
			if err := <-told; err == nil {
				t.Error("OnFatal was told nothing")
			}
			wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
		})
	}
}

// TestLogIsWrittenAnew holds that the log of a crash stays as it is, byte for
// byte, and that there need not be one. That it is written is for the torture of
// power cuts to see.
func TestLogIsWrittenAnew(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.send(f.create("q"), 3)
	path := filepath.Join(copyData(t, f.o.Dir), DataName)
	before, err := os.ReadFile(path + "-wal")
	if err != nil || len(before) == 0 {
		t.Fatalf("the log of the crash has %d bytes (%v)", len(before), err)
	}
	if err := rewriteLog(path); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path + "-wal")
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("%d bytes of the log have changed into %d others (%v)", len(before), len(after), err)
	}
	if err := rewriteLog(filepath.Join(t.TempDir(), DataName)); err != nil {
		t.Errorf("without a log: %v", err)
	}
}

// TestWritable holds that a store that could only be read is not opened.
func TestWritable(t *testing.T) {
	t.Parallel()
	f := open(t)
	for pragma, want := range map[string]bool{"query_only = OFF": true, "query_only = ON": false} {
		c, err := openConn(f.path(), pragma)
		if err != nil {
			t.Fatal(err)
		}
		if got := writable(c); (got == nil) != want {
			t.Errorf("with %s: %v, want success %v", pragma, got, want)
		}
		if err := c.close(); err != nil {
			t.Fatal(err)
		}
	}
}
