package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"queues/compat"
	"queues/protocol"
)

// An answer has its protocol's type, a request id that body and header agree
// on, a right Date and a length.
func TestAnswerHeaders(t *testing.T) {
	t.Parallel()
	b := start(t, Options{})
	for name, test := range map[string]struct {
		request *http.Request
		status  int
		ctype   string
		query   string
		body    string
	}{
		"JSONOutput":  {b.jsonRequest(t, "GetQueueUrl", `{"QueueName":"q"}`), 200, "application/x-amz-json-1.0", "", `{"QueueUrl":"http://` + b.addr + `/000000000000/q"}`},
		"JSONNothing": {b.jsonRequest(t, "DeleteQueue", `{"QueueUrl":"q"}`), 200, "application/x-amz-json-1.0", "", ""},
		"JSONError":   {b.jsonRequest(t, "Nothing", `{}`), 400, "application/x-amz-json-1.0", "InvalidAction;Sender", `{"__type":"com.amazon.coral.service#UnknownOperationException","message":"The action Nothing is not valid for this endpoint."}`},
		"QueryOutput": {b.form(t, "Action=GetQueueUrl&QueueName=q"), 200, "text/xml", "", "<QueueUrl>http://" + b.addr + "/000000000000/q</QueueUrl>"},
		"QueryError":  {b.form(t, "Action=Nothing"), 400, "text/xml", "", "<Code>InvalidAction</Code>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.do(t, test.request)
			if a.StatusCode != test.status || a.Header.Get("Content-Type") != test.ctype || a.Header.Get("x-amzn-query-error") != test.query {
				t.Errorf("got %d, %q, %q; want %d, %q, %q", a.StatusCode, a.Header.Get("Content-Type"), a.Header.Get("x-amzn-query-error"), test.status, test.ctype, test.query)
			}
			if !strings.Contains(a.body, test.body) {
				t.Errorf("body %q, want %q in it", a.body, test.body)
			}
			if got := a.Header.Get("Content-Length"); got != strconv.Itoa(len(a.body)) {
				t.Errorf("Content-Length %q for %d bytes", got, len(a.body))
			}
			id := a.Header.Get("x-amzn-RequestId")
			if _, err := uuid.Parse(id); err != nil {
				t.Errorf("request id %q: %v", id, err)
			}
			if test.ctype == "text/xml" && !strings.Contains(a.body, id) {
				t.Errorf("body without the request id %s: %s", id, a.body)
			}
			date, err := http.ParseTime(a.Header.Get("Date"))
			if err != nil || time.Since(date).Abs() > time.Minute {
				t.Errorf("Date %q: %v", a.Header.Get("Date"), err)
			}
		})
	}
}

// The header spelling is AWS's: some clients compare it as it is.
func TestHeaderSpelling(t *testing.T) {
	t.Parallel()
	b := start(t, Options{})
	c := b.dial(t)
	io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: 2\r\n\r\n{}")
	got, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\r\nx-amzn-RequestId: ", "\r\nx-amzn-query-error: InvalidAction;Sender\r\n"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Chunked bodies are read whole, and header names match in any case.
func TestChunkedBody(t *testing.T) {
	t.Parallel()
	b := start(t, Options{})
	a := b.raw(t, "POST", "POST / HTTP/1.1\nhost: h:1\ncontent-type: application/x-amz-json-1.0; charset=utf-8\nX-AMZ-TARGET: AmazonSQS.GetQueueUrl\ntransfer-encoding: chunked",
		"d\r\n{\"QueueName\":\r\n4\r\n\"q\"}\r\n0\r\n\r\n")
	if want := `{"QueueUrl":"http://h:1/000000000000/q"}`; a.body != want {
		t.Errorf("body %q, want %q", a.body, want)
	}
}

// A client that asks whether to go on is told so, and not before there is room.
func TestExpectContinue(t *testing.T) {
	t.Parallel()
	b := start(t, Options{Limits: Limits{MaxBody: 100}})
	head := "POST / HTTP/1.1\r\nHost: h:1\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.GetQueueUrl\r\nExpect: 100-continue\r\nContent-Length: "
	t.Run("GoesOn", func(t *testing.T) {
		t.Parallel()
		c := b.dial(t)
		r := bufio.NewReader(c)
		io.WriteString(c, head+"17\r\n\r\n")
		if line, _ := r.ReadString('\n'); line != "HTTP/1.1 100 Continue\r\n" {
			t.Fatalf("got %q, want 100 Continue", line)
		}
		r.ReadString('\n')
		io.WriteString(c, `{"QueueName":"q"}`)
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a := readAnswer(t, resp); a.StatusCode != 200 {
			t.Errorf("status %d, want 200: %s", a.StatusCode, a.body)
		}
	})
	t.Run("Refused", func(t *testing.T) {
		t.Parallel()
		c := b.dial(t)
		io.WriteString(c, head+"1000\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if a := readAnswer(t, resp); a.StatusCode != 400 || !strings.Contains(a.body, "InvalidParameterValueException") {
			t.Errorf("got %d %s, want 400 InvalidParameterValueException", a.StatusCode, a.body)
		}
	})
}

// A small answer is one write on the connection: some clients stop reading
// when head and body come apart.
func TestOneWrite(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	counted := &writeCounter{Listener: l}
	b := start(t, Options{})
	go b.http.Serve(counted)
	resp, err := b.client.Post("http://"+l.Addr().String()+"/", "application/x-www-form-urlencoded", strings.NewReader("Action=GetQueueUrl&QueueName=q"))
	if err != nil {
		t.Fatal(err)
	}
	if a := readAnswer(t, resp); a.StatusCode != 200 {
		t.Fatalf("status %d: %s", a.StatusCode, a.body)
	}
	if n := counted.writes.Load(); n != 1 {
		t.Errorf("%d writes, want 1", n)
	}
}

type writeCounter struct {
	net.Listener
	writes atomic.Int64
}

func (l *writeCounter) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &countingConn{c, &l.writes}, err
}

type countingConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c *countingConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// A panic is one failed request, in the protocol that was asked, and the
// server lives on.
func TestPanic(t *testing.T) {
	t.Parallel()
	b := start(t, Options{Service: fakeService(func(context.Context, compat.Caller, protocol.Call) (compat.Result, *protocol.Error) {
		panic("secret detail")
	})})
	for name, test := range map[string]struct {
		request *http.Request
		want    string
	}{
		"JSON":  {b.jsonRequest(t, "ListQueues", "{}"), `"__type":"com.amazon.coral.service#InternalFailure"`},
		"Query": {b.form(t, "Action=ListQueues"), "<Type>Receiver</Type><Code>InternalFailure</Code>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.do(t, test.request)
			if a.StatusCode != 500 || !strings.Contains(a.body, test.want) {
				t.Errorf("got %d %s, want 500 and %s", a.StatusCode, a.body, test.want)
			}
			if strings.Contains(a.body, "secret") {
				t.Errorf("the answer tells of the panic: %s", a.body)
			}
			log := b.log.wait(t, a.Header.Get("x-amzn-RequestId"))
			if !strings.Contains(log, "secret detail") || !strings.Contains(log, "funnel_test.go") {
				t.Errorf("the log has no panic with its stack: %s", log)
			}
		})
	}
}

// A panic after a claim gives the claim back.
func TestPanicTakesBack(t *testing.T) {
	t.Parallel()
	undone := make(chan struct{})
	b := start(t, Options{Service: fakeService(func(context.Context, compat.Caller, protocol.Call) (compat.Result, *protocol.Error) {
		// An output of the wrong type makes the codec panic.
		return compat.Result{Output: &protocol.GetQueueURLOutput{}, Undo: func(context.Context) { close(undone) }}, nil
	})})
	if a := b.do(t, b.jsonRequest(t, "ReceiveMessage", `{"QueueUrl":"q"}`)); a.StatusCode != 500 {
		t.Errorf("status %d, want 500", a.StatusCode)
	}
	select {
	case <-undone:
	case <-time.After(patience):
		t.Error("the claim was not given back")
	}
}

// Every request leaves one line, with names and numbers only.
func TestLog(t *testing.T) {
	t.Parallel()
	b := start(t, Options{Service: fakeService(func(_ context.Context, _ compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
		if call.Operation == protocol.PurgeQueue {
			err := protocol.InternalFailure.New("")
			err.Cause = errors.New("disk on fire")
			return compat.Result{}, err
		}
		return compat.Result{}, nil
	})})
	for name, test := range map[string]struct {
		request *http.Request
		want    map[string]any
	}{
		"Success":    {b.jsonRequest(t, "DeleteMessage", `{"QueueUrl":"http://h/000000000000/jobs","ReceiptHandle":"secret"}`), map[string]any{"level": "INFO", "action": "DeleteMessage", "protocol": "json", "queue": "jobs", "status": 200.0}},
		"BadRequest": {b.form(t, "Action=DeleteQueue%"), map[string]any{"level": "INFO", "action": "", "protocol": "query", "queue": "", "status": 400.0, "code": "SerializationException"}},
		"Failure":    {b.form(t, "Action=PurgeQueue&QueueUrl=/000000000000/jobs&Secret=secret"), map[string]any{"level": "ERROR", "action": "PurgeQueue", "protocol": "query", "queue": "jobs", "status": 500.0, "code": "InternalFailure", "cause": "disk on fire"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.do(t, test.request)
			id := a.Header.Get("x-amzn-RequestId")
			log := b.log.wait(t, id)
			var got map[string]any
			for line := range strings.Lines(log) {
				if !strings.Contains(line, id) {
					continue
				}
				if got != nil {
					t.Errorf("more than one line: %s", line)
				}
				if err := json.Unmarshal([]byte(line), &got); err != nil {
					t.Fatal(err)
				}
			}
			if _, ok := got["duration_ms"].(float64); !ok || got["remote"] != "127.0.0.1" || got["msg"] != "request" {
				t.Errorf("incomplete line: %v", got)
			}
			for _, key := range []string{"time", "msg", "duration_ms", "request_id", "remote"} {
				delete(got, key)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("line (-want +got):\n%s", diff)
			}
			if strings.Contains(log, "secret") || strings.Contains(a.body, "fire") {
				t.Error("secrets of the request are in the log, or of the server in the answer")
			}
		})
	}
}
