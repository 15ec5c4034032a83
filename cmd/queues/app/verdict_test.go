package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is damaged is told, by an exit code too.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	r := run(t, c)
	file := filepath.Join(t.TempDir(), "copy.db")
	wantExit(t, 0, "", "backup", "--admin", r.AdminAddr(), file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	wantExit(t, 1, "queues: "+file+" is damaged: do not use it; take another copy\n", "check", file)
	wantExit(t, 1, "not restored", "restore", file, "--data", filepath.Join(t.TempDir(), "d"))
	wantExit(t, 3, "does not exist", "check", file+"x")
	wantExit(t, 1, "missing", "check", brokenFolder(t))
	wantExit(t, 2, "", "check")
	wantExit(t, 2, "is empty", "check", "")
	wantExit(t, 2, "--data", "restore", file, "--data", "")
	wantExit(t, 2, "is empty", "restore", "")
	wantExit(t, 0, "Exit status", "check", "--help")
}

// A check says first what it means for who asks, then what was found, in so
// many lines and without the advice to check.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	r := run(t, c)
	r.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "")
	good := filepath.Join(t.TempDir(), "copy.db")
	wantExit(t, 0, "", "backup", "--admin", r.AdminAddr(), good)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		// make puts something at a path, in an empty folder.
		make  func(path string) error
		code  int
		first string
	}{
		"HolesInACopy": {func(path string) error { return os.WriteFile(path, holes(whole), 0o600) }, 1, "%s is damaged: do not use it; take another copy"},
		"HolesInData": {func(path string) error {
			return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "queues.db"), holes(whole), 0o600))
		}, 1, "%s is damaged: serve from it no more, and restore a backup with \"queues restore\" into another folder"},
		"Foreign":     {func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("x"), 8192), 0o600) }, 1, "%s is no whole copy: do not use it; take another"},
		"Empty":       {func(path string) error { return os.WriteFile(path, nil, 0o600) }, 1, "%s is no whole copy: do not use it; take another"},
		"EmptyFolder": {func(path string) error { return os.Mkdir(path, 0o700) }, 3, "there is no data in %s"},
		"OnlyALock": {func(path string) error {
			return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "lock"), nil, 0o600))
		}, 3, "there is no data in %s"},
		"WithLog": {func(path string) error {
			return errors.Join(os.WriteFile(path, whole, 0o600), os.WriteFile(path+"-wal", []byte("x"), 0o600))
		}, 3, "%s could not be looked at: the file %s has a log beside it"},
		"Nothing": {func(string) error { return nil }, 3, "%s does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x.db")
			if err := test.make(path); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := execute(t, "check", path)
			want := "queues: " + strings.ReplaceAll(test.first, "%s", path)
			if code != test.code || stdout != "" || !strings.HasPrefix(stderr, want) {
				t.Errorf("exit %d, want %d and %q:\n%s", code, test.code, want, stderr)
			}
			if n := strings.Count(stderr, "\n"); n > maxDetails+2 || strings.Contains(stderr, "queues check") || test.code == 1 && n < 2 {
				t.Errorf("%d lines:\n%s", n, stderr)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if code := Execute(ctx, []string{"check", good}, &out, &out); code != 3 || !strings.Contains(out.String(), "stopped before its end") {
		t.Errorf("stopped: exit %d: %s", code, &out)
	}
}

// holes is a database with all but its first pages overwritten.
func holes(whole []byte) []byte {
	const first = 2 * 4096
	return append(slices.Clone(whole[:first]), bytes.Repeat([]byte{0xff}, len(whole)-first)...)
}

// brokenFolder is a data folder without its data.
func brokenFolder(t *testing.T) string {
	t.Helper()
	c := onFreePorts(t)
	if err := run(t, c).end(t); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(c.Data, "queues.db")); err != nil {
		t.Fatal(err)
	}
	return c.Data
}

// However much was found, it is told in few lines.
func TestDetailsAreBounded(t *testing.T) {
	t.Parallel()
	var found []error
	for i := range 24 {
		found = append(found, fmt.Errorf("finding %d", i))
	}
	got := verdict("copy.db", false, errors.Join(errors.Join(found[:3]...), errors.Join(found[3:]...))).Error()
	if strings.Count(got, "\n") != maxDetails+1 || !strings.Contains(got, "\n  finding 9\n") || !strings.HasSuffix(got, "\n  and 14 more") {
		t.Errorf("got %s", got)
	}
}
