package sqlite

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"queues/engine"
)

var bounded = flag.Int("sqlite.bounded", 3_000, "messages that are spent, or expire, at once in a test of what a receive may cost")

// feel is what calls took.
type feel []time.Duration

func (f feel) String() string {
	s := slices.Sorted(slices.Values(f))
	if len(s) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("p50 %v max %v (%d)", s[len(s)/2].Round(time.Microsecond), s[len(s)-1].Round(time.Microsecond), len(s))
}

func (f feel) middle() time.Duration { return slices.Sorted(slices.Values(f))[len(f)/2] }

// layout is how messages lie in a queue of a scale test.
type layout struct {
	fifo  bool
	group func(i int) string
}

var layouts = map[string]layout{
	"Plain":      {group: func(int) string { return "" }},
	"FewGroups":  {group: func(i int) string { return fmt.Sprint("g", i%20) }},
	"ManyGroups": {group: func(i int) string { return fmt.Sprint("g", i) }},
	"FIFOOne":    {fifo: true, group: func(int) string { return "g" }},
	"FIFOMany":   {fifo: true, group: func(i int) string { return fmt.Sprint("g", i) }},
}

// make makes a queue of a layout.
func (l layout) make(f *fixture, name string, change ...func(*engine.Settings)) *engine.Queue {
	if !l.fifo {
		return f.create(name, change...)
	}
	return f.createFIFO(name, func(p *engine.CreateQueueParams) {
		for _, c := range change {
			c(&p.Settings)
		}
	})
}

// sendOne sends a message that is told from all others by its body.
func (f *fixture) sendOne(q *engine.Queue, group, body string) {
	f.t.Helper()
	m := engine.Message{Body: body, Group: group, Dedup: body}
	if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{{Message: m}}}); err != nil {
		f.t.Fatalf("Send: %v", err)
	}
}

// observed measures receives, sends and a neighbour's receives beside what the
// sweeper does until it is done. Each round sends a message to the queue and
// wants it received in at most so many receives.
func (f *fixture) observed(q, neighbour *engine.Queue, group string, rounds, within int) (receives, sends, neighbours feel, swept string) {
	f.t.Helper()
	start := time.Now()
	// As the engine does: when it is told that there is something to do.
	kicks := make(chan struct{}, 1)
	var over atomic.Bool
	var steps int
	var took time.Duration
	var wg sync.WaitGroup
	wg.Go(func() {
		for range kicks {
			for more := true; more && !over.Load(); steps++ {
				r, err := f.Sweep(context.Background())
				if err != nil {
					f.t.Errorf("Sweep: %v", err)
					return
				}
				more = r.More
			}
			took = time.Since(start)
		}
	})
	timed := func(to *feel, call func()) {
		at := time.Now()
		call()
		*to = append(*to, time.Since(at))
	}
	for i := 0; i < rounds; i++ {
		body := fmt.Sprint("good", i)
		timed(&sends, func() { f.sendOne(q, fmt.Sprint(group, i%5), body) })
		timed(&neighbours, func() { f.touch(neighbour, 1) })
		found := false
		for looks := 0; !found && looks < within; looks++ {
			var got []engine.Delivery
			timed(&receives, func() { got = f.receiveKicking(q, kicks) })
			for _, d := range got {
				found = found || d.Body == body
			}
			f.ack(q, got...)
		}
		if !found {
			f.t.Fatalf("message %d was not received within %d receives", i, within)
		}
	}
	// Very many take the sweeper minutes, in which nothing new happens.
	over.Store(*bounded > 100_000)
	close(kicks)
	wg.Wait()
	return receives, sends, neighbours, fmt.Sprintf("%d steps in %v", steps, took.Round(time.Millisecond))
}

