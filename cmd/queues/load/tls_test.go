package load

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
)

// An endpoint of https is spoken to over TLS, and its certificate is checked.
func TestTLS(t *testing.T) {
	t.Parallel()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, sentAnswer)
	}))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	s := &Server{Name: "the server", Wire: newTestWire(t, WireOptions{URL: secure.URL})}
	if _, err := s.Dial(t.Context()); err == nil {
		t.Fatal("an unknown certificate is taken")
	}
	s.Roots = secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	m, err := Run(t.Context(), s, Options{Conns: 2, Jobs: 20}, send(s))
	if err != nil || m.Jobs != 20 {
		t.Errorf("%d jobs, %v", m.Jobs, err)
	}
}
