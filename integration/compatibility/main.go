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
	"slices"
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
	// check compares with the file and writes nothing.
	check bool
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
	flags.BoolVar(&o.check, "check", false, "fail if the file is out of date, apart from the clients, and write nothing")
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
	if o.check {
		err = isUpToDate(o.out, r.markdown())
	} else {
		err = os.WriteFile(o.out, r.markdown(), 0o644)
	}
	if err != nil {
		return err
	}
	return r.table(out)
}

// isUpToDate compares the file with what it should hold. The clients' versions
// are those of the machine, so they may differ.
func isUpToDate(path string, want []byte) error {
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(apartFromClients(have), apartFromClients(want)) {
		return fmt.Errorf("%s is out of date: run make clients ARGS=\"-out clients.json\" and make compatibility CLIENTS=clients.json", path)
	}
	return nil
}

// apartFromClients cuts the section on clients out of a report.
func apartFromClients(file []byte) []byte {
	before, rest, found := bytes.Cut(file, []byte("\n## Clients\n"))
	if !found {
		return file
	}
	_, after, _ := bytes.Cut(rest, []byte("\n## "))
	return slices.Concat(before, []byte("\n## "), after)
}

// testEvents gives the output of go test -json: that of a file, or of a run. A
// run whose tests fail is a run; one that does not build is an error.
func testEvents(ctx context.Context, file string, progress io.Writer) ([]byte, error) {
	if file != "" {
		return os.ReadFile(file)
	}
	if _, err := fmt.Fprintln(progress, "running the tests of facts, reports, differences, demands and wire forms"); err != nil {
		return nil, err
	}
	run := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-timeout=20m", "-run", "^Test(Facts|Reports|Diff|Demands|WireForms)", "./integration")
	run.Stderr = progress
	events, err := run.Output()
	if failed := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &failed) || len(events) == 0 || ctx.Err() != nil) {
		return nil, fmt.Errorf("running the tests: %w", err)
	}
	return events, nil
}
