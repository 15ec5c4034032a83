//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/cmd/queues/load"
)

// TestMain lets the test binary be the servers that a run starts, as the
// program itself is.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && (os.Args[1] == "null" || os.Args[1] == "instant") {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
		stop()
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		err := serveFake(ctx, os.Args[2], os.Args[3:])
		stop()
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// logWriter shows a run's progress in the test's log.
type logWriter struct{ t *testing.T }

func (w logWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// TestEveryRow runs everything against the built binary, as small as it goes.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	args := []string{
		"-rounds", "2", "-duration", "50ms", "-conns", "8", "-settle", "200ms", "-window", "200ms",
		"-shallow", "100", "-deep", "500", "-busy", "10", "-polls", "50", "-wakes", "10", "-starts", "2",
		"-deepest", "3000", "-many", "20", "-standing", "200", "-mass", "2000",
	}
	b, _, err := parse(args, logWriter{t})
	if err != nil {
		t.Fatal(err)
	}
	report, err := b.whole(t.Context(), "the command")
	// Under the race detector the generator may well be the bottleneck.
	if err != nil && err.Error() != strings.Join(b.failures, "\n") {
		t.Fatal(err)
	}
	if got, want := len(b.rows), len(rowNames()); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	for _, r := range b.rows {
		// A difference may well be negative.
		if math.IsNaN(r.value) || r.measured == "" || r.value <= 0 && r.target.atLeast {
			t.Errorf("%s: measured %v", r.title, r.value)
		}
		if !bytes.Contains(report, []byte("| "+r.title+" | ")) {
			t.Errorf("%s is not in the report", r.title)
		}
	}
	for _, d := range b.details {
		if len(d.series) != b.rounds || d.over(load.Measure.JobRate) <= 0 || d.over(load.Measure.P50) <= 0 {
			t.Errorf("%s: %d rounds, %v/s, p50 %v µs", d.phase, len(d.series), d.over(load.Measure.JobRate), d.over(load.Measure.P50))
		}
	}
	checkLatencies(t, b, report)
	for _, want := range []string{"Machine: ", "the command", "| null handler |"} {
		if !bytes.Contains(report, []byte(want)) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if _, err := os.Stat(b.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder is left: %v", err)
	}
	if len(b.running) != 0 {
		t.Errorf("%d processes are left", len(b.running))
	}
}

