package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"queues/engine"
)

// backup makes a copy of the store in a file.
func (f *fixture) backup() (path string) {
	f.t.Helper()
	c, err := f.Backup(f.t.Context())
	if err != nil {
		f.t.Fatalf("Backup: %v", err)
	}
	path = filepath.Join(f.t.TempDir(), "copy.db")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		f.t.Fatal(err)
	}
	n, err := io.Copy(file, c)
	if err := errors.Join(err, file.Close(), c.Close()); err != nil {
		f.t.Fatal(err)
	}
	if n != c.Size {
		f.t.Errorf("the copy has %d bytes and says %d", n, c.Size)
	}
	return path
}

// restored opens a store of a copy in a folder of its own.
func restored(t *testing.T, path string, clock *testClock) *fixture {
	t.Helper()
	o := Options{Dir: filepath.Join(t.TempDir(), "restored"), Clock: clock, Sync: Off}
	if err := Restore(t.Context(), path, o); err != nil {
		t.Fatalf("Restore: %v", err)
	}
	f := &fixture{t: t, clock: clock, o: o}
	f.open()
	t.Cleanup(f.finish)
	return f
}

// noLeftovers wants nothing in the folder but what a store has.
func (f *fixture) noLeftovers() {
	f.t.Helper()
	for _, pattern := range leftovers {
		if paths, err := filepath.Glob(filepath.Join(f.o.Dir, pattern)); err != nil || len(paths) > 0 {
			f.t.Errorf("%v, %v are left", paths, err)
		}
	}
}

// TestBackupUnderLoad makes copies while messages come and go. What was
// acknowledged before one began is in it as it was, and it is a whole store.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	f := open(t)
	q, fifo := f.create("q"), f.createFIFO("q.fifo")
	f.send(q, 3000)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var workers sync.WaitGroup
	var mu sync.Mutex
	sent, gone := 0, make(map[uint64]bool)
	for worker := range 2 {
		workers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				body := fmt.Sprintf("%d.%d", worker, n)
				p := engine.SendParams{Queue: q.ID, Messages: messages(1, body)}
				if worker == 1 {
					p.Queue = fifo.ID
					p.Messages[0].Group, p.Messages[0].Dedup = "g", body
				}
				if _, err := f.Send(context.Background(), p); err != nil {
					t.Errorf("Send: %v", err)
					return
				}
				r, err := f.Receive(context.Background(), engine.ReceiveParams{Queue: q.ID, Max: 1})
				if err != nil {
					t.Errorf("Receive: %v", err)
					return
				}
				if _, err := f.Acknowledge(context.Background(), engine.AcknowledgeParams{Queue: q.ID, Refs: refs(r.Messages)}); err != nil {
					t.Errorf("Acknowledge: %v", err)
					return
				}
				mu.Lock()
				if worker == 1 {
					sent++
				}
				for _, d := range r.Messages { // none where copies take longer than the messages last
					gone[d.Sequence] = true
				}
				mu.Unlock()
			}
		})
	}
	for range 5 {
		mu.Lock()
		sentBefore, goneBefore := sent, maps.Clone(gone)
		mu.Unlock()
		path := f.backup()
		f.noLeftovers()
		if err := CheckFile(t.Context(), path); err != nil {
			t.Fatalf("the copy is broken: %v", err)
		}
		r := restored(t, path, f.clock)
		if c := r.counts(fifo); c.Visible+c.InFlight < int64(sentBefore) {
			t.Errorf("the copy has %+v messages, %d were sent before it", c, sentBefore)
		}
		for _, d := range r.receive(q, 100_000) {
			if goneBefore[d.Sequence] {
				t.Errorf("%d was acknowledged before the copy and is in it", d.Sequence)
			}
		}
	}
	stop()
	workers.Wait()
	if sent == 0 {
		t.Error("nothing happened meanwhile")
	}
}

// TestBackupEnds lets a copy be cut off in every way.
func TestBackupEnds(t *testing.T) {
	t.Parallel()
	t.Run("CallerGone", func(t *testing.T) {
		t.Parallel()
		f := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := f.Backup(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Backup gave %v, want a cancellation", err)
		}
		f.backup()
	})
	t.Run("OneAtATime", func(t *testing.T) {
		t.Parallel()
		f := open(t)
		c, err := f.Backup(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Backup(t.Context())
		wantCode(t, "a second backup", err, engine.Overloaded)
		if err := errors.Join(c.Close(), c.Close()); err != nil {
			t.Errorf("Close: %v", err)
		}
		f.backup()
	})
	t.Run("FullDisk", func(t *testing.T) {
		t.Parallel()
		f := open(t)
		q := f.create("q")
		f.send(q, 1)
		c, err := f.Backup(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f.scarce.Store(true)
		_, err = c.Read(make([]byte, 1))
		wantCode(t, "reading on", err, engine.Unavailable)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = f.Backup(t.Context())
		wantCode(t, "a backup", err, engine.Unavailable)
		f.noLeftovers()
		f.ack(q, f.receive(q, 1)...)
		f.scarce.Store(false)
		f.backup()
	})
	t.Run("Closed", func(t *testing.T) {
		t.Parallel()
		f := open(t)
		f.reopen()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := f.Backup(t.Context())
		wantCode(t, "a backup", err, engine.Closed)
	})
	t.Run("Killed", func(t *testing.T) {
		t.Parallel()
		f := open(t)
		f.finish()
		for _, name := range []string{backupName, backupName + "-wal", restoreName, restoreName + "-journal"} {
			if err := os.WriteFile(filepath.Join(f.o.Dir, name), []byte("half"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f.open()
		f.noLeftovers()
	})
}

// TestLogAfterBackup holds that the log does not stay long once a copy is made.
func TestLogAfterBackup(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	c, err := f.Backup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 40 {
		p := engine.SendParams{Queue: q.ID, Messages: messages(1000, strings.Repeat("x", 1024))}
		if _, err := f.Send(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(f.path() + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > walWanted/2 {
		t.Errorf("the log has %d bytes beside a copy that is only read", info.Size())
	}
}

// TestRestoredOnce opens a copy twice: it is renewed by the first.
func TestRestoredOnce(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.send(f.create("q"), 1)
	r := restored(t, f.backup(), f.clock)
	first := r.writer.renewed
	if want := toMS(f.clock.Now()) << renewalShift; first != want || r.writer.nextID != want {
		t.Errorf("ids go on from %d (%d), want %d", r.writer.nextID, first, want)
	}
	f.clock.advance(time.Hour)
	r.reopen()
	if r.writer.renewed != first || r.writer.nextID != first {
		t.Errorf("a second opening moved the ids to %d (%d)", r.writer.nextID, r.writer.renewed)
	}
	if mode, err := r.writer.conn.text("PRAGMA journal_mode"); err != nil || mode != "wal" {
		t.Errorf("the journal mode is %s, %v", mode, err)
	}
}
