package app

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen, on a machine that has
// much else to do.
const patience = 2 * time.Minute

// output collects what the server tells.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// running is a server under way.
type running struct {
	*App
	output *output
	stop   func()
	ended  chan error
	client *http.Client
}

// onFreePorts is a configuration for tests.
func onFreePorts(t *testing.T) Config {
	t.Helper()
	return Config{Listen: "127.0.0.1:0", Admin: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Sync: "off", LogLevel: "debug"}
}

// run starts a server and stops it after the test.
func run(t *testing.T, c Config) *running {
	t.Helper()
	out := &output{}
	c.Output = out
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	transport := &http.Transport{}
	r := &running{App: a, output: out, stop: stop, ended: make(chan error, 1), client: &http.Client{Transport: transport, Timeout: patience}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.ended <- a.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		transport.CloseIdleConnections()
		if err := a.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		select {
		case <-done:
		case <-time.After(patience):
			t.Error("Run did not end")
		}
	})
	return r
}

// end stops the server and gives Run's error.
func (r *running) end(t *testing.T) error {
	t.Helper()
	r.stop()
	return r.wait(t)
}

func (r *running) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.ended:
		return err
	case <-time.After(patience):
		t.Fatal("Run did not end")
		return nil
	}
}

// waitOutput waits until the server has told something, and gives the line.
func (r *running) waitOutput(t *testing.T, text string) (line string) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for deadline := time.After(patience); ; {
		for line := range strings.Lines(r.output.String()) {
			if strings.Contains(line, text) && strings.HasSuffix(line, "\n") {
				return line
			}
		}
		select {
		case <-look.C:
		case <-deadline:
			t.Fatalf("no %q in\n%s", text, r.output)
		}
	}
}

// call sends a JSON request and gives status and body.
func (r *running) call(t *testing.T, action, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.Addr()+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	resp, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// want fails the test unless the call gives the status and text.
func (r *running) want(t *testing.T, action, body string, status int, text string) {
	t.Helper()
	if gotStatus, got := r.call(t, action, body); gotStatus != status || !strings.Contains(got, text) {
		t.Fatalf("%s %s: got %d %s, want %d and %q", action, body, gotStatus, got, status, text)
	}
}
