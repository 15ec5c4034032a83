//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"queues/cmd/queues/load"
)

// process is a server that this program started.
type process struct {
	load.Server
	cmd *exec.Cmd
	// log is the file with what the server wrote.
	log string
	// dir is removed once the process is gone; empty for none.
	dir string
	// admin is the address of its admin port and data its data folder; empty for
	// servers without.
	admin, data string
	// begun is when it was started.
	begun time.Time
	gone  chan struct{}
	// ended is how it ended, valid once gone is closed.
	ended error
}

// startTimeout bounds the wait for a first answer, stopTimeout the wait for a
// process to end after SIGTERM.
const (
	startTimeout = 30 * time.Second
	stopTimeout  = 30 * time.Second
)

// startProcess runs a server that will listen on addr, and does not wait for
// it to be ready. What it writes goes to the file log.
func startProcess(ctx context.Context, name, addr, log, dir string, argv ...string) (*process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the process has it open itself
	wire, err := load.NewWire(load.WireOptions{URL: "http://" + addr})
	if err != nil {
		return nil, err
	}
	p := &process{Server: load.Server{Name: name, Wire: wire}, log: log, dir: dir, gone: make(chan struct{})}
	// The end of the context is not its end: stop gives it time to end well.
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.Env = withoutSettings(os.Environ())
	// It must not survive us, however we end.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.begun = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	p.PID = p.cmd.Process.Pid
	go func() {
		defer close(p.gone)
		p.ended = p.cmd.Wait()
	}()
	return p, nil
}

// withoutSettings leaves out the server's own variables: what is measured is
// what its flags say and otherwise its defaults.
func withoutSettings(env []string) []string {
	return slices.DeleteFunc(env, func(s string) bool { return strings.HasPrefix(s, "QUEUES_") })
}

// ready waits for the first answer 200.
func (p *process) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	// Asking more often than this would take the CPU from the start itself.
	tick := time.NewTicker(500 * time.Microsecond)
	defer tick.Stop()
	for {
		err := p.Once(ctx, p.Wire.ListQueues())
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-p.gone:
			return p.failed(fmt.Errorf("%s ended at its start: %s", p.Name, p.cmd.ProcessState))
		case <-ctx.Done():
			return p.failed(fmt.Errorf("%s is not ready: %w", p.Name, err))
		}
	}
}

// failed adds the end of the server's log to an error.
func (p *process) failed(err error) error {
	const tail = 2000
	text, readErr := os.ReadFile(p.log)
	if readErr != nil || len(text) == 0 {
		return err
	}
	return fmt.Errorf("%w\nits log ends with:\n%s", err, bytes.TrimSpace(text[max(0, len(text)-tail):]))
}

// stop ends the process, kindly at first, and removes its data.
func (p *process) stop() error {
	var errs []error
	select {
	case <-p.gone:
		errs = append(errs, p.failed(fmt.Errorf("%s ended by itself: %s", p.Name, p.cmd.ProcessState)))
	default:
		// It fails only for a process that has just ended by itself.
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.gone:
			if p.ended != nil {
				errs = append(errs, p.failed(fmt.Errorf("%s did not end well: %w", p.Name, p.ended)))
			}
		case <-time.After(stopTimeout):
			_ = p.cmd.Process.Kill()
			<-p.gone
			errs = append(errs, p.failed(fmt.Errorf("%s did not end within %v of SIGTERM", p.Name, stopTimeout)))
		}
	}
	if p.dir != "" {
		errs = append(errs, os.RemoveAll(p.dir))
	}
	return errors.Join(errs...)
}

// cpu is the CPU time that the process has used so far.
func (p *process) cpu() (time.Duration, error) { return load.CPUTime(p.PID) }

// memory is what the process holds in RAM.
func (p *process) memory() (load.Memory, error) { return load.MemoryOf(p.PID) }

// under is one turn of load on the process.
func (p *process) under(ctx context.Context, o load.Options, newJob func(int) load.Job) (load.Measure, error) {
	m, err := load.Run(ctx, &p.Server, o, newJob)
	if err != nil {
		err = p.failed(err)
	}
	return m, err
}

// settled waits until the resident memory has not shrunk by more than 1 % over
// a second, at most for limit, and gives it.
func (p *process) settled(ctx context.Context, limit time.Duration) (load.Memory, error) {
	step := min(limit/4, time.Second)
	end := time.Now().Add(limit)
	last, err := p.memory()
	for err == nil && time.Now().Before(end) {
		if err = load.Pause(ctx, step); err != nil {
			break
		}
		var now load.Memory
		now, err = p.memory()
		if now.Resident > last.Resident*99/100 {
			return now, err
		}
		last = now
	}
	return last, err
}
