package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"queues/compat"
	"queues/protocol"
)

const jsonHead = "POST / HTTP/1.1\nHost: h:1\nContent-Type: application/x-amz-json-1.0\nX-Amz-Target: AmazonSQS."

// A body over the limit is refused in the protocol's form with an error that
// no SDK tries again, and without being read; one at the limit is taken.
func TestBodyLimit(t *testing.T) {
	t.Parallel()
	b := start(t, Options{Limits: Limits{MaxBody: 64}})
	fits := `{"QueueName":"` + strings.Repeat("q", 48) + `"}`
	for name, test := range map[string]struct {
		head, body string
		status     int
		want       string
	}{
		"AtLimit":         {jsonHead + "GetQueueUrl\nContent-Length: 64", fits, 200, "QueueUrl"},
		"Over":            {jsonHead + "GetQueueUrl\nContent-Length: 65", fits + " ", 400, `"__type":"com.amazon.coral.service#InvalidParameterValueException"`},
		"ChunkedAtLimit":  {jsonHead + "GetQueueUrl\nTransfer-Encoding: chunked", "40\r\n" + fits + "\r\n0\r\n\r\n", 200, "QueueUrl"},
		"ChunkedOver":     {jsonHead + "GetQueueUrl\nTransfer-Encoding: chunked", "41\r\n" + fits + " \r\n0\r\n\r\n", 400, "InvalidParameterValueException"},
		"QueryOver":       {"POST / HTTP/1.1\nHost: h:1\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 100", strings.Repeat("a", 100), 400, "<Code>InvalidParameterValue</Code>"},
		"NothingSent":     {jsonHead + "GetQueueUrl\nContent-Length: 100000000000", "", 400, "InvalidParameterValueException"},
		"EndlessChunks":   {jsonHead + "GetQueueUrl\nTransfer-Encoding: chunked", "ffffffff\r\n" + strings.Repeat("x", 10000), 400, "InvalidParameterValueException"},
		"MalformedChunks": {jsonHead + "GetQueueUrl\nTransfer-Encoding: chunked", "zz\r\n", 400, `"__type":"com.amazon.coral.service#SerializationException"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.raw(t, "POST", test.head, test.body)
			if a.StatusCode != test.status || !strings.Contains(a.body, test.want) {
				t.Errorf("got %d %s, want %d and %s", a.StatusCode, a.body, test.status, test.want)
			}
			if over := test.status != 200; over != a.Close {
				t.Errorf("connection closed: %t, want %t", a.Close, over)
			}
		})
	}
	waitFor(t, "an empty budget", func() bool { return b.memory.used.Load() == 0 })
}

// A client that sends everything before it reads sees the answer all the same.
func TestRefusedWhileSending(t *testing.T) {
	t.Parallel()
	b := start(t, Options{Limits: Limits{MaxBody: 2 << 20}})
	size := 6 << 20
	a := b.raw(t, "POST", fmt.Sprintf(jsonHead+"SendMessage\nContent-Length: %d", size), strings.Repeat("x", size))
	if a.StatusCode != 400 || !strings.Contains(a.body, "InvalidParameterValueException") {
		t.Errorf("got %d %s, want 400 InvalidParameterValueException", a.StatusCode, a.body)
	}
}

// Parameters in the URL have a limit of their own.
func TestLongURL(t *testing.T) {
	t.Parallel()
	b := start(t, Options{Limits: Limits{MaxHeader: 8 << 10}})
	for name, test := range map[string]struct{ length, status int }{
		"Fits":    {8000, 200},
		"TooLong": {9000, 400},
		// This one net/http refuses, in its own words.
		"FarTooLong": {40000, 431},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.raw(t, "GET", "GET /?Action=ListQueues&X="+strings.Repeat("x", test.length)+" HTTP/1.1\nHost: h:1", "")
			if a.StatusCode != test.status {
				t.Errorf("status %d, want %d: %.200s", a.StatusCode, test.status, a.body)
			}
			if test.status == 400 && !strings.Contains(a.body, "<Code>InvalidParameterValue</Code>") {
				t.Errorf("body %s, want InvalidParameterValue", a.body)
			}
		})
	}
}

// The bodies of all requests together have a limit, and past it a request is
// refused before its body is read, with an error that every SDK tries again.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	b := start(t, Options{
		Limits: Limits{MaxBody: 80, MaxMemory: 100},
		Service: fakeService(func(ctx context.Context, _ compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
			if call.Operation == protocol.DeleteQueue {
				close(entered)
				<-leave
			}
			return compat.Result{}, nil
		}),
	})
	first := make(chan answer, 1)
	held := `{"QueueUrl":"` + strings.Repeat("q", 45) + `"}`
	request := b.jsonRequest(t, "DeleteQueue", held)
	go func() {
		resp, err := b.client.Do(request)
		if err != nil {
			t.Error(err)
			close(first)
			return
		}
		first <- readAnswer(t, resp)
	}()
	<-entered
	for name, test := range map[string]struct {
		head, body string
		status     int
	}{
		"Declared":     {jsonHead + "ListQueues\nContent-Length: 60", "", 503},
		"Chunked":      {jsonHead + "ListQueues\nTransfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n", 503},
		"SmallOneFits": {jsonHead + "ListQueues\nContent-Length: 2", "{}", 200},
	} {
		a := b.raw(t, "POST", test.head, test.body)
		if a.StatusCode != test.status {
			t.Errorf("%s: status %d, want %d: %s", name, a.StatusCode, test.status, a.body)
		}
		if test.status == 503 && !strings.Contains(a.body, "ServiceUnavailable") {
			t.Errorf("%s: body %s, want ServiceUnavailable", name, a.body)
		}
	}
	close(leave)
	if a := <-first; a.Response == nil || a.StatusCode != 200 {
		t.Errorf("the request that held the memory failed: %v", a)
	}
	waitFor(t, "an empty budget", func() bool { return b.memory.used.Load() == 0 })
}

// Where too much work waits a large body is refused unread, with an error that
// every SDK tries again, and to a client that sends everything before it reads
// too; what is small goes on.
func TestLargeWhileBusy(t *testing.T) {
	t.Parallel()
	const most = 300 << 10
	b := start(t, Options{Busy: func(bytes int64) bool { return bytes > most }})
	text := func(bytes int) string { return `{"QueueNamePrefix":"` + strings.Repeat("q", bytes-22) + `"}` }
	for name, test := range map[string]struct {
		length int
		body   string
		status int
	}{
		"Fits":       {most, text(most), 200},
		"TooMuch":    {most + 1, text(most + 1), 403},
		"Small":      {largeBody, text(largeBody), 200},
		"FarTooMuch": {6 << 20, text(6 << 20), 403},
		"NothingYet": {1 << 20, "", 403},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.raw(t, "POST", fmt.Sprintf(jsonHead+"ListQueues\nContent-Length: %d", test.length), test.body)
			if a.StatusCode != test.status {
				t.Errorf("status %d, want %d: %.200s", a.StatusCode, test.status, a.body)
			}
			if test.status == 403 && !strings.Contains(a.body, "RequestThrottled") {
				t.Errorf("body %s, want RequestThrottled", a.body)
			}
		})
	}
	// However much waits, a small body is read.
	always := start(t, Options{Busy: func(int64) bool { return true }})
	if a := always.raw(t, "POST", jsonHead+"ListQueues\nContent-Length: 2", "{}"); a.StatusCode != 200 {
		t.Errorf("a small request: status %d, want 200: %s", a.StatusCode, a.body)
	}
}

// Clients that announce large bodies and send none do not take the room of
// those that work.
func TestIdleUploads(t *testing.T) {
	t.Parallel()
	for name, framing := range map[string]string{
		"Declared": "Content-Length: 1048576",
		"Chunked":  "Transfer-Encoding: chunked",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t, Options{Limits: Limits{MaxBody: 1 << 20, MaxMemory: 2 << 20}})
			head := strings.ReplaceAll(jsonHead+"ListQueues\n"+framing+"\n\n", "\n", "\r\n")
			for range 50 {
				if _, err := io.WriteString(b.dial(t), head); err != nil {
					t.Fatal(err)
				}
			}
			waitFor(t, "50 uploads", func() bool { return b.memory.used.Load() > 0 && b.Running() == 50 })
			if a := b.do(t, b.jsonRequest(t, "ListQueues", `{"QueueNamePrefix":"`+strings.Repeat("q", 100<<10)+`"}`)); a.StatusCode != 200 {
				t.Errorf("got %d %s, want 200", a.StatusCode, a.body)
			}
		})
	}
}

// A large answer without room is refused, and its claim given back.
func TestMemoryLimitOfAnswers(t *testing.T) {
	t.Parallel()
	undone := make(chan struct{})
	body := strings.Repeat("m", 100<<10)
	b := start(t, Options{
		Limits: Limits{MaxMemory: 90 << 10},
		Service: fakeService(func(context.Context, compat.Caller, protocol.Call) (compat.Result, *protocol.Error) {
			return compat.Result{
				Output: &protocol.ReceiveMessageOutput{Messages: []protocol.Message{{Body: &body}}},
				Undo:   func(context.Context) { close(undone) },
			}, nil
		}),
	})
	a := b.do(t, b.jsonRequest(t, "ReceiveMessage", `{"QueueUrl":"q"}`))
	if a.StatusCode != 503 || !strings.Contains(a.body, "ServiceUnavailable") {
		t.Errorf("got %d %.200s, want 503 ServiceUnavailable", a.StatusCode, a.body)
	}
	select {
	case <-undone:
	default:
		t.Error("the claim was not given back")
	}
	waitFor(t, "an empty budget", func() bool { return b.memory.used.Load() == 0 })
}

// Room for the messages of an answer is reserved before they are read, as
// often as they will be in memory, and is free again after the answer.
func TestMemoryLimitOfMessages(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("m", 20<<10)
	b := start(t, Options{
		Limits: Limits{MaxMemory: 100 << 10},
		Service: fakeService(func(_ context.Context, c compat.Caller, _ protocol.Call) (compat.Result, *protocol.Error) {
			if c.Room(40 << 10) {
				t.Error("there was room for what does not fit three times")
			}
			if !c.Room(int64(len(body))) || c.Room(int64(len(body))) {
				t.Error("there was room for none of it, or for it twice")
			}
			return compat.Result{Output: &protocol.ReceiveMessageOutput{Messages: []protocol.Message{{Body: &body}}}}, nil
		}),
	})
	for range 3 {
		if a := b.do(t, b.jsonRequest(t, "ReceiveMessage", `{"QueueUrl":"q"}`)); a.StatusCode != 200 {
			t.Errorf("got %d %.200s, want 200", a.StatusCode, a.body)
		}
		waitFor(t, "an empty budget", func() bool { return b.memory.used.Load() == 0 })
	}
}

// Connections over the limit are told so, those far over it are closed, and
// when others go there is room again.
func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	b := start(t, Options{Limits: Limits{MaxConnections: 2}})
	one, two := b.dial(t), b.dial(t)
	ask := func(c io.ReadWriter) answer {
		t.Helper()
		io.WriteString(c, strings.ReplaceAll(jsonHead, "\n", "\r\n")+"ListQueues\r\nContent-Length: 2\r\n\r\n{}")
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		return readAnswer(t, resp)
	}
	if a := ask(one); a.StatusCode != 200 {
		t.Errorf("first: status %d", a.StatusCode)
	}
	if a := ask(two); a.StatusCode != 200 {
		t.Errorf("second: status %d", a.StatusCode)
	}
	if a := ask(b.dial(t)); a.StatusCode != 503 || !a.Close || !strings.Contains(a.body, `"__type":"com.amazon.coral.service#ServiceUnavailable"`) {
		t.Errorf("third: got %d, closed %t, %s; want 503 ServiceUnavailable and closed", a.StatusCode, a.Close, a.body)
	}
	waitFor(t, "the third connection to go", func() bool { return b.conns.open.Load() == 2 })

	for range spareConnections {
		b.dial(t)
	}
	far := b.dial(t)
	if n, err := far.Read(make([]byte, 1)); err == nil {
		t.Errorf("a connection far over the limit was sent %d bytes", n)
	}

	one.Close()
	if a := ask(two); a.StatusCode != 200 {
		t.Errorf("second again: status %d", a.StatusCode)
	}
	two.Close()
	waitFor(t, "connections to go", func() bool { return b.conns.open.Load() == spareConnections })
}

// A store that asks for room when the request has ended, since its client had
// hung up, gets none: there is nobody left to give it back.
func TestNoRoomAfterTheEnd(t *testing.T) {
	t.Parallel()
	asked := make(chan func(int64) bool, 1)
	b := start(t, Options{Service: fakeService(func(_ context.Context, c compat.Caller, _ protocol.Call) (compat.Result, *protocol.Error) {
		asked <- c.Room
		return compat.Result{}, nil
	})})
	res, err := b.client.Post("http://"+b.addr, "application/x-www-form-urlencoded", strings.NewReader("Action=ListQueues"))
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	room := <-asked
	waitFor(t, "an empty budget", func() bool { return b.Running() == 0 && b.memory.used.Load() == 0 })
	if room(1000) || b.memory.used.Load() != 0 {
		t.Errorf("a request that has ended holds %d bytes", b.memory.used.Load())
	}
}
