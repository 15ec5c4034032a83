package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"queues/cmd/queues/load"
)

// fake is a server whose answers to an action the functions give; without one
// it answers as if all were well. It gives the names of what was called.
func fake(t *testing.T, answers map[string]func(w http.ResponseWriter)) (endpoint string, called func(action string) int) {
	t.Helper()
	var mu sync.Mutex
	calls := map[string]int{}
	right := map[string]string{
		"CreateQueue": `{"QueueUrl": "http://elsewhere/q"}`, "SendMessage": `{"MessageId": "x"}`, "DeleteQueue": "",
		"SendMessageBatch": `{"Successful":[` + strings.Repeat(`{"Id":"m","MessageId":"x"},`, 9) + `{"Id":"m","MessageId":"x"}]}`,
		"ReceiveMessage":   `{"Messages":[{"ReceiptHandle":"x"}]}`, "DeleteMessage": "",
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		action := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AmazonSQS.")
		mu.Lock()
		calls[action]++
		mu.Unlock()
		if answer := answers[action]; answer != nil {
			answer(w)
			return
		}
		_, _ = io.WriteString(w, right[action])
	}))
	t.Cleanup(s.Close)
	return s.URL, func(action string) int {
		mu.Lock()
		defer mu.Unlock()
		return calls[action]
	}
}

func optionsFor(endpoint, action string) Options {
	return Options{Endpoint: endpoint, Action: action, Batch: 1, Body: 10, Connections: 2, Duration: 20 * time.Millisecond, Region: "us-east-1"}
}

func refuse(status int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Failures are told by their code, empty answers apart, and either makes the
// run fail; the queue is deleted all the same.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		action string
		answer map[string]func(http.ResponseWriter)
		want   string
	}{
		"Code":    {"send", map[string]func(http.ResponseWriter){"SendMessage": refuse(400, `{"__type":"a#OverLimit"}`)}, "× OverLimit\n"},
		"Status":  {"send", map[string]func(http.ResponseWriter){"SendMessage": refuse(502, "")}, "× status 502\n"},
		"Empty":   {"send", map[string]func(http.ResponseWriter){"SendMessage": refuse(200, "{}")}, "Warning: nothing was done\n"},
		"Nothing": {"receive", map[string]func(http.ResponseWriter){"ReceiveMessage": refuse(200, "{}")}, "Warning: nothing was done\n"},
		"Deletes": {"delete", map[string]func(http.ResponseWriter){"DeleteMessage": refuse(400, `{"__type":"ReceiptHandleIsInvalid"}`)}, "× ReceiptHandleIsInvalid\n"},
		"Lost":    {"send", map[string]func(http.ResponseWriter){"SendMessage": func(http.ResponseWriter) { panic(http.ErrAbortHandler) }}, "× the server closed the connection\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, called := fake(t, tc.answer)
			got, err := Run(t.Context(), optionsFor(endpoint, tc.action))
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := got.Write(&text); err != nil || got.Err() == nil || !strings.Contains(text.String(), tc.want) {
				t.Errorf("%v, %v, want %q in\n%s", err, got.Err(), tc.want, &text)
			}
			if called("CreateQueue") != 1 || called("DeleteQueue") != 1 {
				t.Errorf("%d queues made, %d deleted", called("CreateQueue"), called("DeleteQueue"))
			}
		})
	}
}

func TestQueueThatCannotBeDeletedIsTold(t *testing.T) {
	t.Parallel()
	endpoint, _ := fake(t, map[string]func(http.ResponseWriter){"DeleteQueue": refuse(403, `{"__type":"AccessDenied"}`)})
	got, err := Run(t.Context(), optionsFor(endpoint, "send"))
	if !got.Measured() || got.Messages == 0 {
		t.Errorf("the result is lost: %+v", got)
	}
	if err == nil || !strings.Contains(err.Error(), "http://elsewhere/q is left") || !strings.Contains(err.Error(), "AccessDenied") {
		t.Errorf("got %v", err)
	}
}

func TestQueueThatCannotBeMade(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(http.ResponseWriter){"Refused": refuse(403, "no"), "Nameless": refuse(200, "{}")} {
		endpoint, called := fake(t, map[string]func(http.ResponseWriter){"CreateQueue": answer})
		if _, err := Run(t.Context(), optionsFor(endpoint, "send")); err == nil || called("SendMessage") != 0 {
			t.Errorf("%s: %v, %d sends", name, err, called("SendMessage"))
		}
	}
}

