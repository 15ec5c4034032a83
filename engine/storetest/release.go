package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func releaseTests() []test {
	return []test{
		{"Undoes", testRelease},
		{"RestoresTheFirstReceive", testReleaseFirst},
		{"OldPlace", testReleasePlace},
		{"ManyReleasesDoNotCount", testReleaseMany},
		{"OldRefDoesNothing", testReleaseOld},
		{"NotInFlightDoesNothing", testReleaseVisible},
		{"GoneForeignMalformed", testReleaseOthers},
		{"ReleasedRefIsOldAfterwards", testReleaseStale},
		{"SomeOfABatch", testReleaseSome},
		{"AfterAChange", testReleaseChanged},
	}
}

func testRelease(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	d := e.one(q, "a")
	e.clock.Advance(10 * time.Second)
	e.release(q, d.Ref)
	e.wantSizes(q, 1, 0, 0)
	again := e.one(q, "a")
	if again.Receives != 1 || !again.FirstReceived.Equal(e.clock.Now()) {
		e.t.Errorf("after a release: %d receives, first at %v; want 1, now", again.Receives, again.FirstReceived)
	}
	if again.Ref == d.Ref {
		e.t.Error("the new receive has the reference of the released one")
	}
}

func testReleaseFirst(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	first := e.expectFor(q, time.Second, "a")[0]
	e.clock.Advance(time.Second)
	second := e.one(q, "a")
	e.clock.Advance(time.Second)
	e.release(q, second.Ref)
	third := e.one(q, "a")
	if third.Receives != 2 || !third.FirstReceived.Equal(first.FirstReceived) {
		e.t.Errorf("after a release: %d receives, first at %v; want 2, %v", third.Receives, third.FirstReceived, first.FirstReceived)
	}
}

func testReleasePlace(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c d")
	got := e.receive(q, 3)
	e.send(q, "e")
	e.release(q, got[2].Ref, got[0].Ref)
	e.expect(q, "a c d e")
}

func testReleaseMany(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	for range 100 {
		d := e.expectOne(q, "a")
		if d.Receives != 1 {
			e.t.Fatalf("a released receive counts: %d", d.Receives)
		}
		e.release(q, d.Ref)
	}
	e.expect(q, "a b")
}

func testReleaseOld(_ testing.TB, e *env) {
	q, old, latest := e.heldTwice("q")
	e.release(q, old)
	e.expect(q, "")
	e.wantSizes(q, 0, 1, 0)
	e.release(q, latest, latest, old)
	if d := e.one(q, "a"); d.Receives != 2 {
		e.t.Errorf("the message was received %d times, want 2", d.Receives)
	}
	e.release(q, latest, old)
	e.wantSizes(q, 0, 1, 0)
}

func testReleaseVisible(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := e.expect(q, "a b")
	e.change(q, engine.StaleFails, 0, refsOf(got[:1]), ok)
	e.release(q, got[0].Ref)
	e.clock.Advance(30 * time.Second)
	e.release(q, got[1].Ref)
	e.drain()
	e.release(q, refsOf(got)...)
	for _, d := range e.expectFor(q, 0, "a b") {
		if d.Receives != 2 || !d.FirstReceived.Equal(got[0].FirstReceived) {
			e.t.Errorf("%s: a receive that was over was undone: %d receives", d.Body, d.Receives)
		}
		e.release(q, d.Ref)
	}
	for _, d := range e.expect(q, "a b") {
		if d.Receives != 3 {
			e.t.Errorf("%s: a receive with timeout 0 was undone: %d receives", d.Body, d.Receives)
		}
	}
}

func testReleaseOthers(_ testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.send(q, "acked purged")
	e.send(other, "x")
	got, foreign := e.expect(q, "acked purged"), e.one(other, "x")
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.purge(q)
	e.send(q, "a b")
	held := e.expect(q, "a b")
	e.release(q, got[0].Ref, foreign.Ref, "", got[1].Ref, "malformed", held[1].Ref)
	e.release(q)
	e.wantSizes(q, 1, 1, 0)
	e.wantSizes(other, 0, 1, 0)
	e.expect(q, "b")
}

func testReleaseStale(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	released := e.one(q, "a").Ref
	e.release(q, released)
	latest := e.one(q, "a").Ref
	e.ack(q, engine.StaleFails, []engine.Ref{released}, int(engine.StaleReceipt))
	e.ack(q, engine.StaleIgnored, []engine.Ref{released}, ok)
	e.release(q, released)
	e.wantSizes(q, 0, 1, 0)
	e.ack(q, engine.StaleFails, []engine.Ref{latest}, ok)
}

func testReleaseSome(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c d e")
	got := e.expect(q, "a b c d e")
	e.release(q, got[3].Ref, got[1].Ref)
	e.wantSizes(q, 2, 3, 0)
	e.ack(q, engine.StaleFails, []engine.Ref{got[0].Ref, got[2].Ref, got[4].Ref}, ok, ok, ok)
	e.wantSizes(q, 2, 0, 0)
	e.expect(q, "b d")
}

func testReleaseChanged(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	d := e.one(q, "a")
	e.change(q, engine.StaleFails, time.Hour, []engine.Ref{d.Ref}, ok)
	e.clock.Advance(time.Minute)
	e.release(q, d.Ref)
	if d = e.one(q, "a"); d.Receives != 1 {
		e.t.Errorf("the message was received %d times, want 1", d.Receives)
	}
	e.clock.Advance(30 * time.Second)
	e.one(q, "a")
}
