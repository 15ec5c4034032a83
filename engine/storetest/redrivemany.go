package storetest

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"queues/engine"
)

// mixed makes a queue, standard, with groups or FIFO, that has n messages
// received twice and, behind them in the order of their sends, ten that were
// received once, in groups of their own. They are all visible, and the limit is
// not in force yet.
func (e *env) mixed(kind string, n int) (q, dead *engine.Queue) {
	e.t.Helper()
	dead, q = e.kind(kind, kind+"-dead"), e.kind(kind, kind)
	batch := func(name string, n int) {
		var messages []engine.NewMessage
		for i := range n {
			m := grouped(fmt.Sprint(name, i))
			if m.Group = fmt.Sprint(name, i%40); kind == "plain" {
				m.Group = ""
			}
			messages = append(messages, m)
		}
		e.sendAll(q, messages...)
	}
	batch("spent", n)
	for range 2 {
		e.holdAll(q, n, time.Second)
		e.clock.Advance(time.Second)
	}
	// Held while the others are received, so that the order is that of the sends.
	e.holdAll(q, n, time.Minute)
	batch("good", 10)
	e.holdAll(q, 10, time.Minute)
	e.clock.Advance(time.Minute)
	e.drain()
	return q, dead
}

// holdAll receives n messages that are there for so long.
func (e *env) holdAll(q *engine.Queue, n int, timeout time.Duration) {
	e.t.Helper()
	for left := n; left > 0; {
		got := e.receiveFor(q, left, timeout)
		if len(got) == 0 {
			e.t.Fatalf("received nothing, %d messages are left", left)
		}
		left -= len(got)
	}
}

// kinds are the ways in which messages stand in a queue.
var kinds = []string{"plain", "groups", "fifo"}

// testRedriveGoodBehind has more to move than one receive does: what stands
// behind is received at once all the same, in its order, and the rest moves by
// itself.
func testRedriveGoodBehind(t testing.TB, e *env) {
	const n = 700
	for _, kind := range kinds {
		q, dead := e.mixed(kind, n)
		e.setRedrive(q, dead.Name.Name, 2)
		found := e.look(q, 4, time.Hour)
		e.drain() // and leaves what may be received
		var got []string
		for _, d := range append(found, e.look(q, 10, time.Hour)...) {
			got = append(got, d.Body)
		}
		if kind == "fifo" {
			slices.Sort(got) // each in a group of its own
		}
		if want := []string{"good0", "good1", "good2", "good3", "good4", "good5", "good6", "good7", "good8", "good9"}; !slices.Equal(got, want) {
			t.Fatalf("%s: received %v behind many dead letters, want %v", kind, got, want)
		}
		e.expectLook(q, 10, time.Hour, "")
		e.wantSizes(q, 0, 10, 0)
		e.wantSizes(dead, n, 0, 0)
		e.collectBy(dead, n, n)
	}
}

// testRedriveGetThrough never sweeps: receives alone come to the end of what has
// to move, and return none of it.
func testRedriveGetThrough(t testing.TB, e *env) {
	const n = 700
	for _, kind := range kinds {
		q, dead := e.mixed(kind, n)
		e.setRedrive(q, dead.Name.Name, 2)
		e.look(q, 10, time.Hour)
		for range n {
			if got := e.look(q, 10, time.Hour); len(got) > 0 {
				t.Fatalf("%s: received %q, which is to move away", kind, bodiesOf(got))
			}
			if e.counts(q).Visible == 0 {
				break
			}
		}
		e.wantSizes(q, 0, 10, 0)
		e.wantSizes(dead, n, 0, 0)
	}
}

// ten makes a queue with ten messages that were received too often, and five
// good ones, three before them and two behind.
func (e *env) ten(kind string) (q, dead *engine.Queue) {
	e.t.Helper()
	dead, q = e.kind(kind, kind+"-dead"), e.kind(kind, kind, withRedrive(kind+"-dead", 1))
	send := func(bodies string) {
		if kind == "plain" {
			e.send(q, bodies)
		} else {
			e.push(q, bodies)
		}
	}
	send("a1 b1 c1")
	first := e.receiveFor(q, 3, time.Hour)
	send("p1 p2 p3 p4 p5 r1 r2 s1 t1 u1")
	poison := e.receiveFor(q, 10, time.Hour)
	if len(first) != 3 || len(poison) != 10 {
		e.t.Fatalf("received %q and %q", bodiesOf(first), bodiesOf(poison))
	}
	send("p6 v1")
	e.release(q, refsOf(first)...)
	e.change(q, engine.StaleFails, 0, refsOf(poison), ok, ok, ok, ok, ok, ok, ok, ok, ok, ok)
	return q, dead
}

// testRedriveTen releases ten messages at once that may not be received any
// more: the next receive gives the good ones, and the ten have moved.
func testRedriveTen(t testing.TB, e *env) {
	for _, kind := range kinds {
		q, dead := e.ten(kind)
		var got []string
		for _, d := range e.look(q, 10, time.Hour) {
			got = append(got, d.Body)
		}
		slices.Sort(got)
		if want := []string{"a1", "b1", "c1", "p6", "v1"}; !slices.Equal(got, want) {
			t.Fatalf("%s: received %v, want %v", kind, got, want)
		}
		e.wantSizes(q, 0, 5, 0)
		e.wantSizes(dead, 10, 0, 0)
		for body, receives := range e.collectBy(dead, 10, 10) {
			if receives != 2 {
				t.Errorf("%s: dead letter %s has %d receives, want 2", kind, body, receives)
			}
		}
	}
}

// testRedriveTenRace is the same with many receivers at once.
func testRedriveTenRace(t testing.TB, e *env) {
	for _, kind := range kinds {
		q, dead := e.ten(kind)
		var good, bad atomic.Int64
		e.parallel(8, func(int) error {
			for range 10 {
				r, err := e.store.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 10, Visibility: new(time.Hour)})
				if err != nil {
					return err
				}
				for _, d := range r.Messages {
					if good.Add(1); d.Receives > 1 {
						bad.Add(1)
					}
				}
			}
			return nil
		})
		if good.Load() != 5 || bad.Load() != 0 {
			t.Fatalf("%s: %d received, %d of them too often; want the 5 good ones", kind, good.Load(), bad.Load())
		}
		e.wantSizes(q, 0, 5, 0)
		e.wantSizes(dead, 10, 0, 0)
		e.collectBy(dead, 10, 10)
	}
}

// testRedriveRank has a dead letter that is older than what its target has: it
// stands behind that all the same.
func testRedriveRank(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.send(q, "old")
	e.clock.Advance(time.Minute)
	e.send(dead, "new")
	e.expectFor(q, 0, "old")
	e.clock.Advance(time.Minute)
	e.expectLook(q, 10, 0, "")
	e.send(dead, "newest")
	e.expectFor(dead, 0, "new old newest")
}