// A stop that comes while the queue is made lets the answer come, and deletes
// it. Where there is none, the name is told.
func TestStopWhileTheQueueIsMade(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	endpoint, called := fake(t, map[string]func(http.ResponseWriter){"CreateQueue": func(w http.ResponseWriter) {
		stop()
		<-time.After(20 * time.Millisecond) // whoever hangs up at a stop has done so
		_, _ = io.WriteString(w, `{"QueueUrl": "http://elsewhere/q"}`)
	}})
	got, err := Run(ctx, optionsFor(endpoint, "send"))
	if !errors.Is(err, errStopped) || err.Error() != "stopped before its end" || got.Measured() {
		t.Errorf("got %v, %+v", err, got)
	}
	if called("DeleteQueue") != 1 || called("SendMessage") != 0 {
		t.Errorf("%d queues deleted, %d messages sent", called("DeleteQueue"), called("SendMessage"))
	}
	if _, err := Run(ctx, optionsFor(endpoint, "send")); !errors.Is(err, errStopped) || called("CreateQueue") != 1 {
		t.Errorf("stopped before it began: %v, %d queues made", err, called("CreateQueue"))
	}
}

func TestStopWhileNoQueueIsMade(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	release := make(chan struct{})
	endpoint, _ := fake(t, map[string]func(http.ResponseWriter){"CreateQueue": func(http.ResponseWriter) { stop(); <-release }})
	defer close(release)
	wire, err := load.NewWire(load.WireOptions{URL: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Options: optionsFor(endpoint, "send"), server: &load.Server{Name: endpoint, Wire: wire}}
	_, err = r.create(ctx, "queues-bench-x", time.Millisecond)
	if !errors.Is(err, errStopped) || !strings.Contains(err.Error(), "queues-bench-x may be left") || !strings.Contains(err.Error(), "no answer in 1ms") {
		t.Errorf("got %v", err)
	}
}

func TestLoopback(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{"127.1.2.3:80": "127.1.2.3:80", "[::1]:9324": "[::1]:9324", "[::ffff:127.0.0.1]:1": "127.0.0.1:1", "192.0.2.1:80": "", "nonsense": ""} {
		got, local := loopback(t.Context(), addr)
		if local != (want != "") || local && got.String() != want {
			t.Errorf("%s: got %v, %v", addr, got, local)
		}
	}
}

func TestFarServerIsWarnedOf(t *testing.T) {
	t.Parallel()
	// A run that ends at once never reaches it.
	r := &run{Options: Options{}, server: far(t)}
	r.lookAround(t.Context())
	if len(r.result.Warnings) != 1 || !strings.Contains(r.result.Warnings[0], "not on this machine") || r.result.Server != nil {
		t.Errorf("got %q, %+v", r.result.Warnings, r.result.Server)
	}
}

func TestListenerIsFound(t *testing.T) {
	t.Parallel()
	endpoint, _ := fake(t, nil)
	addr := netip.MustParseAddrPort(strings.TrimPrefix(endpoint, "http://"))
	got := listener(addr)
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		if got != 0 {
			t.Errorf("process %d without /proc", got)
		}
		return
	}
	if got != os.Getpid() {
		t.Errorf("process %d listens, want %d", got, os.Getpid())
	}
}

func TestBottleneckIsWarnedOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		result Result
		want   bool
	}{
		"Fine":       {Result{Server: &Process{CPUMicros: 50}, Generator: Generator{CPUMicros: 10, Cores: 1, CoresOfAll: 2}}, false},
		"Dearer":     {Result{Server: &Process{CPUMicros: 50}, Generator: Generator{CPUMicros: 60, Cores: 1, CoresOfAll: 2}}, true},
		"Busy":       {Result{Generator: Generator{CPUMicros: 10, Cores: 1.9, CoresOfAll: 2}}, true},
		"Unmeasured": {Result{Generator: Generator{CoresOfAll: 2}}, false},
	} {
		r := &run{result: tc.result}
		r.judge(measureOf(1))
		if got := len(r.result.Warnings) > 0; got != tc.want {
			t.Errorf("%s: warnings %q", name, r.result.Warnings)
		}
	}
}

// A server that refuses the protocol but speaks the other one is told as such.
func TestOtherProtocolIsHintedAt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		other string
		want  bool
	}{
		"SpeaksTheOther": {"<ListQueuesResponse/>", true},
		"SpeaksNeither":  {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("X-Amz-Target") != "" || tc.other == "" {
					http.Error(w, "Unsupported Media Type", http.StatusUnsupportedMediaType)
					return
				}
				_, _ = io.WriteString(w, tc.other)
			}))
			t.Cleanup(s.Close)
			_, err := Run(t.Context(), optionsFor(s.URL, "send"))
			if err == nil || strings.Contains(err.Error(), "--protocol=query") != tc.want {
				t.Errorf("got %v, want a hint: %v", err, tc.want)
			}
		})
	}
}

func TestSlowDeletionIsToldAsSuch(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	release := make(chan struct{})
	endpoint, _ := fake(t, map[string]func(http.ResponseWriter){"DeleteQueue": func(http.ResponseWriter) {
		cancel(errors.New("no answer in time"))
		<-release
	}})
	defer close(release)
	wire, err := load.NewWire(load.WireOptions{URL: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&load.Server{Name: endpoint, Wire: wire}).Once(ctx, wire.DeleteQueue("q")); err == nil || err.Error() != "no answer in time" {
		t.Errorf("got %v", err)
	}
}
