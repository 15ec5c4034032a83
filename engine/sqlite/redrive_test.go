package sqlite

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

// redriveTo lets messages move to a queue after so many receives.
func redriveTo(target string, after int) func(*engine.Settings) {
	return func(s *engine.Settings) {
		s.Redrive = &engine.Redrive{Target: name(target), MaxReceives: after}
	}
}

// touch receives up to n messages and leaves them visible.
func (f *fixture) touch(q *engine.Queue, n int) []engine.Delivery {
	f.t.Helper()
	return f.receiveAll(q, n).Messages
}

func (f *fixture) receiveAll(q *engine.Queue, n int) engine.ReceiveResult {
	f.t.Helper()
	r, err := f.Receive(f.t.Context(), engine.ReceiveParams{Queue: q.ID, Max: n, Visibility: new(time.Duration)})
	if err != nil {
		f.t.Fatalf("Receive: %v", err)
	}
	return r
}

func TestDeadLetter(t *testing.T) {
	t.Parallel()
	f := open(t)
	dlq := f.create("dlq", func(s *engine.Settings) { s.Delay = time.Hour })
	q := f.create("q", redriveTo("dlq", 2))
	sent := f.clock.Now()
	m := engine.NewMessage{Message: engine.Message{
		Body: "b", Sender: "s", Trace: "t", Attributes: []engine.Attribute{{Name: "n", Type: "String", Value: []byte("v")}},
	}}
	if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{m}}); err != nil {
		t.Fatal(err)
	}
	f.clock.advance(time.Second)
	first := f.clock.Now()
	old := f.touch(q, 1)
	f.clock.advance(time.Second)
	second := f.touch(q, 1)
	f.clock.advance(time.Second)
	if got := f.receive(q, 1); len(got) != 0 {
		t.Fatalf("the third receive gave %v", bodies(got))
	}
	f.reopen()
	if c, d := f.counts(q), f.counts(dlq); c != (engine.Counts{}) || d != (engine.Counts{Visible: 1, Oldest: sent}) {
		t.Errorf("counts are %+v and %+v", c, d)
	}
	for _, ref := range []engine.Ref{old[0].Ref, second[0].Ref} {
		outcomes, err := f.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: []engine.Ref{ref}, Stale: engine.StaleActs})
		if err != nil {
			t.Fatal(err)
		}
		wantCode(t, "an old reference", outcomes[0], engine.MessageGone)
	}
	got := f.receive(dlq, 10)
	want := []engine.Delivery{{
		Message: old[0].Message, Ref: got[0].Ref, Sequence: got[0].Sequence, Sent: sent, FirstReceived: first,
		Receives: 3, Source: q.Name, Deadline: f.clock.Now().Add(30 * time.Second),
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the dead letter (-want +got):\n%s", d)
	}
	if got[0].Sequence <= old[0].Sequence {
		t.Errorf("its sequence is %d, was %d", got[0].Sequence, old[0].Sequence)
	}
	f.ack(dlq, got...)
	if c := f.counts(dlq); c != (engine.Counts{}) {
		t.Errorf("counts are %+v after the acknowledgement", c)
	}
}

// TestDeadLetterChain moves a message over three queues.
func TestDeadLetterChain(t *testing.T) {
	t.Parallel()
	f := open(t)
	end := f.create("end")
	middle := f.create("middle", redriveTo("end", 2))
	start := f.create("start", redriveTo("middle", 1))
	f.send(start, 1)
	sent := f.clock.Now()
	f.clock.advance(time.Minute)
	first := f.clock.Now()
	for _, q := range []*engine.Queue{start, start, middle, middle, middle} {
		f.touch(q, 1)
		f.clock.advance(time.Second)
	}
	got := f.receive(end, 1)
	if len(got) != 1 {
		t.Fatal("nothing arrived at the end")
	}
	if d := got[0]; d.Receives != 4 || d.Source != middle.Name || !d.Sent.Equal(sent) || !d.FirstReceived.Equal(first) {
		t.Errorf("%d receives, from %v, sent %v, first received %v", d.Receives, d.Source, d.Sent, d.FirstReceived)
	}
}

// TestNoTarget receives messages as usual while their target is not there or
// of another kind, and moves them as soon as it is.
func TestNoTarget(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q", redriveTo("dlq", 1))
	f.send(q, 1)
	for i := range 3 {
		if got := f.touch(q, 1); len(got) != 1 || got[0].Receives != i+1 {
			t.Fatalf("receive %d gave %+v", i+1, got)
		}
	}
	fifo, err := f.CreateQueue(t.Context(), engine.CreateQueueParams{Name: name("dlq"), Kind: engine.FIFO})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.touch(q, 1); len(got) != 1 {
		t.Error("the message moved to a queue of another kind")
	}
	if err := f.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: fifo.Queue.ID}); err != nil {
		t.Fatal(err)
	}
	dlq := f.create("dlq")
	if got := f.touch(q, 1); len(got) != 0 {
		t.Error("the message did not move to the new target")
	}
	if got := f.touch(dlq, 1); len(got) != 1 || got[0].Receives != 5 {
		t.Errorf("the target has %+v", got)
	}
}

