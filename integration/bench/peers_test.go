//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"queues/cmd/queues/load"
)

func TestContendersAreDefined(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	kinds := map[storage]int{}
	for _, c := range append(own("queues"), others()...) {
		if names[c.name] || c.name == "" || c.language == "" || c.promise == "" || c.prepare == nil {
			t.Errorf("%+v", c)
		}
		names[c.name] = true
		if !c.ours {
			kinds[c.keeps]++
			if c.version != "" && !regexp.MustCompile(`^v?\d+\.\d+\.\d+$`).MatchString(c.version) {
				t.Errorf("%s: version %q is not one exact version", c.name, c.version)
			}
		}
		if (c.keeps == synced) != (c.promise == durable) {
			t.Errorf("%s keeps messages in %q and promises %q", c.name, c.keeps, c.promise)
		}
	}
	if !names[ownName] || kinds[synced] == 0 || kinds[inMemory] == 0 {
		t.Errorf("contenders %v, of others %v", names, kinds)
	}
}

func TestOwnFormsAreStartedOnLoopback(t *testing.T) {
	t.Parallel()
	for _, c := range own("/bin/queues") {
		r, err := c.prepare(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		argv, err := r.argv("1234", "/data")
		if got := strings.Join(argv, " "); err != nil || argv[0] != "/bin/queues" || !strings.Contains(got, "--listen=127.0.0.1:1234") || !strings.Contains(got, "--data=/data") {
			t.Errorf("%s: %s, %v", c.name, got, err)
		}
	}
}

// An installation is made once, and anew after it failed.
func TestInstalled(t *testing.T) {
	t.Parallel()
	in := &installer{cache: t.TempDir(), progress: logWriter{t}}
	calls := 0
	fill := func(err error) func(context.Context, string) error {
		return func(_ context.Context, dir string) error {
			calls++
			if _, statErr := os.Stat(filepath.Join(dir, "half")); statErr == nil {
				t.Error("what failed halfway is left")
			}
			return errors.Join(os.WriteFile(filepath.Join(dir, "half"), nil, 0o644), err)
		}
	}
	if _, err := in.installed(t.Context(), "p-1", fill(errors.New("no network"))); err == nil || !strings.Contains(err.Error(), "no network") {
		t.Errorf("got %v", err)
	}
	for range 2 {
		dir, err := in.installed(t.Context(), "p-1", fill(nil))
		if err != nil || dir != filepath.Join(in.cache, "p-1") {
			t.Errorf("got %q, %v", dir, err)
		}
	}
	if calls != 2 {
		t.Errorf("installed %d times, want 2", calls)
	}
}

func TestCommandTellsItsLastWords(t *testing.T) {
	t.Parallel()
	err := command(t.Context(), t.TempDir(), "sh", "-c", "echo first; echo no such version >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "no such version") || strings.Contains(err.Error(), "first") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("took too long"))
	defer cancel()
	if err := command(ctx, t.TempDir(), "sh", "-c", "sleep 600 & wait"); err == nil || !strings.Contains(err.Error(), "took too long") {
		t.Errorf("got %v", err)
	}
}

// startForeign runs a command as a server of others.
func startForeign(t *testing.T, script string) *process {
	t.Helper()
	p, err := startProcess(t.Context(), program{
		name: "foreign", argv: []string{"sh", "-c", script}, foreign: true,
		wire: load.WireOptions{URL: "http://127.0.0.1:1"}, log: filepath.Join(t.TempDir(), "log"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A server of others is measured and stopped with all its processes.
func TestForeignProcessesAreAGroup(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := os.OpenFile(pipe, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := said.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	p := startForeign(t, `exec > "`+pipe+`"; sleep 600 & echo started; wait`)
	if _, err := bufio.NewReader(said).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	// Its end is that of the last process that has the other end.
	lives, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lives.Close()
	if err := errors.Join(said.Close(), lives.SetReadDeadline(time.Now().Add(30*time.Second))); err != nil {
		t.Fatal(err)
	}
	both, err := p.memory()
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := load.MemoryOf(p.PID); err != nil || both.Resident <= alone.Resident {
		t.Errorf("both hold %d, the first alone %d, %v", both.Resident, alone.Resident, err)
	}
	if _, err := p.CPU(); err != nil {
		t.Error(err)
	}
	if err := p.stop(); err != nil {
		t.Error(err) // it ends by a signal, which is no fault
	}
	if n, err := lives.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("its child still lives: read %d, %v", n, err)
	}
}

func TestGroupIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"15024 (cat) R 14957 14958 23160 0":  14958,
		"7 (a) b (c) S 1 12 13":              12,
		"7 (x":                               0,
		"":                                   0,
		"7 (x) S 1":                          0,
		"7 (x) S 1 y 3":                      0,
		"8 (worker :) 1 2 3) S 5 6 7 8 9 10": 6,
	} {
		if got := groupIn([]byte(text)); got != want {
			t.Errorf("%q: group %d, want %d", text, got, want)
		}
	}
}

// contenderOf is a command as a server of others; without one it is this
// program over a store that answers at once.
func contenderOf(name string, argv ...string) contender {
	return contender{
		name: name, version: "1.0.0", language: "Go", keeps: inMemory, promise: losesAll,
		prepare: func(context.Context, *installer) (recipe, error) {
			return recipe{argv: func(port, _ string) ([]string, error) {
				if len(argv) > 0 {
					return argv, nil
				}
				self, err := os.Executable()
				return []string{self, "instant", "127.0.0.1:" + port}, err
			}}, nil
		},
	}
}

// TestPeers compares the built binary with servers of which one works, one
// ends at once and one cannot be installed. All stand in the report.
func TestPeers(t *testing.T) {
	t.Parallel()
	r, _, err := parsePeers([]string{"-rounds", "2", "-duration", "50ms", "-conns", "4", "-messages", "200", "-cache", t.TempDir()}, logWriter{t})
	if err != nil {
		t.Fatal(err)
	}
	missing := contenderOf("missing")
	missing.prepare = func(context.Context, *installer) (recipe, error) {
		return recipe{}, errors.New("cannot be installed: no | network\nmore")
	}
	report, err := r.whole(t.Context(), "the command", contenderOf("instant"), contenderOf("broken", "sh", "-c", "exit 3"), missing)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.entries {
		for _, c := range peerCases {
			o := e.got[c.name]
			switch {
			case e.ours:
				if o == nil || o.failed != "" || len(o.series) != 2 || o.over(load.Measure.Rate) <= 0 || o.over(requestCPU) <= 0 {
					t.Errorf("%s, %s: %+v", e.name, c.name, o)
				}
			case e.name == "broken" && !strings.Contains(o.failed, "does not start: broken ended at its start: exit status 3"):
				t.Errorf("%s, %s: %+v", e.name, c.name, o)
			case e.name == "missing" && o != nil:
				t.Errorf("%s, %s: %+v", e.name, c.name, o)
			case e.name == "instant" && c.name == "send" && len(o.series) != 2:
				t.Errorf("%s, %s: %+v", e.name, c.name, o)
			}
		}
		if e.ours && (e.idle <= 0 || e.full <= 0) {
			t.Errorf("%s: %d bytes idle, %d full", e.name, e.idle, e.full)
		}
	}
	for _, want := range []string{
		`| missing | absent: cannot be installed: no \| network | `, "| broken | fails: does not start: ", "| queues dev | this tree | Go | JSON | ",
		"| Send | memory only | instant | ≥ 0.5 ×, aim 1 × | ", "| Send | durable | none | ≥ 1 × | - | - |", "Command: `the command`",
	} {
		if !bytes.Contains(report, []byte(want)) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	if bytes.Contains(report, []byte("data on unknown")) {
		t.Errorf("the report does not know its folder:\n%s", report)
	}
	if _, err := os.Stat(r.dir); err == nil {
		t.Error("the folder is left")
	}
}

// A failure of our own server is one of the run.
func TestPeersFailWithOurServer(t *testing.T) {
	t.Parallel()
	r, _, err := parsePeers([]string{"-server", "/bin/false", "-cache", t.TempDir()}, logWriter{t})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.whole(t.Context(), "the command", contenderOf("instant")); err == nil || !strings.Contains(err.Error(), ownName) {
		t.Errorf("got %v", err)
	}
}

func TestWorthCounting(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		measure load.Measure
		want    string
	}{
		"Well":    {load.Measure{Jobs: 1000, Messages: 1000}, ""},
		"AFew":    {load.Measure{Jobs: 1000, Messages: 1000, Empty: 5, Failures: map[string]int64{"OverLimit": 5}}, ""},
		"Failing": {load.Measure{Jobs: 100, Messages: 100, Failures: map[string]int64{"a": 1, "OverLimit": 9}}, "10 of 110 failed, most with: OverLimit"},
		"Empty":   {load.Measure{Jobs: 10, Messages: 10, Empty: 10}, "10 of 20 answers lack what was asked for"},
		"Nothing": {load.Measure{}, "nothing was done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := worthCounting(tc.measure); err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// Each round's ratio counts, and the hardest to pass is the fastest.
func TestFastest(t *testing.T) {
	t.Parallel()
	at := func(rates ...int64) *outcome {
		o := &outcome{}
		for _, n := range rates {
			o.series = append(o.series, load.Measure{Messages: n, Elapsed: time.Second})
		}
		return o
	}
	one := func(name string, keeps storage, o *outcome) *entry {
		return &entry{contender: contender{name: name, keeps: keeps, ours: name == ownName}, got: map[string]*outcome{"send": o}}
	}
	r := &peersRun{bench: &bench{}, entries: []*entry{
		one(ownName, synced, at(100, 50, 200)),
		one("slow", inMemory, at(50, 25, 100)),
		one("fast", inMemory, at(400, 200, 800)),
		one("failing", inMemory, &outcome{failed: "x", series: at(9999).series}),
		one("unsynced", onDisk, at(9999)),
		{contender: contender{name: "absent", keeps: inMemory}, absent: "x", got: map[string]*outcome{}},
	}}
	if best, ratio := r.fastest("send", inMemory); best != "fast" || ratio != 0.25 {
		t.Errorf("got %s, %v", best, ratio)
	}
	if best, _ := r.fastest("send", synced); best != "" {
		t.Errorf("got %s", best)
	}
	if got := r.cells(r.entries[1], func(o, base *outcome) string { return times(base.ratio(o.series, load.Measure.Rate)) })[0]; got != "2.00 ×" {
		t.Errorf("got %q", got)
	}
}

func TestPeersRefuseWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"Argument": {"fauxqs"}, "Flag": {"-deep", "5"}, "Pattern": {"-run", "("}, "Rounds": {"-rounds", "0"}, "Connections": {"-conns", "0"},
		"Duration": {"-duration", "0s"}, "Few": {"-messages", "99"}, "Many": {"-messages", "50001"},
	} {
		if _, _, err := parsePeers(args, logWriter{t}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	r, file, err := parsePeers([]string{"-run", "goaws", "-o", "f"}, logWriter{t})
	if err != nil || file != "f" || !r.wants("goaws") || r.wants("moto") || !filepath.IsAbs(r.cache) {
		t.Errorf("got %+v, %q, %v", r, file, err)
	}
}

// The scripts are what Node.js and Go can read.
func TestScriptsAreWellFormed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(goawsProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "gofmt", "-l", file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	for _, script := range []string{fauxqsScript, localAWSSQSScript, sqsliteScript} {
		if !strings.Contains(script, `"127.0.0.1"`) || !strings.Contains(script, "process.argv") {
			t.Errorf("a script listens elsewhere:\n%s", script)
		}
	}
}
