package load

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestDuring(t *testing.T) {
	t.Parallel()
	var answered atomic.Int64
	s := against(t, func(n int64, w http.ResponseWriter) {
		answered.Store(n)
		io.WriteString(w, sentAnswer)
	})
	// The load goes on for as long as it takes, though the duration is over.
	m, err := Run(t.Context(), s, Options{Conns: 2, Duration: 20 * time.Millisecond, During: func(ctx context.Context) error {
		begun := answered.Load()
		for answered.Load() < begun+1000 {
			if err := Pause(ctx, time.Millisecond); err != nil {
				return err
			}
		}
		return nil
	}}, send(s))
	if err != nil || m.Jobs < 900 || m.Latency.N() < 900 {
		t.Errorf("%d jobs, %v", m.Jobs, err)
	}
	m, err = Run(t.Context(), s, Options{Conns: 2, Duration: 50 * time.Millisecond, During: func(context.Context) error { return nil }}, send(s))
	if err != nil || m.Elapsed < 50*time.Millisecond {
		t.Errorf("ended after %v, %v", m.Elapsed, err)
	}
	fault := errors.New("the job failed")
	if _, err := Run(t.Context(), s, Options{Conns: 2, Duration: time.Minute, During: func(context.Context) error { return fault }}, send(s)); !errors.Is(err, fault) {
		t.Errorf("got %v, want %v", err, fault)
	}
}

func TestDuringEndsWithTheLoad(t *testing.T) {
	t.Parallel()
	s := against(t, func(_ int64, w http.ResponseWriter) { w.WriteHeader(500) })
	_, err := Run(t.Context(), s, Options{Conns: 2, Duration: time.Minute, During: func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}}, send(s))
	if status := new(StatusError); !errors.As(err, &status) {
		t.Errorf("got %v, want a status", err)
	}
}

func TestAttributesOfSeveralQueues(t *testing.T) {
	t.Parallel()
	var seen [2]atomic.Int64
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for i, name := range []string{"first", "second"} {
			if strings.Contains(string(body), name) {
				seen[i].Add(1)
			}
		}
		io.WriteString(w, `{"Attributes":{"ApproximateNumberOfMessages":"3"}}`)
	}))
	t.Cleanup(h.Close)
	s := &Server{Name: "the server", Wire: newTestWire(t, WireOptions{URL: h.URL}), PID: os.Getpid()}
	m, err := Run(t.Context(), s, Options{Conns: 2, Jobs: 100}, Work{Wire: s.Wire, Queues: []string{"first", "second"}}.Attributes())
	if err != nil || m.Jobs != 100 || seen[0].Load()+seen[1].Load() != 100 || seen[0].Load() == 0 || seen[1].Load() == 0 {
		t.Errorf("%d jobs, %d and %d of each, %v", m.Jobs, seen[0].Load(), seen[1].Load(), err)
	}
}
