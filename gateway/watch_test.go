package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
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
	c.unwatch(true)
	var one [1]byte
	for _, want := range []string{"0 \x00", "1 a", "1 b"} {
		n, err := c.Read(one[:])
		if got := fmt.Sprintf("%d %s", n, one[:]); got != want || err != nil {
			t.Errorf("read %q, %v, want %q", got, err, want)
		}
	}
	c.unwatch(true)
	c.unwatch(false)
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
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = s.Shutdown(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, Options{Service: s})
			io.WriteString(b.dial(t), send)
			ctx := waitRecv(t, "the send", s.contexts)
			go end(b.Server)
			waitRecv(t, "the end of its context", ctx.Done())
			s.goOn <- struct{}{}
		})
	}
}
