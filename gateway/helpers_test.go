package gateway

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"queues/compat"
	"queues/protocol"
)

// patience is how long a test waits for what must happen, on a machine that has
// much else to do.
const patience = 2 * time.Minute

// fakeService answers every call by a function of the test.
type fakeService func(ctx context.Context, c compat.Caller, call protocol.Call) (compat.Result, *protocol.Error)

func (f fakeService) Do(ctx context.Context, c compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
	return f(ctx, c, call)
}

// echo answers GetQueueUrl with the caller's queue URL, and all else with
// nothing.
func echo(_ context.Context, c compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
	if in, ok := call.Input.(*protocol.GetQueueURLInput); ok && in.QueueName != nil {
		url := c.BaseURL + "/" + c.Account + "/" + *in.QueueName
		return compat.Result{Output: &protocol.GetQueueURLOutput{QueueURL: &url}}, nil
	}
	return compat.Result{}, nil
}

// logBuffer collects log lines.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// wait returns the log once it holds text.
func (l *logBuffer) wait(t *testing.T, text string) string {
	t.Helper()
	waitFor(t, "log line "+text, func() bool { return strings.Contains(l.String(), text) })
	return l.String()
}

// waitFor yields until something is true.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// bench is a server on a loopback port.
type bench struct {
	*Server
	addr   string
	log    *logBuffer
	client *http.Client
}

// start runs a server for the length of a test. Unset options get what tests
// can live with.
func start(t *testing.T, o Options) *bench {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{addr: l.Addr().String(), log: &logBuffer{}}
	if o.Service == nil {
		o.Service = fakeService(echo)
	}
	o.Log = slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o.Account, o.Region = "000000000000", "us-east-1"
	// A test that is kept waiting by the machine is no slow peer.
	o.Limits.HeaderTimeout = cmp.Or(o.Limits.HeaderTimeout, patience)
	o.Limits.BodyTimeout = cmp.Or(o.Limits.BodyTimeout, patience)
	o.Limits.StopTimeout = cmp.Or(o.Limits.StopTimeout, patience)
	b.Server = New(o)
	transport := &http.Transport{}
	b.client = &http.Client{Transport: transport, Timeout: patience}
	served := make(chan error, 1)
	go func() { served <- b.Serve(l) }()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = b.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return b
}

// answer is a response read whole.
type answer struct {
	*http.Response
	body string
}

// do sends a request and reads the answer.
func (b *bench) do(t *testing.T, r *http.Request) answer {
	t.Helper()
	resp, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, resp)
}

func readAnswer(t *testing.T, resp *http.Response) answer {
	t.Helper()
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp, string(body)}
}

// jsonRequest makes a JSON request; form a Query one by POST.
func (b *bench) jsonRequest(t *testing.T, action, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+b.addr+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	return r
}

func (b *bench) form(t *testing.T, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+b.addr+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// dial opens a connection of its own.
func (b *bench) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return c
}

// raw sends text over a connection of its own and reads one answer. Lines end
// in LF in the text and in CRLF on the wire.
func (b *bench) raw(t *testing.T, method, head, body string) answer {
	t.Helper()
	c := b.dial(t)
	if _, err := io.WriteString(c, strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n"+body); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, resp)
}
