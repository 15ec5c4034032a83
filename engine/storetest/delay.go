package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

func delayTests() []test {
	return []test{
		{"OfTheMessage", testDelay},
		{"OfTheQueue", testQueueDelay},
		{"ZeroOverridesTheQueue", testDelayZero},
		{"MixedInOneBatch", testDelayMixed},
		{"RanksBySendOrder", testDelayOrder},
		{"ManyDueAtOnce", testDelayMany},
		{"ManyDueInReverse", testDelayReverse},
		{"SweptOut", testDelaySwept},
	}
}

func testDelay(_ testing.TB, e *env) {
	q := e.create("q")
	e.sendLater(q, 10*time.Second, "a")
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 1)
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 1)
	e.clock.Advance(time.Millisecond)
	d := e.one(q, "a")
	if d.Receives != 1 || !d.FirstReceived.Equal(e.clock.Now()) {
		e.t.Errorf("%d receives, first at %v", d.Receives, d.FirstReceived)
	}
	if want := e.clock.Now().Add(-10 * time.Second); !d.Sent.Equal(want) {
		e.t.Errorf("sent at %v, want the time of the send %v", d.Sent, want)
	}
}

func testQueueDelay(_ testing.TB, e *env) {
	q := e.create("q", withDelay(10*time.Second))
	e.send(q, "a b")
	e.sendLater(q, 5*time.Second, "c")
	e.sendLater(q, 15*time.Second, "d")
	e.expect(q, "")
	e.clock.Advance(5 * time.Second)
	e.expect(q, "c")
	e.clock.Advance(5 * time.Second)
	e.expect(q, "a b")
	e.clock.Advance(5 * time.Second)
	e.expect(q, "d")
}

func testDelayZero(_ testing.TB, e *env) {
	q := e.create("q", withDelay(time.Hour))
	e.sendLater(q, 0, "a")
	e.wantSizes(q, 1, 0, 0)
	e.one(q, "a")
}

func testDelayMixed(_ testing.TB, e *env) {
	q := e.create("q", withDelay(20*time.Second))
	delays := map[string]time.Duration{"a": 30 * time.Second, "b": 0, "d": 10 * time.Second, "e": 0}
	var messages []engine.NewMessage
	for _, body := range []string{"a", "b", "c", "d", "e"} {
		n := message(body)
		if delay, given := delays[body]; given {
			n.Delay = &delay
		}
		messages = append(messages, n)
	}
	e.sendAll(q, messages...)
	e.wantSizes(q, 2, 0, 3)
	for _, want := range []string{"b e", "d", "c", "a"} {
		e.expectFor(q, time.Hour, want)
		e.clock.Advance(10 * time.Second)
	}
}

func testDelayOrder(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	e.sendLater(q, 10*time.Second, "b")
	e.send(q, "c")
	e.sendLater(q, 5*time.Second, "d")
	e.send(q, "e")
	e.clock.Advance(10 * time.Second)
	e.send(q, "f")
	e.expect(q, "a b c d e f")

	// The fresh messages behind it were taken before it came out.
	e.sendLater(q, 5*time.Second, "g")
	e.send(q, "h i j")
	e.expectOne(q, "h")
	e.clock.Advance(5 * time.Second)
	e.expect(q, "g i j")
}

// collect receives everything there is, nothing twice, and gives how often each
// message was received in all.
func (e *env) collect(q *engine.Queue, want int) map[string]int {
	e.t.Helper()
	return e.collectBy(q, want, 10)
}

// collectBy is collect with so many messages at a time.
func (e *env) collectBy(q *engine.Queue, want, most int) map[string]int {
	e.t.Helper()
	receives := make(map[string]int)
	for {
		got := e.receiveFor(q, most, time.Hour)
		if len(got) == 0 {
			break
		}
		for _, d := range got {
			if receives[d.Body] != 0 {
				e.t.Fatalf("message %s was received while it was held", d.Body)
			}
			receives[d.Body] = d.Receives
		}
	}
	if len(receives) != want {
		e.t.Fatalf("received %d messages, want %d", len(receives), want)
	}
	return receives
}

// sendMany sends n messages, numbered from zero, with delays of their own.
func (e *env) sendMany(q *engine.Queue, n int, delay func(i int) time.Duration) {
	e.t.Helper()
	messages := make([]engine.NewMessage, n)
	for i := range messages {
		d := delay(i)
		messages[i] = message(fmt.Sprint(i))
		messages[i].Delay = &d
	}
	for len(messages) > 0 {
		part := min(100, len(messages))
		e.sendAll(q, messages[:part]...)
		messages = messages[part:]
	}
}

func testDelayMany(_ testing.TB, e *env) {
	const n = 2500
	q := e.create("q")
	e.sendMany(q, n, func(int) time.Duration { return 10 * time.Second })
	e.wantSizes(q, 0, 0, n)
	e.clock.Advance(10 * time.Second)
	e.collect(q, n)
	e.wantSizes(q, 0, n, 0)
	e.clock.Advance(time.Hour)
	for body, receives := range e.collect(q, n) {
		if receives != 2 {
			e.t.Fatalf("message %s came back with %d receives", body, receives)
		}
	}
}

func testDelayReverse(_ testing.TB, e *env) {
	const n = 1500
	q := e.create("q")
	e.sendMany(q, n, func(i int) time.Duration { return time.Duration(n-i) * time.Second })
	e.clock.Advance(n / 2 * time.Second)
	e.wantSizes(q, n/2, 0, n/2)
	e.clock.Advance(n / 2 * time.Second)
	e.drain()
	for i := range 20 {
		e.expectOne(q, fmt.Sprint(i))
	}
	e.collect(q, n-20)
}

func testDelaySwept(_ testing.TB, e *env) {
	q := e.create("q")
	e.sendLater(q, 10*time.Second, "a b")
	e.send(q, "c")
	e.drain()
	e.expect(q, "c")
	e.clock.Advance(10 * time.Second)
	e.drain()
	e.wantSizes(q, 2, 1, 0)
	e.drain()
	e.expect(q, "a b")
}
