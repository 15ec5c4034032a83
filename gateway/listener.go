package gateway

import (
	"net"
	"sync/atomic"
	"time"
)

// spareConnections are accepted over the limit only to be answered that there
// is no room: a client that is told so waits and tries again, one that is left
// hanging does not know what to think.
const spareConnections = 64

// limitedListener bounds the open connections of a listener.
type limitedListener struct {
	net.Listener
	conns *connections
	// writeTimeout is how long a peer may take to read, at the least.
	writeTimeout time.Duration
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
		return newConn(c, l, n > l.conns.max), nil
	}
}
