package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What a killed "queues dev" left is removed once it is old; what somebody has
// locked, has put there or that only looks like it stays.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	now := time.Now()
	folder := func(name string, age time.Duration, files ...string) string {
		t.Helper()
		dir := filepath.Join(parent, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(dir, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	const old, young = 2 * time.Hour, time.Minute
	elsewhere := folder("elsewhere", old, "lock", "queues.db")
	link := filepath.Join(parent, "queues-dev-6")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	locked := folder("queues-dev-3", old, "lock", "queues.db")
	lock, err := os.Open(filepath.Join(locked, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	nested := folder("queues-dev-7", old, "lock")
	if err := os.Mkdir(filepath.Join(nested, "mine"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(nested, now, now.Add(-old)); err != nil {
		t.Fatal(err)
	}
	gone := []string{folder("queues-dev-1", old, "lock", "queues.db", "queues.db-wal", "reserve"), folder("queues-dev-2", old)}
	kept := []string{
		elsewhere, link, locked, nested, filepath.Join(elsewhere, "queues.db"),
		folder("queues-dev-4", young, "lock", "queues.db"), folder("queues-dev-5", young),
		folder("queues-dev-8", old, "notes.txt"), folder("queues-dev-mine", old, "lock"),
	}
	removeLeftovers(parent, now)
	for _, path := range gone {
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	for _, path := range kept {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s is gone: %v", path, err)
		}
	}
	removeLeftovers(filepath.Join(parent, "none"), now)
}