// newTestBench is a run with nothing measured yet.
func newTestBench(t *testing.T) *bench {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{settings: shortSettings(), self: self, dir: t.TempDir(), progress: io.Discard}
	t.Cleanup(func() {
		if err := b.stopAll(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestEmptyAnswersFail(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	null, err := b.helper(t.Context(), "null")
	if err != nil {
		t.Fatal(err)
	}
	// The null handler answers everything as if it were a send.
	one, ten := null.on("q"), null.by(batchSize, "q")
	held := &load.Handles{}
	for name, newJob := range map[string]func(int) load.Job{
		"Receive":     one.Receive(held),
		"Batch":       ten.Send(),
		"Cycle":       one.Cycle(),
		"Delete":      one.Delete(held),
		"DeleteBatch": ten.Delete(held),
		"Visibility":  one.Visibility(held),
		"Attributes":  one.Attributes(),
	} {
		for _, o := range []load.Options{{Conns: 2, Jobs: 10}, {Conns: 2, Duration: time.Minute}} {
			if m, err := null.under(t.Context(), o, newJob); err == nil {
				t.Errorf("%s: counted %d jobs without effect", name, m.Jobs)
			}
		}
	}
	if _, err := null.createQueue(t.Context(), "q"); err == nil {
		t.Error("a queue was created by an answer without one")
	}
}

func TestLoadCounts(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	null, err := b.helper(t.Context(), "null")
	if err != nil {
		t.Fatal(err)
	}
	byNumber, err := null.under(t.Context(), load.Options{Conns: 4, Jobs: 101}, null.on("q").Send())
	if err != nil {
		t.Fatal(err)
	}
	if byNumber.Jobs != 101 || byNumber.Messages != 101 || byNumber.Latency.N() != 101 {
		t.Errorf("%d jobs, %d messages, %d latencies, want 101", byNumber.Jobs, byNumber.Messages, byNumber.Latency.N())
	}
	byTime, err := null.under(t.Context(), load.Options{Conns: 4, Duration: 50 * time.Millisecond}, null.on("q").Send())
	if err != nil {
		t.Fatal(err)
	}
	if byTime.Jobs == 0 || byTime.Elapsed < 50*time.Millisecond || byTime.Server <= 0 || byTime.Generator <= 0 || byTime.P99() < byTime.P50() {
		t.Errorf("got %+v", byTime)
	}
}

func TestServerThatDoesNotStart(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	script := filepath.Join(b.dir, "broken")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho no such flag >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.server, b.run = script, regexp.MustCompile("^"+rowStart+"$")
	err := b.measured(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "no such flag") {
		t.Errorf("got %v", err)
	}
}

func TestSettingsOfTheEnvironmentAreLeftOut(t *testing.T) {
	t.Parallel()
	got := withoutSettings([]string{"PATH=/bin", "QUEUES_SYNC=off", "GOGC=50"})
	if diff := cmp.Diff([]string{"PATH=/bin", "GOGC=50"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	b, file, err := parse([]string{"-rounds", "7", "-short", "-run", "^start$", "-o", "x.md"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if b.rounds != 7 || b.polls != shortSettings().polls || file != "x.md" || !b.wants(rowStart) || b.wants(rowIdle) {
		t.Errorf("got %+v, %q", b.settings, file)
	}
	for name, args := range map[string][]string{
		"Flag":     {"-nonsense"},
		"Argument": {"nonsense"},
		"Regexp":   {"-run", "("},
		"Rounds":   {"-rounds", "0"},
		"Duration": {"-duration", "0s"},
		"Shallow":  {"-shallow", "10"},
		"Window":   {"-window", "1m"},
		"Deepest":  {"-deepest", "10000"},
		"Many":     {"-many", "0"},
		"Standing": {"-standing", "100001"},
		"Mass":     {"-mass", "0"},
	} {
		if _, _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, _, err := parse([]string{"-h"}, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("help: %v", err)
	}
	none := newTestBench(t)
	none.run = regexp.MustCompile("no such row")
	if err := none.measured(t.Context()); err == nil {
		t.Error("a run without rows succeeds")
	}
}

func TestGeneratorIsChecked(t *testing.T) {
	t.Parallel()
	turn := func(messages int64, server, generator time.Duration) series {
		return series{{Elapsed: time.Second, Jobs: 1000, Messages: messages, Server: server, Generator: generator}}
	}
	tests := map[string]struct {
		null, sends series
		want        int
	}{
		"Fine":           {turn(2000, time.Second, 0), turn(1000, time.Second, time.Second/2), 0},
		"CostlyRequests": {turn(2000, time.Second, 0), turn(1000, time.Second, 2*time.Second), 1},
		"NullNoFaster":   {turn(1100, time.Second, 0), turn(1000, time.Second, time.Second/2), 1},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bench{progress: io.Discard}
			b.checkNull(tc.null, tc.sends)
			b.checkGenerator("a phase", tc.sends)
			if len(b.failures) != tc.want {
				t.Errorf("failures %q, want %d", b.failures, tc.want)
			}
		})
	}
}

// A run whose figures are worthless fails, and says why in its report.
func TestFailuresFailTheRun(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	b.rows = []row{{title: "A row"}}
	b.server, b.run = os.Args[0], regexp.MustCompile("^$")
	b.fail("the generator is too slow")
	report, err := b.whole(t.Context(), "the command")
	if err == nil || !strings.Contains(err.Error(), "too slow") || !bytes.Contains(report, []byte("**Failure:** the generator is too slow.")) {
		t.Errorf("got %v and\n%s", err, report)
	}
}
