//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the program: one of its servers, or a whole run whose report goes to
// out.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	if len(args) == 2 {
		switch args[0] {
		case "null":
			return serveNull(ctx, args[1])
		case "instant":
			return serveInstant(ctx, args[1])
		}
	}
	if len(args) > 0 {
		switch args[0] {
		case "regression":
			return regression(ctx, args[1:], out, progress)
		case "peers":
			return comparePeers(ctx, args[1:], out, progress)
		}
	}
	b, file, err := parse(args, progress)
	if err != nil {
		return err
	}
	report, err := b.whole(ctx, asMade("bench", args))
	if len(report) > 0 {
		if _, writeErr := out.Write(report); writeErr != nil {
			return writeErr
		}
		if file != "" {
			err = errors.Join(err, os.WriteFile(file, report, 0o644))
		}
	}
	if b.reportOnly {
		return err
	}
	return errors.Join(err, missed(b.rows)) // last, so that it is printed last
}

// parse reads the command line.
func parse(args []string, progress io.Writer) (b *bench, file string, err error) {
	d := defaultSettings()
	for _, a := range args {
		if a == "-short" || a == "--short" {
			d = shortSettings() // what else is given goes over it
		}
	}
	b = &bench{progress: progress}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(progress)
	f.Bool("short", false, "all rows in about a minute, with verdicts that mean little")
	pattern := f.String("run", "", "only rows whose name matches this `regexp`: "+strings.Join(rowNames(), ", "))
	f.BoolVar(&b.reportOnly, "report-only", false, "succeed although targets are missed")
	f.StringVar(&file, "o", "", "write the report to this `file` as well")
	f.StringVar(&b.server, "server", "", "measure this `binary` instead of building ./cmd/queues")
	f.DurationVar(&b.duration, "duration", d.duration, "length of one turn")
	f.IntVar(&b.rounds, "rounds", d.rounds, "turns of each side")
	f.IntVar(&b.conns, "conns", d.conns, "connections under load")
	f.DurationVar(&b.settle, "settle", d.settle, "longest wait for memory to settle")
	f.DurationVar(&b.window, "window", d.window, "time over which an idle server is watched, up to 10s")
	f.IntVar(&b.shallow, "shallow", d.shallow, "smaller backlog, in messages")
	f.IntVar(&b.deep, "deep", d.deep, "larger backlog, in messages")
	f.IntVar(&b.busy, "busy", d.busy, "number of busy queues")
	f.IntVar(&b.polls, "polls", d.polls, "number of idle long polls")
	f.IntVar(&b.deepest, "deepest", d.deepest, "largest backlog, in small messages")
	f.IntVar(&b.many, "many", d.many, "number of very many queues")
	f.IntVar(&b.standing, "standing", d.standing, "groups, delayed messages and messages in flight that stand, up to 100,000 each")
	f.IntVar(&b.mass, "mass", d.mass, "messages of a job beside a neighbour")
	f.IntVar(&b.wakes, "wakes", d.wakes, "wake-ups to measure")
	f.IntVar(&b.starts, "starts", d.starts, "starts to measure")
	if b.run, err = parseRows(f, args, pattern); err != nil {
		return nil, "", err
	}
	return b, file, b.settings.check()
}

func rowNames() []string {
	var names []string
	for _, c := range cases {
		names = append(names, c.rows...)
	}
	return names
}

// whole measures everything that was chosen and gives the report. After a
// failure it reports what was measured before it.
func (b *bench) whole(ctx context.Context, commandLine string) (report []byte, err error) {
	if b.dir, err = tempDir(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.stopAll(), os.RemoveAll(b.dir)) }()
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.server == "" {
		if b.server, err = buildServer(ctx, b.dir, b.progress); err != nil {
			return nil, err
		}
	}
	before, err := workSoFar()
	if err != nil {
		return nil, err
	}
	err = b.measured(ctx)
	if after, err := workSoFar(); err == nil {
		b.judgeMachine(after.othersShare(before))
	}
	if len(b.failures) > 0 {
		err = errors.Join(err, errors.New(strings.Join(b.failures, "\n")))
	}
	if len(b.rows) > 0 {
		report = b.report(commandLine)
	}
	return report, err
}

// buildServer builds the real binary into dir.
func buildServer(ctx context.Context, dir string, progress io.Writer) (string, error) {
	_, _ = fmt.Fprintln(progress, "building the server")
	binary := filepath.Join(dir, "queues")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, "queues/cmd/queues")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build the server: %w\n%s", err, out)
	}
	return binary, nil
}

// parseRows parses flags of which pattern is one, and gives what it says: nil
// for every row.
func parseRows(f *flag.FlagSet, args []string, pattern *string) (*regexp.Regexp, error) {
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if *pattern == "" {
		return nil, nil
	}
	return regexp.Compile(*pattern)
}

// asMade is the command of a run: make also says how SQLite is to be compiled.
func asMade(target string, args []string) string {
	if len(args) == 0 {
		return "make " + target
	}
	return "make " + target + ` ARGS="` + strings.Join(args, " ") + `"`
}
