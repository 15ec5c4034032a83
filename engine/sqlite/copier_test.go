package sqlite

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// TestCopyBesideTheWriter holds that nobody waits for the log to be copied, until
// so much is left that it would grow without bound.
func TestCopyBesideTheWriter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		goOn, fs := make(chan struct{}), &faults{}
		var begun atomic.Bool
		fs.stop = func(point string) {
			if point == "copying" && begun.CompareAndSwap(false, true) {
				<-goOn
			}
		}
		f := open(t, withFaults(fs))
		resume := sync.OnceFunc(func() { close(goOn) })
		defer resume()
		q := f.create("q")
		var sent atomic.Int64
		go func() {
			for range 3 {
				if err := f.fillLog(q); err != nil {
					t.Errorf("a send while the log is copied: %v", err)
				}
				sent.Add(1)
			}
		}()
		synctest.Wait()
		if !begun.Load() {
			t.Fatal("nothing copied the log")
		}
		if got, least := logBytes(t, f), int64(walMost*pageSize); got < least {
			t.Errorf("a send waited when the log had %d bytes, want %d at least", got, least)
		}
		if got := logBytes(t, f); got > logBound || sent.Load() == 3 {
			t.Errorf("the log grew to %d bytes while nothing copied it, want %d at most", got, logBound)
		}
		resume()
		synctest.Wait()
		if sent.Load() < 3 {
			t.Error("the sends did not go on when the log had been copied")
		}
		if got := logBytes(t, f); got > logBound {
			t.Errorf("the log grew to %d bytes, want %d at most", got, logBound)
		}
	})
}

// TestCloseDuringCopy holds that a store that closes waits for the copying of
// its log, and what becomes of it.
func TestCloseDuringCopy(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]error{
		"Done":   nil,
		"Failed": sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrFsync},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				goOn, fs := make(chan struct{}), &faults{}
				fs.stop = func(point string) {
					if point == "copying" {
						<-goOn
					}
				}
				var told atomic.Bool
				f := &fixture{t: t, clock: newTestClock()}
				f.o = Options{Dir: t.TempDir(), Clock: f.clock, Fault: fs.ask, OnFatal: func(error) { told.Store(true) }}
				f.open()
				q := f.create("q")
				fs.arm("copying", fail)
				f.sendPages(q, 3*walPages/2)
				closed := make(chan error, 1)
				go func() { closed <- f.Close() }()
				synctest.Wait()
				select {
				case err := <-closed:
					t.Fatalf("the store closed in the midst of a copy: %v", err)
				default:
				}
				close(goOn)
				if err := <-closed; err != nil {
					t.Errorf("Close: %v", err)
				}
				synctest.Wait()
				size, err := sizeOf(f.path() + "-wal")
				if err != nil || told.Load() != (fail != nil) || (size < 0) != (fail == nil) {
					t.Errorf("the log has %d bytes (%v), OnFatal was told: %v", size, err, told.Load())
				}
			})
		})
	}
}

// TestReaderInTheWay lets a program outside keep the log from being copied: the
// store goes on, and is at rest when nobody calls.
func TestReaderInTheWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fs := &faults{}
		f := open(t, withFaults(fs))
		q := f.create("q")
		f.send(q, 1)
		reader, err := openConn(f.path())
		if err != nil {
			t.Fatal(err)
		}
		release := sync.OnceFunc(func() {
			if err := reader.close(); err != nil {
				t.Error(err)
			}
		})
		defer release()
		if err := reader.exec("BEGIN; SELECT count(*) FROM meta"); err != nil {
			t.Fatal(err)
		}
		var rounds atomic.Int64
		fs.stop = func(point string) {
			if point == "copying" && rounds.Add(1) == 1000 {
				fs.arm("copy", errDisk) // or it would never end
			}
		}
		if err := f.fillLog(q); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := rounds.Load(); n < 1 || n > 100 {
			t.Errorf("the log was to be copied %d times though it could not be", n)
		}
		release()
		// Large transactions, of which there are few.
		before, body := dataBytes(t, f), strings.Repeat("x", 100<<10)
		for range 10 {
			if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(10, body)}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if got := dataBytes(t, f); got < before+walPages*pageSize {
			t.Errorf("the data has %d bytes and had %d, though the reader is gone", got, before)
		}
	})
}

// TestLogStartsOver holds that the log is copied beside the writer, and starts
// over, when nothing else asks for it.
func TestLogStartsOver(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q := f.create("q")
	for range 8 {
		if err := f.fillLog(q); err != nil {
			t.Fatal(err)
		}
		if got := logBytes(t, f); got > logBound {
			t.Fatalf("the log grew to %d bytes, want %d at most", got, logBound)
		}
	}
	if points := fs.asked(); !slices.Contains(points, "copying") {
		t.Error("nothing copied the log beside the writer")
	}
}
