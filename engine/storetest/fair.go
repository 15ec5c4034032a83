package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"queues/engine"
)

func fairTests() []test {
	return []test{
		{"QuietGoFirst", testFairQuiet},
		{"FromThirtyOn", testFairThirty},
		{"MoreThanATenth", testFairTenth},
		{"EndsWithTheHolding", testFairEnds},
		{"BeginsAgain", testFairAgain},
		{"WithoutAGroup", testFairPlain},
		{"NoisyAreServed", testFairServed},
		{"TwoNoisyGroups", testFairTwo},
		{"TimeoutZeroHoldsNothing", testFairZero},
		{"EachSideOldestFirst", testFairOldest},
		{"DelayedQuiet", testFairDelayed},
		{"ManyQuietGroups", testFairMany},
		{"GroupsComeLate", testFairLate},
		{"QueuesApart", testFairApart},
		{"RemovedAreForgotten", testFairRemoved},
	}
}

// sendTo sends messages of one group, or of none, in one call.
func (e *env) sendTo(q *engine.Queue, group, bodies string) {
	e.t.Helper()
	var messages []engine.NewMessage
	for _, body := range strings.Fields(bodies) {
		n := message(body)
		n.Group = group
		messages = append(messages, n)
	}
	e.sendAll(q, messages...)
}

// numbered gives n bodies, counted from zero.
func numbered(prefix string, n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return strings.Join(all, " ")
}

// hold sends messages of one group and receives them for an hour. The queue
// must have nothing else to receive.
func (e *env) hold(q *engine.Queue, group string, n int) []engine.Delivery {
	e.t.Helper()
	bodies := numbered("held-"+group, n)
	e.sendTo(q, group, bodies)
	return e.expectOf(q, n, time.Hour, bodies)
}

func testFairQuiet(_ testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "a", 30)
	e.sendTo(q, "a", "a1 a2")
	e.clock.Advance(time.Second)
	e.sendTo(q, "b", "b1 b2")
	e.sendTo(q, "a", "a3")
	e.sendTo(q, "", "c1")
	e.expectOf(q, 1, time.Minute, "b1")
	e.expectOf(q, 10, time.Minute, "b2 c1 a1 a2 a3")
}

func testFairThirty(_ testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "a", 29)
	e.sendTo(q, "a", "a1 a2")
	e.sendTo(q, "b", "b1")
	e.expectOf(q, 1, time.Hour, "a1")
	e.expectOf(q, 1, time.Hour, "b1")
	e.expectOf(q, 1, time.Hour, "a2")
}

func testFairTenth(_ testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "a", 30)
	others := e.hold(q, "", 270)
	e.sendTo(q, "a", "a1")
	e.sendTo(q, "b", "b1")
	e.expectOf(q, 10, 0, "a1 b1")
	e.ack(q, engine.StaleFails, refsOf(others[:1]), ok)
	e.expectOf(q, 10, 0, "b1 a1")
	e.sendTo(q, "", "c1")
	e.expectOf(q, 1, time.Hour, "b1")
	e.expectOf(q, 10, 0, "a1 c1")
}

func testFairEnds(_ testing.TB, e *env) {
	for name, end := range map[string]func(q *engine.Queue, held []engine.Delivery){
		"Acknowledge": func(q *engine.Queue, held []engine.Delivery) {
			e.ack(q, engine.StaleFails, refsOf(held[7:8]), ok)
		},
		"Release": func(q *engine.Queue, held []engine.Delivery) {
			e.release(q, held[29].Ref)
			e.expectOf(q, 1, time.Hour, held[29].Body)
			e.ack(q, engine.StaleFails, refsOf(held[:1]), ok)
		},
		"ChangeVisibility": func(q *engine.Queue, held []engine.Delivery) {
			e.change(q, engine.StaleFails, 0, refsOf(held[:1]), ok)
			e.ack(q, engine.StaleFails, refsOf(held[:1]), ok)
		},
		"Deadline": func(q *engine.Queue, held []engine.Delivery) {
			e.change(q, engine.StaleFails, time.Second, refsOf(held[:1]), ok)
			e.clock.Advance(time.Second)
			e.ack(q, engine.StaleFails, refsOf(held[:1]), ok)
		},
	} {
		q := e.create(name)
		held := e.hold(q, "a", 30)
		e.sendTo(q, "a", "a1")
		e.sendTo(q, "b", "b1")
		e.expectOf(q, 10, 0, "b1 a1")
		end(q, held)
		e.expectOf(q, 10, 0, "a1 b1")
	}
}

func testFairAgain(_ testing.TB, e *env) {
	q := e.create("q")
	held := e.hold(q, "a", 30)
	e.clock.Advance(time.Hour)
	e.sendTo(q, "b", "b1")
	e.wantSizes(q, 31, 0, 0)
	if got := e.receiveFor(q, 40, 0); got[0].Body != held[0].Body {
		e.t.Errorf("received %q, want the order of the sends", bodiesOf(got))
	}
	e.change(q, engine.StaleActs, time.Minute, refsOf(held), slices.Repeat([]int{ok}, 30)...)
	e.sendTo(q, "a", "a1")
	e.sendTo(q, "b", "b2")
	e.expectOf(q, 10, 0, "b1 b2 a1")
}

