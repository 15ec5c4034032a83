package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startDeadline bounds the start of a server, stopDeadline its orderly end.
const (
	startDeadline = 60 * time.Second
	stopDeadline  = 30 * time.Second
)

// server is a running server that belongs to one client.
type server struct {
	url string
	cmd *exec.Cmd
	log *serverLog
	// gone is closed when it has ended, and ended is then how.
	gone  chan struct{}
	ended error
}

// serverLog collects what the server writes and tells where it listens.
type serverLog struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ready chan string
	told  bool
}

// Write implements io.Writer.
func (l *serverLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	if l.told {
		return len(b), nil
	}
	for line := range strings.Lines(l.text.String()) {
		var said struct{ Msg, Listen string }
		if json.Unmarshal([]byte(line), &said) == nil && said.Msg == "serving" {
			l.told = true
			l.ready <- "http://" + said.Listen
			break
		}
	}
	return len(b), nil
}

// String gives all that was written.
func (l *serverLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// startServer starts the server with its data below dir, as a user would, and
// waits until it says where it listens.
func startServer(ctx context.Context, binary, dir string) (*server, error) {
	s := &server{log: &serverLog{ready: make(chan string, 1)}, gone: make(chan struct{})}
	// The end of the context is not its end: stop gives it time to end well.
	s.cmd = exec.CommandContext(context.WithoutCancel(ctx), binary, "serve",
		"--listen=127.0.0.1:0", "--admin=off", "--data="+filepath.Join(dir, "data"), "--log-format=json")
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "QUEUES_") {
			s.cmd.Env = append(s.cmd.Env, v)
		}
	}
	// It must not survive us, however we end.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server does not start: %w", err)
	}
	go func() {
		defer close(s.gone)
		s.ended = s.cmd.Wait()
	}()
	select {
	case s.url = <-s.log.ready:
		return s, nil
	case <-s.gone:
		return nil, fmt.Errorf("the server ended: %w: %s", s.ended, s.log)
	case <-time.After(startDeadline):
		_ = s.cmd.Process.Kill()
		<-s.gone
		return nil, fmt.Errorf("the server is not ready after %v: %s", startDeadline, s.log)
	}
}

// stop ends the server. It is an error if it had ended before, ends badly, or
// has logged an error.
func (s *server) stop() error {
	// It fails only for a process that has ended, which is told below.
	early := s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.gone:
	case <-time.After(stopDeadline):
		_ = s.cmd.Process.Kill()
		<-s.gone
		return fmt.Errorf("the server did not stop within %v", stopDeadline)
	}
	if errors.Is(early, os.ErrProcessDone) {
		return fmt.Errorf("the server ended by itself: %s", s.cmd.ProcessState)
	}
	if s.ended != nil {
		return fmt.Errorf("the server ended badly: %w", s.ended)
	}
	for line := range strings.Lines(s.log.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			return fmt.Errorf("the server logged an error: %s", strings.TrimSpace(line))
		}
	}
	return nil
}

// tail gives the end of the server's log.
func (s *server) tail() []string { return lastLines(s.log.String(), 6) }
