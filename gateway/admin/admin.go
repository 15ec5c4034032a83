// Package admin is the second door of the server, for its operators: health,
// counts and backups now, metrics and more later. It listens on a port of its
// own, so that the API port can be opened to others without it.
//
// Liveness says that the process serves, and nothing more: a full disk is not
// mended by a restart. Readiness says that it can do its work.
package admin

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/gorilla/mux"
)

// healthTimeout bounds a look at the store.
const healthTimeout = 5 * time.Second

// Options configure a [Server]. Health and Log are required.
type Options struct {
	// Health is nil while changes can be stored; engine.Engine's.
	Health func(context.Context) error
	// Draining is true once the server has begun to stop; nil for never.
	Draining func() bool
	// Hosts are the names, without a port, by which callers may speak of this
	// server besides localhost and addresses. Any other name could be one that
	// a web page has pointed here, to read what a browser on this machine can.
	Hosts []string
	// Counts gives the counts of the API port; nil for none of them. Those of the
	// process need not be in it.
	Counts func() Counts
	// Backup makes a copy of the data; nil for a server that makes none.
	Backup func(context.Context) (Copy, error)
	Log    *slog.Logger
}

// Server serves the admin port. Make one with [New].
type Server struct {
	o    Options
	http *http.Server
}

// New gives a server that listens nowhere yet.
func New(o Options) *Server {
	s := &Server{o: o}
	r := mux.NewRouter()
	r.Path("/health/live").Methods(http.MethodGet, http.MethodHead).HandlerFunc(s.live)
	r.Path("/health/ready").Methods(http.MethodGet, http.MethodHead).HandlerFunc(s.ready)
	r.Path("/counts").Methods(http.MethodGet, http.MethodHead).HandlerFunc(s.counts)
	if o.Backup != nil {
		r.Path(BackupPath).Methods(http.MethodPost).HandlerFunc(s.backup)
	}
	r.NotFoundHandler = reply(http.StatusNotFound, status{"error", "there is nothing here; /health/live, /health/ready, /counts and, for a POST, /backup are"})
	r.MethodNotAllowedHandler = reply(http.StatusMethodNotAllowed, status{"error", "the method is not allowed here"})
	// A page of another site must not make a browser do what changes something
	// or costs much.
	ownPages := http.NewCrossOriginProtection()
	ownPages.SetDenyHandler(reply(http.StatusForbidden, status{"error", "the request comes from a web page of another site"}))
	s.http = &http.Server{
		Handler:           s.checkHost(ownPages.Handler(r)),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	return s
}

// Serve answers requests on l until Shutdown or Close, and then returns nil. It
// closes l.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown stops the server once its requests have finished or ctx ends.
func (s *Server) Shutdown(ctx context.Context) error { return s.http.Shutdown(ctx) }

// Close cuts everything off at once.
func (s *Server) Close() error { return s.http.Close() }

// status is the body of every answer.
type status struct {
	Status string `json:"status"`
	// Reason says in words why the status is not "ok".
	Reason string `json:"reason,omitempty"`
}

func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	reply(http.StatusOK, status{Status: "ok"}).ServeHTTP(w, r)
}

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.o.Draining != nil && s.o.Draining() {
		reply(http.StatusServiceUnavailable, status{"unavailable", "the server is shutting down"}).ServeHTTP(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	if err := s.o.Health(ctx); err != nil {
		reply(http.StatusServiceUnavailable, status{"unavailable", err.Error()}).ServeHTTP(w, r)
		return
	}
	reply(http.StatusOK, status{Status: "ok"}).ServeHTTP(w, r)
}

// checkHost refuses requests that speak of the server by a name that is not
// its own.
func (s *Server) checkHost(next http.Handler) http.Handler {
	refused := reply(http.StatusForbidden, status{"error", "the Host of the request is not a name of this server: use its address, or name it with --admin"})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.knows(r.Host) {
			refused.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knows reports whether a Host header names this server. An address does,
// whichever it is: only names can be pointed elsewhere.
func (s *Server) knows(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	for _, own := range s.o.Hosts {
		if own != "" && strings.EqualFold(host, own) {
			return true
		}
	}
	return false
}

// reply answers with one status.
func reply(code int, body status) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(code)
		// An answer that cannot be written has nobody to miss it.
		_ = json.NewEncoder(w).Encode(body)
	})
}
