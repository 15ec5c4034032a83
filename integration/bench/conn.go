//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"syscall"
)

// conn is one keep-alive connection of the generator. It is used by one
// goroutine at a time.
type conn struct {
	net.Conn
	// buf holds what was read and not used yet from start on.
	buf        []byte
	start, end int
	// out and scratch are for requests that are made on the way.
	out, scratch []byte
}

// answer is one HTTP answer. Its body is valid until the next exchange.
type answer struct {
	status int
	body   []byte
}

func newConn(c net.Conn) *conn { return &conn{Conn: c, buf: make([]byte, 4096)} }

// close ends the connection. Nothing is lost by it: every answer that matters
// has been read.
func (c *conn) close() { _ = c.Close() }

// exchange writes one request and reads its answer.
func (c *conn) exchange(request []byte) (answer, error) {
	if _, err := c.Write(request); err != nil {
		return answer{}, err
	}
	return c.read()
}

// do is an exchange that must succeed: any status but 200 is an error that
// shows the answer.
func (c *conn) do(request []byte) ([]byte, error) {
	a, err := c.exchange(request)
	if err != nil {
		return nil, err
	}
	if a.status != 200 {
		return nil, fmt.Errorf("status %d: %s", a.status, clip(a.body))
	}
	return a.body, nil
}

// clip bounds what an error shows of a body.
func clip(body []byte) []byte {
	const limit = 300
	return body[:min(len(body), limit)]
}

// maxAnswer bounds an answer, in bytes: ten messages of the greatest size and
// what is around them fit well.
const maxAnswer = 16 << 20

var errAnswerTooLong = errors.New("the answer is too long")

// read takes one answer off the connection. It knows what the servers here
// send: a body with its Content-Length, on a connection that stays open.
func (c *conn) read() (answer, error) {
	headEnd := -1
	for scanned := 0; ; {
		if i := bytes.Index(c.buf[c.start+scanned:c.end], []byte("\r\n\r\n")); i >= 0 {
			headEnd = scanned + i
			break
		}
		scanned = max(c.end-c.start-3, 0)
		if err := c.fill(); err != nil {
			return answer{}, err
		}
	}
	status, length, err := parseHead(c.buf[c.start : c.start+headEnd])
	if err != nil {
		return answer{}, err
	}
	total := headEnd + 4 + length
	if total > maxAnswer {
		return answer{}, errAnswerTooLong
	}
	for c.end-c.start < total {
		if err := c.fill(); err != nil {
			return answer{}, err
		}
	}
	body := c.buf[c.start+headEnd+4 : c.start+total]
	c.start += total
	return answer{status: status, body: body}, nil
}

// fill reads what has come, into a larger buffer if it must.
func (c *conn) fill() error {
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

// pending says whether the server has sent something that was not read, or
// closed the connection.
func (c *conn) pending() (bool, error) {
	if c.start < c.end {
		return true, nil
	}
	raw, err := c.Conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return false, err
	}
	var peek error
	err = raw.Control(func(fd uintptr) {
		var b [1]byte
		_, _, peek = syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	if peek == syscall.EAGAIN {
		return false, err
	}
	return true, errors.Join(err, peek)
}

// parseHead reads the status and the Content-Length from the head of an
// answer, without the empty line at its end.
func parseHead(head []byte) (status, length int, err error) {
	line, rest, _ := bytes.Cut(head, []byte("\r\n"))
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, 0, fmt.Errorf("not an HTTP answer: %q", clip(line))
	}
	status, err = strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, 0, fmt.Errorf("not an HTTP status: %q", clip(line))
	}
	length = -1
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case equalFold(name, "content-length"):
			length, err = strconv.Atoi(string(value))
			if err != nil || length < 0 {
				return 0, 0, fmt.Errorf("not a length: %q", clip(line))
			}
		case equalFold(name, "connection") && equalFold(value, "close"):
			return 0, 0, fmt.Errorf("the server ends the connection with status %d", status)
		}
	}
	if length < 0 {
		return 0, 0, errors.New("the answer has no Content-Length")
	}
	return status, length, nil
}

// equalFold compares a header's name with a lower-case one, quickly.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range b {
		if b[i]|0x20 != lower[i]|0x20 {
			return false
		}
	}
	return true
}
