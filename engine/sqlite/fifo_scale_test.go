package sqlite

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"queues/engine"
)

var (
	lockedMessages = flag.Int("sqlite.locked", 20_000, "messages in the locked group of a cost test")
	lockedGroups   = flag.Int("sqlite.groups", 20_000, "groups in a cost test")
)

// spread sends messages to a FIFO queue, each to the group that group gives it.
func (f *fixture) spread(q *engine.Queue, n int, group func(i int) string) {
	f.t.Helper()
	const part = 1000
	for from := 0; from < n; from += part {
		ms := messages(min(part, n-from), "")
		for i := range ms {
			ms[i].Group = group(from + i)
		}
		if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: ms}); err != nil {
			f.t.Fatalf("Send: %v", err)
		}
	}
}

// lock leaves a group with n messages whose first is in flight.
func (f *fixture) lock(q *engine.Queue, n int) {
	f.t.Helper()
	f.spread(q, n, func(int) string { return "locked" })
	f.expect(q, 1, 10*time.Hour, "m0")
}

// quick is what a call takes when nothing else keeps it: a tenth of all took no
// longer. What the machine does besides only adds to some of them, and on a busy
// one to half, which the middle would show as a cost; what the store does adds
// to all.
func quick(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/10]
}

// costs is what the steps of a message's life take, the quick ones of many rounds.
type costs struct{ send, receive, ack time.Duration }

// cycle measures rounds of sending, receiving and acknowledging ten messages,
// in turns on each of the queues so that all see the same machine.
func cycle(f *fixture, rounds int, queues ...*engine.Queue) []costs {
	f.t.Helper()
	took := make([][3][]time.Duration, len(queues))
	for round := range rounds {
		for i, q := range queues {
			ms := messages(10, "x")
			for j := range ms {
				ms[j].Group = fmt.Sprint("busy", (round*10+j)%7)
				ms[j].Dedup = fmt.Sprint(round, "-", j)
			}
			start := time.Now()
			if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: ms}); err != nil {
				f.t.Fatal(err)
			}
			sent := time.Now()
			got := f.receive(q, 10)
			received := time.Now()
			f.ack(q, got...)
			for k, d := range []time.Duration{sent.Sub(start), received.Sub(sent), time.Since(received)} {
				took[i][k] = append(took[i][k], d)
			}
			if len(got) != 10 {
				f.t.Fatalf("received %d messages, want 10", len(got))
			}
		}
	}
	var all []costs
	for i := range took {
		all = append(all, costs{quick(took[i][0]), quick(took[i][1]), quick(took[i][2])})
	}
	return all
}

// TestLockedBacklog compares a queue with what others cannot take: a group with
// very many messages that is locked, and very many locked groups.
func TestLockedBacklog(t *testing.T) {
	t.Parallel()
	f := open(t)
	plain, deep, wide := f.createFIFO("plain"), f.createFIFO("deep"), f.createFIFO("wide")
	f.lock(deep, *lockedMessages)
	f.spread(wide, *lockedGroups, func(i int) string { return fmt.Sprint("g", i) })
	for range *lockedGroups / 1000 {
		r, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: wide.ID, Max: 1000, Visibility: new(10 * time.Hour)})
		if err != nil || len(r.Messages) != 1000 {
			t.Fatalf("received %d messages (%v), want 1000", len(r.Messages), err)
		}
	}
	all := cycle(f, 200, plain, deep, wide)
	t.Logf("ten messages: alone %v, beside %d locked messages %v, beside %d locked groups %v",
		all[0], *lockedMessages, all[1], *lockedGroups, all[2])
	for _, c := range all[1:] {
		// The rest is noise on a busy machine; a scan would be a hundred times.
		if dearer(c.receive, all[0].receive) || dearer(c.ack, all[0].ack) || dearer(c.send, all[0].send) {
			t.Errorf("ten messages cost %v beside a locked backlog, %v alone", c, all[0])
		}
	}
}

// TestManyGroups receives from a queue with very many groups in line.
func TestManyGroups(t *testing.T) {
	t.Parallel()
	f := open(t)
	few, many := f.createFIFO("few"), f.createFIFO("many")
	f.spread(few, 2_000, func(i int) string { return fmt.Sprint("g", i) })
	f.spread(many, *lockedGroups, func(i int) string { return fmt.Sprint("g", i) })
	const rounds = 100
	var ofFew, ofMany []time.Duration
	for range rounds {
		start := time.Now()
		f.receive(few, 10)
		between := time.Now()
		f.receive(many, 10)
		ofFew, ofMany = append(ofFew, between.Sub(start)), append(ofMany, time.Since(between))
	}
	a, b := quick(ofFew), quick(ofMany)
	t.Logf("a receive of 10 groups: %v of 2000 groups, %v of %d", a, b, *lockedGroups)
	if dearer(b, a) {
		t.Errorf("a receive of 10 takes %v with %d groups in line, %v with 2000", b, *lockedGroups, a)
	}
}

// dearer tells whether a cost has grown by more than noise.
func dearer(cost, than time.Duration) bool { return cost > than*3/2 }
