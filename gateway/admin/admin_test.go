package admin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func options() Options {
	return Options{
		Health: func(context.Context) error { return nil },
		Log:    slog.New(slog.DiscardHandler),
	}
}

func get(t *testing.T, o Options, method, path, host string) (int, status) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	New(o).http.Handler.ServeHTTP(w, r)
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q, want application/json", got)
	}
	var body status
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Errorf("body %q: %v", w.Body, err)
	}
	return w.Code, body
}

// Liveness stands while the process serves; readiness goes with the store, and
// when the server begins to stop.
func TestHealth(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		path     string
		health   error
		draining bool
		code     int
		want     status
	}{
		"Live":         {"/health/live", nil, false, 200, status{Status: "ok"}},
		"LiveFullDisk": {"/health/live", errors.New("the disk is full"), false, 200, status{Status: "ok"}},
		"LiveDraining": {"/health/live", nil, true, 200, status{Status: "ok"}},
		"Ready":        {"/health/ready", nil, false, 200, status{Status: "ok"}},
		"FullDisk":     {"/health/ready", errors.New("the disk is full"), false, 503, status{"unavailable", "the disk is full"}},
		"Draining":     {"/health/ready", nil, true, 503, status{"unavailable", "the server is shutting down"}},
		"NotFound":     {"/metricks", nil, false, 404, status{"error", "there is nothing here; /health/live, /health/ready, /counts and, for a POST, /backup are"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Health = func(context.Context) error { return test.health }
			o.Draining = func() bool { return test.draining }
			if code, body := get(t, o, "GET", test.path, "localhost:9325"); code != test.code || body != test.want {
				t.Errorf("got %d %+v, want %d %+v", code, body, test.code, test.want)
			}
		})
	}
}

// Only what cannot have been pointed here by a web page may ask.
func TestHost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		host string
		code int
	}{
		"Localhost":      {"localhost:9325", 200},
		"LocalhostAlone": {"localhost", 200},
		"UpperCase":      {"LOCALHOST:9325", 200},
		"UnderLocalhost": {"queues.localhost:9325", 200},
		"Loopback":       {"127.0.0.1:9325", 200},
		"IPv6":           {"[::1]:9325", 200},
		"IPv6Alone":      {"[::1]", 200},
		"PodAddress":     {"10.1.2.3:9325", 200},
		"Configured":     {"queues.internal:9325", 200},
		"OtherName":      {"evil.example:9325", 403},
		"LooksLike":      {"localhost.evil.example", 403},
		"AddressInName":  {"127.0.0.1.evil.example", 403},
		"Empty":          {"", 403},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Hosts = []string{"", "Queues.internal"}
			code, body := get(t, o, "GET", "/health/live", test.host)
			if code != test.code || code == 403 && !strings.HasSuffix(body.Reason, "use its address, or name it with --admin") {
				t.Errorf("got %d %+v, want %d", code, body, test.code)
			}
		})
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]int{"GET": 200, "POST": 405, "DELETE": 405} {
		if code, _ := get(t, options(), method, "/health/ready", "localhost"); code != want {
			t.Errorf("%s: status %d, want %d", method, code, want)
		}
	}
}

// It serves on a real port until it is told to stop.
func TestServe(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(options())
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Get("http://" + l.Addr().String() + "/health/ready")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != 200 || !strings.Contains(string(body), `"status":"ok"`) {
		t.Errorf("got %d %s", resp.StatusCode, body)
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
