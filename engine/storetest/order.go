package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"queues/engine"
)

func orderTests() []test {
	return []test{
		{"OldestFirst", testOldestFirst},
		{"AcrossCallsAtOneInstant", testOrderSameInstant},
		{"TwoReturnsKeepThePlace", testTwoReturns},
		{"ThirdReturnRanksLast", testThirdReturn},
		{"ThirdReturnByDeadline", testThirdReturnByDeadline},
		{"PoisonDoesNotStarve", testPoison},
		{"RanksLastForGood", testRanksLast},
		{"MixedPlaces", testMixedPlaces},
		{"GapsDoNotHide", testGaps},
	}
}

func testOldestFirst(_ testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	for i := range 30 {
		e.send(q, fmt.Sprint(i))
		e.send(other, fmt.Sprint(100+i))
		e.clock.Advance(time.Duration(i%3) * time.Millisecond)
	}
	e.expect(q, "0 1 2 3 4 5 6 7 8 9")
	e.expectOne(q, "10")
	e.expect(q, "11 12 13 14 15 16 17 18 19 20")
	e.expect(q, "21 22 23 24 25 26 27 28 29")
	e.expect(other, "100 101 102 103 104 105 106 107 108 109")
}

func testOrderSameInstant(_ testing.TB, e *env) {
	q := e.create("q")
	var want []string
	for i := range 50 {
		a, b := fmt.Sprintf("%d.0", i), fmt.Sprintf("%d.1", i)
		e.send(q, a+" "+b)
		want = append(want, a, b)
	}
	if got := bodiesOf(e.receive(q, 100)); got != strings.Join(want, " ") {
		e.t.Fatalf("received %q, want %q", got, want)
	}
}

// giveBack are the ways in which a message comes back.
var giveBack = map[string]func(e *env, q *engine.Queue, held []engine.Delivery){
	"Deadline": func(e *env, _ *engine.Queue, held []engine.Delivery) {
		e.clock.Set(held[len(held)-1].Deadline)
	},
	"DeadlineAndSweep": func(e *env, _ *engine.Queue, held []engine.Delivery) {
		e.clock.Set(held[len(held)-1].Deadline)
		e.drain()
	},
	"ChangeVisibility": func(e *env, q *engine.Queue, held []engine.Delivery) {
		want := slices.Repeat([]int{ok}, len(held))
		e.change(q, engine.StaleFails, 0, refsOf(held), want...)
	},
	"ShorterDeadline": func(e *env, q *engine.Queue, held []engine.Delivery) {
		want := slices.Repeat([]int{ok}, len(held))
		e.change(q, engine.StaleFails, time.Second, refsOf(held), want...)
		e.clock.Advance(time.Second)
	},
	"TimeoutZero": nil,
}

// take receives n messages and gives them back in one of the ways.
func (e *env) take(q *engine.Queue, n int, back func(*env, *engine.Queue, []engine.Delivery)) string {
	e.t.Helper()
	if back == nil {
		return bodiesOf(e.receiveFor(q, n, 0))
	}
	held := e.receive(q, n)
	back(e, q, held)
	return bodiesOf(held)
}

func testTwoReturns(t testing.TB, e *env) {
	for name, back := range giveBack {
		q := e.create(name)
		e.send(q, "a b c d")
		for n := range 3 {
			if got := e.take(q, 2, back); got != "a b" {
				t.Errorf("%s: after %d returns received %q, want %q", name, n, got, "a b")
			}
		}
	}
}

func testThirdReturn(t testing.TB, e *env) {
	for name, back := range giveBack {
		q := e.create(name)
		e.send(q, "a b c")
		for range 3 {
			if got := e.take(q, 1, back); got != "a" {
				t.Fatalf("%s: received %q, want %q", name, got, "a")
			}
		}
		e.send(q, "d")
		if got := bodiesOf(e.receive(q, 10)); got != "b c d a" {
			t.Errorf("%s: after three returns of a: received %q, want %q", name, got, "b c d a")
		}
	}
}

func testThirdReturnByDeadline(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	for range 3 {
		e.clock.Set(e.one(q, "a").Deadline)
	}
	e.send(q, "b")
	e.clock.Advance(time.Millisecond)
	e.send(q, "c")
	e.expectOne(q, "b")
	e.expect(q, "c a")
}

func testPoison(t testing.TB, e *env) {
	q := e.create("q", withTimeout(0))
	e.send(q, "poison venom")
	for range 3 {
		e.expect(q, "poison venom")
	}
	for i := range 20 {
		body := fmt.Sprint(i)
		e.send(q, body)
		d := e.receiveFor(q, 1, time.Minute)
		if bodiesOf(d) != body {
			t.Fatalf("received %q while %s was waiting", bodiesOf(d), body)
		}
		e.ack(q, engine.StaleFails, refsOf(d), ok)
	}
	got := strings.Fields(bodiesOf(e.receive(q, 10)))
	slices.Sort(got)
	if !slices.Equal(got, []string{"poison", "venom"}) {
		t.Errorf("received %q, want the two that came back too often", got)
	}
}

func testRanksLast(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(0))
	e.send(q, "a")
	for range 6 {
		e.one(q, "a")
	}
	e.send(q, "b c")
	e.expectOne(q, "b")
	e.expectOne(q, "b")
	held := e.receiveFor(q, 2, time.Minute)
	if bodiesOf(held) != "b c" {
		e.t.Fatalf("received %q, want %q", bodiesOf(held), "b c")
	}
	e.one(q, "a")
	e.clock.Advance(time.Minute)
	e.expectOne(q, "c")
}

func testMixedPlaces(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	e.sendLater(q, 20*time.Second, "c")
	e.send(q, "d")
	e.sendLater(q, 5*time.Second, "e")
	e.send(q, "f g")
	e.expectFor(q, 10*time.Second, "a b d f g")
	e.send(q, "h")
	e.clock.Advance(5 * time.Second)
	e.send(q, "i")
	e.expectOne(q, "e")
	e.clock.Advance(5 * time.Second)
	e.send(q, "j")
	e.expectOne(q, "a")
	e.clock.Advance(10 * time.Second)
	e.send(q, "k")
	e.expect(q, "b c d f g h i j k")
}

func testGaps(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "0 1 2 3 4 5 6 7 8 9")
	got := e.expect(q, "0 1 2 3 4 5 6 7 8 9")
	var odd []engine.Ref
	for i := 1; i < 10; i += 2 {
		odd = append(odd, got[i].Ref)
	}
	e.ack(q, engine.StaleFails, odd, ok, ok, ok, ok, ok)
	e.send(q, "10 11")
	e.clock.Advance(30 * time.Second)
	e.change(q, engine.StaleFails, time.Minute, []engine.Ref{got[4].Ref}, ok)
	e.expect(q, "0 2 6 8 10 11")
}
