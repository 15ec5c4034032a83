package app

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"queues/cmd/queues/bench"
)

// Every action measures what it says, in both protocols, on both kinds of
// queue, one by one and in batches, and leaves no queue.
func TestBench(t *testing.T) {
	t.Parallel()
	r := run(t, onFreePorts(t))
	made := map[string][2][]string{
		"send":       {{"SendMessage"}, {"SendMessageBatch"}},
		"receive":    {{"ReceiveMessage"}, {"ReceiveMessage"}},
		"delete":     {{"DeleteMessage"}, {"DeleteMessageBatch"}},
		"visibility": {{"ChangeMessageVisibility"}, {"ChangeMessageVisibilityBatch"}},
		"attributes": {{"GetQueueAttributes"}, {"GetQueueAttributes"}},
		"cycle":      {{"SendMessage", "ReceiveMessage", "DeleteMessage"}, {"SendMessageBatch", "ReceiveMessage", "DeleteMessageBatch"}},
	}
	for action, names := range made {
		for i, batch := range []string{"1", "10"} {
			for _, form := range [][]string{{"--protocol=json"}, {"--protocol=query", "--fifo"}, {"--protocol=query", "--groups=20"}, {"--fifo"}} {
				args := append([]string{
					"bench", "--endpoint=http://" + r.Addr(), "--json", "--action=" + action, "--batch=" + batch,
					"--connections=4", "--duration=30ms", "--body=100",
				}, form...)
				code, stdout, stderr := execute(t, args...)
				var got bench.Result
				if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitOK {
					t.Fatalf("%v: exit %d, %v:\n%s%s", args, code, err, stdout, stderr)
				}
				var measured []string
				for _, l := range got.Latencies {
					measured = append(measured, l.Action)
					if l.P50 <= 0 || l.P99 < l.P50 || l.P999 < l.P99 || l.Max < l.P999 {
						t.Errorf("%v: latencies %+v", args, l)
					}
				}
				slices.Sort(measured)
				want := slices.Sorted(slices.Values(names[i]))
				if !slices.Equal(measured, want) || got.Messages == 0 || got.MessageRate <= 0 || got.Requests == 0 {
					t.Errorf("%v: measured %v, want %v: %s", args, measured, want, stdout)
				}
				if got.Server != nil && (got.Server.PID != os.Getpid() || got.Server.CPUMicros <= 0 || got.Server.MemoryBytes <= 0) {
					t.Errorf("%v: the server is %+v, want process %d", args, got.Server, os.Getpid())
				}
			}
		}
	}
	wantNoQueue(t, r)
}

func wantNoQueue(t *testing.T, r *running) {
	t.Helper()
	if status, body := r.call(t, "ListQueues", `{}`); status != 200 || strings.Contains(body, "queues-bench") {
		t.Errorf("a queue is left: %d %s", status, body)
	}
}

// What is read by people has the same figures.
func TestBenchForPeople(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "123456789012")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	r := run(t, onFreePorts(t))
	code, stdout, stderr := execute(t, "bench", "--endpoint=http://"+r.Addr(), "--duration=50ms", "--connections=2", "--sign", "--region=eu-west-1")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{
		"cycle by 1, 1024 bytes each, json, standard queue, 2 connections, signed", " messages/s, ", "p99.9", " SendMessage  ",
		"Failures: none", "Empty answers: 0",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
}

// Whoever ends a run finds no queue of it afterwards.
func TestBenchIsStopped(t *testing.T) {
	t.Parallel()
	r := run(t, onFreePorts(t))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	var stdout, stderr bytes.Buffer
	go func() {
		ended <- Execute(ctx, []string{"bench", "--endpoint=http://" + r.Addr(), "--duration=1h"}, &stdout, &stderr)
	}()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for deadline := time.After(patience); ; {
		if _, body := r.call(t, "ListQueues", `{"QueueNamePrefix":"queues-bench-"}`); strings.Contains(body, "/queues-bench-") {
			break
		}
		select {
		case <-look.C:
		case <-deadline:
			t.Fatal("no queue was made")
		}
	}
	stop()
	if code := <-ended; code != exitFailed || !strings.Contains(stderr.String(), "stopped before its end") {
		t.Errorf("exit %d: %s", code, &stderr)
	}
	wantNoQueue(t, r)
}

func TestBenchRefuses(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	for arg, want := range map[string]string{
		"--endpoint=localhost:9324": "--endpoint",
		"--protocol=xml":            "--protocol",
		"--action=purge":            "--action",
		"--batch=11":                "--batch",
		"--batch=0":                 "--batch",
		"--body=0":                  "--body",
		"--body=17MiB":              "--body",
		"--connections=0":           "--connections",
		"--duration=0s":             "--duration",
		"--groups=-1":               "--groups",
		"--pid=-1":                  "--pid",
		"--sign":                    "--sign",
	} {
		wantExit(t, exitUsage, want, "bench", arg)
	}
	// Nobody listens at port 1.
	wantExit(t, exitFailed, "refused", "bench", "--endpoint=http://127.0.0.1:1", "--duration=1ms")
}
