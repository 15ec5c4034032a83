package integration

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// connect opens a connection to the server that the test writes to by itself.
func (s *server) connect(t *testing.T) net.Conn {
	t.Helper()
	dial := s.dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	c, err := dial(t.Context(), "tcp", s.host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return c
}

// raw sends a request byte by byte as it is given, and reads the answer whole.
func (s *server) raw(t *testing.T, request string) *http.Response {
	t.Helper()
	c := s.connect(t)
	// The server may answer, and stop reading, before it has read everything.
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = io.WriteString(c, request)
	}()
	res := readRaw(t, bufio.NewReader(c))
	c.Close()
	<-written
	return res
}

// readRaw reads one answer with its body from a connection.
func readRaw(t *testing.T, r *bufio.Reader) *http.Response {
	t.Helper()
	res, err := http.ReadResponse(r, nil)
	for err == nil && res.StatusCode == http.StatusContinue {
		res, err = http.ReadResponse(r, nil)
	}
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		t.Fatalf("the answer broke off: %v", err)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res
}

// lines makes a request of its header lines and its body, in which words that
// begin with % stand for what the test only knows when it runs. It adds the
// length of the body, or sends it in chunks if the header says so.
func (e *env) lines(queue, body string, head ...string) string {
	host, _, _ := net.SplitHostPort(e.host)
	known := strings.NewReplacer(
		"%HOST", e.host, "%NAKED", host, "%ACCOUNT", e.account, "%QUEUE", queue,
		"%SCOPE", e.account+"/20260101/us-east-1/sqs/aws4_request",
	)
	body = known.Replace(body)
	text := known.Replace(strings.Join(head, "\r\n")) + "\r\n"
	switch {
	case strings.Contains(text, "Transfer-Encoding: chunked"):
		chunks := "\r\n"
		for chunk := range slices.Chunk([]byte(body), 7) {
			chunks += fmt.Sprintf("%x\r\n%s\r\n", len(chunk), chunk)
		}
		return text + chunks + "0\r\n\r\n"
	case body != "":
		return text + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	default:
		return text + "\r\n"
	}
}
