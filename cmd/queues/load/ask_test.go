package load

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// recording is a server that keeps the requests of each connection and answers
// as told by their actions.
func recording(t *testing.T, answers map[string]string) (s *Server, seen func() map[string][]string) {
	t.Helper()
	var mu sync.Mutex
	got := map[string][]string{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		action := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AmazonSQS.")
		mu.Lock()
		got[r.RemoteAddr] = append(got[r.RemoteAddr], action+string(body))
		mu.Unlock()
		io.WriteString(w, answers[action])
	}))
	t.Cleanup(h.Close)
	return &Server{Name: "the server", Wire: newTestWire(t, WireOptions{URL: h.URL}), PID: os.Getpid()}, func() map[string][]string {
		mu.Lock()
		defer mu.Unlock()
		return got
	}
}

// A cycle belongs to one connection and is always finished, and all its
// requests count.
func TestCycles(t *testing.T) {
	t.Parallel()
	s, seen := recording(t, nil)
	cycle := func(queue string) []Ask {
		return []Ask{s.Wire.TagQueue(queue, "k", "v").Judged(Nothing), s.Wire.UntagQueue(queue, "k").Judged(Nothing)}
	}
	m, err := Run(t.Context(), s, Options{Conns: 3, Duration: 50 * time.Millisecond}, Cycles(cycle("a"), cycle("b")))
	if err != nil || m.Jobs == 0 || m.Messages != 2*m.Jobs || m.Actions[UntagQueue] == nil || m.Actions[ListQueueTags] != nil {
		t.Fatalf("%d jobs, %d messages, %v", m.Jobs, m.Messages, err)
	}
	for conn, requests := range seen() {
		_, queue, _ := strings.Cut(requests[0], `"QueueUrl"`)
		for i, r := range requests {
			if want := []string{"TagQueue", "UntagQueue"}[i%2]; !strings.HasPrefix(r, want+"{") || !strings.HasSuffix(r, queue) {
				t.Fatalf("%s: request %d is %s, want %s with %s", conn, i, r, want, queue)
			}
		}
		if len(requests)%2 != 0 {
			t.Errorf("%s: a cycle ends in its middle", conn)
		}
	}
}

// Each ask is made once, whichever connection makes it, and its answer is given
// with its number.
func TestInTurn(t *testing.T) {
	t.Parallel()
	s, seen := recording(t, map[string]string{"StartMessageMoveTask": `{"TaskHandle":"e30="}`})
	var asks []Ask
	want := map[string]int{}
	for i := range 50 {
		r := s.Wire.StartMessageMoveTask("a", "b", i)
		want["StartMessageMoveTask"+string(r.body)]++
		asks = append(asks, r.Judged(Members("TaskHandle", 1)))
	}
	handles := make([]string, len(asks))
	m, err := Run(t.Context(), s, Options{Conns: 4, Jobs: 50}, InTurn(asks, func(i int, body []byte) { handles[i] += s.Wire.TaskHandleIn(body) }))
	if err != nil || m.Jobs != 50 || m.Messages != 50 || m.Actions[StartMessageMoveTask].N() != 50 {
		t.Fatalf("%d jobs, %d messages, %v", m.Jobs, m.Messages, err)
	}
	got := map[string]int{}
	for _, requests := range seen() {
		for _, r := range requests {
			got[r]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	for i, h := range handles {
		if h != "e30=" {
			t.Errorf("the handle %d is %q", i, h)
		}
	}
	if _, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 51}, InTurn(asks, nil)); !errors.Is(err, ErrEmpty) {
		t.Errorf("with one job too many: %v", err)
	}
}

// An answer that is not right ends a load, and is counted by one that goes on
// after failures.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	s, _ := recording(t, map[string]string{"TagQueue": "{}"})
	asks := []Ask{s.Wire.TagQueue("q", "k", "v").Judged(Nothing)}
	for name, newJob := range map[string]func(int) Job{"Cycles": Cycles(asks), "InTurn": InTurn(asks, nil)} {
		if _, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 1}, newJob); !errors.Is(err, ErrWrong) || !strings.Contains(err.Error(), "TagQueue: {}") {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := Run(t.Context(), s, Options{Conns: 1, Jobs: 5, Tolerant: true}, Cycles(asks))
	if err != nil || m.Jobs != 0 || m.Failures[ErrWrong.Error()] != 5 {
		t.Errorf("%d jobs, failures %v, %v", m.Jobs, m.Failures, err)
	}
}
