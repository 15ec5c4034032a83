package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func staleTests() []test {
	return []test{
		{"Fails", testStaleFails},
		{"Ignored", testStaleIgnored},
		{"ActsOnAcknowledge", testStaleActsAck},
		{"ActsOnChange", testStaleActsChange},
		{"EveryOlderReceive", testStaleEvery},
		{"WhenNobodyHolds", testStaleVisible},
		{"OfAGoneMessage", testStaleGone},
		{"ActsAndRefuseExpired", testStaleExpired},
		{"LatestIsNeverStale", testStaleLatest},
	}
}

// heldTwice gives a queue with one message whose second receive is in flight,
// and the references of both receives.
func (e *env) heldTwice(name string) (q *engine.Queue, old, latest engine.Ref) {
	e.t.Helper()
	q = e.create(name)
	e.send(q, "a")
	old = e.expectFor(q, 0, "a")[0].Ref
	latest = e.one(q, "a").Ref
	return q, old, latest
}

func testStaleFails(_ testing.TB, e *env) {
	q, old, latest := e.heldTwice("q")
	stale := int(engine.StaleReceipt)
	e.ack(q, engine.StaleFails, []engine.Ref{old}, stale)
	e.change(q, engine.StaleFails, 0, []engine.Ref{old}, stale)
	e.change(q, engine.StaleFails, time.Hour, []engine.Ref{old}, stale)
	e.wantSizes(q, 0, 1, 0)
	e.clock.Advance(30 * time.Second)
	e.wantSizes(q, 1, 0, 0)
	e.ack(q, engine.StaleFails, []engine.Ref{old}, stale)
	e.ack(q, engine.StaleFails, []engine.Ref{latest}, ok)
	e.ack(q, engine.StaleFails, []engine.Ref{old}, int(engine.MessageGone))
}

func testStaleIgnored(_ testing.TB, e *env) {
	q, old, latest := e.heldTwice("q")
	e.ack(q, engine.StaleIgnored, []engine.Ref{old, old}, ok, ok)
	e.change(q, engine.StaleIgnored, 0, []engine.Ref{old}, ok)
	e.change(q, engine.StaleIgnored, time.Hour, []engine.Ref{old}, ok)
	e.expect(q, "")
	e.wantSizes(q, 0, 1, 0)
	e.clock.Advance(30 * time.Second)
	e.wantSizes(q, 1, 0, 0)
	e.ack(q, engine.StaleIgnored, []engine.Ref{old}, ok)
	e.wantSizes(q, 1, 0, 0)
	e.ack(q, engine.StaleIgnored, []engine.Ref{latest}, ok)
	e.wantSizes(q, 0, 0, 0)
	e.ack(q, engine.StaleIgnored, []engine.Ref{old}, int(engine.MessageGone))
}

func testStaleActsAck(_ testing.TB, e *env) {
	q, old, latest := e.heldTwice("q")
	e.ack(q, engine.StaleActs, []engine.Ref{old, latest}, ok, int(engine.MessageGone))
	e.wantSizes(q, 0, 0, 0)
	e.clock.Advance(time.Hour)
	e.expect(q, "")
}

func testStaleActsChange(_ testing.TB, e *env) {
	q, old, latest := e.heldTwice("q")
	e.change(q, engine.StaleActs, 0, []engine.Ref{old}, ok)
	e.wantSizes(q, 1, 0, 0)
	e.change(q, engine.StaleActs, time.Hour, []engine.Ref{old}, ok)
	e.clock.Advance(time.Hour - time.Millisecond)
	e.expect(q, "")
	e.change(q, engine.StaleFails, time.Minute, []engine.Ref{latest, old}, ok, int(engine.StaleReceipt))
	e.clock.Advance(time.Minute)
	if d := e.one(q, "a"); d.Receives != 3 {
		e.t.Errorf("the message was received %d times, want 3", d.Receives)
	}
}

func testStaleEvery(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(0))
	e.send(q, "a")
	var refs []engine.Ref
	for range 6 {
		refs = append(refs, e.one(q, "a").Ref)
	}
	for _, ref := range refs[:5] {
		e.ack(q, engine.StaleFails, []engine.Ref{ref}, int(engine.StaleReceipt))
		e.ack(q, engine.StaleIgnored, []engine.Ref{ref}, ok)
		e.change(q, engine.StaleActs, time.Minute, []engine.Ref{ref}, ok)
		e.wantSizes(q, 0, 1, 0)
		e.change(q, engine.StaleActs, 0, []engine.Ref{ref}, ok)
	}
	e.ack(q, engine.StaleFails, refs[5:], ok)
}

func testStaleVisible(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(0))
	e.send(q, "a")
	old, latest := e.one(q, "a").Ref, e.one(q, "a").Ref
	e.ack(q, engine.StaleFails, []engine.Ref{old}, int(engine.StaleReceipt))
	e.ack(q, engine.StaleIgnored, []engine.Ref{old}, ok)
	e.wantSizes(q, 1, 0, 0)
	e.change(q, engine.StaleActs, time.Minute, []engine.Ref{old}, ok)
	e.expect(q, "")
	e.clock.Advance(time.Minute)
	e.ack(q, engine.StaleFails, []engine.Ref{latest}, ok)
}

func testStaleGone(_ testing.TB, e *env) {
	gone := int(engine.MessageGone)
	for name, remove := range map[string]func(q *engine.Queue, latest engine.Ref){
		"Acknowledged": func(q *engine.Queue, latest engine.Ref) {
			e.ack(q, engine.StaleFails, []engine.Ref{latest}, ok)
		},
		"Purged":  func(q *engine.Queue, _ engine.Ref) { e.purge(q) },
		"Expired": func(*engine.Queue, engine.Ref) { e.clock.Advance(defaults().Retention) },
	} {
		q, old, latest := e.heldTwice(name)
		remove(q, latest)
		e.send(q, "b")
		for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
			e.ack(q, rule, []engine.Ref{old, latest}, gone, gone)
			e.change(q, rule, time.Minute, []engine.Ref{old, latest}, gone, gone)
			e.change(q, rule, 0, []engine.Ref{old, latest}, gone, gone)
		}
		e.one(q, "b")
	}
}

func testStaleExpired(_ testing.TB, e *env) {
	q, old, latest := e.heldTwice("q")
	act := func(want int) {
		e.t.Helper()
		e.changeWith(engine.ChangeVisibilityParams{
			Queue: q.ID, Changes: []engine.Change{{Ref: old, Timeout: time.Minute}},
			Stale: engine.StaleActs, RefuseExpired: true,
		}, want)
	}
	act(ok)
	e.clock.Advance(time.Minute)
	act(int(engine.ExpiredReceipt))
	e.ackWith(engine.AcknowledgeParams{
		Queue: q.ID, Refs: []engine.Ref{old, latest}, Stale: engine.StaleActs, RefuseExpired: true,
	}, int(engine.ExpiredReceipt), int(engine.ExpiredReceipt))
	e.wantSizes(q, 1, 0, 0)
}

func testStaleLatest(_ testing.TB, e *env) {
	q, old, latest := e.heldTwice("q")
	e.change(q, engine.StaleFails, time.Hour, []engine.Ref{latest}, ok)
	e.change(q, engine.StaleActs, time.Minute, []engine.Ref{old}, ok)
	e.release(q, old)
	e.clock.Advance(time.Minute)
	e.drain()
	e.change(q, engine.StaleFails, 0, []engine.Ref{latest}, ok)
	e.change(q, engine.StaleFails, time.Minute, []engine.Ref{latest}, ok)
	e.ack(q, engine.StaleFails, []engine.Ref{latest}, ok)
}
