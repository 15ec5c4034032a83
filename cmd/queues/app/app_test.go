package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// The server serves, stops when told to, and has its data when it starts again.
func TestServeAndRestart(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	c.Sync = ""
	first := run(t, c)
	first.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "http://"+first.Addr()+"/000000000000/jobs")
	first.want(t, "SendMessage", `{"QueueUrl":"jobs","MessageBody":"hello"}`, 200, "MD5OfMessageBody")
	resp, err := first.client.Get("http://" + first.AdminAddr() + "/health/ready")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("readiness: status %d, want 200", resp.StatusCode)
	}
	if err := first.end(t); err != nil {
		t.Errorf("Run: %v", err)
	}
	if conn, err := net.DialTimeout("tcp", first.Addr(), time.Second); err == nil {
		conn.Close()
		t.Error("the port is still open")
	}
	second := run(t, c)
	second.want(t, "ReceiveMessage", `{"QueueUrl":"jobs"}`, 200, `"Body":"hello"`)
	if err := second.end(t); err != nil {
		t.Errorf("Run: %v", err)
	}
}

// tellingClock closes asked when somebody is about to wait for so long.
type tellingClock struct {
	*engine.SystemClock
	after time.Duration
	asked chan struct{}
	once  sync.Once
}

func (c *tellingClock) NewTimer(at time.Time) engine.Timer {
	if d := at.Sub(c.Now()); d > c.after/2 && d <= c.after {
		c.once.Do(func() { close(c.asked) })
	}
	return c.SystemClock.NewTimer(at)
}

