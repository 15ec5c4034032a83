package sqlite

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"queues/engine"
)

// TestFilesGone takes the files of a store away while it runs: nothing new is
// stored soon after, whether readiness is asked or not, and what is there can be
// saved. The log says it once.
func TestFilesGone(t *testing.T) {
	t.Parallel()
	other := name("other")
	for name, file := range map[string]string{"Data": DataName, "Log": DataName + "-wal", "Lock": LockName} {
		for how, notice := range map[string]func(f *fixture, q *engine.Queue){
			"Writing": func(f *fixture, q *engine.Queue) {
				for range walLook {
					f.receive(q, 0)
				}
			},
			"Waiting": func(f *fixture, q *engine.Queue) {
				f.clock.advance(lookEvery * time.Millisecond)
				f.receive(q, 0)
			},
			"Readiness": func(f *fixture, _ *engine.Queue) {
				wantCode(f.t, "Health", f.Health(f.t.Context()), engine.Unavailable)
			},
		} {
			t.Run(name+how, func(t *testing.T) {
				t.Parallel()
				var log bytes.Buffer
				f := open(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
				q := f.create("q")
				f.send(q, 3)
				path := filepath.Join(f.o.Dir, file)
				away := filepath.Join(t.TempDir(), file)
				if err := os.Rename(path, away); err != nil {
					t.Fatal(err)
				}
				notice(f, q)
				for range 3 {
					_, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "")})
					wantCode(t, "a send", err, engine.Unavailable)
					_, err = f.CreateQueue(t.Context(), engine.CreateQueueParams{Name: other})
					wantCode(t, "a creation", err, engine.Unavailable)
					wantCode(t, "Health", f.Health(t.Context()), engine.Unavailable)
				}
				got := f.receive(q, 2)
				if len(got) != 2 {
					t.Fatalf("received %d messages, want 2", len(got))
				}
				f.ack(q, got[0])

				if err := os.Rename(away, path); err != nil {
					t.Fatal(err)
				}
				if err := f.Health(t.Context()); err != nil {
					t.Errorf("Health with the file back in its place: %v", err)
				}
				f.send(q, 1)
				if c := f.counts(q); c.Visible != 2 || c.InFlight != 1 {
					t.Errorf("counts are %+v, want 2 visible and 1 in flight", c)
				}
				f.finish() // nothing writes to the log any more
				if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(), path) {
					t.Errorf("there are %d errors in the log, want one that names %s: %s", n, path, log.String())
				}
			})
		}
	}
}

// TestBackupOfFilesGone wants no copy of a store whose files are gone, and no
// new ones in their place: a start must see that they are missing.
func TestBackupOfFilesGone(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"Data": DataName, "Log": DataName + "-wal"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{t: t, clock: newTestClock()}
			f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
			f.open()
			f.send(f.create("q"), 3)
			path := filepath.Join(f.o.Dir, file)
			remove(t, path)
			_, err := f.Backup(t.Context())
			wantCode(t, "Backup", err, engine.Unavailable)
			if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "stop the server") {
				t.Errorf("the error does not say what is gone and what to do: %v", err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("after the backup the file is there: %v", err)
			}
			killed, _ := copyFolder(t, f.o.Dir)
			_, err = Open(t.Context(), Options{Dir: killed, Clock: f.clock})
			wantCode(t, "Open after a kill", err, engine.DataUnusable)
			if err := f.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}
