package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

// copyData copies the files of a store as a crash would leave them.
func copyData(t *testing.T, from string) (to string) {
	t.Helper()
	to = t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(filepath.Join(from, DataName+suffix))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, DataName+suffix), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// TestCrash opens the files of a store that was never closed.
func TestCrash(t *testing.T) {
	t.Parallel()
	s := newStage(t, &faults{})
	s.receive(s.q, 2)
	if err := s.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: s.other.ID}); err != nil {
		t.Fatal(err)
	}
	before := s.remembered()
	f := open(t, func(o *Options) { o.Dir = copyData(t, s.o.Dir); o.Clock = s.clock })
	if d := cmp.Diff(before, f.remembered()); d != "" {
		t.Errorf("the crash changed (-before +after):\n%s", d)
	}
	if f.Secret() != s.Secret() {
		t.Error("the crash changed the secret")
	}
	f.ack(s.q, engine.Delivery{Ref: s.held[0]})
}

// startChild runs the calling test once more, in a process of its own that has
// env in its environment and ends with the test.
func startChild(t *testing.T, env string, stdin io.Reader) (*exec.Cmd, io.ReadCloser) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env, cmd.Stdin = append(os.Environ(), env), stdin
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// crashDir tells a child process which folder it is to be killed over.
const crashDir = "QUEUES_CRASH_DIR"

// TestKill kills a process with SIGKILL while it sends and acknowledges, again
// and again: what it said it had done is done.
func TestKill(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(crashDir); dir != "" {
		crashChild(dir)
		return
	}
	dir := t.TempDir()
	there, gone := make(map[string]bool), make(map[string]bool)
	for round := range 3 {
		cmd, out := startChild(t, crashDir+"="+dir, nil)
		lines := bufio.NewScanner(out)
		for n := 0; n < 200 && lines.Scan(); n++ {
			take(lines.Text(), there, gone)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		// What it had said before it died.
		for lines.Scan() {
			take(lines.Text(), there, gone)
		}
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()

		f := open(t, func(o *Options) { o.Dir = dir })
		// What was in flight is visible; the child goes on from the time stored.
		f.clock.set(time.Now().Add(time.Duration(round+1) * time.Hour))
		q, err := f.FindQueue(t.Context(), name("q"))
		if err != nil {
			t.Fatal(err)
		}
		f.remembered()
		visibility := time.Duration(0)
		found := make(map[string]bool)
		r, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 100_000, Visibility: &visibility})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Messages {
			found[d.Body] = true
		}
		for body := range there {
			if !found[body] && !gone[body] {
				t.Errorf("round %d: %s was sent and is lost", round, body)
			}
		}
		for body := range gone {
			if found[body] {
				t.Errorf("round %d: %s was acknowledged and is back", round, body)
			}
		}
		f.finish()
	}
	if len(there) < 200 || len(gone) < 20 {
		t.Errorf("too little happened: %d sent, %d acknowledged", len(there), len(gone))
	}
}

// take reads one line of the child: "+body" was sent, "?body" may be gone,
// "-body" was acknowledged.
func take(line string, there, gone map[string]bool) {
	switch body := strings.TrimLeft(line, "+-?"); line[:min(1, len(line))] {
	case "+":
		there[body] = true
	case "?":
		delete(there, body)
	case "-":
		gone[body] = true
	}
}

// crashChild works until it is killed, and says what it has done.
func crashChild(dir string) {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: dir, Clock: engine.NewSystemClock()})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.CreateQueue(ctx, engine.CreateQueueParams{
		Name: name("q"), Settings: engine.Settings{Retention: 1000 * time.Hour, VisibilityTimeout: time.Minute},
	})
	for i := 0; err == nil; i++ {
		body := fmt.Sprintf("%d.%d", os.Getpid(), i)
		p := engine.SendParams{Queue: r.Queue.ID, Messages: messages(1, body)}
		if _, err = s.Send(ctx, p); err != nil {
			break
		}
		fmt.Println("+" + body)
		if i%3 > 0 {
			continue
		}
		got, err := s.Receive(ctx, engine.ReceiveParams{Queue: r.Queue.ID, Max: 1})
		if err != nil || len(got.Messages) == 0 {
			continue
		}
		fmt.Println("?" + got.Messages[0].Body)
		_, err = s.Acknowledge(ctx, engine.AcknowledgeParams{Queue: r.Queue.ID, Refs: refs(got.Messages)})
		if err == nil {
			fmt.Println("-" + got.Messages[0].Body)
		}
	}
	fmt.Println(err)
}
