package app

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipeListener hands out connections in memory.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error { l.once.Do(func() { close(l.closed) }); return nil }

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (l *pipeListener) DialContext(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// The whole server runs in memory and in made-up time: an empty receive waits
// its 20 seconds, and a message that becomes visible meanwhile ends it.
func TestWholeServerInBubble(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener()
		a, err := New(Config{Listener: l, Admin: off, Data: dir, Sync: "off"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- a.Run(ctx) }()
		transport := &http.Transport{DialContext: l.DialContext}
		client := &http.Client{Transport: transport}
		call := func(action, body string) string {
			t.Helper()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://queues.test/", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/x-amz-json-1.0")
			r.Header.Set("X-Amz-Target", "AmazonSQS."+action)
			resp, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			return string(text)
		}
		if got, want := call("CreateQueue", `{"QueueName":"jobs"}`), `{"QueueUrl":"http://queues.test/000000000000/jobs"}`; got != want {
			t.Errorf("CreateQueue gave %s, want %s", got, want)
		}
		began := time.Now()
		if got := call("ReceiveMessage", `{"QueueUrl":"jobs","WaitTimeSeconds":20}`); got != "{}" {
			t.Errorf("an empty queue gave %s", got)
		}
		if took := time.Since(began).Round(10 * time.Millisecond); took != 20*time.Second {
			t.Errorf("an empty receive took %v, want 20s", took)
		}
		call("SendMessage", `{"QueueUrl":"jobs","MessageBody":"later","DelaySeconds":15}`)
		began = time.Now()
		if got := call("ReceiveMessage", `{"QueueUrl":"jobs","WaitTimeSeconds":20}`); !strings.Contains(got, `"Body":"later"`) {
			t.Errorf("the delayed message did not come: %s", got)
		}
		if took := time.Since(began).Round(100 * time.Millisecond); took != 15*time.Second {
			t.Errorf("the delayed message took %v, want 15s", took)
		}
		transport.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}
