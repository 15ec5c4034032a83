package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitUnseen = 3
)

// commands are what the program can do.
type commands struct {
	Serve   serveCommand   `cmd:"" help:"Serve SQS, durably: data in ./data, on disk before every answer."`
	Dev     devCommand     `cmd:"" help:"Serve SQS for development and tests: temporary data, no fsync, no 60-second rules."`
	Backup  backupCommand  `cmd:"" help:"Copy the data of a running server, while it serves, into a file."`
	Check   checkCommand   `cmd:"" help:"Look for damage in a copy, or in the data of a server that is stopped."`
	Restore restoreCommand `cmd:"" help:"Make a data folder of a copy."`
	Bench   benchCommand   `cmd:"" help:"Load a server that speaks SQS and tell how fast it answers."`
	Version versionCommand `cmd:"" help:"Print the version."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
}

type (
	serveCommand   struct{ Config }
	devCommand     struct{ Config }
	versionCommand struct{}
)

// command is something the program was told to do.
type command interface {
	// run does it. What it tells goes to stdout, how it goes on to stderr; the
	// error is told by the caller.
	run(ctx context.Context, stdout, stderr io.Writer) error
}

// Execute runs the program with its arguments until ctx ends and gives its
// exit code: 0 when all went well, 1 when the command failed, or found damage,
// 2 when the command line or the environment is wrong,
// 3 when a check could not look.
func Execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stdout, stderr)
	switch {
	case err != nil:
		complain(stderr, err)
		return exitUsage
	case c == nil:
		return exitOK
	}
	if err := c.run(ctx, stdout, stderr); err != nil {
		complain(stderr, err)
		if e, ok := errors.AsType[*exitError](err); ok {
			return e.code
		}
		return exitFailed
	}
	return exitOK
}

func (c serveCommand) run(ctx context.Context, _, stderr io.Writer) error {
	c.Output = stderr
	Tune(c.MaxMemory)
	a, err := New(c.Config)
	if err != nil {
		return err
	}
	return a.Run(ctx)
}

func (versionCommand) run(_ context.Context, stdout, _ io.Writer) error {
	_, err := fmt.Fprintln(stdout, versionLine())
	return err
}

// complain writes one line for each thing that is wrong.
func complain(w io.Writer, err error) {
	for line := range strings.Lines(err.Error()) {
		// There is nobody else to tell.
		_, _ = fmt.Fprintf(w, "queues: %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// parse reads the command line and the environment: what is to be done, nil
// when help was asked for and given. Both servers are serveCommands.
func parse(args []string, stdout, stderr io.Writer) (command, error) {
	var c commands
	helped := false
	parser, err := kong.New(&c,
		kong.Name("queues"),
		kong.Description("A message-queue server that speaks Amazon SQS. Every flag of the server can be set in the environment too: --log-level is QUEUES_LOG_LEVEL."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{"version": versionLine()},
	)
	if err != nil {
		return nil, err
	}
	names := variables(parser)
	warnOfUnknown(names, stderr)
	if err := dropEmpty(names); err != nil {
		return nil, err
	}
	parsed, err := parser.Parse(joinNegative(args))
	switch {
	case helped:
		return nil, nil
	case err != nil:
		return nil, withUsage(err)
	}
	name, _, _ := strings.Cut(parsed.Command(), " ") // its arguments follow
	switch name {
	case "backup":
		return c.Backup, c.Backup.validate()
	case "check":
		return c.Check, c.Check.validate()
	case "restore":
		return c.Restore, c.Restore.validate()
	case "bench":
		return c.Bench, c.Bench.validate()
	case "version":
		return c.Version, nil
	case "dev":
		c.Serve.Config = c.Dev.Config
		c.Serve.Dev = true
	}
	return c.Serve, errors.Join(c.Serve.requireCounts(), c.Serve.Validate())
}

// negative matches a number below zero.
var negative = regexp.MustCompile(`^-[0-9]`)

// joinNegative writes a flag and the negative number that follows it as one, so
// that the number is refused as a value of the flag and not as another flag.
func joinNegative(args []string) []string {
	joined := make([]string, 0, len(args))
	for i, arg := range args {
		if arg == "--" {
			return append(joined, args[i:]...)
		}
		if last := len(joined) - 1; i > 0 && negative.MatchString(arg) && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=") {
			joined[last] += "=" + arg
			continue
		}
		joined = append(joined, arg)
	}
	return joined
}

// withUsage adds to an error of a command line without a command how one is
// written.
func withUsage(err error) error {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil && wrong.Context.Selected() == nil {
		return fmt.Errorf("%w: write \"queues serve\" or \"queues dev\" and then the flags", err)
	}
	return err
}

// requireCounts refuses a zero that was asked for. In a Config made by a
// program a zero is the default.
func (c Config) requireCounts() error {
	return errors.Join(
		require(c.MaxBody != 0, "--max-body: 0: leave it out for the default, or use at least 1MiB"),
		require(c.MaxMemory != 0, "--max-memory: 0: leave it out for the default, or use at least %s", Size(minMemory)),
		require(c.MaxConnections != 0, "--max-connections: 0: use at least 1"),
		require(c.MaxWaiting != 0, "--max-waiting: 0: use at least 1"),
		require(c.MaxQueues != 0, "--max-queues: 0: use at least 1"),
	)
}
