package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// commands are what the program can do.
type commands struct {
	Serve   serveCommand   `cmd:"" help:"Serve SQS, durably: data in ./data, on disk before every answer."`
	Dev     devCommand     `cmd:"" help:"Serve SQS for development and tests: temporary data, no fsync, no 60-second rules."`
	Version versionCommand `cmd:"" help:"Print the version."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
}

type (
	serveCommand   struct{ Config }
	devCommand     struct{ Config }
	versionCommand struct{}
)

// Execute runs the program with its arguments until ctx ends and gives its
// exit code: 0 when all went well, 1 when the server could not start or failed,
// 2 when the command line or the environment is wrong.
func Execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	name, config, err := parse(args, stdout, stderr)
	switch {
	case err != nil:
		complain(stderr, err)
		return exitUsage
	case name == "":
		return exitOK
	case name == "version":
		if _, err := fmt.Fprintln(stdout, versionLine()); err != nil {
			return exitFailed
		}
		return exitOK
	}
	config.Output = stderr
	tuneCollector(config.MaxMemory)
	a, err := New(config)
	if err == nil {
		err = a.Run(ctx)
	}
	if err != nil {
		complain(stderr, err)
		return exitFailed
	}
	return exitOK
}

// complain writes one line for each thing that is wrong.
func complain(w io.Writer, err error) {
	for line := range strings.Lines(err.Error()) {
		// There is nobody else to tell.
		_, _ = fmt.Fprintf(w, "queues: %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// parse reads the command line and the environment: the command's name, empty
// when help was asked for and given, and its configuration.
func parse(args []string, stdout, stderr io.Writer) (string, Config, error) {
	var c commands
	helped := false
	parser, err := kong.New(&c,
		kong.Name("queues"),
		kong.Description("A message-queue server that speaks Amazon SQS. Every flag can be set in the environment too: --log-level is QUEUES_LOG_LEVEL."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{"version": versionLine()},
	)
	if err != nil {
		return "", Config{}, err
	}
	names := variables(parser)
	warnOfUnknown(names, stderr)
	if err := dropEmpty(names); err != nil {
		return "", Config{}, err
	}
	parsed, err := parser.Parse(args)
	switch {
	case helped:
		return "", Config{}, nil
	case err != nil:
		return "", Config{}, withUsage(err)
	}
	config := c.Serve.Config
	if parsed.Command() == "dev" {
		config = c.Dev.Config
		config.Dev = true
	}
	if parsed.Command() == "version" {
		return "version", Config{}, nil
	}
	return parsed.Command(), config, errors.Join(config.requireCounts(), config.Validate())
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
	)
}
