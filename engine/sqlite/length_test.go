package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"queues/engine"
)

// longBody fills pages with nothing but text, which may end anywhere.
var longBody = strings.Repeat("x", 5*pageSize)

// TestCutShort takes some bytes off the end of a file, or adds some: the text in
// its last page would be delivered with zeros in it, or not at all.
func TestCutShort(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(40, longBody)}); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(f.backup())
	if err != nil {
		t.Fatal(err)
	}
	killed, _ := copyFolder(t, f.o.Dir)
	execOn(t, f.o.Dir, "PRAGMA wal_checkpoint(RESTART)")
	f.send(q, 1) // the log starts over with it
	later, _ := copyFolder(t, f.o.Dir)
	f.finish()
	closed, _ := copyFolder(t, f.o.Dir)
	f.open()
	for _, bytes := range []int64{-pageSize, -4095, -3000, -100, -1, 100} {
		t.Run(fmt.Sprintf("%+d", bytes), func(t *testing.T) {
			t.Parallel()
			// change gives a copy of a folder whose data file has so many bytes more.
			change := func(from string) string {
				dir, path := copyFolder(t, from)
				size, err := sizeOf(path)
				if err != nil {
					t.Fatal(err)
				}
				truncate(t, path, size+bytes)
				return dir
			}
			refused := func(what string, err error) {
				wantCode(t, what, err, engine.DataUnusable)
				// SQLite itself misses a whole page.
				if says := err.Error(); !strings.Contains(says, " bytes") && bytes != -pageSize ||
					!strings.Contains(says, "queues restore") && !strings.Contains(says, "take another copy") {
					t.Errorf("%s does not say what is wrong and what to do: %v", what, err)
				}
			}
			dir := change(closed)
			refused("Check", Check(t.Context(), dir))
			_, err := Open(t.Context(), Options{Dir: dir, Clock: f.clock})
			refused("Open", err)

			path := filepath.Join(t.TempDir(), "copy.db")
			overwrite(t, path, 0, copied)
			truncate(t, path, int64(len(copied))+bytes)
			refused("CheckFile", CheckFile(t.Context(), path))
			refused("Restore", Restore(t.Context(), path, Options{Dir: t.TempDir(), Clock: f.clock}))

			if bytes > 0 {
				return // its log says where it ends
			}
			_, err = Open(t.Context(), Options{Dir: change(later), Clock: f.clock})
			refused("Open beside a log", err)
		})
	}
	// All is in the log still: what a checkpoint had written when it was cut off
	// may have any length.
	for _, bytes := range []int64{100, 3*pageSize - 1, 3 * pageSize, 50*pageSize + 1} {
		dir, path := copyFolder(t, killed)
		truncate(t, path, bytes+pageSize)
		r := open(t, func(o *Options) { o.Dir, o.Clock = dir, f.clock })
		if got := r.receive(q, 50); len(got) != 40 || got[39].Body != longBody {
			t.Errorf("with %d bytes of a checkpoint there are %d messages, want 40", bytes, len(got))
		}
		r.reopen()
	}
}

// TestLogEmptied empties the log of a store that is so young that everything is
// in it. Nothing must come of it but a refusal.
func TestLogEmptied(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int64{"Empty": 0, "HeaderOnly": logHeaderSize, "NoWholeChange": 3 * pageSize} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, path := cutOff(t)
			truncate(t, path+"-wal", size)
			for range 2 {
				_, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock()})
				wantCode(t, "Open", err, engine.DataUnusable)
				for _, want := range []string{path + "-wal", "queues restore", "another folder"} {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("the error does not say %q: %v", want, err)
					}
				}
			}
			wantCode(t, "Check", Check(t.Context(), dir), engine.DataUnusable)
		})
	}
	// A server that was killed while it made the store has told nobody of it.
	dir, path := cutOff(t)
	truncate(t, path+"-wal", 0)
	truncate(t, filepath.Join(dir, LockName), 0)
	open(t, func(o *Options) { o.Dir = dir }).create("q")
}
