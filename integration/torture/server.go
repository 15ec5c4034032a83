//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// startLimit bounds the start of a server on a machine that has much else
	// to do, stopLimit its orderly end.
	startLimit = 60 * time.Second
	stopLimit  = 60 * time.Second
)

// server is the real server in a process of its own.
type server struct {
	cmd   *exec.Cmd
	begun time.Time
	// url is where it serves; ready is closed when that is known. admin is the
	// URL of its admin port, when it has one, known soon after.
	url   string
	admin string
	ready chan struct{}
	// ended is closed when the process has ended, with err from it.
	ended chan struct{}
	err   error
	mu    sync.Mutex
	log   strings.Builder
}

// startServer starts the binary on a data folder. It does not wait for it.
func startServer(binary, data string, env []string, args ...string) (*server, error) {
	args = append([]string{"serve", "--listen=127.0.0.1:0", "--admin=off", "--cooldowns=off", "--log-level=warn", "--data=" + data}, args...)
	s := &server{cmd: exec.CommandContext(context.Background(), binary, args...), ready: make(chan struct{}), ended: make(chan struct{})}
	s.cmd.Env = append(withoutSettings(os.Environ()), env...)
	// It must not survive us, however we end.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	output, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	s.begun = time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.follow(output)
	return s, nil
}

// withoutSettings leaves out the server's own variables.
func withoutSettings(env []string) []string {
	var kept []string
	for _, s := range env {
		if !strings.HasPrefix(s, "QUEUES_") {
			kept = append(kept, s)
		}
	}
	return kept
}

// follow reads the log until the process ends.
func (s *server) follow(output io.Reader) {
	defer close(s.ended)
	const most = 8 << 10
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s.mu.Lock()
		if s.log.Len() < most && !strings.Contains(lines.Text(), " msg=request ") {
			fmt.Fprintln(&s.log, lines.Text())
		}
		s.mu.Unlock()
		if _, rest, ok := strings.Cut(lines.Text(), " serves SQS on "); ok && s.url == "" {
			s.url, _, _ = strings.Cut(rest, " ")
			close(s.ready)
		}
		if _, rest, ok := strings.Cut(lines.Text(), "  health  "); ok {
			s.mu.Lock()
			s.admin = strings.TrimSuffix(rest, "/health/ready")
			s.mu.Unlock()
		}
	}
	s.err = s.cmd.Wait()
}

// text is the beginning of the log, without the lines of requests.
func (s *server) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// await waits until the server serves.
func (s *server) await() error {
	select {
	case <-s.ready:
		return nil
	case <-s.ended:
		return fmt.Errorf("the server ended at its start: %w\n%s", s.err, s.text())
	case <-time.After(startLimit):
		s.kill()
		return fmt.Errorf("the server does not serve after %v\n%s", startLimit, s.text())
	}
}

// kill ends the process at once and waits for its end.
func (s *server) kill() {
	s.signalKill()
	<-s.ended
}

// signalKill ends the process at once.
func (s *server) signalKill() { _ = s.cmd.Process.Kill() } // one that has ended is as good

// stop ends the process in an orderly way.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.ended:
	case <-time.After(stopLimit):
		s.kill()
		return fmt.Errorf("the server did not stop within %v of SIGTERM\n%s", stopLimit, s.text())
	}
	if s.err != nil {
		return fmt.Errorf("the server did not end well: %w\n%s", s.err, s.text())
	}
	return nil
}
