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
func logBytes(t testing.TB, f *fixture) int64 {
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

// logBound is what the log stays below while no reader is in the way: what the
// writer lets it have, and the transactions between two looks.
const logBound = (walLong + 1000) * (pageSize + 24)

// fillLog sends until the log was to be copied and started over, or the store
// has had enough.
func (f *fixture) fillLog(q *engine.Queue) error {
	f.t.Helper()
	body := strings.Repeat("x", 100<<10)
	for range 2 * walRestart / 25 { // pages in a body
		p := engine.SendParams{Queue: q.ID, Messages: messages(1, body)}
		if _, err := f.Send(f.t.Context(), p); err != nil {
			return err
		}
	}
	return nil
}

// copyPoints are asked when the log is copied.
var copyPoints = []string{"checkpoint", "copy", "copying"}

// TestFailedCheckpoint lets the copying of the log fail, in the writer and
// beside it: a sync that fails is the end of the store, anything else is only
// put off.
func TestFailedCheckpoint(t *testing.T) {
	t.Parallel()
	for _, point := range copyPoints {
		t.Run(point+"Sync", func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			told := make(chan error, 1)
			f := open(t, withFaults(fs), func(o *Options) { o.OnFatal = func(err error) { told <- err } })
			q := f.create("q")
			if point == "checkpoint" {
				f.leaveRest(q, fs)
			}
			fs.arm(point, sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrFsync})
			_ = f.fillLog(q) // it may end before the copying does
			f.wantFailed(q, told)
			if err := f.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			for _, after := range fs.since(point)[1:] {
				if slices.Contains(copyPoints, after) {
					t.Errorf("after a failed sync the log was copied (%s)", after)
				}
			}
		})
		t.Run(point+"Write", func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			f := open(t, withFaults(fs))
			q := f.create("q")
			release := func() {}
			if point == "checkpoint" {
				release = f.leaveRest(q, fs)
			}
			fs.arm(point, sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrWrite})
			if err := f.fillLog(q); err != nil {
				t.Fatalf("a send while the log cannot be copied: %v", err)
			}
			if !slices.Contains(fs.asked(), point) {
				t.Fatal("nothing failed")
			}
			before := dataBytes(t, f)
			fs.arm("", nil)
			release()
			for range 20 {
				if err := f.fillLog(q); err != nil {
					t.Fatal(err)
				}
				if dataBytes(t, f) >= before+walRestart*pageSize && (point == "checkpoint" || slices.Contains(fs.asked(), point)) {
					return
				}
			}
			t.Errorf("the data had %d bytes and has %d, though its log can be copied again", before, dataBytes(t, f))
		})
	}
}

// leaveRest brings the log to where the writer will have to copy a rest of it: a
// program outside reads what it has at the end of a round, so that it cannot
// start over until the reader is let go.
func (f *fixture) leaveRest(q *engine.Queue, fs *faults) (release func()) {
	f.t.Helper()
	goOn := make(chan struct{})
	fs.mu.Lock()
	fs.stop = func(point string) {
		if point == "copying" {
			<-goOn
		}
	}
	fs.mu.Unlock()
	f.sendPages(q, walRestart-walPages/2)
	reader, err := openConn(f.path())
	if err == nil {
		err = reader.exec("BEGIN; SELECT count(*) FROM meta")
	}
	close(goOn)
	if err != nil {
		f.t.Fatal(err)
	}
	release = sync.OnceFunc(func() {
		if err := reader.close(); err != nil {
			f.t.Error(err)
		}
	})
	f.t.Cleanup(release)
	return release
}

// sendPages sends until the log of a young store has so many pages.
func (f *fixture) sendPages(q *engine.Queue, pages int64) {
	f.t.Helper()
	body := strings.Repeat("x", 100<<10)
	for logBytes(f.t, f) < pages*(pageSize+24) {
		if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, body)}); err != nil {
			f.t.Fatal(err)
		}
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
	case <-time.After(patience):
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
	if err := f.data.Close(); err != nil {
		t.Fatal(err)
	}
	_ = f.fillLog(q) // it may end before the copying does
	f.wantFailed(q, told)
	f.data = nil
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
