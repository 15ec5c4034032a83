package sqlite

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"queues/engine"
)

// TestOldHandles takes a copy, lets the original go on, and uses everything
// that was given out before and after on the store made of the copy.
func TestOldHandles(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	f.send(q, 4) // m0 to m3
	before := f.receive(q, 2)
	path := f.backup()

	// The original goes on: m0 and m1 time out and are received again, m2 and m3
	// for the first time, and what was sent since too.
	f.clock.advance(time.Minute)
	if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(3, "later")}); err != nil {
		t.Fatal(err)
	}
	after := f.receive(q, 10)
	if len(after) != 7 {
		t.Fatalf("the original gave %d messages, want 7", len(after))
	}
	last := after[6].Sequence

	f.clock.advance(time.Minute)
	r := restored(t, path, f.clock)
	outcomes, err := r.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: refs(before[:1])})
	if err != nil || outcomes[0] != nil {
		t.Errorf("the handle of a receive that the copy knows: %v, %v", outcomes, err)
	}
	sent, err := r.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(4, "new")})
	if err != nil {
		t.Fatal(err)
	}
	if sent[0].Sequence <= last {
		t.Errorf("sequence %d was given again: the original had come to %d", sent[0].Sequence, last)
	}
	held := r.receive(q, 10)
	if len(held) != 7 {
		t.Fatalf("the restored store gave %d messages, want 7: %v", len(held), bodies(held))
	}
	old := append(refs(before[1:]), refs(after)...)
	want := r.counts(q)
	for name, stale := range map[string]engine.StaleRule{"Fails": engine.StaleFails, "Ignored": engine.StaleIgnored, "Acts": engine.StaleActs} {
		if _, err := r.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: old, Stale: stale}); err != nil {
			t.Fatal(err)
		}
		p := engine.ChangeVisibilityParams{Queue: q.ID, Stale: stale}
		for _, ref := range old {
			p.Changes = append(p.Changes, engine.Change{Ref: ref})
		}
		outcomes, err := r.ChangeVisibility(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for i, outcome := range outcomes {
			if outcome == nil && stale == engine.StaleActs {
				t.Errorf("%s: old handle %d changed a visibility", name, i)
			}
		}
		if got := r.counts(q); got != want {
			t.Fatalf("%s: old handles made %+v of %+v", name, got, want)
		}
	}
	r.ack(q, held...)

	// On messages sent here since, an earlier handle acts as ever.
	r.clock.advance(time.Minute)
	if _, err := r.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, "own")}); err != nil {
		t.Fatal(err)
	}
	first := r.receive(q, 1)
	r.clock.advance(time.Minute)
	r.receive(q, 1)
	outcomes, err = r.ChangeVisibility(t.Context(), engine.ChangeVisibilityParams{
		Queue: q.ID, Stale: engine.StaleActs, Changes: []engine.Change{{Ref: first[0].Ref}},
	})
	if err != nil || outcomes[0] != nil || r.counts(q).Visible != 1 {
		t.Errorf("an earlier handle of a message of its own: %v, %v, %+v", outcomes, err, r.counts(q))
	}
}

