package gateway

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Shutdown answers the receives that wait, empty, refuses what comes after on
// open connections, and closes the port.
func TestShutdown(t *testing.T) {
	t.Parallel()
	s := newReceiver()
	draining, drained := make(chan struct{}), make(chan struct{})
	b := start(t, Options{Service: s, Drain: func() { close(draining); <-drained; close(s.claim) }})
	open := b.dial(t)
	waiting := b.dial(t)
	io.WriteString(waiting, receive)
	waitRecv(t, "the receive to wait", s.waiting)

	stopped := make(chan error, 1)
	go func() { stopped <- b.Shutdown(context.Background()) }()
	waitRecv(t, "draining", draining)

	io.WriteString(open, receive)
	resp, err := http.ReadResponse(bufio.NewReader(open), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := readAnswer(t, resp); a.StatusCode != 503 || !a.Close || !strings.Contains(a.body, "#ServiceUnavailable") {
		t.Errorf("while draining: got %d, closed %t, %s; want 503 ServiceUnavailable and closed", a.StatusCode, a.Close, a.body)
	}
	if !b.Draining() {
		t.Error("Draining is false")
	}

	close(drained)
	resp, err = http.ReadResponse(bufio.NewReader(waiting), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := readAnswer(t, resp); a.StatusCode != 200 || !a.Close {
		t.Errorf("the waiting receive: got %d, closed %t; want 200 and closed", a.StatusCode, a.Close)
	}
	if err := waitRecv(t, "the end", stopped); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if c, err := net.DialTimeout("tcp", b.addr, time.Second); err == nil {
		c.Close()
		t.Error("the port is still open")
	}
}

// What does not finish in time is cut off, and has ended when Shutdown returns.
func TestShutdownTimeout(t *testing.T) {
	t.Parallel()
	s := newReceiver()
	b := start(t, Options{Service: s, Limits: Limits{StopTimeout: 10 * time.Millisecond}})
	c := b.dial(t)
	io.WriteString(c, receive)
	waitRecv(t, "the receive to wait", s.waiting)
	if err := b.Shutdown(context.Background()); err == nil {
		t.Error("Shutdown returned no error")
	}
	select {
	case <-s.gone:
	default:
		t.Error("the receive was still running")
	}
}
