package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"time"
)

// Conn is one keep-alive connection. It is used by one goroutine at a time.
type Conn struct {
	net.Conn
	// Out and Scratch are for requests that are made on the way.
	Out, Scratch []byte
	// buf holds what was read and not used yet from start on; joined a chunked
	// body.
	buf, joined []byte
	start, end  int
	// ended is true once the server has said that it ends the connection.
	ended bool
	// redial opens another one for it then; nil where that is a failure.
	redial func() (net.Conn, error)
	// counting tells whether latencies are kept, per action; nil for never.
	counting *atomic.Bool
	actions  *[actionCount]*Histogram
	// unhook lets the end of a context pass by; nil for none.
	unhook func() bool
}

// Answer is one HTTP answer. Its body is valid until the next exchange.
type Answer struct {
	Status int
	Body   []byte
}

// NewConn makes a connection of one that is open.
func NewConn(c net.Conn) *Conn { return &Conn{Conn: c, buf: make([]byte, 4096)} }

// Quit ends the connection. Nothing is lost by it: every answer that matters
// has been read.
func (c *Conn) Quit() {
	if c.unhook != nil {
		c.unhook()
	}
	_ = c.Close()
}

// Exchange writes one request and reads its answer.
func (c *Conn) Exchange(request []byte) (Answer, error) {
	if c.ended {
		if err := c.again(); err != nil {
			return Answer{}, err
		}
	}
	if _, err := c.Write(request); err != nil {
		return Answer{}, err
	}
	return c.read()
}

// again puts another connection in the place of one that the server ends.
func (c *Conn) again() error {
	if c.redial == nil {
		return errEnded
	}
	_ = c.Close()
	open, err := c.redial()
	if err != nil {
		return err
	}
	c.Conn, c.start, c.end, c.ended = open, 0, 0, false
	return nil
}

// Do is an exchange that must succeed: any status but 200 is a *StatusError.
func (c *Conn) Do(a Action, request []byte) ([]byte, error) {
	begun := time.Now()
	got, err := c.Exchange(request)
	if err != nil {
		return nil, err
	}
	if got.Status != 200 {
		return nil, &StatusError{Status: got.Status, Code: errorCode(got.Body), Body: string(clip(got.Body))}
	}
	if c.counting != nil && c.counting.Load() {
		if c.actions[a] == nil {
			c.actions[a] = &Histogram{}
		}
		c.actions[a].Add(time.Since(begun))
	}
	return got.Body, nil
}

// Buffered says whether bytes of the server were read and not used yet.
func (c *Conn) Buffered() bool { return c.start < c.end }

// clip bounds what an error shows of a body.
func clip(body []byte) []byte {
	const limit = 300
	return body[:min(len(body), limit)]
}

// maxAnswer bounds an answer, in bytes: ten messages of the greatest size and
// what is around them fit well.
const maxAnswer = 16 << 20

var (
	errAnswerTooLong = errors.New("the answer is too long")
	errEnded         = errors.New("the server ends connections")
)

// read takes one answer off the connection.
func (c *Conn) read() (Answer, error) {
	line, err := c.until("\r\n\r\n")
	if err != nil {
		return Answer{}, err
	}
	h, err := parseHead(line)
	if err != nil {
		return Answer{}, err
	}
	c.ended = h.closing
	if !h.chunked {
		body, err := c.take(h.length)
		return Answer{h.status, body}, err
	}
	c.joined = c.joined[:0]
	for {
		line, err := c.until("\r\n")
		if err != nil {
			return Answer{}, err
		}
		size, _, _ := bytes.Cut(line, []byte(";"))
		n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 31)
		if err != nil {
			return Answer{}, fmt.Errorf("not the size of a chunk: %q", clip(line))
		}
		if n == 0 {
			break
		}
		chunk, err := c.take(int(n) + 2)
		if err != nil {
			return Answer{}, err
		}
		if len(c.joined)+len(chunk) > maxAnswer {
			return Answer{}, errAnswerTooLong
		}
		c.joined = append(c.joined, chunk[:n]...)
	}
	for { // the trailers, up to an empty line
		line, err := c.until("\r\n")
		if err != nil {
			return Answer{}, err
		}
		if len(line) == 0 {
			return Answer{h.status, c.joined}, nil
		}
	}
}

// until takes what comes before a mark off the connection, and the mark.
func (c *Conn) until(mark string) ([]byte, error) {
	for scanned := 0; ; {
		if i := bytes.Index(c.buf[c.start+scanned:c.end], []byte(mark)); i >= 0 {
			got := c.buf[c.start : c.start+scanned+i]
			c.start += scanned + i + len(mark)
			return got, nil
		}
		scanned = max(c.end-c.start-len(mark)+1, 0)
		if err := c.fill(); err != nil {
			return nil, err
		}
	}
}

// take takes n bytes off the connection.
func (c *Conn) take(n int) ([]byte, error) {
	if n > maxAnswer {
		return nil, errAnswerTooLong
	}
	for c.end-c.start < n {
		if err := c.fill(); err != nil {
			return nil, err
		}
	}
	got := c.buf[c.start : c.start+n]
	c.start += n
	return got, nil
}

// fill reads what has come, into a larger buffer if it must.
func (c *Conn) fill() error {
	switch {
	case c.start == c.end:
		c.start, c.end = 0, 0
	case c.end == len(c.buf) && c.start > 0:
		c.end = copy(c.buf, c.buf[c.start:c.end])
		c.start = 0
	}
	if c.end == len(c.buf) {
		if len(c.buf) >= maxAnswer {
			return errAnswerTooLong
		}
		c.buf = append(c.buf, make([]byte, len(c.buf))...)
	}
	n, err := c.Read(c.buf[c.end:])
	c.end += n
	if n > 0 {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the server closed the connection")
	}
	return err
}
