package gateway

import "sync/atomic"

// budget counts the bytes of bodies and answers in memory.
type budget struct {
	limit int64
	used  atomic.Int64
}

// reserve takes n bytes, or none and reports false when they do not fit.
func (b *budget) reserve(n int64) bool {
	if b.used.Add(n) > b.limit {
		b.used.Add(-n)
		return false
	}
	return true
}

// force takes n bytes whether they fit or not: for what is in memory already
// and cannot be refused any more. Later reservations feel it.
func (b *budget) force(n int64) { b.used.Add(n) }

// release gives n bytes back.
func (b *budget) release(n int64) { b.used.Add(-n) }
