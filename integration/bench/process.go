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
	// begun is when it was started.
	begun time.Time
	// foreign is true for others' work, which ends by a signal as it likes.
	foreign bool
	gone    chan struct{}
	// ended is how it ended, valid once gone is closed.
	ended error
}

// startTimeout bounds the wait for a first answer, stopTimeout the wait for a
// process to end after SIGTERM.
const (
	startTimeout = 30 * time.Second
	stopTimeout  = 30 * time.Second
)

// program is what startProcess runs.
type program struct {
	name string
	argv []string
	// env are variables added to this program's own.
	env []string
	// wire says where it will answer and what it speaks.
	wire load.WireOptions
	// log is the file for what it writes, dir its data, which is removed once
	// it is gone; empty for none.
	log, dir string
	// foreign is true for others' work. It gets a process group of its own,
	// which is measured and stopped as one.
	foreign bool
}

// startProcess runs a server and does not wait for it to be ready.
func startProcess(ctx context.Context, s program) (*process, error) {
	out, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the process has it open itself
	wire, err := load.NewWire(s.wire)
	if err != nil {
		return nil, err
	}
	p := &process{
		Server: load.Server{Name: s.name, Wire: wire, Redials: s.foreign},
		log:    s.log, dir: s.dir, foreign: s.foreign, gone: make(chan struct{}),
	}
	// The end of the context is not its end: stop gives it time to end well.
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), s.argv[0], s.argv[1:]...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.Env = append(withoutSettings(os.Environ()), s.env...)
	// It must not survive us, however we end.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: s.foreign}
	p.begun = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", s.name, err)
	}
	p.PID = p.cmd.Process.Pid
	if s.foreign {
		p.CPU = func() (time.Duration, error) { return groupCPU(p.PID) }
	}
	go func() {
		defer close(p.gone)
		p.ended = p.cmd.Wait()
		if p.foreign {
			_ = p.signal(syscall.SIGKILL) // what is left of its group, usually nothing
		}
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
		if !p.foreign {
			errs = append(errs, p.failed(fmt.Errorf("%s ended by itself: %s", p.Name, p.cmd.ProcessState)))
		}
	default:
		// It fails only for a process that has just ended by itself.
		_ = p.signal(syscall.SIGTERM)
		select {
		case <-p.gone:
			if p.ended != nil && !p.foreign {
				errs = append(errs, p.failed(fmt.Errorf("%s did not end well: %w", p.Name, p.ended)))
			}
		case <-time.After(stopTimeout):
			_ = p.signal(syscall.SIGKILL)
			<-p.gone
			errs = append(errs, p.failed(fmt.Errorf("%s did not end within %v of SIGTERM", p.Name, stopTimeout)))
		}
	}
	if p.dir != "" {
		errs = append(errs, os.RemoveAll(p.dir))
	}
	return errors.Join(errs...)
}

// signal sends a signal to the process, or to its group if it has one.
func (p *process) signal(s syscall.Signal) error {
	if p.foreign {
		return syscall.Kill(-p.PID, s)
	}
	return p.cmd.Process.Signal(s)
}

// cpu is the CPU time that the process has used so far.
func (p *process) cpu() (time.Duration, error) { return load.CPUTime(p.PID) }

// memory is what the process holds in RAM.
func (p *process) memory() (load.Memory, error) {
	if p.foreign {
		return groupMemory(p.PID)
	}
	return load.MemoryOf(p.PID)
}

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
