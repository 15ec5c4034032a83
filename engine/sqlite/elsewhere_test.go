package sqlite

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"queues/engine"
)

// elsewhereDir tells a child process which folder it is to open and hold.
const elsewhereDir = "QUEUES_ELSEWHERE_DIR"

// TestOpenElsewhere takes the lock file from under a store of another process:
// the data must not be opened a second time.
func TestOpenElsewhere(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(elsewhereDir); dir != "" {
		if _, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock(), Sync: Off}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("open")
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent lets go
		os.Exit(0)
	}
	f := open(t)
	q := f.create("q")
	f.send(q, 3)
	f.finish()
	stdin, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd, out := startChild(t, elsewhereDir+"="+f.o.Dir, stdin)
	_ = stdin.Close() // the child has it
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "open\n" {
		t.Fatalf("the child says %q (%v)", line, err)
	}
	if err := os.Remove(filepath.Join(f.o.Dir, LockName)); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), f.o)
	wantCode(t, "Open of what another process has open", err, engine.DataInUse)
	if !strings.Contains(err.Error(), fmt.Sprintf("pid %d", cmd.Process.Pid)) {
		t.Errorf("the error does not name the process: %v", err)
	}
	_ = hold.Close()
	_, _ = io.Copy(io.Discard, lines)
	_ = cmd.Wait()
	f.open()
	if c := f.counts(q); c.Visible != 3 {
		t.Errorf("counts are %+v, want 3 visible", c)
	}
}

// TestLinkedData opens one data file through two folders: that it is the same
// must be noticed, whichever comes first.
func TestLinkedData(t *testing.T) {
	t.Parallel()
	f := open(t)
	real := f.o
	linked := Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
	if err := os.Symlink(f.path(), filepath.Join(linked.Dir, DataName)); err != nil {
		t.Fatal(err)
	}
	refused := func(o Options) {
		t.Helper()
		s, err := Open(t.Context(), o)
		if err == nil {
			_ = s.Close()
			t.Fatal("a second store has the same data")
		}
		wantCode(t, "a second Open", err, engine.DataInUse)
	}
	refused(linked)
	wantCode(t, "Check beside a store", Check(t.Context(), linked.Dir), engine.DataInUse)
	f.finish()
	f.o = linked
	f.open()
	refused(real)
}

// TestCrashOfLinkedData opens, through a link to its data file, what a killed
// server has left: the log is beside the file and not beside the link.
func TestCrashOfLinkedData(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.send(f.create("q"), 3)
	dir := copyData(t, f.o.Dir)
	mark, err := os.ReadFile(filepath.Join(f.o.Dir, LockName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, LockName), mark, 0o600); err != nil {
		t.Fatal(err)
	}
	linked := open(t, func(o *Options) { o.Clock = f.clock }) // a folder of its own
	linked.finish()
	for _, file := range []string{DataName, DataName + "-wal", DataName + "-shm"} {
		_ = os.Remove(filepath.Join(linked.o.Dir, file))
	}
	if err := os.Symlink(filepath.Join(dir, DataName), filepath.Join(linked.o.Dir, DataName)); err != nil {
		t.Fatal(err)
	}
	linked.open()
	q, err := linked.FindQueue(t.Context(), name("q"))
	if err != nil {
		t.Fatal(err)
	}
	if c := linked.counts(q); c.Visible != 3 {
		t.Errorf("counts are %+v, want 3 visible", c)
	}
}
