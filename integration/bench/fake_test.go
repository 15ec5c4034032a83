//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"queues/cmd/queues/load"
)

// The kinds of server that TestMain can be, under the name of a real one.
const (
	fakeSlow   = "slow"   // starts later than the target allows
	fakeBroken = "broken" // makes queues and fails at everything else
	fakeEmpty  = "empty"  // makes queues and answers everything else with nothing
	fakeIdle   = "idle"   // makes queues and says of everything else that it is done
)

// serveFake is a server of a kind, started with the command line of a real one.
func serveFake(ctx context.Context, kind string, args []string) error {
	at := slices.Index(args, "--listen")
	if at < 0 || at+1 == len(args) {
		return errors.New("no --listen")
	}
	if kind == fakeSlow {
		if err := load.Pause(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
	return serveHTTP(ctx, args[at+1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch action := r.Header.Get("X-Amz-Target"); {
		case strings.HasSuffix(action, ".CreateQueue"):
			_, _ = io.WriteString(w, `{"QueueUrl":"http://localhost/000000000000/q"}`)
		case kind == fakeBroken && !strings.HasSuffix(action, ".ListQueues"):
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, `{"__type":"InternalError"}`)
		case kind == fakeIdle:
			w.WriteHeader(http.StatusOK)
		default:
			_, _ = io.WriteString(w, `{}`)
		}
	}))
}

// fake is a binary for -server that is one of the fakes.
func fake(t *testing.T, kind string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "queues")
	// A process that is forked while the script is open for writing would keep it
	// so, and a file that is being written cannot be run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\nexec '%s' fake %s \"$@\"\n", self, kind), 0o755); err != nil {
		t.Fatal(err)
	}
	return script
}

// A missed target fails a run, and what was missed is the last thing said.
func TestMissedTargetFailsTheRun(t *testing.T) {
	t.Parallel()
	binary := fake(t, fakeSlow)
	args := []string{"-server", binary, "-run", "^start$", "-starts", "1"}
	var out bytes.Buffer
	err := run(t.Context(), args, &out, io.Discard)
	if err == nil {
		t.Fatalf("a missed target lets the run succeed:\n%s", out.String())
	}
	lines := strings.Split(err.Error(), "\n")
	if last := lines[len(lines)-1]; len(lines) < 2 || lines[len(lines)-2] != "1 of 1 rows missed their target:" ||
		!strings.HasPrefix(last, "  Start to first answer, empty store: ") || !strings.HasSuffix(last, "the target is ≤ 100 ms") {
		t.Errorf("the error ends with %q", lines)
	}
	if !strings.Contains(out.String(), "| "+verdictMissed+" |") {
		t.Errorf("the table lacks the verdict:\n%s", out.String())
	}
	out.Reset()
	if err := run(t.Context(), append(args, "-report-only"), &out, io.Discard); err != nil {
		t.Errorf("with -report-only: %v", err)
	}
	if !strings.Contains(out.String(), "| "+verdictMissed+" |") {
		t.Errorf("with -report-only the table lacks the verdict:\n%s", out.String())
	}
}

// Errors and answers without effect fail a run, whatever is said about targets.
func TestWorkThatWasNotDoneFailsTheRun(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ kind, rows, want string }{
		"Errors":        {fakeBroken, "^send-batch$", "status 500"},
		"EmptySends":    {fakeEmpty, "^send-batch$", load.ErrEmpty.Error()},
		"EmptyBatches":  {fakeEmpty, "^depth$", "0 of 10 entries succeeded"},
		"NoList":        {fakeEmpty, "^many-list$", "names no queue"},
		"NoAttributes":  {fakeEmpty, "^many-counts$", "names no queue"},
		"NoCheckpoints": {fakeEmpty, "^checkpoint$", load.ErrEmpty.Error()},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), []string{"-short", "-report-only", "-many", "5", "-server", fake(t, tc.kind), "-run", tc.rows}, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func TestListsAreCounted(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	null, err := b.helper(t.Context(), "null")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := null.under(t.Context(), load.Options{Conns: 2, Jobs: 10}, null.lists("listed-", 3)); err == nil {
		t.Errorf("counted %d lists without queues", m.Jobs)
	}
}

func TestMissedRows(t *testing.T) {
	t.Parallel()
	rows := []row{
		{"Good", atMost(2, 1, "≤ 2"), 2, "2"},
		{"NoTarget", target{}, 9, "9"},
		{"Bad", atLeast(3, 0, "≥ 3"), 2.9, "2.9 of it"},
		{"Worse", atMost(1, 0, "≤ 1"), 4, "4"},
	}
	const want = "2 of 4 rows missed their target:\n  Bad: 2.9 of it, the target is ≥ 3\n  Worse: 4, the target is ≤ 1"
	if err := missed(rows); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := missed(rows[:2]); err != nil {
		t.Errorf("got %v for rows that pass", err)
	}
}
