package gateway

import (
	"cmp"
	"time"
)

// Limits bound what peers can make the server hold. Zero fields take the
// defaults of [DefaultLimits].
type Limits struct {
	// MaxBody bounds the body of one request, in bytes. The largest legal
	// request, 1 MiB of payload, can grow to 6 MiB in JSON, where every byte
	// may be written as \u00XX.
	MaxBody int64
	// MaxMemory bounds the bytes of all request bodies and answers held at
	// once: an answer's messages are counted before they are read, three times
	// over for what becomes of them. The decoded forms of requests come on top,
	// and what the collector has not freed yet.
	MaxMemory int64
	// MaxConnections bounds the open connections. Some more are accepted, to be
	// told so; what comes beyond those is closed at once.
	MaxConnections int
	// MaxHeader bounds the request line and headers, in bytes. A GET carries
	// its parameters there.
	MaxHeader int
	// HeaderTimeout is how long a peer may take to send request line and
	// headers.
	HeaderTimeout time.Duration
	// BodyTimeout is how long a peer may take to send its body.
	BodyTimeout time.Duration
	// WriteTimeout is how long a peer may take to read its answer, or up to a
	// tenth longer. It begins when the answer is there, so it does not touch a
	// receive that waits.
	WriteTimeout time.Duration
	// IdleTimeout is how long a connection is kept without a request.
	IdleTimeout time.Duration
	// StopTimeout is how long Shutdown waits for requests to finish.
	StopTimeout time.Duration
}

// DefaultLimits are the limits of a server that was told nothing else.
func DefaultLimits() Limits {
	return Limits{
		MaxBody:        16 << 20,
		MaxMemory:      512 << 20,
		MaxConnections: 16384,
		MaxHeader:      64 << 10,
		HeaderTimeout:  10 * time.Second,
		BodyTimeout:    30 * time.Second,
		WriteTimeout:   60 * time.Second,
		IdleTimeout:    120 * time.Second,
		StopTimeout:    10 * time.Second,
	}
}

// orDefaults fills the zero fields.
func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	l.MaxBody = cmp.Or(l.MaxBody, d.MaxBody)
	l.MaxMemory = cmp.Or(l.MaxMemory, d.MaxMemory)
	l.MaxConnections = cmp.Or(l.MaxConnections, d.MaxConnections)
	l.MaxHeader = cmp.Or(l.MaxHeader, d.MaxHeader)
	l.HeaderTimeout = cmp.Or(l.HeaderTimeout, d.HeaderTimeout)
	l.BodyTimeout = cmp.Or(l.BodyTimeout, d.BodyTimeout)
	l.WriteTimeout = cmp.Or(l.WriteTimeout, d.WriteTimeout)
	l.IdleTimeout = cmp.Or(l.IdleTimeout, d.IdleTimeout)
	l.StopTimeout = cmp.Or(l.StopTimeout, d.StopTimeout)
	return l
}
