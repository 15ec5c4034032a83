//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	exitOK     = 0
	exitBroken = 1
	exitUsage  = 2
)

// settings are the command line.
type settings struct {
	Short    bool          `help:"Every part in its short form, in some minutes."`
	Part     []string      `placeholder:"NAME" help:"Only these parts: ${parts}."`
	Seed     uint64        `placeholder:"N" help:"Repeat the choices of a run; 0 for new ones."`
	Kills    int           `placeholder:"N" help:"Kills in the part crash (220; short: 40)."`
	Cuts     int           `placeholder:"N" help:"Power cuts in the part power (400; short: 80); in the part backup half, short a quarter."`
	Copies   int           `placeholder:"N" help:"Backups in the part backup (60; short: 12)."`
	Duration time.Duration `placeholder:"TIME" help:"Length of the part soak (3h; short: 20s)."`
	Fault    string        `placeholder:"TEXT" help:"In the part faults only what has this in its name, such as \"wal sync\"."`
	Attack   string        `placeholder:"TEXT" help:"In the part overload only what has this in its name, such as \"largest\"."`
	Server   string        `placeholder:"FILE" help:"Torture this binary instead of building ./cmd/queues."`
	Dir      string        `placeholder:"DIR" help:"Work in this folder instead of a temporary one."`
}

// part is one kind of torture.
type part struct {
	name string
	run  func(context.Context, *torture) error
	// asked is true for a part that runs only when it is asked for by name.
	asked bool
}

var parts = []part{
	{name: "crash", run: crash},
	{name: "points", run: points},
	{name: "power", run: power},
	{name: "faults", run: breaking},
	{name: "upgrade", run: upgrade},
	{name: "backup", run: backups},
	{name: "overload", run: overloading},
	{name: "soak", run: soak, asked: true},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// execute is the program.
func execute(ctx context.Context, args []string, out, errs io.Writer) int {
	var s settings
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	helped := false
	parser, err := kong.New(&s, kong.Name("torture"), kong.Writers(out, errs), kong.Exit(func(int) { helped = true }),
		kong.Description("Kills the server, cuts its power, breaks its disk and overloads it, and checks that it keeps its promises."),
		kong.Vars{"parts": strings.Join(names, ", ")})
	if err == nil {
		_, err = parser.Parse(doubled(args))
	}
	switch {
	case helped:
		return exitOK
	case err != nil:
		_, _ = fmt.Fprintln(errs, "torture:", err)
		return exitUsage
	}
	for _, name := range s.Part {
		if !slices.Contains(names, name) {
			_, _ = fmt.Fprintf(errs, "torture: there is no part %q, only %s\n", name, strings.Join(names, ", "))
			return exitUsage
		}
	}
	broken, err := run(ctx, s, out)
	switch {
	case err != nil:
		_, _ = fmt.Fprintln(errs, "torture:", err)
		return exitBroken
	case broken:
		return exitBroken
	}
	return exitOK
}

// doubled lets long flags have one dash, as Go's own have.
func doubled(args []string) []string {
	changed := slices.Clone(args)
	for i, arg := range changed {
		if len(arg) > 2 && arg[0] == '-' && arg[1] != '-' {
			changed[i] = "-" + arg
		}
	}
	return changed
}

// torture is one run of the program.
type torture struct {
	settings
	server, dir string
	random      *rand.Rand
	out         io.Writer
	begun       time.Time
	// violations are those of all parts so far, before how many there were when
	// the part under way began.
	violations []string
	before     int
}

// run runs the parts and prints what they did. It reports whether anything was
// violated.
func run(ctx context.Context, s settings, out io.Writer) (broken bool, err error) {
	if s.Seed == 0 {
		s.Seed = rand.Uint64()>>1 + 1
	}
	again := s.again()
	set(&s.Kills, 220, 40, s.Short)
	set(&s.Cuts, 400, 80, s.Short)
	set(&s.Copies, 60, 12, s.Short)
	set(&s.Duration, 3*time.Hour, 20*time.Second, s.Short)
	t := &torture{settings: s, server: s.Server, dir: s.Dir, out: out, begun: time.Now()}
	if t.dir == "" {
		if t.dir, err = os.MkdirTemp("", "queues-torture-"); err != nil {
			return false, err
		}
	} else if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return false, err
	}
	defer func() {
		if broken || err != nil {
			t.say("the evidence is in %s", t.dir)
		} else if s.Dir == "" {
			err = os.RemoveAll(t.dir)
		}
	}()
	t.say("seed %d (again: make torture ARGS=\"%s\")", s.Seed, again)
	if t.server == "" {
		if t.server, err = build(ctx, t.dir); err != nil {
			return false, err
		}
	}
	for _, p := range parts {
		if !slices.Contains(s.Part, p.name) && (p.asked || len(s.Part) > 0) {
			continue
		}
		t.random = rand.New(rand.NewPCG(s.Seed, uint64(len(p.name))))
		t.before = len(t.violations)
		if err := p.run(ctx, t); err != nil {
			return false, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	t.say("%d violations in %v", len(t.violations), time.Since(t.begun).Round(time.Second))
	return len(t.violations) > 0, ctx.Err()
}

// again gives the flags that repeat a run, with what was given on the command
// line.
func (s *settings) again() string {
	flags := []string{fmt.Sprintf("-seed=%d", s.Seed)}
	if s.Short {
		flags = append(flags, "-short")
	}
	for _, p := range s.Part {
		flags = append(flags, "-part="+p)
	}
	for _, count := range []struct {
		name  string
		value int
	}{{"kills", s.Kills}, {"cuts", s.Cuts}, {"copies", s.Copies}} {
		if count.value > 0 {
			flags = append(flags, fmt.Sprintf("-%s=%d", count.name, count.value))
		}
	}
	if s.Duration > 0 {
		flags = append(flags, "-duration="+s.Duration.String())
	}
	for _, text := range []struct{ name, value string }{{"fault", s.Fault}, {"attack", s.Attack}} {
		if text.value != "" {
			flags = append(flags, fmt.Sprintf("-%s='%s'", text.name, text.value))
		}
	}
	return strings.Join(flags, " ")
}

func set[T int | time.Duration](value *T, full, short T, isShort bool) {
	switch {
	case *value > 0:
	case isShort:
		*value = short
	default:
		*value = full
	}
}

// say prints one line, after the time since the start.
func (t *torture) say(format string, args ...any) {
	// Nothing can be done about a terminal that is gone.
	_, _ = fmt.Fprintf(t.out, "%7.1fs  %s\n", time.Since(t.begun).Seconds(), fmt.Sprintf(format, args...))
}

// violated notes a violation, once.
func (t *torture) violated(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if slices.Contains(t.violations, text) {
		return
	}
	t.violations = append(t.violations, text)
	t.say("VIOLATION %s", text)
}

// broken reports whether the part under way has found a violation.
func (t *torture) broken() bool { return len(t.violations) > t.before }

// build builds the real binary into dir.
func build(ctx context.Context, dir string) (string, error) {
	binary := filepath.Join(dir, "queues")
	out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", binary, "queues/cmd/queues").CombinedOutput()
	if err != nil {
		return "", errors.Join(fmt.Errorf("cannot build the server: %s", out), err)
	}
	return binary, nil
}
