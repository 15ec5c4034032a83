package integration

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"queues/cmd/queues/app"
)

// apiAddr is where a server in a bubble believes to listen.
var apiAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9324}

// pipeListener is a listener whose connections are pipes in memory, so that
// waiting on them counts as waiting in a bubble.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Accept gives the server's end of the next connection.
func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is a TCP address, as that of a real listener.
func (l *pipeListener) Addr() net.Addr { return apiAddr }

// dial gives the client's end of a new connection.
func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// vanishing gives the client's end of a connection to a host that can vanish,
// as by a power cut: nothing comes from it any more, not even an end, and that
// it is gone shows when something is written to it.
func (l *pipeListener) vanishing() (c net.Conn, vanish func()) {
	client, server := net.Pipe()
	s := &unreachable{Conn: server}
	l.conns <- s
	return client, func() { s.gone.Store(true) }
}

// unreachable is the server's end of a connection to a host that can vanish.
type unreachable struct {
	net.Conn
	gone atomic.Bool
}

// Write fails once the host is gone.
func (c *unreachable) Write(p []byte) (int, error) {
	if c.gone.Load() {
		return 0, syscall.EHOSTUNREACH
	}
	return c.Conn.Write(p)
}

// startInProcess runs a server inside the test's bubble until the test ends. It
// keeps the promises of production, except that it does not wait for the disk.
func startInProcess(t *testing.T) *server {
	t.Helper()
	s, _ := startInProcessWith(t, app.Config{Data: t.TempDir()})
	return s
}

// runApp runs a server in this process until stop, or until the test ends.
func runApp(t *testing.T, c app.Config) (stop func()) {
	t.Helper()
	a, err := app.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// startInProcessWith is startInProcess with settings of its own, for a server
// that can be stopped before the test ends.
func startInProcessWith(t *testing.T, c app.Config) (s *server, stop func()) {
	t.Helper()
	l := newPipeListener()
	c.Sync, c.Listener, c.Admin = "normal", l, "off"
	stop = runApp(t, c)
	return &server{
		url: "http://" + apiAddr.String(), host: apiAddr.String(), dial: l.dial, vanishing: l.vanishing, data: c.Data, bubble: true,
	}, stop
}
