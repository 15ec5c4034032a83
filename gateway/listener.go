package gateway

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
)

// spareConnections are accepted over the limit only to be answered that there
// is no room: a client that is told so waits and tries again, one that is left
// hanging does not know what to think.
const spareConnections = 64

// limitedListener bounds the open connections of a listener.
type limitedListener struct {
	net.Listener
	conns *connections
}

// connections counts the open connections of a server.
type connections struct {
	max  int64
	open atomic.Int64
}

// full reports whether there are more connections than allowed.
func (c *connections) full() bool { return c.open.Load() > c.max }

// Accept gives the next connection that is worth an answer.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		n := l.conns.open.Add(1)
		if n > l.conns.max+spareConnections {
			l.conns.open.Add(-1)
			_ = c.Close()
			continue
		}
		return &countedConn{Conn: c, conns: l.conns, over: n > l.conns.max}, nil
	}
}

// countedConn is a connection that leaves the count when it is closed.
type countedConn struct {
	net.Conn
	conns  *connections
	over   bool
	closed sync.Once
}

func (c *countedConn) Close() error {
	c.closed.Do(func() { c.conns.open.Add(-1) })
	return c.Conn.Close()
}

// CloseWrite lets net/http end a connection without cutting off an answer that
// is still on its way.
func (c *countedConn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// connKey finds the connection in the context of its requests.
type connKey struct{}

// connContext hands a connection to its requests.
func connContext(ctx context.Context, c net.Conn) context.Context {
	if counted, ok := c.(*countedConn); ok {
		return context.WithValue(ctx, connKey{}, counted)
	}
	return ctx
}

// conn is the connection that the request came on; nil in tests without one.
func (x *exchange) conn() *countedConn {
	c, _ := x.r.Context().Value(connKey{}).(*countedConn)
	return c
}

// hungUp asks the kernel whether the client has closed its connection. net/http
// learns of that in a goroutine of its own, which on a busy machine may come
// long after another client's send woke a receive whose caller is gone.
func (c *countedConn) hungUp() bool {
	if c == nil {
		return false
	}
	if raw, ok := c.Conn.(syscall.Conn); ok {
		return peekHungUp(raw)
	}
	return false
}
