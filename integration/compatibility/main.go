package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
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
		fmt.Fprintln(os.Stderr, "compatibility:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	// clients is the file of the clients' results; empty if they are left out.
	clients string
	// differences is the file of the known differences, out the one to write.
	differences, out string
	// events is a file of events that a test run wrote; empty to run the tests.
	events string
}

// parse reads the command line.
func parse(args []string, progress io.Writer) (options, error) {
	var o options
	var without bool
	flags := flag.NewFlagSet("compatibility", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&o.clients, "clients", "", "the results of the real clients, as make clients writes them")
	flags.BoolVar(&without, "without-clients", false, "leave the real clients out; the file will say so")
	flags.StringVar(&o.differences, "differences", "DIFFERENCES.md", "the known differences")
	flags.StringVar(&o.out, "out", "COMPATIBILITY.md", "the file to write")
	flags.StringVar(&o.events, "events", "", "read the output of go test -json from this file in place of running the tests")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case (o.clients == "") != without:
		return o, errors.New("give either -clients FILE or -without-clients")
	}
	return o, nil
}

// run is the program: it writes the file and the table, or says what failed.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	o, err := parse(args, progress)
	if err != nil {
		return err
	}
	r := &report{}
	if o.clients != "" {
		if r.clients, err = readClients(o.clients); err != nil {
			return err
		}
	}
	if r.differences, err = readDifferences(o.differences); err != nil {
		return err
	}
	events, err := testEvents(ctx, o.events, progress)
	if err != nil {
		return err
	}
	outcomes, said, err := readEvents(bytes.NewReader(events))
	if err != nil {
		return err
	}
	if err := errors.Join(r.take(outcomes, said), r.failures()); err != nil {
		return err
	}
	if err := os.WriteFile(o.out, r.markdown(), 0o644); err != nil {
		return err
	}
	return r.table(out)
}

// testEvents gives the output of go test -json: that of a file, or of a run. A
// run whose tests fail is a run; one that does not build is an error.
func testEvents(ctx context.Context, file string, progress io.Writer) ([]byte, error) {
	if file != "" {
		return os.ReadFile(file)
	}
	if _, err := fmt.Fprintln(progress, "running the tests of facts, reports, differences and demands"); err != nil {
		return nil, err
	}
	run := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-timeout=20m", "-run", "^Test(Facts|Reports|Diff|Demands)", "./integration")
	run.Stderr = progress
	events, err := run.Output()
	if failed := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &failed) || len(events) == 0 || ctx.Err() != nil) {
		return nil, fmt.Errorf("running the tests: %w", err)
	}
	return events, nil
}