// Stopping answers the receives that wait.
func TestStopEndsWaiting(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	clock := &tellingClock{SystemClock: engine.NewSystemClock(), after: 20 * time.Second, asked: make(chan struct{})}
	c.Clock = clock
	r := run(t, c)
	r.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "")
	conn, err := net.Dial("tcp", r.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{"QueueUrl":"jobs","WaitTimeSeconds":20}`
	io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.ReceiveMessage\r\nContent-Length: 40\r\n\r\n"+body)
	// A receive that comes when the stop has begun is refused.
	select {
	case <-clock.asked:
	case <-time.After(patience):
		t.Fatal("the receive does not wait")
	}
	// What does not end soon enough is cut off, and gets no answer.
	if err := r.end(t); err != nil {
		t.Errorf("Run: %v", err)
	}
	answer, err := io.ReadAll(conn)
	if !strings.HasPrefix(string(answer), "HTTP/1.1 200 OK\r\n") || !strings.HasSuffix(string(answer), "\r\n\r\n{}") {
		t.Errorf("the waiting receive got %q, %v, want an empty answer\n%s", answer, err, r.output)
	}
}

// "dev" leaves nothing behind, and has neither of the 60-second rules; "serve"
// has both.
func TestDev(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	c.Dev, c.Data, c.Admin = true, "", "off"
	dev := run(t, c)
	folder := dev.dataFolder()
	if _, err := os.Stat(folder); err != nil {
		t.Errorf("no data folder: %v", err)
	}
	if dev.AdminAddr() != "" {
		t.Errorf("admin at %s, want none", dev.AdminAddr())
	}
	dev.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "")
	dev.want(t, "PurgeQueue", `{"QueueUrl":"jobs"}`, 200, "")
	dev.want(t, "PurgeQueue", `{"QueueUrl":"jobs"}`, 200, "")
	dev.want(t, "DeleteQueue", `{"QueueUrl":"jobs"}`, 200, "")
	dev.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "")
	if err := dev.end(t); err != nil {
		t.Errorf("Run: %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder is still there: %v", err)
	}

	serve := run(t, onFreePorts(t))
	serve.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "")
	serve.want(t, "PurgeQueue", `{"QueueUrl":"jobs"}`, 200, "")
	serve.want(t, "PurgeQueue", `{"QueueUrl":"jobs"}`, 403, "PurgeQueueInProgress")
	serve.want(t, "DeleteQueue", `{"QueueUrl":"jobs"}`, 200, "")
	serve.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 400, "QueueDeletedRecently")
}

// A folder given to "dev" stays.
func TestDevKeepsGivenFolder(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	c.Dev = true
	if err := run(t, c).end(t); err != nil {
		t.Errorf("Run: %v", err)
	}
	if entries, err := os.ReadDir(c.Data); err != nil || len(entries) == 0 {
		t.Errorf("the folder has %d entries, %v", len(entries), err)
	}
}

// The start tells where the server is, in words or as one log line.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	t.Run("Text", func(t *testing.T) {
		t.Parallel()
		c := onFreePorts(t)
		r := run(t, c)
		for _, want := range []string{
			"serves SQS on http://" + r.Addr() + " (account 000000000000, region us-east-1)",
			c.Data + " (sync=off: ",
			"http://" + r.AdminAddr() + "/health/ready",
			"aws --endpoint-url http://" + r.Addr() + " sqs list-queues",
		} {
			r.waitOutput(t, want)
		}
	})
	t.Run("JSON", func(t *testing.T) {
		t.Parallel()
		c := onFreePorts(t)
		c.LogFormat, c.PublicURL = "json", "https://sqs.example.com/"
		r := run(t, c)
		line := r.waitOutput(t, `"msg":"serving"`)
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if got["endpoint"] != "https://sqs.example.com" || got["listen"] != r.Addr() || got["data"] != c.Data {
			t.Errorf("got %v", got)
		}
	})
}

func TestReachable(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1:1": "127.0.0.1:1", "[::]:1": "localhost:1", "0.0.0.0:1": "localhost:1", "[::1]:1": "[::1]:1", "pipe": "pipe",
	} {
		if got := reachable(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}

// What keeps the server from starting is told with what to do, and nothing
// stays open or locked behind it.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	owned := onFreePorts(t)
	run(t, owned)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "queues.db"), bytes.Repeat([]byte("x"), 8192), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
		code   engine.Code
	}{
		"BusyPort":      {func(c *Config) { c.Listen = taken.Addr().String() }, "the address " + taken.Addr().String() + " is in use", engine.Internal},
		"BusyAdmin":     {func(c *Config) { c.Admin = taken.Addr().String() }, "such as --admin 127.0.0.1:0", engine.Internal},
		"OtherMachine":  {func(c *Config) { c.Listen, c.Insecure = "192.0.2.1:1", true }, "choose an address of this machine", engine.Internal},
		"LockedData":    {func(c *Config) { c.Data = owned.Data }, "in use by another process", engine.DataInUse},
		"FolderIsFile":  {func(c *Config) { c.Data = file }, file, engine.DataUnusable},
		"ForeignFile":   {func(c *Config) { c.Data = foreign }, foreign, engine.DataUnusable},
		"Configuration": {func(c *Config) { c.Region = "X" }, "--region", engine.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			c := onFreePorts(t)
			test.change(&c)
			_, err := New(c)
			if err == nil {
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), test.want) || engine.ErrorCode(err) != test.code {
				t.Errorf("got %v, code %d; want %q in it and code %d", err, engine.ErrorCode(err), test.want, test.code)
			}
			if test.code == engine.Internal && name != "Configuration" {
				// A port that cannot be had leaves no folder behind.
				if _, err := os.Stat(c.Data); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the data folder: %v, want none", err)
				}
				c.Listen, c.Admin = "127.0.0.1:0", "off"
				a, err := New(c)
				if err != nil {
					t.Fatalf("again: %v", err)
				}
				if err := a.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			}
		})
	}
}

// errSync is a disk that can no longer say what is on it.
var errSync = sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrFsync}

// A store that fails for good ends the server with advice.
func TestFatal(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	broken := make(chan struct{})
	c.Fault = func(point string) error {
		select {
		case <-broken:
			if point == "commit" {
				return errSync
			}
		default:
		}
		return nil
	}
	r := run(t, c)
	r.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "")
	close(broken)
	if status, body := r.call(t, "SendMessage", `{"QueueUrl":"jobs","MessageBody":"x"}`); status < 500 {
		t.Errorf("got %d %s, want a failure", status, body)
	}
	err := r.wait(t)
	if err == nil || !regexp.MustCompile(`the store has failed .* start again`).MatchString(err.Error()) {
		t.Errorf("Run: %v, want advice", err)
	}
}

// The program ends with a code that says how it went.
func TestExecute(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr output
	if code := Execute(ctx, []string{"dev", "--listen=127.0.0.1:0", "--admin=off"}, &stdout, &stderr); code != exitOK {
		t.Errorf("stopped at once: code %d, want 0: %s", code, &stderr)
	}
	if code := Execute(ctx, []string{"dev", "--listen=" + taken.Addr().String(), "--admin=off"}, &stdout, &stderr); code != exitFailed {
		t.Errorf("busy port: code %d, want %d", code, exitFailed)
	}
	if !strings.Contains(stderr.String(), "queues: --listen: the address "+taken.Addr().String()+" is in use") {
		t.Errorf("busy port: %s", &stderr)
	}
}

// Close without Run gives everything up, and may be repeated.
func TestCloseWithoutRun(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	for range 2 {
		a, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := a.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		}
	}
}

// Close while it runs ends Run.
func TestCloseEndsRun(t *testing.T) {
	t.Parallel()
	r := run(t, onFreePorts(t))
	r.want(t, "ListQueues", "{}", 200, "")
	if err := r.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := r.wait(t); err != nil {
		t.Errorf("Run: %v", err)
	}
}