func testFairPlain(_ testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "", 100)
	e.sendTo(q, "", "a1")
	e.sendTo(q, "b", "b1")
	e.sendTo(q, "", "a2")
	e.expectOf(q, 10, 0, "a1 b1 a2")
}

func testFairServed(_ testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "a", 30)
	e.sendTo(q, "a", numbered("a", 50))
	for i := range 5 {
		got := e.receiveFor(q, 10, time.Hour)
		if len(got) != 10 || got[0].Body != fmt.Sprint("a", 10*i) || got[9].Body != fmt.Sprint("a", 10*i+9) {
			e.t.Fatalf("received %q", bodiesOf(got))
		}
	}
	e.wantSizes(q, 0, 80, 0)
}

func testFairTwo(_ testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "a", 30)
	e.hold(q, "b", 40)
	e.sendTo(q, "b", "b1")
	e.sendTo(q, "a", "a1")
	e.sendTo(q, "c", "c1")
	e.sendTo(q, "b", "b2")
	e.sendTo(q, "d", "d1")
	e.expectOf(q, 10, 0, "c1 d1 b1 a1 b2")
}

func testFairZero(_ testing.TB, e *env) {
	q := e.create("q")
	bodies := numbered("a", 40)
	e.sendTo(q, "a", bodies)
	e.expectOf(q, 40, 0, bodies)
	e.sendTo(q, "b", "b1")
	e.expectOf(q, 41, 0, bodies+" b1")
}

func testFairOldest(_ testing.TB, e *env) {
	q := e.create("q")
	held := e.hold(q, "a", 31)
	e.sendTo(q, "b", "b1")
	e.sendTo(q, "a", "a1")
	e.sendTo(q, "c", "c1")
	e.sendTo(q, "b", "b2")
	e.change(q, engine.StaleFails, 0, refsOf(held[:1]), ok)
	first := held[0].Body
	e.expectOf(q, 2, 0, "b1 c1")
	e.expectOf(q, 10, 0, "b1 c1 b2 "+first+" a1")
}

func testFairDelayed(_ testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "a", 30)
	delay := 10 * time.Second
	n := message("b1")
	n.Group, n.Delay = "b", &delay
	e.sendAll(q, n)
	e.sendTo(q, "a", "a1 a2")
	e.expectOf(q, 1, 0, "a1")
	e.clock.Advance(delay)
	e.expectOf(q, 10, 0, "b1 a1 a2")
}

func testFairMany(t testing.TB, e *env) {
	q := e.create("q")
	e.hold(q, "a", 30)
	e.sendTo(q, "a", numbered("a", 200))
	quiet := make(map[string]bool)
	for i := range 60 {
		e.sendTo(q, fmt.Sprint("g", i), fmt.Sprintf("g%d.0 g%d.1", i, i))
	}
	for range 12 {
		for _, d := range e.receiveFor(q, 10, time.Minute) {
			if d.Group == "a" || quiet[d.Body] {
				t.Fatalf("received %s while messages of quiet groups were waiting", d.Body)
			}
			quiet[d.Body] = true
		}
	}
	if len(quiet) != 120 {
		t.Errorf("received %d messages of quiet groups, want 120", len(quiet))
	}
	e.expectOf(q, 2, time.Minute, "a0 a1")
}

// testFairLate sends messages with groups to a queue that has some without.
func testFairLate(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "x1 x2 x3 x4")
	e.sendLater(q, time.Minute, "x5")
	held := e.expectOf(q, 2, time.Second, "x1 x2")
	e.sendTo(q, "a", numbered("held", 30))
	e.sendTo(q, "a", "a1")
	e.expectOf(q, 32, time.Hour, "x3 x4 "+numbered("held", 30))
	e.sendTo(q, "b", "b1")
	e.send(q, "x6")
	e.ack(q, engine.StaleFails, refsOf(held[:1]), ok)
	e.clock.Advance(time.Second)
	e.expectOf(q, 10, 0, "x2 b1 x6 a1")
	e.clock.Advance(time.Minute)
	e.expectOf(q, 10, 0, "x2 x5 b1 x6 a1")
}

func testFairApart(_ testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.hold(q, "a", 30)
	e.sendTo(other, "a", "a1")
	e.sendTo(other, "b", "b1")
	e.expectOf(other, 10, 0, "a1 b1")
}

func testFairRemoved(_ testing.TB, e *env) {
	for name, remove := range map[string]func(q *engine.Queue){
		"Purge":  func(q *engine.Queue) { e.purge(q) },
		"Expiry": func(*engine.Queue) { e.clock.Advance(defaults().Retention) },
	} {
		q := e.create(name)
		held := e.hold(q, "a", 30)
		e.change(q, engine.StaleFails, 30*24*time.Hour, refsOf(held), slices.Repeat([]int{ok}, 30)...)
		remove(q)
		e.sendTo(q, "a", "a1")
		e.sendTo(q, "b", "b1")
		e.expectOf(q, 10, 0, "a1 b1")
		e.drain()
		e.expectOf(q, 10, 0, "a1 b1")
		e.wantSizes(q, 2, 0, 0)
	}
}
