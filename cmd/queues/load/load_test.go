package load

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// against is a server whose answers to sends the function gives, by number.
func against(t *testing.T, answer func(n int64, w http.ResponseWriter)) *Server {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answer(n.Add(1), w)
	}))
	s.Start()
	t.Cleanup(s.Close)
	return &Server{Name: "the server", Wire: newTestWire(t, WireOptions{URL: s.URL}), PID: os.Getpid()}
}

const sentAnswer = `{"MessageId":"x"}`

func send(s *Server) func(int) Job { return Work{Wire: s.Wire, Queues: []string{"q"}}.Send() }

func TestTolerantLoadCountsFailures(t *testing.T) {
	t.Parallel()
	s := against(t, func(n int64, w http.ResponseWriter) {
		switch n % 10 {
		case 1:
			w.WriteHeader(400)
			io.WriteString(w, `{"__type":"com.amazonaws.sqs#OverLimit"}`)
		case 2:
			io.WriteString(w, `{}`)
		case 3:
			panic(http.ErrAbortHandler) // cuts the connection
		case 4:
			w.WriteHeader(503)
			io.WriteString(w, strings.Repeat("no", 10_000)) // in chunks
		case 5:
			w.Header().Set("Connection", "close")
			io.WriteString(w, sentAnswer)
		default:
			w.Header().Set("Content-Length", strconv.Itoa(len(sentAnswer)))
			io.WriteString(w, sentAnswer)
		}
	})
	m, err := Run(t.Context(), s, Options{Conns: 3, Jobs: 100, Tolerant: true}, send(s))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"OverLimit": 10, "the server closed the connection": 10, "status 503": 10}
	if diff := cmp.Diff(want, m.Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if m.Empty != 10 || m.Jobs != 60 || m.Messages != 60 || m.Failed() != 30 {
		t.Errorf("got %d empty, %d jobs, %d messages, %d failures", m.Empty, m.Jobs, m.Messages, m.Failed())
	}
	if m.Latency.N() != 60 || m.Requests() != 70 || m.Actions[SendMessage].N() != 70 || m.Actions[ReceiveMessage] != nil {
		t.Errorf("%d latencies, %d requests", m.Latency.N(), m.Requests())
	}
}

func TestStrictLoadEndsAtAFailure(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(w http.ResponseWriter){
		"Status": func(w http.ResponseWriter) { w.WriteHeader(500) },
		"Empty":  func(w http.ResponseWriter) { io.WriteString(w, "{}") },
		"Ending": func(w http.ResponseWriter) { w.Header().Set("Connection", "close"); io.WriteString(w, sentAnswer) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := against(t, func(n int64, w http.ResponseWriter) {
				// From then on each connection comes by it that has a job left: the
				// first alone might come when the other has done all the rest.
				if n >= 50 {
					answer(w)
					return
				}
				io.WriteString(w, sentAnswer)
			})
			for _, o := range []Options{{Conns: 2, Jobs: 100}, {Conns: 2, Duration: time.Minute}} {
				if o.Jobs == 0 { // the first turn has used up the failure
					s = against(t, func(_ int64, w http.ResponseWriter) { answer(w) })
				}
				if m, err := Run(t.Context(), s, o, send(s)); err == nil {
					t.Errorf("%d jobs were counted", m.Jobs)
				}
			}
		})
	}
}

func TestServerThatGoesAway(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	s := against(t, func(_ int64, w http.ResponseWriter) {
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, sentAnswer)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	_, err := Run(ctx, s, Options{
		Conns: 2, Duration: time.Minute, Tolerant: true,
		Progress: func(messages, failed int64) {
			gone.Store(messages > 0)
			if failed > 0 && messages > 0 {
				cancel(stopped)
			}
		},
	}, send(s))
	if !errors.Is(err, stopped) {
		t.Errorf("got %v, want %v", err, stopped)
	}
}

func TestHandlesAreTaken(t *testing.T) {
	t.Parallel()
	h := &Handles{}
	h.add([]string{"a", "b", "c"})
	if diff := cmp.Diff([][]string{{"a", "b"}, {"c"}, {}}, [][]string{h.take(2), h.take(2), h.take(2)}); diff != "" {
		t.Error(diff)
	}
	for range 10 {
		if got := h.again(2); len(got) != 2 || got[0] == got[1] {
			t.Errorf("took %v", got)
		}
	}
	if got := h.again(5); len(got) != 3 {
		t.Errorf("took %v of three", got)
	}
}

// A server whose process cannot be read any more has no CPU time; what it did
// counts nevertheless.
func TestServerWhoseProcessIsGone(t *testing.T) {
	t.Parallel()
	s := against(t, func(_ int64, w http.ResponseWriter) { io.WriteString(w, sentAnswer) })
	s.PID = 1 << 23 // more than Linux ever gives
	m, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 10, Tolerant: true}, send(s))
	if err != nil || m.Jobs != 10 || m.Server != 0 {
		t.Errorf("got %+v, %v", m, err)
	}
	if _, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 10}, send(s)); err == nil {
		t.Error("a strict load goes on without what it measures")
	}
}

