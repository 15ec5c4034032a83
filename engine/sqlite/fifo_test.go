package sqlite

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

// createFIFO makes a FIFO queue.
func (f *fixture) createFIFO(n string, change ...func(*engine.CreateQueueParams)) *engine.Queue {
	f.t.Helper()
	p := engine.CreateQueueParams{
		Name: name(n), Kind: engine.FIFO,
		Settings: engine.Settings{Retention: 4 * 24 * time.Hour, VisibilityTimeout: 30 * time.Second},
	}
	for _, c := range change {
		c(&p)
	}
	r, err := f.CreateQueue(f.t.Context(), p)
	if err != nil {
		f.t.Fatalf("CreateQueue: %v", err)
	}
	return r.Queue
}

// grouped makes messages from words such as g1-m1, whose group is before the
// dash.
func grouped(words string) []engine.NewMessage {
	var ms []engine.NewMessage
	for _, word := range strings.Fields(words) {
		g, _, _ := strings.Cut(word, "-")
		ms = append(ms, engine.NewMessage{Message: engine.Message{Body: word, Group: g}})
	}
	return ms
}

func (f *fixture) sendGrouped(q *engine.Queue, words string) []engine.Sent {
	f.t.Helper()
	sent, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: grouped(words)})
	if err != nil {
		f.t.Fatalf("Send: %v", err)
	}
	return sent
}

// expect receives up to n messages for a time and wants these.
func (f *fixture) expect(q *engine.Queue, n int, visibility time.Duration, want string) []engine.Delivery {
	f.t.Helper()
	r, err := f.Receive(f.t.Context(), engine.ReceiveParams{Queue: q.ID, Max: n, Visibility: &visibility})
	if err != nil {
		f.t.Fatalf("Receive: %v", err)
	}
	if d := cmp.Diff(strings.Fields(want), bodies(r.Messages), cmp.Transformer("text", join)); d != "" {
		f.t.Fatalf("received (-want +got):\n%s", d)
	}
	return r.Messages
}

func (f *fixture) change(q *engine.Queue, timeout time.Duration, ds ...engine.Delivery) {
	f.t.Helper()
	p := engine.ChangeVisibilityParams{Queue: q.ID}
	for _, d := range ds {
		p.Changes = append(p.Changes, engine.Change{Ref: d.Ref, Timeout: timeout})
	}
	outcomes, err := f.ChangeVisibility(f.t.Context(), p)
	if err != nil {
		f.t.Fatalf("ChangeVisibility: %v", err)
	}
	for _, outcome := range outcomes {
		if outcome != nil {
			f.t.Fatalf("ChangeVisibility: %v", outcome)
		}
	}
}

// TestRecordedOrder plays what was seen at the service whose order this is.
func TestRecordedOrder(t *testing.T) {
	t.Parallel()
	const wait = 30 * time.Second
	for name, tc := range map[string]func(f *fixture, q *engine.Queue){
		"OneGroupFirst": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1 g2-m1 g1-m2 g1-m3")
			f.expect(q, 10, wait, "g1-m1 g1-m2 g1-m3 g2-m1")
		},
		"TimeoutZero": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1 g2-m1 g2-m2 g3-m1 g1-m2")
			f.expect(q, 3, 0, "g1-m1 g1-m2 g2-m1")
			f.expect(q, 10, 0, "g3-m1 g1-m1 g1-m2 g2-m1 g2-m2")
		},
		"FreedByChange": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1 g1-m2 g2-m1")
			got := f.expect(q, 2, wait, "g1-m1 g1-m2")
			f.change(q, 0, got[0])
			f.expect(q, 3, wait, "g2-m1 g1-m1")
		},
		"FreedByTime": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1 g1-m2 g2-m1")
			got := f.expect(q, 2, wait, "g1-m1 g1-m2")
			f.change(q, time.Second, got[0])
			f.clock.advance(time.Second)
			f.expect(q, 3, wait, "g2-m1 g1-m1")
		},
		"AllTimedOut": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1 g1-m2 g1-m3 g1-m4 g2-m1 g3-m1")
			f.expect(q, 2, wait, "g1-m1 g1-m2")
			f.expect(q, 1, wait, "g2-m1")
			f.clock.advance(wait)
			f.expect(q, 10, wait, "g3-m1 g1-m1 g1-m2 g1-m3 g1-m4 g2-m1")
		},
		"PartDeleted": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1 g1-m2 g1-m3 g1-m4 g2-m1 g2-m2 g3-m1")
			got := f.expect(q, 2, wait, "g1-m1 g1-m2")
			f.ack(q, got[0])
			f.expect(q, 1, 0, "g2-m1")
			f.ack(q, got[1])
			f.expect(q, 10, wait, "g3-m1 g2-m1 g2-m2 g1-m3 g1-m4")
		},
		"ExtendedBlocks": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1 g1-m2 g1-m3 g1-m4")
			got := f.expect(q, 3, wait, "g1-m1 g1-m2 g1-m3")
			f.change(q, time.Hour, got[1])
			f.clock.advance(wait)
			f.expect(q, 10, wait, "g1-m1")
		},
		"NewSendsDoNotUnlock": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1")
			f.expect(q, 1, wait, "g1-m1")
			f.sendGrouped(q, "g1-m2")
			f.expect(q, 1, wait, "")
		},
		"ExpiredHead": func(f *fixture, q *engine.Queue) {
			f.sendGrouped(q, "g1-m1")
			f.expect(q, 1, 1000*time.Hour, "g1-m1")
			f.clock.advance(time.Hour)
			f.sendGrouped(q, "g1-m2")
			f.expect(q, 1, wait, "")
			f.clock.advance(95 * time.Hour)
			f.expect(q, 1, wait, "g1-m2")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			tc(f, f.createFIFO("q"))
		})
	}
}

func join(words []string) string { return strings.Join(words, " ") }

// TestVanishedFIFO gives up a receive while its transaction commits: its group
// is in line again with all its messages. One that repeats another is left as
// it is.
func TestVanishedFIFO(t *testing.T) {
	t.Parallel()
	fs := &faults{}
	f := open(t, withFaults(fs))
	q := f.createFIFO("q")
	f.sendGrouped(q, "a-1 a-2 b-1")
	giveUp := func(attempt string) {
		h := fs.hold("commit")
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			p := engine.ReceiveParams{Queue: q.ID, Max: 2, AttemptID: attempt}
			if _, err := f.Receive(ctx, p); engine.ErrorCode(err) != engine.OutcomeUnknown {
				t.Errorf("the receive gave %v, want an unknown outcome", err)
			}
		})
		<-h.reached
		cancel()
		wg.Wait()
		close(h.resume)
	}
	giveUp("id")
	f.wantSizes(q, 3, 0, 0)
	f.expect(q, 1, 0, "b-1")
	got := f.receiveAttempt(q, "id", 2)
	if len(got) != 2 || got[0].Body != "a-1" || got[0].Receives != 1 {
		t.Fatalf("received %+v, want the first receive of a-1 and a-2", got)
	}
	giveUp("id")
	f.wantSizes(q, 1, 2, 0)
	f.ack(q, got...)
}
