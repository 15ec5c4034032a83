package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"queues/compat"
	"queues/protocol"
)

// Service does what a decoded request asks for; [compat.Service] is the one.
// It must give up soon after the context ends.
type Service interface {
	Do(ctx context.Context, caller compat.Caller, call protocol.Call) (compat.Result, *protocol.Error)
}

// Options configure a [Server]. Service, Log, Account and Region are required.
type Options struct {
	Service Service
	Log     *slog.Logger
	// Account (12 digits) and Region are the namespace of requests that name
	// none.
	Account, Region string
	// PublicURL is what queue URLs begin with, whatever host the caller used:
	// scheme, host and port. Empty to go by the caller's Host.
	PublicURL string
	// TrustedProxies are the addresses whose X-Forwarded-Proto, -Host and -For
	// are believed.
	TrustedProxies []netip.Prefix
	// AllowOrigins are the origins, such as "https://app.example.com", whose
	// web pages may use the server.
	AllowOrigins []string
	Limits       Limits
	// Drain makes the receives that wait return at once, empty, and all later
	// ones not wait. Shutdown calls it. Nil for nothing to drain.
	Drain func()
	// Busy reports that work with a body of so many bytes would be refused now
	// because too much waits; it must not block. Large bodies are then refused
	// unread. Nil for never.
	Busy func(bytes int64) bool
}

// Server serves the SQS API. Make one with [New].
type Server struct {
	o       Options
	log     *slog.Logger
	limits  Limits
	origins map[string]bool
	memory  budget
	conns   connections
	http    *http.Server
	// port is the listener's port as it stands in a URL, with its colon.
	port string

	draining atomic.Bool
	running  atomic.Int64
	// ended gets a value when the last running request ended while draining.
	ended chan struct{}
}

// New gives a server that listens nowhere yet.
func New(o Options) *Server {
	s := &Server{
		o:       o,
		log:     o.Log,
		limits:  o.Limits.orDefaults(),
		origins: make(map[string]bool, len(o.AllowOrigins)),
		ended:   make(chan struct{}, 1),
	}
	s.o.PublicURL = strings.TrimRight(o.PublicURL, "/")
	for _, origin := range o.AllowOrigins {
		s.origins[strings.ToLower(strings.TrimRight(origin, "/"))] = true
	}
	s.memory.limit = s.limits.MaxMemory
	s.conns.max = int64(s.limits.MaxConnections)
	s.http = &http.Server{
		Handler: routes(http.HandlerFunc(s.funnel)),
		// A little more than what is refused in the protocol's own form.
		MaxHeaderBytes:               s.limits.MaxHeader + s.limits.MaxHeader/4,
		ReadHeaderTimeout:            s.limits.HeaderTimeout,
		IdleTimeout:                  s.limits.IdleTimeout,
		ConnContext:                  connContext,
		ErrorLog:                     slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true,
	}
	return s
}

// Serve answers requests on l until Shutdown or Close, and then returns nil. It
// closes l. It must be called once.
func (s *Server) Serve(l net.Listener) error {
	s.port = portSuffix(l)
	err := s.http.Serve(&limitedListener{Listener: l, conns: &s.conns, writeTimeout: s.limits.WriteTimeout})
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Draining reports whether the server has begun to stop.
func (s *Server) Draining() bool { return s.draining.Load() }

// Running is how many requests are under way, waiting receives included.
func (s *Server) Running() int64 { return s.running.Load() }

// Connections is how many connections are open.
func (s *Server) Connections() int64 { return s.conns.open.Load() }

// Reserved is how many bytes of Limits.MaxMemory are in use.
func (s *Server) Reserved() int64 { return s.memory.used.Load() }

// Shutdown stops the server: it refuses new requests with 503, ends the
// receives that wait with an empty answer and lets every other request finish.
// What has not finished when ctx ends, or within Limits.StopTimeout, is cut
// off, and an error returned. No request is running when it returns, unless it
// does not heed its context.
func (s *Server) Shutdown(ctx context.Context) error {
	s.draining.Store(true)
	if s.o.Drain != nil {
		s.o.Drain()
	}
	limited, cancel := context.WithTimeout(ctx, s.limits.StopTimeout)
	defer cancel()
	err := s.http.Shutdown(limited)
	if err != nil {
		_ = s.http.Close() // ends the contexts of the requests still running
	}
	s.await(time.Second)
	return err
}

// Close cuts everything off at once.
func (s *Server) Close() error {
	s.draining.Store(true)
	err := s.http.Close()
	s.await(time.Second)
	return err
}

// await waits until no request is running, or for that long.
func (s *Server) await(atMost time.Duration) {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	// Another may wait too, when a server is closed while it shuts down.
	defer s.tellEnded()
	for s.running.Load() > 0 {
		select {
		case <-s.ended:
		case <-timer.C:
			s.log.Warn("requests still running", slog.Int64("requests", s.running.Load()))
			return
		}
	}
}

// begin and end frame every request.
func (s *Server) begin() { s.running.Add(1) }

func (s *Server) end() {
	if s.running.Add(-1) == 0 && s.draining.Load() {
		s.tellEnded()
	}
}

// tellEnded wakes one who waits for the last request to end, now or later. Whoever
// is woken looks whether it has.
func (s *Server) tellEnded() {
	select {
	case s.ended <- struct{}{}:
	default:
	}
}
