package gateway

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"queues/compat"
	"queues/protocol"
)

// receiver is a service whose receive waits until it is told to claim one
// message, and which tells when its claims are given back.
type receiver struct {
	waiting chan struct{}
	claim   chan struct{}
	gone    chan struct{}
	undone  chan error
	// deaf makes it claim even when the context has ended.
	deaf bool
	body string
}

func newReceiver() *receiver {
	return &receiver{
		waiting: make(chan struct{}, 100), claim: make(chan struct{}),
		gone: make(chan struct{}, 10), undone: make(chan error, 10), body: "hello",
	}
}

func (s *receiver) Do(ctx context.Context, _ compat.Caller, _ protocol.Call) (compat.Result, *protocol.Error) {
	s.waiting <- struct{}{}
	if s.deaf {
		<-s.claim
	} else {
		select {
		case <-s.claim:
		case <-ctx.Done():
			s.gone <- struct{}{}
			return compat.Result{}, protocol.ServiceUnavailable.New("")
		}
	}
	return compat.Result{
		Output: &protocol.ReceiveMessageOutput{Messages: []protocol.Message{{Body: &s.body}}},
		Undo:   func(ctx context.Context) { s.undone <- ctx.Err() },
	}, nil
}

const receive = "POST / HTTP/1.1\r\nHost: h:1\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.ReceiveMessage\r\nContent-Length: 16\r\n\r\n{\"QueueUrl\":\"q\"}"

// waitRecv waits for a value with a deadline.
func waitRecv[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// A client that goes while it waits ends its call at once.
func TestClientGoneWhileWaiting(t *testing.T) {
	t.Parallel()
	s := newReceiver()
	b := start(t, Options{Service: s})
	c := b.dial(t)
	io.WriteString(c, receive)
	waitRecv(t, "the receive to wait", s.waiting)
	c.Close()
	waitRecv(t, "the receive to give up", s.gone)
	if log := b.log.wait(t, `"msg":"request"`); !strings.Contains(log, `"status":499`) {
		t.Errorf("log %s, want status 499", log)
	}
}

// A client that has gone when its messages are claimed leaves them to others.
// The taking back has a context of its own.
func TestClientGoneBeforeAnswer(t *testing.T) {
	t.Parallel()
	s := newReceiver()
	s.deaf = true
	ended := make(chan struct{})
	b := start(t, Options{Service: fakeService(func(ctx context.Context, c compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
		context.AfterFunc(ctx, func() { close(ended) })
		return s.Do(ctx, c, call)
	})})
	c := b.dial(t)
	io.WriteString(c, receive)
	waitRecv(t, "the receive to wait", s.waiting)
	c.Close()
	waitRecv(t, "the server to notice", ended)
	close(s.claim)
	if err := waitRecv(t, "the claim to be given back", s.undone); err != nil {
		t.Errorf("the claim was given back with a context that had ended: %v", err)
	}
}

// An answer that cannot be written is taken back.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"Small": 5, "Large": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newReceiver()
			s.body = strings.Repeat("m", size)
			close(s.claim)
			b := start(t, Options{Service: s})
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			go b.http.Serve(brokenListener{l})
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			io.WriteString(c, receive)
			waitRecv(t, "the claim to be given back", s.undone)
		})
	}
}

// An answer that arrives is not taken back.
func TestNoUndoOfAnswered(t *testing.T) {
	t.Parallel()
	s := newReceiver()
	close(s.claim)
	b := start(t, Options{Service: s})
	for range 20 {
		a := b.do(t, b.jsonRequest(t, "ReceiveMessage", `{"QueueUrl":"q"}`))
		if a.StatusCode != http.StatusOK || !strings.Contains(a.body, "hello") {
			t.Fatalf("got %d %s", a.StatusCode, a.body)
		}
	}
	b.client.CloseIdleConnections()
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.undone:
		t.Error("an answered receive was taken back")
	default:
	}
}

// brokenListener gives connections that can be read and not written.
type brokenListener struct{ net.Listener }

func (l brokenListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return brokenConn{c}, err
}

type brokenConn struct{ net.Conn }

func (brokenConn) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// A client that closes its connection in the moment before its messages are
// claimed leaves them to others, whether net/http has noticed or not.
func TestClientGoneThisMoment(t *testing.T) {
	t.Parallel()
	s := newReceiver()
	clients := make(chan net.Conn, 1)
	b := start(t, Options{Service: fakeService(func(ctx context.Context, _ compat.Caller, _ protocol.Call) (compat.Result, *protocol.Error) {
		(<-clients).Close()
		// On a busy machine even the kernel learns of it a little later.
		for conn := ctx.Value(connKey{}).(*countedConn); !conn.hungUp() && ctx.Err() == nil; {
			runtime.Gosched()
		}
		return compat.Result{
			Output: &protocol.ReceiveMessageOutput{Messages: []protocol.Message{{Body: &s.body}}},
			Undo:   func(ctx context.Context) { s.undone <- ctx.Err() },
		}, nil
	})})
	for range 200 {
		c := b.dial(t)
		clients <- c
		io.WriteString(c, receive)
		waitRecv(t, "the claim to be given back", s.undone)
	}
}
