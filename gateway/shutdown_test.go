package gateway

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
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
	synctest.Test(t, func(t *testing.T) {
		s := newReceiver()
		l := newPipeListener()
		b := New(Options{Service: s, Log: slog.New(slog.DiscardHandler), Account: "000000000000", Region: "us-east-1"})
		served := make(chan error, 1)
		go func() { served <- b.Serve(l) }()
		c := l.dial()
		defer c.Close()
		io.WriteString(c, receive)
		<-s.waiting
		began := time.Now()
		if err := b.Shutdown(context.Background()); err == nil {
			t.Error("Shutdown returned no error")
		}
		if took := time.Since(began); took != DefaultLimits().StopTimeout {
			t.Errorf("Shutdown took %v, want %v", took, DefaultLimits().StopTimeout)
		}
		select {
		case <-s.gone:
		default:
			t.Error("the receive was still running")
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}
