package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// cpu gives the processor time that a process has used, in steps of 10 ms. It
// needs Linux, as does memory.
func (p *process) cpu(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] { // utime and stime
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// memory gives how many bytes of memory a process holds.
func (p *process) memory(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n << 10
}

// adminCounts is what the admin port tells of the server.
type adminCounts struct {
	Requests int
	Reserved int64 `json:"reserved_bytes"`
}

// countsAt asks an admin port for its counts.
func countsAt(t *testing.T, address string) (c adminCounts) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/counts", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

// sizeOf gives the bytes of a file in a folder.
func sizeOf(t *testing.T, dir, name string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// idle parks polls of 20 seconds over some queues, and gives how much of a
// processor the server uses while they wait.
func idle(t *testing.T, w wire, queues, polls int) float64 {
	t.Helper()
	p := startBinary(t, serveArgs(t.TempDir())...)
	e := newEnv(t, p.server(), w)
	for i := range queues {
		e.createNamed(t, fmt.Sprint("q", i), nil)
	}
	e.createNamed(t, "beacon", nil)
	ctx, cancel := context.WithCancel(t.Context())
	var ended atomic.Int64
	var waiting sync.WaitGroup
	for i := range polls {
		waiting.Go(func() {
			for ctx.Err() == nil {
				start := time.Now()
				_, err := e.sqs.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: aws.String(fmt.Sprint("q", i%queues)), WaitTimeSeconds: 20})
				if ctx.Err() != nil {
					return
				}
				if took := time.Since(start); err != nil || took < 19*time.Second {
					t.Errorf("a poll ended after %v: %v", took, err)
					return
				}
				ended.Add(1)
			}
		})
	}
	// A busy machine takes a while to bring them all, and those that have waited to
	// their end begin anew: what counts is a time in which they do nothing but wait.
	var used float64
	for deadline := time.Now().Add(patience); !t.Failed(); {
		before := ended.Load()
		all := countsAt(t, p.admin).Requests == polls
		if all {
			// Polls that take their time are the clock of what must not sleep.
			e.receive(t, "beacon", waitFor(2))
			from, start := p.cpu(t), time.Now()
			e.receive(t, "beacon", waitFor(3))
			used = float64(p.cpu(t)-from) / float64(time.Since(start))
		}
		if all && ended.Load() == before {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d polls never waited at once", polls)
		}
	}
	cancel()
	waiting.Wait()
	t.Logf("%d polls on %d queues use %.1f %% of a processor", polls, queues, used*100)
	return used
}

// scaled gives a number of rounds or messages: all of it, or a tenth where the
// race detector makes everything slow and no measurement means much.
func scaled(n int) int {
	if raceEnabled {
		return n / 10
	}
	return n
}

// fill sends n messages to a FIFO queue in so many groups, with several
// batches under way.
func (e *env) fill(t *testing.T, url string, n, groups int) {
	t.Helper()
	var work sync.WaitGroup
	const senders = 4
	for s := range senders {
		work.Go(func() {
			for from := s * 10; from < n; from += senders * 10 {
				entries := list{}
				for i := from; i < from+10; i++ {
					entries = append(entries, args{"Id": strconv.Itoa(i), "MessageBody": "b", "MessageGroupId": strconv.Itoa(i % groups), "MessageDeduplicationId": strconv.Itoa(i)})
				}
				if r := e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": entries}); r.Status != 200 {
					t.Errorf("%d %s", r.Status, r.Body)
					return
				}
			}
		})
	}
	work.Wait()
}

// take receives and deletes a number of tens.
func (e *env) take(t *testing.T, url string, tens int) {
	t.Helper()
	for range tens {
		ms := e.receive(t, url)
		if len(ms) == 0 {
			t.Fatal("nothing came")
		}
		in := &sqs.DeleteMessageBatchInput{QueueUrl: &url}
		for i, m := range ms {
			in.Entries = append(in.Entries, types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: m.ReceiptHandle})
		}
		if out, err := e.sqs.DeleteMessageBatch(t.Context(), in); err != nil || len(out.Failed) != 0 {
			t.Fatalf("DeleteMessageBatch: %v %v", out, err)
		}
	}
}
