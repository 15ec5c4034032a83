package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// client is one client in one version.
type client struct {
	name string
	// protocol is what it speaks: JSON, Query, or both.
	protocol string
	// full tells that it must report all of fullSteps.
	full bool
	// probe is a command that succeeds where the machine has the client; empty
	// for one that gets installed.
	probe []string
	// apt are packages of the machine's own Debian.
	apt []string
	// suites are packages of other releases of Debian, unpacked beside it.
	suites []suite
	// npm are packages as npm names them, with their versions.
	npm []string
	// module is the folder of a Go module and its file, such as "go-v2/go.mod";
	// test tells that it is a test that gets built.
	module string
	test   bool
	// run is the command of the script. $scripts stands for the folder of this
	// program's scripts, $home for the client's own folder in the cache, where
	// $home/root has the unpacked packages, $home/js the scripts beside the
	// npm packages, and $home/client the built program.
	run []string
	env []string
	// deadline bounds the script; 0 stands for runDeadline.
	deadline time.Duration
}

// suite is a release of Debian and the packages wanted from it.
type suite struct {
	name     string
	packages []string
}

// runDeadline bounds a script, on a machine that has much else to do: dozens
// of processes for a command line. installDeadline bounds an installation.
const (
	runDeadline     = 10 * time.Minute
	installDeadline = 10 * time.Minute
)

// result is what is known of a client at the end.
type result struct {
	Name     string  `json:"name"`
	Version  string  `json:"version"`
	Protocol string  `json:"protocol"`
	Outcome  outcome `json:"outcome"`
	Reason   string  `json:"reason,omitempty"`
	Steps    []step  `json:"steps"`
	// Install and Run are seconds.
	Install float64 `json:"install_seconds"`
	Run     float64 `json:"run_seconds"`
	// details is for people: why it failed.
	details []string
}

// unavailableError tells that a client cannot be had on this machine.
type unavailableError struct{ reason string }

func (e *unavailableError) Error() string { return e.reason }

// unavailable makes an unavailableError.
func unavailable(format string, args ...any) error {
	return &unavailableError{fmt.Sprintf(format, args...)}
}

// try installs a client and makes its round trip.
func (p *program) try(ctx context.Context, c client) result {
	r := result{Name: c.name, Protocol: c.protocol, Steps: []step{}}
	begun := time.Now()
	home := filepath.Join(p.cache, c.name)
	err := p.install(ctx, c, home)
	r.Install = time.Since(begun).Seconds()
	var gone *unavailableError
	switch {
	case errors.As(err, &gone):
		r.Outcome, r.Reason = skipped, gone.reason
		return r
	case err != nil:
		return r.fail(err.Error())
	}
	begun = time.Now()
	p.roundTrip(ctx, c, home, &r)
	r.Run = time.Since(begun).Seconds()
	return r
}

// fail makes it the result of a client that failed.
func (r *result) fail(why ...string) result {
	r.Outcome = failed
	r.details = append(r.details, why...)
	if r.Reason == "" && len(r.details) > 0 {
		r.Reason = r.details[0]
	}
	return *r
}

// roundTrip runs a client's script against a server of its own.
func (p *program) roundTrip(ctx context.Context, c client, home string, r *result) {
	work, err := os.MkdirTemp(p.work, c.name+"-")
	if err != nil {
		r.fail(err.Error())
		return
	}
	s, err := startServer(ctx, p.server, work)
	if err != nil {
		r.fail(err.Error())
		return
	}
	r.Outcome = passed
	deadline := c.deadline
	if deadline == 0 {
		deadline = runDeadline
	}
	limited, cancel := context.WithTimeoutCause(ctx, deadline, fmt.Errorf("not done within %v", deadline))
	defer cancel()
	said, chatter, exit := p.script(limited, c, home, work, s.url)
	r.Version, r.Steps = said.version, slices.Concat(r.Steps, said.steps)
	required := []string{}
	if c.full {
		required = fullSteps
	}
	why := said.judge(required, exit)
	if err := s.stop(); err != nil {
		why = append(why, err.Error())
	}
	if len(why) > 0 {
		r.fail(why...)
		r.details = append(r.details, chatter...)
		r.details = append(r.details, s.tail()...)
	}
}
