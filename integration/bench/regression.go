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
	"path/filepath"
	"strings"

	"queues/cmd/queues/load"
)

// What makes a regression: the median of the rounds' ratios passes allowed, and
// in agreeing of ofRounds of the rounds the new binary is the dearer one, so
// that a disturbed round or two decide nothing.
const (
	allowed  = 1.10
	agreeing = 6
	ofRounds = 7
)

// comparison is a run of an old binary beside a new one.
type comparison struct {
	*bench
	ref      string
	old      string
	messages int
}

// verdict judges the ratios of one kind of request, new by old, one for each
// round.
func verdict(ratios []float64) (middle float64, dearer int, regression bool) {
	middle = median(ratios)
	for _, r := range ratios {
		if r > 1 {
			dearer++
		}
	}
	// A NaN, of nothing measured, passes nothing and so must not pass for well.
	within := middle <= allowed
	return middle, dearer, len(ratios) == 0 || !within && (dearer*ofRounds >= agreeing*len(ratios) || middle != middle)
}

// regression is the program's part of that name.
func regression(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	c, err := parseRegression(args, progress)
	if err != nil {
		return err
	}
	if c.dir, err = tempDir(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.stopAll(), os.RemoveAll(c.dir)) }()
	if c.server == "" {
		if c.server, err = buildServer(ctx, c.dir, progress); err != nil {
			return err
		}
	}
	if c.old == "" {
		if c.old, err = buildRef(ctx, c.ref, c.dir, progress); err != nil {
			return err
		}
	}
	before, err := workSoFar()
	if err != nil {
		return err
	}
	got, err := c.compare(ctx)
	if err != nil {
		return err
	}
	after, err := workSoFar()
	if err == nil {
		c.judgeMachine(after.othersShare(before))
	}
	return c.tell(got, out)
}

func parseRegression(args []string, progress io.Writer) (*comparison, error) {
	c := &comparison{bench: &bench{settings: defaultSettings(), progress: progress}}
	f := flag.NewFlagSet("bench regression", flag.ContinueOnError)
	f.SetOutput(progress)
	f.StringVar(&c.ref, "ref", "", "git `revision` to compare with, such as the last release")
	f.StringVar(&c.old, "old", "", "compare with this `binary` instead of building -ref")
	f.StringVar(&c.server, "new", "", "measure this `binary` instead of building ./cmd/queues")
	f.IntVar(&c.rounds, "rounds", ofRounds, "turns of each, at least 7")
	f.IntVar(&c.messages, "messages", 20_000, "messages that go through each in a turn")
	f.IntVar(&c.conns, "conns", 64, "connections")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case (c.ref == "") == (c.old == ""):
		return nil, errors.New("say with what to compare: -ref a revision, or -old a binary")
	case c.rounds < ofRounds || c.messages < batchSize || c.messages > maxInFlight || c.conns < 1:
		return nil, fmt.Errorf("a size is out of its range: at least %d rounds, %d to %d messages, a connection", ofRounds, batchSize, maxInFlight)
	}
	return c, nil
}

// buildRef builds the binary of a revision, from a worktree that goes again.
func buildRef(ctx context.Context, ref, dir string, progress io.Writer) (binary string, err error) {
	_, _ = fmt.Fprintln(progress, "building", ref)
	tree := filepath.Join(dir, "tree")
	git := func(ctx context.Context, args ...string) error {
		if out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	if err := git(ctx, "worktree", "add", "--detach", "--", tree, ref); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, git(context.WithoutCancel(ctx), "worktree", "remove", "--force", tree)) }()
	binary = filepath.Join(dir, "queues-old")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/queues")
	cmd.Dir = tree
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build %s: %w\n%s", ref, err, out)
	}
	return binary, nil
}

// The requests that are compared, and the names of both sides.
var comparedRequests = []string{"SendMessage", "ReceiveMessage", "DeleteMessage"}

const sideOld, sideNew = "old", "new"

// compare lets both take turns.
func (c *comparison) compare(ctx context.Context) (map[string]series, error) {
	var sides []side
	for _, s := range []struct{ name, binary string }{{sideOld, c.old}, {sideNew, c.server}} {
		b := *c.bench
		b.server = s.binary
		p, err := b.serve(ctx)
		c.running, c.started = b.running, b.started
		if err != nil {
			return nil, err
		}
		queue, err := p.createQueue(ctx, "compared")
		if err != nil {
			return nil, err
		}
		// Not counted: it warms up.
		if _, err := c.turn(ctx, p, queue, max(c.messages/4, batchSize)); err != nil {
			return nil, err
		}
		phases := make([]string, len(comparedRequests))
		for i, request := range comparedRequests {
			phases[i] = request + ", " + s.name
		}
		sides = append(sides, side{phases: phases, run: func(ctx context.Context) ([]load.Measure, error) {
			return c.turn(ctx, p, queue, c.messages)
		}})
	}
	return c.turns(ctx, sides...)
}

// turn sends, receives and deletes messages one by one.
func (c *comparison) turn(ctx context.Context, p *process, queue string, messages int) ([]load.Measure, error) {
	o, work, held := load.Options{Conns: c.conns, Jobs: int64(messages)}, p.on(queue), &load.Handles{}
	var all []load.Measure
	for _, newJob := range []func(int) load.Job{work.Send(), work.Receive(held), work.Delete(held)} {
		m, err := p.under(ctx, o, newJob)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// tell writes the report. A regression is an error, as is a generator that was
// the bottleneck.
func (c *comparison) tell(got map[string]series, out io.Writer) error {
	var text strings.Builder
	var errs []error
	fmt.Fprintf(&text, "| Request | CPU before | CPU now | Median ratio of %d rounds | Rounds in which it is dearer now | Verdict |\n| --- | ---: | ---: | ---: | ---: | --- |\n", c.rounds)
	for _, request := range comparedRequests {
		old, now := got[request+", "+sideOld], got[request+", "+sideNew]
		ratios := make([]float64, min(len(old), len(now)))
		for i := range ratios {
			ratios[i] = now[i].CPU() / old[i].CPU()
		}
		middle, dearer, bad := verdict(ratios)
		word := "pass"
		if bad {
			word = "REGRESSION"
			errs = append(errs, fmt.Errorf("%s needs %.2f times the CPU that it needed before", request, middle))
		}
		fmt.Fprintf(&text, "| %s | %.1f µs | %.1f µs | %.3f | %d of %d | %s |\n",
			request, old.over(load.Measure.CPU), now.over(load.Measure.CPU), middle, dearer, len(ratios), word)
	}
	fmt.Fprintf(&text, "\nA regression is a median ratio over %.2f with at least %d of %d rounds in which the new binary is the dearer one.\n", allowed, agreeing, ofRounds)
	for _, note := range c.notes {
		fmt.Fprintf(&text, "\n%s\n", note)
	}
	for _, failure := range c.failures {
		errs = append(errs, errors.New(failure))
	}
	if _, err := io.WriteString(out, text.String()); err != nil {
		return err
	}
	return errors.Join(errs...)
}
