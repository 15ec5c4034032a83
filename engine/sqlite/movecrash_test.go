package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"queues/engine"
)

// moveCrashDir tells a child process which folder it is to be killed over.
const moveCrashDir = "QUEUES_MOVE_CRASH_DIR"

// moveCrashMessages is how many messages go round.
const moveCrashMessages = 250

// TestKillMoves kills a process with SIGKILL while its messages go round
// between two queues, there by a move task and back as dead letters: no message
// is lost or there twice.
func TestKillMoves(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(moveCrashDir); dir != "" {
		fmt.Println(moveCrashChild(dir))
		return
	}
	dir := t.TempDir()
	for round := range 3 {
		cmd, out := startChild(t, moveCrashDir+"="+dir, nil)
		steps := 0
		for lines := bufio.NewScanner(out); steps < 20+7*round && lines.Scan(); steps++ {
			if lines.Text() != "step" {
				t.Fatalf("the child says %s", lines.Text())
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()

		f := open(t, func(o *Options) { o.Dir = dir })
		f.clock.set(time.Now().Add(time.Duration(round+1) * time.Hour))
		f.remembered()
		found := make(map[string]int)
		for _, n := range []string{"from", "to"} {
			q, err := f.FindQueue(t.Context(), name(n))
			if err != nil {
				t.Fatal(err)
			}
			rows := f.number("SELECT count(*) FROM messages WHERE queue = (SELECT number FROM queues WHERE name = '" + n + "')")
			if c := f.counts(q); c.Visible != rows {
				t.Errorf("round %d: %s counts %d messages and has %d", round, n, c.Visible, rows)
			}
			f.writer.turn.Lock()
			err = f.writer.conn.query("SELECT body FROM messages WHERE queue = (SELECT number FROM queues WHERE name = '"+n+"')",
				func(r row) error { found[r.text(0)]++; return nil })
			f.writer.turn.Unlock()
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range moveCrashMessages {
			if n := found[fmt.Sprint("m", i)]; n != 1 {
				t.Errorf("round %d: m%d is there %d times", round, i, n)
			}
		}
		f.finish()
	}
}

// moveCrashChild works until it is killed and tells of every step.
func moveCrashChild(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: dir, Clock: engine.NewSystemClock()})
	if err != nil {
		return err
	}
	create := func(n string, redrive *engine.Redrive) (engine.CreateQueueResult, error) {
		return s.CreateQueue(ctx, engine.CreateQueueParams{Name: name(n), Settings: engine.Settings{
			Retention: 1000 * time.Hour, VisibilityTimeout: time.Minute, Redrive: redrive,
		}})
	}
	from, err := create("from", nil)
	if err != nil {
		return err
	}
	to, err := create("to", &engine.Redrive{Target: name("from"), MaxReceives: 1})
	if err != nil {
		return err
	}
	if from.Created {
		p := engine.SendParams{Queue: from.Queue.ID, Messages: messages(moveCrashMessages, "")}
		if _, err := s.Send(ctx, p); err != nil {
			return err
		}
	}
	for {
		_, err := s.StartMove(ctx, engine.StartMoveParams{Source: from.Queue.ID, Target: new(name("to"))})
		if err != nil && engine.ErrorCode(err) != engine.MoveInProgress {
			return err
		}
		for more := true; more; {
			r, err := s.Move(ctx)
			if err != nil {
				return err
			}
			more = r.More
			fmt.Println("step")
		}
		for c := (engine.Counts{Visible: 1}); c.Visible > 0; {
			if _, err := s.Receive(ctx, engine.ReceiveParams{Queue: to.Queue.ID, Max: 10, Visibility: new(time.Duration)}); err != nil {
				return err
			}
			fmt.Println("step")
			if c, err = s.Counts(ctx, to.Queue.ID); err != nil {
				return err
			}
		}
	}
}
