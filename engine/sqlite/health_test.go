package sqlite

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// TestHealthOfLostData wants a store to say that it is not well.
func TestHealthOfLostData(t *testing.T) {
	t.Parallel()
	t.Run("Removed", func(t *testing.T) {
		t.Parallel()
		f := &fixture{t: t, clock: newTestClock()}
		f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
		f.open()
		q := f.create("q")
		f.send(q, 1)
		if err := f.Health(t.Context()); err != nil {
			t.Fatalf("Health: %v", err)
		}
		remove(t, f.path())
		wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
		if got := f.receive(q, 1); len(got) != 1 {
			t.Errorf("received %d messages, want what can still be saved", len(got))
		}
		overwrite(t, f.path(), 0, []byte("another"))
		wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
		if err := f.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	t.Run("LogRemoved", func(t *testing.T) {
		t.Parallel()
		f := open(t)
		q := f.create("q")
		f.send(q, 3)
		if err := f.Health(t.Context()); err != nil {
			t.Fatalf("Health: %v", err)
		}
		remove(t, f.path()+"-wal")
		wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
		overwrite(t, f.path()+"-wal", 0, []byte("another"))
		wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
		remove(t, f.path()+"-wal")
		f.reopen() // as the advice says
		if c := f.counts(q); c.Visible != 3 {
			t.Errorf("%d messages are left, want 3", c.Visible)
		}
		if err := f.Health(t.Context()); err != nil {
			t.Errorf("Health after it: %v", err)
		}
	})
	t.Run("LockRemoved", func(t *testing.T) {
		t.Parallel()
		f := open(t)
		remove(t, filepath.Join(f.o.Dir, LockName))
		wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
		overwrite(t, filepath.Join(f.o.Dir, LockName), 0, nil)
		wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
		f.reopen()
		if err := f.Health(t.Context()); err != nil {
			t.Errorf("Health after it: %v", err)
		}
	})
	t.Run("Unreadable", func(t *testing.T) {
		t.Parallel()
		for name, timeout := range map[string]time.Duration{"Hidden": time.Minute, "Visible": 0} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := &fixture{t: t, clock: newTestClock()}
				f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
				f.open()
				q := f.create("q")
				f.send(q, 3)
				execOn(t, f.o.Dir, "UPDATE messages SET meta = x'01' WHERE id = 2")
				if err := f.Health(t.Context()); err != nil {
					t.Fatalf("Health: %v", err)
				}
				r, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 3, Visibility: &timeout})
				if err != nil || len(r.Messages) != 2 {
					t.Errorf("received %d messages, %v, want the two that can be read", len(r.Messages), err)
				}
				err = f.Health(t.Context())
				wantCode(t, "Health", err, engine.Unavailable)
				if !strings.Contains(err.Error(), adviceRestore) {
					t.Errorf("no advice in %v", err)
				}
				if err := f.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
		}
	})
	t.Run("Damaged", func(t *testing.T) {
		t.Parallel()
		fs := &faults{}
		f := open(t, withFaults(fs))
		q := f.create("q")
		fs.arm("commit", sqlite3.Error{Code: sqlite3.ErrCorrupt})
		_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
		wantCode(t, "the send", err, engine.Unavailable)
		fs.arm("", nil)
		f.send(q, 1) // what can be served is
		err = f.Health(t.Context())
		wantCode(t, "Health", err, engine.Unavailable)
		if !strings.Contains(err.Error(), adviceRestore) {
			t.Errorf("no advice in %v", err)
		}
	})
}
