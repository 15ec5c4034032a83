//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is a server that this program started.
type process struct {
	name string
	wire wire
	cmd  *exec.Cmd
	// log is the file with what the server wrote.
	log string
	// dir is removed once the process is gone; empty for none.
	dir string
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
	p := &process{name: name, wire: newWire(addr), log: log, dir: dir, gone: make(chan struct{})}
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
		c, err := p.dial(ctx)
		if err == nil {
			_, err = c.do(p.wire.listQueues())
			c.close()
		}
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-p.gone:
			return p.failed(fmt.Errorf("%s ended at its start: %s", p.name, p.cmd.ProcessState))
		case <-ctx.Done():
			return p.failed(fmt.Errorf("%s is not ready: %w", p.name, err))
		}
	}
}

// dial opens one connection, which is closed when the context ends.
func (p *process) dial(ctx context.Context) (*conn, error) {
	var d net.Dialer
	nc, err := d.DialContext(ctx, "tcp", p.wire.addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = nc.Close() })
	return newConn(nc), nil
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
		errs = append(errs, p.failed(fmt.Errorf("%s ended by itself: %s", p.name, p.cmd.ProcessState)))
	default:
		// It fails only for a process that has just ended by itself.
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.gone:
			if p.ended != nil {
				errs = append(errs, p.failed(fmt.Errorf("%s did not end well: %w", p.name, p.ended)))
			}
		case <-time.After(stopTimeout):
			_ = p.cmd.Process.Kill()
			<-p.gone
			errs = append(errs, p.failed(fmt.Errorf("%s did not end within %v of SIGTERM", p.name, stopTimeout)))
		}
	}
	if p.dir != "" {
		errs = append(errs, os.RemoveAll(p.dir))
	}
	return errors.Join(errs...)
}

// cpu is the CPU time that the process has used so far, user and system, of
// all its threads, to the nanosecond.
func (p *process) cpu() (time.Duration, error) { return cpuTime(p.cmd.Process.Pid) }

// cpuTime reads the CPU clock of a process; 0 is this one.
func cpuTime(pid int) (time.Duration, error) {
	// The kernel derives the number of a process's CPU clock from its id:
	// clock_getcpuclockid(3).
	clock := int32(unix.CLOCK_PROCESS_CPUTIME_ID)
	if pid != 0 {
		clock = ^int32(pid)<<3 | 2
	}
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		return 0, fmt.Errorf("cannot read the CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// memory is what a process holds in RAM, in bytes.
type memory struct {
	// resident is VmRSS; anonymous the part of it that is no file's.
	resident, anonymous int64
}

func (p *process) memory() (memory, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "status"))
	if err != nil {
		return memory{}, err
	}
	var m memory
	for field, to := range map[string]*int64{"VmRSS:": &m.resident, "RssAnon:": &m.anonymous} {
		_, rest, _ := bytes.Cut(text, []byte("\n"+field))
		var kb int64
		if _, err := fmt.Sscan(string(rest[:min(len(rest), 40)]), &kb); err != nil {
			return memory{}, fmt.Errorf("no %s in the status of process %d", field, p.cmd.Process.Pid)
		}
		*to = kb << 10
	}
	return m, nil
}

// settled waits until the resident memory has not shrunk by more than 1 % over
// a second, at most for limit, and gives it.
func (p *process) settled(ctx context.Context, limit time.Duration) (memory, error) {
	step := min(limit/4, time.Second)
	end := time.Now().Add(limit)
	last, err := p.memory()
	for err == nil && time.Now().Before(end) {
		if err = pause(ctx, step); err != nil {
			break
		}
		var now memory
		now, err = p.memory()
		if now.resident > last.resident*99/100 {
			return now, err
		}
		last = now
	}
	return last, err
}

// pause waits, unless the context ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
