package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func fifoDelayTests() []test {
	return []test{
		{"OfTheQueue", testFIFODelay},
		{"HoldsBackLater", testFIFODelayHolds},
		{"ShorterIsRetroactive", testFIFODelayShorter},
		{"LongerIsRetroactive", testFIFODelayLonger},
		{"ToZero", testFIFODelayZero},
		{"FromZero", testFIFODelayFromZero},
		{"OfTheMessageIsIgnored", testFIFODelayOwn},
		{"NeverAfterAReceive", testFIFODelayReturned},
		{"OutlivedByNothing", testFIFODelayExpiry},
		{"Line", testFIFODelayLine},
		{"Swept", testFIFODelaySwept},
	}
}

// setDelay changes the delay of a queue.
func (e *env) setDelay(q *engine.Queue, delay time.Duration) {
	e.t.Helper()
	e.update(q, func(q *engine.Queue) { q.Delay = delay })
}

func testFIFODelay(t testing.TB, e *env) {
	q := e.fifo("q", withDelay(10*time.Second))
	e.push(q, "a1 a2 b1")
	e.wantSizes(q, 0, 0, 3)
	r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 10})
	if want := e.clock.Now().Add(10 * time.Second); len(r.Messages) > 0 || r.More || r.NextDue.IsZero() || r.NextDue.After(want) {
		t.Errorf("a receive of delayed messages gave %+v", r)
	}
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 3)
	e.clock.Advance(time.Millisecond)
	e.wantSizes(q, 3, 0, 0)
	for _, d := range e.expect(q, "a1 a2 b1") {
		if !d.Sent.Equal(Epoch) || d.Receives != 1 {
			t.Errorf("%s: sent %v, %d receives", d.Body, d.Sent, d.Receives)
		}
	}
}

func testFIFODelayHolds(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(10*time.Second))
	e.push(q, "a1")
	e.clock.Advance(6 * time.Second)
	e.push(q, "a2 b1")
	e.clock.Advance(4 * time.Second)
	e.expectOf(q, 10, 0, "a1")
	e.wantSizes(q, 1, 0, 2)
	e.expectOf(q, 10, 3*time.Second, "a1")
	e.clock.Advance(3 * time.Second)
	e.expectOf(q, 10, 0, "a1")
	e.clock.Advance(3 * time.Second)
	if runs := e.groupsIn(e.receive(q, 10)); runs["a"] != "a1 a2" || runs["b"] != "b1" {
		e.t.Errorf("received %v", runs)
	}
}

func testFIFODelayShorter(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(time.Minute))
	e.push(q, "a1")
	e.clock.Advance(10 * time.Second)
	e.push(q, "a2 b1")
	e.setDelay(q, 20*time.Second)
	e.wantSizes(q, 0, 0, 3)
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.expect(q, "")
	e.clock.Advance(time.Millisecond)
	e.expectOf(q, 10, 0, "a1")
	e.wantSizes(q, 1, 0, 2)
	e.setDelay(q, 5*time.Second)
	e.wantSizes(q, 3, 0, 0)
	if runs := e.groupsIn(e.receive(q, 10)); runs["a"] != "a1 a2" || runs["b"] != "b1" {
		e.t.Errorf("received %v", runs)
	}
}

func testFIFODelayLonger(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(10*time.Second))
	e.push(q, "a1")
	e.clock.Advance(5 * time.Second)
	e.setDelay(q, time.Minute)
	e.clock.Advance(5 * time.Second)
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 1)
	e.clock.Advance(50*time.Second - time.Millisecond)
	e.expect(q, "")
	e.clock.Advance(time.Millisecond)
	e.expectOf(q, 10, 0, "a1")
}

func testFIFODelayZero(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(time.Minute))
	e.push(q, "a1 b1")
	e.expect(q, "")
	e.setDelay(q, 0)
	e.wantSizes(q, 2, 0, 0)
	e.push(q, "a2")
	if runs := e.groupsIn(e.receive(q, 10)); runs["a"] != "a1 a2" || runs["b"] != "b1" {
		e.t.Errorf("received %v", runs)
	}
}

func testFIFODelayFromZero(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1")
	e.clock.Advance(5 * time.Second)
	e.push(q, "a2 b1")
	e.setDelay(q, 10*time.Second)
	e.wantSizes(q, 0, 0, 3)
	e.expect(q, "")
	e.clock.Advance(5 * time.Second)
	e.wantSizes(q, 1, 0, 2)
	e.expectOf(q, 10, 0, "a1")
	e.setDelay(q, 0)
	e.wantSizes(q, 3, 0, 0)
}

func testFIFODelayOwn(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(10*time.Second))
	long, none := time.Hour, time.Duration(0)
	first, second, third := grouped("a1"), grouped("b1"), grouped("b2")
	first.Delay, second.Delay = &long, &none
	e.sendAll(q, first, second, third)
	e.wantSizes(q, 0, 0, 3)
	e.clock.Advance(10 * time.Second)
	if runs := e.groupsIn(e.receive(q, 10)); runs["a"] != "a1" || runs["b"] != "b1 b2" {
		e.t.Errorf("received %v", runs)
	}
}

// testFIFODelayReturned changes the delay of a queue some of whose messages are
// held: what is held comes back at its deadline.
func testFIFODelayReturned(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	e.expectOf(q, 1, 30*time.Second, "a1")
	e.setDelay(q, 10*time.Second)
	e.wantSizes(q, 0, 1, 1)
	e.clock.Advance(10 * time.Second)
	e.wantSizes(q, 1, 1, 0)
	e.expect(q, "")
	e.clock.Advance(20 * time.Second)
	e.expect(q, "a1 a2")
}

func testFIFODelayExpiry(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(10*time.Second), withRetention(time.Minute))
	e.push(q, "a1")
	e.clock.Advance(30 * time.Second)
	e.setDelay(q, 15*time.Minute)
	e.wantSizes(q, 0, 0, 1)
	e.clock.Advance(30 * time.Second)
	e.wantSizes(q, 0, 0, 0)
	e.setDelay(q, 0)
	e.push(q, "a2")
	e.expect(q, "a2")
}

// testFIFODelayLine: a group becomes available when its head's delay is over.
func testFIFODelayLine(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(10*time.Second))
	e.push(q, "c1")
	e.clock.Advance(time.Second)
	e.push(q, "b1")
	e.clock.Advance(time.Second)
	e.push(q, "a1 c2")
	e.clock.Advance(11 * time.Second)
	e.expectOf(q, 1, 0, "c1")
	e.expectOf(q, 10, 0, "b1 a1 c1 c2")
}

func testFIFODelaySwept(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(10*time.Second))
	e.push(q, "a1 a2 b1")
	e.drain()
	e.clock.Advance(10 * time.Second)
	e.drain()
	e.wantSizes(q, 3, 0, 0)
	e.expectOf(q, 2, time.Minute, "a1 a2")
	e.setDelay(q, time.Minute)
	e.drain()
	e.wantSizes(q, 0, 2, 1)
	e.expect(q, "")
	e.clock.Advance(time.Minute)
	e.expect(q, "b1 a1 a2")
}