// TestMuchIsSpent lowers the limit on very many messages that were received, and
// measures what the queue and a neighbour feel.
func TestMuchIsSpent(t *testing.T) {
	t.Parallel()
	for name, l := range layouts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			dlq := l.make(f, "dlq")
			q, neighbour, alone := l.make(f, "q"), f.create("neighbour"), l.make(f, "alone")
			f.send(neighbour, 1000)
			f.spread(q, *bounded, l.group)
			f.spendAll(q, 1)
			f.set(q, redriveTo("dlq", 1))

			quiet, _, _, _ := f.observed(alone, neighbour, "good", 50, 1)
			receives, sends, neighbours, swept := f.observed(q, neighbour, "good", rounds(), 1)
			t.Logf("%s: %d spent, %s: a receive %v (alone %v), a send %v, a neighbour's receive %v",
				t.Name(), *bounded, swept, receives, quiet, sends, neighbours)
			if *bounded <= 100_000 {
				f.wantSizes(q, 0, 0, 0)
				f.wantSizes(dlq, int64(*bounded), 0, 0)
			}
		})
	}
}

// TestMuchExpires ends the retention of very many messages at once, by a cut or
// by time.
func TestMuchExpires(t *testing.T) {
	t.Parallel()
	for name, l := range layouts {
		for _, cut := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/Cut%v", name, cut), func(t *testing.T) {
				t.Parallel()
				f := open(t)
				q, neighbour := l.make(f, "q", func(s *engine.Settings) { s.Retention = time.Hour }), f.create("neighbour")
				f.send(neighbour, 1000)
				f.spread(q, *bounded, l.group)
				f.receive(q, 10)
				f.clock.advance(10 * time.Minute)
				f.sweep()
				if cut {
					f.set(q, func(s *engine.Settings) { s.Retention = time.Minute })
				} else {
					f.clock.advance(51 * time.Minute)
				}
				receives, sends, neighbours, swept := f.observed(q, neighbour, "good", rounds(), 1)
				t.Logf("%s: %d expired, %s: a receive %v, a send %v, a neighbour's receive %v",
					t.Name(), *bounded, swept, receives, sends, neighbours)
				if *bounded <= 100_000 {
					f.wantSizes(q, 0, 0, 0)
				}
			})
		}
	}
}

// spendAll makes every message of a queue as if it had been received so often
// and were visible again.
func (f *fixture) spendAll(q *engine.Queue, times int) {
	f.t.Helper()
	epoch := f.epoch(q)
	if err := f.Close(); err != nil {
		f.t.Fatal(err)
	}
	now := toMS(f.clock.Now())
	execOn(f.t, f.o.Dir, fmt.Sprintf(`
		INSERT INTO deliveries (id, queue, state, stamp, receives)
			SELECT m.id, m.queue, 3, random(), 0 FROM messages AS m WHERE m.queue = %[1]d AND m.fresh = 1;
		UPDATE deliveries SET receives = %[2]d, first_receive = %[3]d, received = %[3]d WHERE queue = %[1]d;
		UPDATE queue_state SET again = again + fresh, fresh = 0,
			cursor = max(cursor, coalesce((SELECT max(id) FROM messages WHERE queue = %[1]d AND fresh = 1), 0)) WHERE epoch = %[1]d AND number > 0`,
		epoch, times, now))
	f.open()
}

// epoch gives the number under which the messages of a queue are stored.
func (f *fixture) epoch(q *engine.Queue) int64 {
	f.t.Helper()
	return f.number(fmt.Sprintf("SELECT s.epoch FROM queue_state AS s JOIN queues AS k USING (number) WHERE k.name = '%s'", q.Name.Name))
}

func (f *fixture) set(q *engine.Queue, change func(*engine.Settings)) {
	f.t.Helper()
	if _, err := f.UpdateQueue(f.t.Context(), engine.UpdateQueueParams{Queue: q.ID, Change: func(q *engine.Queue) error {
		change(&q.Settings)
		return nil
	}}); err != nil {
		f.t.Fatalf("UpdateQueue: %v", err)
	}
}

// receiveKicking receives up to ten messages, and kicks when work is left.
func (f *fixture) receiveKicking(q *engine.Queue, kicks chan<- struct{}) []engine.Delivery {
	f.t.Helper()
	r, err := f.Receive(f.t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 10})
	if err != nil {
		f.t.Fatalf("Receive: %v", err)
	}
	if r.Sweep {
		select {
		case kicks <- struct{}{}:
		default:
		}
	}
	return r.Messages
}

// rounds is how often a scale test looks.
func rounds() int { return min(50+*bounded/2000, 300) }
