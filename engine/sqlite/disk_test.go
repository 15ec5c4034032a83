package sqlite

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// TestFailedFsyncIsFatal holds that nothing is promised any more once it is not
// known what is on the disk.
func TestFailedFsyncIsFatal(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	told := make(chan error, 1)
	f := open(t, withFaults(fs), func(o *Options) { o.OnFatal = func(err error) { told <- err } })
	q := f.create("q")
	f.send(q, 1)
	fs.arm("commit", sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrFsync})
	_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
	wantCode(t, "the send", err, engine.OutcomeUnknown)
	if err := <-told; err == nil {
		t.Error("OnFatal was told nothing")
	}
	fs.arm("", nil)
	wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
	_, err = f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 1})
	wantCode(t, "Receive", err, engine.Unavailable)
	_, err = f.FindQueue(t.Context(), q.Name)
	wantCode(t, "FindQueue", err, engine.Unavailable)
}

// TestFailedFsyncLeavesTheLog holds that the log of a store that has failed is
// not copied into its data any more, not by the writer and not by closing.
func TestFailedFsyncLeavesTheLog(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("x", 100<<10)
	// Around 1000 pages of log, where it is copied.
	for n := 30; n < 46; n++ {
		fs := &faults{}
		f := &fixture{t: t, clock: newTestClock()}
		f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off, Fault: fs.ask}
		f.open()
		q := f.create("q")
		for range n {
			if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, body)}); err != nil {
				t.Fatal(err)
			}
		}
		fs.arm("commit", sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrFsync})
		_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, body)})
		wantCode(t, "the send", err, engine.OutcomeUnknown)
		before := logBytes(t, f)
		if err := f.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		// What came before the failure may well have been copied.
		points := fs.since("commit")
		if len(points) == 0 {
			t.Fatalf("after %d sends no commit failed", n)
		}
		if slices.Contains(points, "checkpoint") || slices.Contains(points, "copy") {
			t.Errorf("after %d sends and a failed sync the log was copied", n)
		}
		if after := logBytes(t, f); after != before {
			t.Errorf("after %d sends, a failed sync and closing the log has %d bytes, had %d", n, after, before)
		}
	}
}

func TestDoubtfulCommit(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q := f.create("q")
	fs.arm("commit", sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrSHMSize})
	_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
	wantCode(t, "the send", err, engine.OutcomeUnknown)
	fs.arm("", nil)
	f.send(q, 1)
}

// TestFullDisk fills the disk: nothing new is stored, what is there can be
// removed, and with room again all goes on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q, other := f.create("q"), f.create("other")
	f.send(other, 5)
	f.send(q, 2)
	got := f.receive(q, 2)
	full := sqlite3.Error{Code: sqlite3.ErrFull}
	fs.mu.Lock()
	fs.at, fs.err = "commit", full
	// The reserve makes room for what comes after the first failure.
	fs.stop = func(point string) {
		if point == "rollback" || point == "copying" || f.writer.reserve.held {
			return
		}
		fs.arm("", nil)
	}
	fs.mu.Unlock()
	f.ack(q, got[0])
	_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
	wantCode(t, "a send", err, engine.Unavailable)
	_, err = f.CreateQueue(t.Context(), engine.CreateQueueParams{Name: name("new")})
	wantCode(t, "a creation", err, engine.Unavailable)
	wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
	f.ack(q, got[1])
	if err := errors.Join(
		f.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: q.ID}),
		f.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: other.ID}),
	); err != nil {
		t.Errorf("a purge and a deletion: %v", err)
	}
	f.sweep()
	f.clock.advance(2 * reserveRetry * time.Millisecond)
	f.counts(q) // the writer looks for room after each transaction
	f.send(q, 1)
	if c := f.counts(q); c.Visible != 1 || c.InFlight != 0 {
		t.Errorf("counts are %+v, want 1 visible", c)
	}
}

// TestFullDiskBesideCommits lets the room be missing where it is not the log
// that grows: the store takes the disk for full all the same, and gives up its
// reserve, so that what is there can be removed.
func TestFullDiskBesideCommits(t *testing.T) {
	t.Parallel()
	full := sqlite3.Error{Code: sqlite3.ErrFull}
	for point, err := range map[string]sqlite3.Error{
		"copy":    full,
		"copying": full,
		// The index of a log that has grown long.
		"commit": {Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrSHMSize, SystemErrno: syscall.ENOSPC},
	} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				fs := &faults{}
				f := open(t, withFaults(fs))
				q := f.create("q")
				f.send(q, 1)
				got := f.receive(q, 1)
				fs.arm(point, err)
				_ = f.fillLog(q) // it may end before the copying does
				synctest.Wait()
				fs.arm("", nil)
				_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
				wantCode(t, "a send", err, engine.Unavailable)
				wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
				f.ack(q, got...)
			})
		})
	}
}
