package gateway

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// countedConn is a connection that leaves the count when it is closed, and that
// sets its deadlines late. In a request net/http and the funnel ask for some ten
// deadlines, and most never matter, as what they are to bound has come already;
// but each moves a timer. So a deadline for reading is set when a read is about
// to begin, and one for writing holds for many answers.
type countedConn struct {
	net.Conn
	conns  *connections
	over   bool
	closed sync.Once
	// remote is the peer's address without its port.
	remote string
	// writeTimeout is the least time that a write has, and writeBy the deadline
	// that is set. Writes follow each other, on one goroutine.
	writeTimeout time.Duration
	writeBy      time.Time

	// lastKey is the access key of the last request and lastPrincipal its holder.
	lastKey, lastPrincipal string
	// lastPeer is how the last request came and lastBaseURL what its queue URLs
	// begin with.
	lastPeer    peer
	lastBaseURL string

	// unwatched is true while the next read of a single byte has nothing to do;
	// see unwatch.
	unwatched atomic.Bool
	// opened is when the connection was, and since how many nanoseconds later the
	// unwatched request under way began, zero for none. looking is true while
	// somebody looks after it; see look.
	opened  time.Time
	since   atomic.Int64
	looking atomic.Bool
	// cancel ends the contexts of the connection's requests. Closing it does so too:
	// nobody may be reading who would notice.
	cancel context.CancelFunc

	mu sync.Mutex
	// reading counts the reads under way, readBy is the deadline that was asked
	// for, and readSet the one that is set.
	reading         int
	readBy, readSet time.Time
}

func newConn(c net.Conn, l *limitedListener, over bool) *countedConn {
	conn := &countedConn{Conn: c, conns: l.conns, over: over, writeTimeout: l.writeTimeout, opened: time.Now()}
	if addr := c.RemoteAddr(); addr != nil {
		conn.remote = hostOf(addr.String())
	}
	return conn
}

// Read reads within the deadline asked for last.
func (c *countedConn) Read(p []byte) (int, error) {
	if len(p) == 1 && c.unwatched.CompareAndSwap(true, false) {
		return 0, nil
	}
	if err := c.beginRead(); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	c.reading--
	c.mu.Unlock()
	return n, err
}

func (c *countedConn) beginRead() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading++
	return c.setRead()
}

// setRead sets the deadline that was asked for. c.mu must be held.
func (c *countedConn) setRead() error {
	if c.readBy.Equal(c.readSet) {
		return nil
	}
	c.readSet = c.readBy
	return c.Conn.SetReadDeadline(c.readBy)
}

// SetReadDeadline ends the read under way and later ones at t; the zero time
// is never.
func (c *countedConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readBy = t
	if c.reading == 0 {
		return nil
	}
	return c.setRead()
}

// SetDeadline is SetReadDeadline and SetWriteDeadline in one.
func (c *countedConn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// Write gives the peer at least the time for an answer, and at most a tenth
// more.
func (c *countedConn) Write(p []byte) (int, error) {
	if now := time.Now(); c.writeBy.Sub(now) < c.writeTimeout {
		c.writeBy = now.Add(c.writeTimeout + c.writeTimeout/10)
		if err := c.Conn.SetWriteDeadline(c.writeBy); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(p)
}

func (c *countedConn) Close() error {
	c.closed.Do(func() {
		c.conns.open.Add(-1)
		if c.cancel != nil {
			c.cancel()
		}
	})
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
		ctx, counted.cancel = context.WithCancel(ctx)
		return context.WithValue(ctx, connKey{}, counted)
	}
	return ctx
}

// connOf is the connection that a request came on; nil in tests without one.
func connOf(r *http.Request) *countedConn {
	c, _ := r.Context().Value(connKey{}).(*countedConn)
	return c
}

// principalOf is the function of that name, which need not work out again what
// it gave for the last request: a connection mostly has one sender.
func (c *countedConn) principalOf(key, account string) string {
	if c == nil || key == "" {
		return principalOf(key, account)
	}
	if key != c.lastKey {
		c.lastKey, c.lastPrincipal = key, principalOf(key, account)
	}
	return c.lastPrincipal
}

// baseURLOf is the server's function baseURL, which need not put together again
// what it gave for the last request: a connection mostly has one Host.
func (c *countedConn) baseURLOf(s *Server, p peer) string {
	if c == nil {
		return s.baseURL(p)
	}
	if p != c.lastPeer {
		c.lastBaseURL = s.baseURL(p)
		p.host = strings.Clone(p.host) // not the whole header that it is cut from
		c.lastPeer = p
	}
	return c.lastBaseURL
}

// lookAfter is how long a request that is not watched may take before somebody
// looks whether its client is still there, and how often.
const lookAfter = time.Second

// unwatch says that the request that is about to be read is usually too short
// for anybody to watch its connection meanwhile. From the end of a body on
// net/http reads a byte ahead on a goroutine of its own, to learn that the client
// hangs up; with nothing to read that is a call to the system, a goroutine that
// waits, and its end, at the price of a tenth of a send: 57.1 µs of CPU before,
// 51.0 without ("queues bench --action=send", medians in turns). So the first
// such read says that nothing happened, as a Reader may, and net/http leaves it at
// that. Should it read in another way one day, it watches again.
//
// What is done at once is then done for a client that has hung up, too, as it was
// for one that hung up a moment later. What waits for messages, or takes any, must
// always be watched, and so is whatever comes without a body.
func (c *countedConn) unwatch(since time.Time) {
	if c == nil {
		return
	}
	c.unwatched.Store(true)
	c.since.Store(max(1, int64(since.Sub(c.opened))))
	if c.looking.CompareAndSwap(false, true) {
		time.AfterFunc(lookAfter, c.look)
	}
}

// watch says that the request has ended.
func (c *countedConn) watch() {
	if c != nil {
		c.unwatched.Store(false)
		c.since.Store(0)
	}
}

// look ends a request that takes long, while the disk does not answer for
// example, once its client has hung up: clients that try again would pile up
// with what they left. It runs once in a while on a connection at work, so that
// requests need not begin and end a timer each.
func (c *countedConn) look() {
	since := c.since.Load()
	took := time.Since(c.opened) - time.Duration(since)
	switch {
	case since != 0 && took >= lookAfter && c.hungUp():
		c.cancel()
		return
	case since != 0:
		time.AfterFunc(max(lookAfter-took, lookAfter/10), c.look)
		return
	}
	c.looking.Store(false)
	if c.since.Load() != 0 && c.looking.CompareAndSwap(false, true) {
		time.AfterFunc(lookAfter, c.look) // it began meanwhile
	}
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
