package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"queues/compat"
	"queues/protocol"
)

const (
	send      = "POST / HTTP/1.1\r\nHost: h:1\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.SendMessage\r\nContent-Length: 16\r\n\r\n{\"QueueUrl\":\"q\"}"
	querySend = "POST / HTTP/1.1\r\nHost: h:1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 18\r\n\r\nAction=SendMessage"
	queryGet  = "GET /?Action=ReceiveMessage HTTP/1.1\r\nHost: h:1\r\n\r\n"
)

// blocker is a service whose calls wait until the test lets them go on.
type blocker struct {
	contexts chan context.Context
	goOn     chan struct{}
}

func newBlocker() *blocker {
	return &blocker{contexts: make(chan context.Context), goOn: make(chan struct{})}
}

func (s *blocker) Do(ctx context.Context, _ compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
	s.contexts <- ctx
	<-s.goOn
	if call.Operation == protocol.ReceiveMessage {
		return compat.Result{Output: &protocol.ReceiveMessageOutput{}}, nil
	}
	return compat.Result{Output: &protocol.SendMessageOutput{}}, nil
}

// A client that hangs up ends what may be a receive and takes nothing from what
// is done at once anyway, whatever the connection was used for before.
func TestWatched(t *testing.T) {
	for _, test := range []struct {
		name     string
		requests []string
		ended    bool
	}{
		{"Send", []string{send}, false},
		{"Receive", []string{receive}, true},
		{"QuerySend", []string{querySend}, true},
		{"ReceiveAfterSend", []string{send, receive}, true},
		{"GetAfterSend", []string{send, queryGet}, true},
		{"SendAfterReceive", []string{receive, send}, false},
		{"SendAfterSend", []string{send, send}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s *blocker // its channels belong into the bubble
			service := fakeService(func(ctx context.Context, c compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
				return s.Do(ctx, c, call)
			})
			inBubble(t, service, func(t *testing.T, l *pipeListener) {
				s = newBlocker()
				c := l.dial()
				answers := bufio.NewReader(c)
				for i, request := range test.requests {
					go io.WriteString(c, request)
					ctx := <-s.contexts
					if i < len(test.requests)-1 {
						s.goOn <- struct{}{}
						discardAnswer(t, answers)
						continue
					}
					synctest.Wait()
					c.Close()
					synctest.Wait()
					if ended := ctx.Err() != nil; ended != test.ended {
						t.Errorf("the context has ended: %v, want %v", ended, test.ended)
					}
					s.goOn <- struct{}{}
				}
			})
		})
	}
}

// Requests that are sent before the answer to the first has come are answered
// one after the other.
func TestPipelined(t *testing.T) {
	for name, requests := range map[string][]string{
		"Sends": {send, send, send},
		"Mixed": {send, receive, querySend, send, queryGet, send},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, fakeService(echo), func(t *testing.T, l *pipeListener) {
				c := l.dial()
				defer c.Close()
				go func() {
					for _, request := range requests {
						io.WriteString(c, request)
					}
				}()
				answers := bufio.NewReader(c)
				for range requests {
					discardAnswer(t, answers)
				}
			})
		})
	}
}

func discardAnswer(t *testing.T, from *bufio.Reader) {
	t.Helper()
	resp, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
		t.Fatalf("status %d, error %v", resp.StatusCode, err)
	}
}

// A read of one byte that has nothing to do is the only one of its request.
func TestUnwatchedOnce(t *testing.T) {
	t.Parallel()
	ours, theirs := net.Pipe()
	defer ours.Close()
	c := newConn(theirs, &limitedListener{conns: &connections{}}, false)
	defer c.Close()
	go fmt.Fprint(ours, "abcd")
	c.unwatch(time.Now())
	var one [1]byte
	for _, want := range []string{"0 \x00", "1 a", "1 b"} {
		n, err := c.Read(one[:])
		if got := fmt.Sprintf("%d %s", n, one[:]); got != want || err != nil {
			t.Errorf("read %q, %v, want %q", got, err, want)
		}
	}
	c.unwatch(time.Now())
	c.watch()
	if n, err := c.Read(one[:]); n != 1 || err != nil || one[0] != 'c' {
		t.Errorf("read %d %q, %v, want c", n, one[:], err)
	}
}

// What does not end in time is told so when the server is closed, though nobody
// watches its connection.
func TestCloseEndsSends(t *testing.T) {
	s := newBlocker()
	for name, end := range map[string]func(*Server){
		"Close": func(s *Server) { _ = s.Close() },
		"Shutdown": func(s *Server) {
			_ = s.Shutdown(context.Background())
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, Options{Service: s, Limits: Limits{StopTimeout: 10 * time.Millisecond}})
			io.WriteString(b.dial(t), send)
			ctx := waitRecv(t, "the send", s.contexts)
			go end(b.Server)
			waitRecv(t, "the end of its context", ctx.Done())
			s.goOn <- struct{}{}
		})
	}
}

// A request that takes long is given up when its client has gone, watched or not.
func TestLongSendOfGoneClient(t *testing.T) {
	t.Parallel()
	s := newBlocker()
	b := start(t, Options{Service: s})
	stays, goes := b.dial(t), b.dial(t)
	io.WriteString(stays, send)
	waits := waitRecv(t, "the send of one who stays", s.contexts)
	io.WriteString(goes, send)
	ends := waitRecv(t, "the send of one who goes", s.contexts)
	goes.Close()
	waitRecv(t, "the end of its context", ends.Done())
	if waits.Err() != nil {
		t.Error("the send of one who stays was given up too")
	}
	s.goOn <- struct{}{}
	s.goOn <- struct{}{}
	discardAnswer(t, bufio.NewReader(stays))
}

// Nothing is left of a request for the next one on its connection, whatever
// net/http has read.
func TestUnwatchedIsOver(t *testing.T) {
	t.Parallel()
	empty := strings.Replace(strings.Replace(send, "SendMessage", "ListQueues", 1), "Content-Length: 16\r\n\r\n{\"QueueUrl\":\"q\"}", "Content-Length: 0\r\n\r\n", 1)
	for _, request := range []string{send, receive, querySend, queryGet, empty, strings.Replace(send, "{", "}", 1)} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		b := New(Options{Service: fakeService(echo), Log: slog.New(slog.DiscardHandler), Account: "000000000000", Region: "us-east-1"})
		conns := make(chan *countedConn, 1)
		b.http.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
			conns <- c.(*countedConn)
			return connContext(ctx, c)
		}
		go b.Serve(l)
		defer b.Close()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, request)
		counted := waitRecv(t, "the connection", conns)
		if _, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the end of the request", func() bool { return b.Running() == 0 })
		if counted.unwatched.Load() || counted.since.Load() != 0 {
			t.Errorf("after %q the next request would not be watched", request)
		}
	}
}