// A server that ends each connection after its answer is loaded all the same,
// if that is known of it.
func TestServerThatEndsConnections(t *testing.T) {
	t.Parallel()
	s := against(t, func(_ int64, w http.ResponseWriter) {
		w.Header().Set("Connection", "close")
		io.WriteString(w, `{"MessageId":"x","Messages":[{"ReceiptHandle":"h"}]}`)
	})
	w := Work{Wire: s.Wire, Queues: []string{"q"}}
	for name, newJob := range map[string]func(int) Job{"Send": w.Send(), "Cycle": w.Cycle()} {
		s.Redials = false
		if m, err := Run(t.Context(), s, Options{Conns: 2, Jobs: 20}, newJob); err == nil {
			t.Errorf("%s: %d jobs on connections that the server ends", name, m.Jobs)
		}
		s.Redials = true
		if m, err := Run(t.Context(), s, Options{Conns: 2, Jobs: 20}, newJob); err != nil || m.Jobs != 20 {
			t.Errorf("%s: %d jobs, %v", name, m.Jobs, err)
		}
	}
}

func TestJobsUntilTheDurationIsOver(t *testing.T) {
	t.Parallel()
	s := against(t, func(_ int64, w http.ResponseWriter) { io.WriteString(w, sentAnswer) })
	m, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 1 << 40, Duration: 20 * time.Millisecond}, send(s))
	if err != nil || m.Jobs == 0 || m.Messages != m.Jobs {
		t.Errorf("%d jobs, %d messages, %v", m.Jobs, m.Messages, err)
	}
	// However short it was, something was done.
	m, err = Run(t.Context(), s, Options{Conns: 2, Jobs: 1 << 40, Duration: 1}, send(s))
	if err != nil || m.Jobs == 0 || m.Jobs > 1000 {
		t.Errorf("%d jobs in a moment, %v", m.Jobs, err)
	}
	m, err = Run(t.Context(), s, Options{Conns: 1, Jobs: 3, Duration: time.Minute}, send(s))
	if err != nil || m.Jobs != 3 {
		t.Errorf("%d jobs of 3, %v", m.Jobs, err)
	}
}

// Only messages that were deleted count, and what is received is what is
// deleted.
func TestDrain(t *testing.T) {
	t.Parallel()
	s := against(t, func(n int64, w http.ResponseWriter) {
		switch n % 4 {
		case 1: // a receive of two
			io.WriteString(w, `{"Messages":[{"ReceiptHandle":"a"},{"ReceiptHandle":"b"}]}`)
		case 2: // their deletion
			io.WriteString(w, `{"Successful":[{"Id":"m0"},{"Id":"m1"}],"Failed":[]}`)
		case 3: // a receive of one
			io.WriteString(w, `{"Messages":[{"ReceiptHandle":"c"}]}`)
		case 0: // which is not deleted
			io.WriteString(w, `{"Successful":[],"Failed":[{"Id":"m0","SenderFault":true,"Code":"InternalError"}]}`)
		}
	})
	w := Work{Wire: s.Wire, Queues: []string{"q"}, Batch: 10}
	m, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 10, Tolerant: true}, w.Drain())
	if err != nil || m.Jobs != 5 || m.Messages != 10 || m.Failures["InternalError"] != 5 {
		t.Errorf("%d jobs, %d messages, failures %v, %v", m.Jobs, m.Messages, m.Failures, err)
	}
}

func TestCPUTimeOfServersOwn(t *testing.T) {
	t.Parallel()
	s := against(t, func(_ int64, w http.ResponseWriter) { io.WriteString(w, sentAnswer) })
	calls := 0
	s.CPU = func() (time.Duration, error) { calls++; return time.Duration(calls) * time.Second, nil }
	m, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 10}, send(s))
	if err != nil || m.Server != time.Second {
		t.Errorf("%v, %v", m.Server, err)
	}
}
