package app

import (
	"io"
	"sync"
	"time"
)

const (
	// gatherDelay is the longest that a log line waits for company. A line of
	// its own for each request costs a send about a tenth of its CPU time.
	gatherDelay = 50 * time.Millisecond
	// gatherSize is how many bytes of log wait before they are written.
	gatherSize = 64 << 10
	// gatherMost is how many bytes of log wait at most; where they are written
	// more slowly than they come, requests go on at that pace.
	gatherMost = 1 << 20
)

// gathered collects log lines and writes them together, in their order. What has
// waited when the process is killed is lost; what is logged before it ends by
// itself is not.
type gathered struct {
	to io.Writer
	// turn is held by the one who writes.
	turn sync.Mutex
	// mu guards the lines that wait. It is never held over a write.
	mu       sync.Mutex
	waiting  []byte
	promised bool // a flush is on its way
	hurried  bool // and at once
	closed   bool // nothing waits any more
}

// Write takes one line. It comes under a lock of the log, so that whoever writes
// in it holds up everybody else; so another goroutine writes while there is room.
func (o *gathered) Write(line []byte) (int, error) {
	o.mu.Lock()
	o.waiting = append(o.waiting, line...)
	now := o.closed || len(o.waiting) >= gatherMost
	switch {
	case now:
	case len(o.waiting) >= gatherSize && !o.hurried:
		o.hurried, o.promised = true, true
		go o.flush()
	case !o.promised:
		o.promised = true
		time.AfterFunc(gatherDelay, o.flush)
	}
	o.mu.Unlock()
	if now {
		o.flush()
	}
	return len(line), nil
}

// flush writes what waits. Where that fails there is nobody left to tell.
func (o *gathered) flush() {
	o.turn.Lock()
	defer o.turn.Unlock()
	o.mu.Lock()
	lines := o.waiting
	o.waiting, o.promised, o.hurried = nil, false, false
	o.mu.Unlock()
	if len(lines) > 0 {
		_, _ = o.to.Write(lines)
	}
}

// close writes what waits, and from here on every line at once.
func (o *gathered) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.flush()
}
