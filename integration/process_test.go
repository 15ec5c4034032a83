package integration

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// startDeadline bounds the start of a server, on a machine that has much else
// to do.
const startDeadline = 60 * time.Second

// stopDeadline bounds its orderly end.
const stopDeadline = 30 * time.Second

// binaryDir is where the product is built to; TestMain makes and removes it.
var binaryDir string

// builtBinary builds the product once, with the race detector if the tests have it,
// and gives the path of its executable.
var builtBinary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binaryDir, "queues")
	args := []string{"build", "-o", path}
	if raceEnabled {
		args = append(args, "-race")
	}
	out, err := exec.Command("go", append(args, "queues/cmd/queues")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return path, nil
})

// process is a server in a process of its own.
type process struct {
	url string
	// admin is the address of its admin port.
	admin string
	cmd   *exec.Cmd
	// log gets closed, with the whole of the log in text, when the process has
	// ended.
	log  chan struct{}
	text *strings.Builder
	err  error
}

// start runs the binary with these arguments, and waits until it says where it
// listens.
func start(args ...string) (*process, error) {
	path, err := builtBinary()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(path, append(args, "--log-format=json")...), log: make(chan struct{}), text: &strings.Builder{}}
	// What a killed server leaves behind goes with the binary.
	p.cmd.Env = append(os.Environ(), "GORACE=halt_on_error=1", "TMPDIR="+binaryDir)
	output, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan string, 1)
	go p.read(output, ready)
	select {
	case p.url = <-ready:
		return p, nil
	case <-p.log:
		return nil, fmt.Errorf("the server ended: %w\n%s", p.err, p.text)
	case <-time.After(startDeadline):
		_ = p.cmd.Process.Kill()
		<-p.log
		return nil, fmt.Errorf("the server is not ready after %v:\n%s", startDeadline, p.text)
	}
}

// read follows the log until the process ends.
func (p *process) read(output io.Reader, ready chan<- string) {
	defer close(p.log)
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		fmt.Fprintln(p.text, lines.Text())
		if url, admin, ok := listening(lines.Text()); ok {
			p.admin = admin
			ready <- url
		}
	}
	p.err = p.cmd.Wait()
}

// listening reads from a line of the log where the server listens.
func listening(line string) (url, admin string, ok bool) {
	var l struct{ Msg, Listen, Admin string }
	if json.Unmarshal([]byte(line), &l) != nil || l.Msg != "serving" {
		return "", "", false
	}
	return "http://" + l.Listen, l.Admin, true
}

// kill ends the process at once, as a power cut would, and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.log
}

// stop ends the process in an orderly way. It is an error if it needs too long
// or reports one itself.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.log:
	case <-time.After(stopDeadline):
		p.kill()
		return fmt.Errorf("the server did not stop within %v:\n%s", stopDeadline, p.text)
	}
	if p.err != nil {
		return fmt.Errorf("%w\n%s", p.err, p.text)
	}
	return nil
}

// queues runs the binary as an operator would, and fails the test unless it
// succeeds.
func queues(t *testing.T, args ...string) {
	t.Helper()
	path, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput(); err != nil {
		t.Fatalf("queues %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// server gives what clients need to know about a process.
func (p *process) server() *server {
	return &server{url: p.url, host: strings.TrimPrefix(p.url, "http://")}
}

// startBinary runs a server for one test.
func startBinary(t *testing.T, args ...string) *process {
	t.Helper()
	p, err := start(args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// sharedProcess is the server that all tests of the binary share, started for
// the first of them.
type sharedProcess struct {
	once    sync.Once
	process *process
	err     error
}

var shared sharedProcess

// get gives the shared server.
func (s *sharedProcess) get(t *testing.T) *server {
	t.Helper()
	s.once.Do(func() { s.process, s.err = start("dev", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0") })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.process.server()
}

// stop stops the shared server, if there is one.
func (s *sharedProcess) stop() error {
	s.once.Do(func() {})
	if s.process == nil {
		return nil
	}
	return s.process.stop()
}

// serverAt gives the server at a URL that somebody else started.
func serverAt(t *testing.T, base string) *server {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		t.Fatalf("-target-url %q is not http://host:port", base)
	}
	res, err := http.Get(base)
	if err != nil {
		t.Fatalf("nothing answers at -target-url: %v", err)
	}
	res.Body.Close()
	return &server{url: "http://" + u.Host, host: u.Host}
}