// TestTwoRestores makes two stores of one copy: what one gives out means
// nothing to the other.
func TestTwoRestores(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	path := f.backup()
	one := restored(t, path, f.clock)
	one.send(q, 2)
	got := one.receive(q, 2)
	f.clock.advance(time.Second)
	two := restored(t, path, f.clock)
	two.send(q, 2)
	held := two.receive(q, 2)
	if _, err := two.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: refs(got), Stale: engine.StaleActs}); err != nil {
		t.Fatal(err)
	}
	if c := two.counts(q); c.InFlight != 2 {
		t.Errorf("handles of another restore made %+v", c)
	}
	two.ack(q, held...)
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	source := open(t)
	source.send(source.create("q"), 3)
	good := source.backup()
	write := func(t *testing.T, dir, name string, content []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	read := func(t *testing.T) []byte {
		t.Helper()
		b, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, tc := range map[string]struct {
		// prepare may change the folder, and gives the file to restore.
		prepare func(t *testing.T, dir string) string
		code    engine.Code
		advice  string
	}{
		"DataThere": {func(t *testing.T, dir string) string { write(t, dir, DataName, nil); return good }, engine.DataUnusable, "not overwritten"},
		"LogThere":  {func(t *testing.T, dir string) string { write(t, dir, DataName+"-wal", nil); return good }, engine.DataUnusable, "not overwritten"},
		"AllThere": {func(t *testing.T, dir string) string {
			for _, end := range []string{"", "-wal", "-journal", "-shm"} {
				write(t, dir, DataName+end, nil)
			}
			return good
		}, engine.DataUnusable, "/queues.db-wal and "},
		"NoFile": {func(_ *testing.T, dir string) string { return filepath.Join(dir, "none") }, engine.DataUnusable, "cannot be copied"},
		"Folder": {func(_ *testing.T, dir string) string { return dir }, engine.DataUnusable, "is not a file"},
		"Device": {func(*testing.T, string) string { return "/dev/zero" }, engine.DataUnusable, "is not a file"},
		"Pipe": {func(t *testing.T, dir string) string {
			path := filepath.Join(dir, "pipe")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, engine.DataUnusable, "is not a file"},
		"Empty":      {func(t *testing.T, dir string) string { return write(t, dir, "x", nil) }, engine.DataUnusable, "empty"},
		"NoDatabase": {func(t *testing.T, dir string) string { return write(t, dir, "x", make([]byte, 10_000)) }, engine.DataUnusable, "take another copy"},
		"Truncated":  {func(t *testing.T, dir string) string { return write(t, dir, "x", read(t)[:5*pageSize]) }, engine.DataUnusable, "take another copy"},
		"WithLog": {func(t *testing.T, dir string) string {
			write(t, dir, "x-wal", []byte("log"))
			return write(t, dir, "x", read(t))
		}, engine.DataUnusable, "no finished copy"},
		// Each is a whole copy in truth, which its name does not promise.
		"NeverSent":     {func(t *testing.T, dir string) string { return write(t, dir, backupName, read(t)) }, engine.DataUnusable, "never finished"},
		"NeverRestored": {func(t *testing.T, dir string) string { return write(t, dir, restoreName, read(t)) }, engine.DataUnusable, "never finished"},
		"NeverPlaced": {func(t *testing.T, dir string) string {
			path := write(t, dir, ".queues-backup-1234.tmp", read(t))
			if err := CheckFile(t.Context(), path); err == nil || !strings.Contains(err.Error(), "never finished") {
				t.Errorf("CheckFile gave %v, want it refused", err)
			}
			return path
		}, engine.DataUnusable, "never finished"},
		"BrokenRules": {func(t *testing.T, dir string) string {
			path := write(t, dir, "x", read(t))
			c, err := openConn(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.exec("UPDATE queue_state SET fresh = 77 WHERE number = 1"); err != nil {
				t.Fatal(err)
			}
			if err := c.close(); err != nil {
				t.Fatal(err)
			}
			return path
		}, engine.DataUnusable, "counters that differ"},
		"Newer": {func(t *testing.T, dir string) string {
			path := write(t, dir, "x", read(t))
			c, err := openConn(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.exec("PRAGMA user_version = 99"); err != nil {
				t.Fatal(err)
			}
			if err := c.close(); err != nil {
				t.Fatal(err)
			}
			return path
		}, engine.DataNewer, "newer version"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			from := tc.prepare(t, dir)
			before := filesIn(t, dir)
			err := Restore(t.Context(), from, Options{Dir: dir, Clock: newTestClock()})
			wantCode(t, "Restore", err, tc.code)
			if !strings.Contains(err.Error(), tc.advice) {
				t.Errorf("the error does not say %q: %v", tc.advice, err)
			}
			if after := filesIn(t, dir); !maps.Equal(after, before) {
				t.Errorf("the folder has %v, had %v", after, before)
			}
		})
	}
	err := Restore(t.Context(), good, source.o)
	wantCode(t, "Restore beside a store", err, engine.DataInUse)
	t.Run("NewFolder", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		err := Restore(t.Context(), write(t, dir, "x", read(t)[:5*pageSize]), Options{Dir: filepath.Join(dir, "new", "data"), Clock: newTestClock()})
		wantCode(t, "Restore", err, engine.DataUnusable)
		if after := filesIn(t, dir); len(after) != 1 {
			t.Errorf("the folder has %v, had the copy", after)
		}
	})
	t.Run("LockThere", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, LockName, nil)
		err := Restore(t.Context(), filepath.Join(dir, "none"), Options{Dir: dir, Clock: newTestClock()})
		wantCode(t, "Restore", err, engine.DataUnusable)
		if !filesIn(t, dir)[LockName] {
			t.Error("the lock was removed, which was there before")
		}
	})
}

// filesIn gives the names in a folder.
func filesIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, entry := range entries {
		names[entry.Name()] = true
	}
	return names
}
