package gateway

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
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

// overKey marks the context of connections that were accepted over the limit.
type overKey struct{}

// connContext hands the mark of a connection to its requests.
func connContext(ctx context.Context, c net.Conn) context.Context {
	if counted, ok := c.(*countedConn); ok && counted.over {
		return context.WithValue(ctx, overKey{}, counted)
	}
	return ctx
}