// TestOnlyWhatIsReached moves no message that the receive does not come by.
func TestOnlyWhatIsReached(t *testing.T) {
	t.Parallel()
	f := open(t)
	dlq := f.create("dlq")
	q := f.create("q", redriveTo("dlq", 1))
	f.send(q, 3)
	poison := f.receive(q, 3)
	f.send(q, 1) // behind them
	if err := f.Release(t.Context(), q.ID, refs(poison[1:2])); err != nil {
		t.Fatal(err)
	}
	// m0 and m2 are visible again, m1 as if it had never been received.
	f.clock.advance(time.Minute)
	r := f.receiveAll(q, 1)
	if got := bodies(r.Messages); !slices.Equal(got, []string{"m1"}) || !r.More {
		t.Errorf("received %v, more %v; want m1 and more", got, r.More)
	}
	if c := f.counts(dlq); c.Visible != 1 {
		t.Errorf("%d moved, want m0 alone", c.Visible)
	}
	// m1 and m2 move, and nothing is left behind what is received.
	r = f.receiveAll(q, 1)
	if got := bodies(r.Messages); !slices.Equal(got, []string{"m0"}) || r.More {
		t.Errorf("received %v, more %v; want the new m0 and no more", got, r.More)
	}
	if c := f.counts(dlq); c.Visible != 3 {
		t.Errorf("%d moved, want 3", c.Visible)
	}
}

// TestSelfTarget starts a message over in its own queue.
func TestSelfTarget(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q", redriveTo("q", 1))
	f.send(q, 1)
	first := f.touch(q, 1)
	r := f.receiveAll(q, 10)
	if len(r.Messages) != 0 || !r.More {
		t.Fatalf("the receive that moved it gave %v, more %v", bodies(r.Messages), r.More)
	}
	got := f.touch(q, 10)
	if len(got) != 1 || got[0].ID != first[0].ID || got[0].Receives != 2 || got[0].Source != q.Name {
		t.Fatalf("the next one gave %+v", got)
	}
}

// TestManyDeadLetters receives what is behind more dead letters than one
// transaction moves.
func TestManyDeadLetters(t *testing.T) {
	t.Parallel()
	for name, receives := range map[string]int{"Again": 1, "Late": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &faults{}
			f := open(t, withFaults(fs))
			dlq := f.create("dlq")
			q := f.create("q")
			f.send(q, 350)
			for range receives {
				f.touch(q, 350)
			}
			if _, err := f.UpdateQueue(t.Context(), engine.UpdateQueueParams{Queue: q.ID, Change: func(e *engine.Queue) error {
				redriveTo("dlq", 1)(&e.Settings)
				return nil
			}}); err != nil {
				t.Fatal(err)
			}
			moves, most := 0, 0
			fs.mu.Lock()
			fs.stop = func(point string) {
				switch point {
				case "begin":
					moves = 0
				case "statement:redrive.copy":
					moves++
					most = max(most, moves)
				}
			}
			fs.mu.Unlock()
			if got := f.receive(q, 10); len(got) != 0 {
				t.Fatalf("received %v", bodies(got))
			}
			if most != stepMoves {
				t.Errorf("%d moved in one transaction, want %d", most, stepMoves)
			}
			f.sweep()
			if c := f.counts(dlq); c.Visible != 350 {
				t.Errorf("%d moved, want 350", c.Visible)
			}
			f.remembered()
		})
	}
}

// TestFreshBesideDeadLetters gives a receive what is fresh at once, however
// many have to move.
func TestFreshBesideDeadLetters(t *testing.T) {
	t.Parallel()
	f := open(t)
	dlq := f.create("dlq")
	q := f.create("q", redriveTo("dlq", 1))
	f.send(q, 350)
	f.touch(q, 350)
	f.send(q, 1)
	r := f.receiveAll(q, 1)
	if got := bodies(r.Messages); !slices.Equal(got, []string{"m0"}) || !r.More {
		t.Errorf("received %v, more %v", got, r.More)
	}
	if c := f.counts(dlq); c.Visible != stepMoves {
		t.Errorf("%d moved, want %d", c.Visible, stepMoves)
	}
}

// TestLargeDeadLetters bounds the bytes of a transaction too.
func TestLargeDeadLetters(t *testing.T) {
	t.Parallel()
	f := open(t)
	dlq := f.create("dlq")
	q := f.create("q", redriveTo("dlq", 1))
	big := string(make([]byte, 1<<20))
	if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(12, big)}); err != nil {
		t.Fatal(err)
	}
	f.touch(q, 12)
	f.send(q, 1)
	if got := f.touch(q, 1); len(got) != 1 || len(got[0].Body) > 10 {
		t.Errorf("received %d messages", len(got))
	}
	if c := f.counts(dlq); c.Visible != 8 {
		t.Errorf("%d of 1 MiB moved at once, want 8", c.Visible)
	}
	if got := f.receive(dlq, 1); len(got) != 1 || got[0].Body != big {
		t.Error("the body changed on its way")
	}
}

// TestDeadLetterWakes reports what moved to those who wait at the target.
func TestDeadLetterWakes(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	ready := make(map[engine.QueueID]int)
	f := open(t, func(o *Options) {
		o.Report = func(reports []engine.Report) {
			mu.Lock()
			defer mu.Unlock()
			for _, r := range reports {
				ready[r.Queue] += r.Ready
			}
		}
	})
	dlq, q := f.create("dlq"), f.create("q", redriveTo("dlq", 1))
	f.send(q, 3)
	f.touch(q, 3)
	f.touch(q, 3)
	mu.Lock()
	defer mu.Unlock()
	if ready[dlq.ID] != 3 {
		t.Errorf("%d messages were reported at the target, want 3", ready[dlq.ID])
	}
}
