package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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

// dataBytes is the size of a store's data file.
func dataBytes(t *testing.T, f *fixture) int64 {
	t.Helper()
	size, err := sizeOf(f.path())
	if err != nil {
		t.Fatal(err)
	}
	return size
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

// TestFailedCheckpoint lets the copying of the log fail, in the writer and
// beside it: a sync that fails is the end of the store, anything else is only
// put off.
func TestFailedCheckpoint(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		point string
		code  sqlite3.ErrNoExtended
		fatal bool
	}{
		"Sync":        {"checkpoint", sqlite3.ErrIoErrFsync, true},
		"Write":       {"checkpoint", sqlite3.ErrIoErrWrite, false},
		"SyncBeside":  {"copy", sqlite3.ErrIoErrFsync, true},
		"WriteBeside": {"copy", sqlite3.ErrIoErrWrite, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			told := make(chan error, 1)
			f := open(t, withFaults(fs), func(o *Options) { o.OnFatal = func(err error) { told <- err } })
			q := f.create("q")
			fs.arm(tc.point, sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: tc.code})
			err := f.fillLog(q)
			if tc.fatal {
				f.wantFailed(q, told)
				return
			}
			if err != nil {
				t.Fatalf("a send while the log cannot be copied: %v", err)
			}
			before := dataBytes(t, f)
			fs.arm("", nil)
			for range 50 {
				if err := f.fillLog(q); err != nil {
					t.Fatal(err)
				}
				if dataBytes(t, f) >= before+walPages*pageSize/2 {
					return
				}
			}
			t.Errorf("the data has %d bytes, as before, though its log can be copied again", before)
		})
	}
}

// wantFailed waits until the store has failed for good.
func (f *fixture) wantFailed(q *engine.Queue, told <-chan error) {
	f.t.Helper()
	select {
	case err := <-told:
		if err == nil {
			f.t.Error("OnFatal was told nothing")
		}
	case <-time.After(time.Minute):
		f.t.Fatal("the store went on after a failed sync")
	}
	_, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
	wantCode(f.t, "a send after the failed sync", err, engine.Unavailable)
	wantCode(f.t, "Health", f.Health(f.t.Context()), engine.Unavailable)
}

// TestFailedSyncOfData lets the sync of the data file fail that follows the
// copying of the log beside the writer.
func TestFailedSyncOfData(t *testing.T) {
	t.Parallel()
	told := make(chan error, 1)
	f := open(t, func(o *Options) { o.Sync, o.OnFatal = Full, func(err error) { told <- err } })
	q := f.create("q")
	if err := f.writer.copier.data.Close(); err != nil {
		t.Fatal(err)
	}
	_ = f.fillLog(q) // it may end before the copying does
	f.wantFailed(q, told)
}

// TestCopyBesideTheWriter holds that nobody waits for the log to be copied, that
// it stays bounded meanwhile, and that a store that closes waits for the end.
func TestCopyBesideTheWriter(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan struct{}), make(chan struct{})
	fs := &faults{}
	var once sync.Once
	fs.stop = func(point string) {
		if point == "copy" {
			once.Do(func() { close(begun); <-goOn })
		}
	}
	f := open(t, withFaults(fs))
	q := f.create("q")
	if err := f.fillLog(q); err != nil {
		t.Fatal(err)
	}
	select {
	case <-begun:
	case <-time.After(time.Minute):
		t.Fatal("nothing copied the log")
	}
	for range 15 {
		if err := f.fillLog(q); err != nil {
			t.Fatalf("a send while the log is copied: %v", err)
		}
	}
	if got := logBytes(t, f); got > walWanted*3/2 {
		t.Errorf("the log grew to %d bytes while a copy of it took long", got)
	}
	closed := make(chan error, 1)
	go func() { closed <- f.Close() }()
	select {
	case err := <-closed:
		t.Errorf("the store closed in the midst of a copy: %v", err)
	case <-f.writer.stopped:
	}
	close(goOn)
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if size, err := sizeOf(f.path() + "-wal"); size >= 0 || err != nil {
		t.Errorf("a store that was closed left a log of %d bytes (%v)", size, err)
	}
}

// TestLogStartsOver holds that the log is copied beside the writer, and starts
// over, when nothing else asks for it.
func TestLogStartsOver(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q := f.create("q")
	for range 20 {
		if err := f.fillLog(q); err != nil {
			t.Fatal(err)
		}
	}
	if points := fs.asked(); !slices.Contains(points, "copy") {
		t.Error("nothing copied the log beside the writer")
	}
	if got := logBytes(t, f); got > walWanted*3/2 {
		t.Errorf("the log grew to %d bytes", got)
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
