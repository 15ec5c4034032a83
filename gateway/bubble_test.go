package gateway

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"queues/compat"
	"queues/protocol"
)

// pipeListener hands out connections in memory, so that time can be made up.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
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

func (l *pipeListener) Close() error { close(l.closed); return nil }

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (l *pipeListener) dial() net.Conn {
	ours, theirs := net.Pipe()
	l.conns <- theirs
	return ours
}

// inBubble runs a server in a time bubble.
func inBubble(t *testing.T, service Service, test func(t *testing.T, l *pipeListener)) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener()
		s := New(Options{Service: service, Log: slog.New(slog.DiscardHandler), Account: "000000000000", Region: "us-east-1"})
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		test(t, l)
		s.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

func sleeper(d time.Duration) Service {
	return fakeService(func(ctx context.Context, _ compat.Caller, _ protocol.Call) (compat.Result, *protocol.Error) {
		select {
		case <-time.After(d):
			return compat.Result{Output: &protocol.ReceiveMessageOutput{}}, nil
		case <-ctx.Done():
			return compat.Result{}, protocol.InternalFailure.New("")
		}
	})
}

// No timeout of the server cuts the longest receive, and the connection serves
// the next one after it.
func TestLongPoll(t *testing.T) {
	inBubble(t, sleeper(20*time.Second), func(t *testing.T, l *pipeListener) {
		c := l.dial()
		defer c.Close()
		r := bufio.NewReader(c)
		for range 3 {
			began := time.Now()
			io.WriteString(c, receive)
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			if took := time.Since(began); resp.StatusCode != 200 || string(body) != "{}" || took != 20*time.Second {
				t.Errorf("got %d %s after %v, want 200 {} after 20s", resp.StatusCode, body, took)
			}
			time.Sleep(30 * time.Second)
		}
	})
}

// A body that never comes ends its request, and headers that never come or a
// connection without requests end it too.
func TestSlowPeers(t *testing.T) {
	for name, test := range map[string]struct {
		send   string
		after  time.Duration
		answer string
	}{
		"NoBody":    {receive[:len(receive)-5], 30 * time.Second, "#ServiceUnavailable"},
		"NoHeaders": {"POST / HTTP/1.1\r\nHost:", 10 * time.Second, ""},
		"Nothing":   {"", 10 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, sleeper(0), func(t *testing.T, l *pipeListener) {
				c := l.dial()
				defer c.Close()
				began := time.Now()
				io.WriteString(c, test.send)
				r := bufio.NewReader(c)
				r.Peek(1)
				if took := time.Since(began); took != test.after {
					t.Errorf("ended after %v, want %v", took, test.after)
				}
				got, _ := io.ReadAll(r)
				if !strings.Contains(string(got), test.answer) {
					t.Errorf("got %q, want %q in it", got, test.answer)
				}
			})
		})
	}
}

// A client that does not read its answer loses it, and the claim is given back.
func TestSlowReader(t *testing.T) {
	body := strings.Repeat("m", 1<<20)
	var undone atomic.Bool
	inBubble(t, fakeService(func(context.Context, compat.Caller, protocol.Call) (compat.Result, *protocol.Error) {
		return compat.Result{
			Output: &protocol.ReceiveMessageOutput{Messages: []protocol.Message{{Body: &body}}},
			Undo:   func(context.Context) { undone.Store(true) },
		}, nil
	}), func(t *testing.T, l *pipeListener) {
		c := l.dial()
		defer c.Close()
		io.WriteString(c, receive)
		time.Sleep(60*time.Second - time.Millisecond)
		if undone.Load() {
			t.Error("given back before the time was over")
		}
		time.Sleep(6*time.Second + 2*time.Millisecond)
		if !undone.Load() {
			t.Error("not given back when the time was over")
		}
	})
}

// All who wait for the last request hear of its end at once.
func TestAllHearOfTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Service: sleeper(0), Log: slog.New(slog.DiscardHandler), Account: "000000000000", Region: "us-east-1"})
		s.draining.Store(true)
		s.begin()
		began := time.Now()
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() { s.await(time.Second) })
		}
		synctest.Wait()
		s.end()
		waiting.Wait()
		if took := time.Since(began); took != 0 {
			t.Errorf("they waited for %v after the end", took)
		}
	})
}
