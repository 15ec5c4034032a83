package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func visibilityTests() []test {
	return []test{
		{"Deadline", testDeadline},
		{"ChangeCountsFromTheCommit", testChangeCounts},
		{"ChangeIsForThisReceiveOnly", testChangeOnce},
		{"ZeroFrees", testChangeZero},
		{"HidesAgain", testHidesAgain},
		{"NeverCountsAsReceive", testChangeNoReceive},
		{"Batch", testChangeBatch},
		{"SameRefTwice", testChangeTwice},
		{"AfterRemoval", testChangeGone},
		{"MaxTotal", testMaxTotal},
		{"MaxTotalIsOfTheLastReceive", testMaxTotalLast},
		{"RefuseExpired", testChangeRefuseExpired},
		{"ManyDeadlinesAtOnce", testDeadlineMany},
	}
}

func testDeadline(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(10*time.Second))
	e.send(q, "a")
	e.one(q, "a")
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.expect(q, "")
	e.wantSizes(q, 0, 1, 0)
	e.clock.Advance(time.Millisecond)
	e.wantSizes(q, 1, 0, 0)
	e.one(q, "a")
}

func testChangeCounts(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := e.expect(q, "a b")
	e.clock.Advance(20 * time.Second)
	e.change(q, engine.StaleFails, 20*time.Second, refsOf(got[:1]), ok)
	e.change(q, engine.StaleFails, 5*time.Second, refsOf(got[1:]), ok)
	e.clock.Advance(5 * time.Second)
	e.expect(q, "b")
	e.clock.Advance(15*time.Second - time.Millisecond)
	e.expect(q, "")
	e.clock.Advance(time.Millisecond)
	e.expect(q, "a")
}

func testChangeOnce(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(10*time.Second))
	e.send(q, "a")
	d := e.one(q, "a")
	e.change(q, engine.StaleFails, time.Hour, []engine.Ref{d.Ref}, ok)
	e.clock.Advance(time.Hour)
	if d = e.one(q, "a"); !d.Deadline.Equal(e.clock.Now().Add(10 * time.Second)) {
		e.t.Errorf("the next receive's deadline is %v", d.Deadline)
	}
	e.clock.Advance(10 * time.Second)
	e.one(q, "a")
}

func testChangeZero(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := e.expect(q, "a b")
	e.change(q, engine.StaleFails, 0, refsOf(got[1:]), ok)
	e.wantSizes(q, 1, 1, 0)
	e.change(q, engine.StaleFails, 0, refsOf(got[1:]), ok)
	e.expect(q, "b")
	e.change(q, engine.StaleFails, 0, refsOf(got), ok, int(engine.StaleReceipt))
	e.expect(q, "a")
}

func testHidesAgain(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := e.expect(q, "a b")
	e.clock.Advance(time.Minute)
	e.wantSizes(q, 2, 0, 0)
	e.change(q, engine.StaleFails, 10*time.Second, refsOf(got[:1]), ok)
	e.wantSizes(q, 1, 1, 0)
	e.expect(q, "b")
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.expect(q, "")
	e.clock.Advance(time.Millisecond)
	e.expect(q, "a")
}

func testChangeNoReceive(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	first := e.expectOne(q, "a")
	for _, timeout := range []time.Duration{time.Hour, 0, time.Second, 0, time.Minute, 0} {
		e.change(q, engine.StaleFails, timeout, []engine.Ref{first.Ref}, ok)
	}
	e.clock.Advance(time.Second)
	again := e.expectOne(q, "a")
	if again.Receives != 2 || !again.FirstReceived.Equal(first.FirstReceived) {
		e.t.Errorf("%d receives, first at %v; want 2, %v", again.Receives, again.FirstReceived, first.FirstReceived)
	}
}

func testChangeBatch(_ testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.send(q, "a b c d")
	e.send(other, "x")
	got, foreign := e.expect(q, "a b c d"), e.one(other, "x")
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), ok)
	e.changeWith(engine.ChangeVisibilityParams{
		Queue: q.ID,
		Changes: []engine.Change{
			{Ref: foreign.Ref, Timeout: 0},
			{Ref: got[0].Ref, Timeout: 5 * time.Second},
			{Ref: "no reference", Timeout: 0},
			{Ref: got[1].Ref, Timeout: 0},
			{Ref: got[2].Ref, Timeout: 13 * time.Hour},
			{Ref: got[3].Ref, Timeout: 0},
			{Ref: "", Timeout: 0},
		},
		MaxTotal: 12 * time.Hour,
	}, int(engine.InvalidReceipt), ok, int(engine.InvalidReceipt), int(engine.MessageGone),
		int(engine.VisibilityLimit), ok, int(engine.InvalidReceipt))
	e.expect(q, "d")
	e.expect(other, "")
	e.clock.Advance(5 * time.Second)
	e.expect(q, "a")
	e.clock.Advance(25 * time.Second)
	e.expect(q, "c d")
}

func testChangeTwice(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := e.expect(q, "a b")
	e.changeWith(engine.ChangeVisibilityParams{Queue: q.ID, Changes: []engine.Change{
		{Ref: got[0].Ref, Timeout: 0},
		{Ref: got[0].Ref, Timeout: time.Hour},
		{Ref: got[1].Ref, Timeout: time.Hour},
		{Ref: got[1].Ref, Timeout: 0},
	}}, ok, ok, ok, ok)
	e.wantSizes(q, 1, 1, 0)
	e.expect(q, "b")
	e.clock.Advance(time.Hour)
	e.expect(q, "a b")
}

func testChangeGone(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Hour))
	e.send(q, "acked purged")
	got := e.expect(q, "acked purged")
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.purge(q)
	e.send(q, "expired")
	refs := append(refsOf(got), e.one(q, "expired").Ref)
	e.clock.Advance(time.Hour)
	gone := int(engine.MessageGone)
	for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
		e.change(q, rule, 0, refs, gone, gone, gone)
		e.change(q, rule, time.Hour, refs, gone, gone, gone)
	}
	e.expect(q, "")
	e.wantSizes(q, 0, 0, 0)
}

// changeLimited changes one timeout under a limit of 12 hours in all.
func (e *env) changeLimited(q *engine.Queue, d engine.Delivery, timeout time.Duration, want int) {
	e.t.Helper()
	e.changeWith(engine.ChangeVisibilityParams{
		Queue: q.ID, Changes: []engine.Change{{Ref: d.Ref, Timeout: timeout}}, MaxTotal: 12 * time.Hour,
	}, want)
}

func testMaxTotal(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	d := e.one(q, "a")
	e.changeLimited(q, d, 12*time.Hour+time.Millisecond, int(engine.VisibilityLimit))
	e.changeLimited(q, d, 12*time.Hour, ok)
	e.clock.Advance(time.Millisecond)
	e.changeLimited(q, d, 12*time.Hour, int(engine.VisibilityLimit))
	e.clock.Advance(12*time.Hour - 2*time.Millisecond)
	e.expect(q, "")
	e.changeLimited(q, d, time.Millisecond, ok)
	e.changeLimited(q, d, 2*time.Millisecond, int(engine.VisibilityLimit))
	e.clock.Advance(time.Millisecond)
	e.change(q, engine.StaleFails, 24*time.Hour, []engine.Ref{d.Ref}, ok)
	e.expect(q, "")
}

func testMaxTotalLast(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	first := e.one(q, "a")
	e.clock.Advance(10 * time.Hour)
	second := e.one(q, "a")
	e.changeLimited(q, second, 12*time.Hour, ok)
	e.clock.Advance(time.Hour)
	for ref, want := range map[engine.Ref]int{first.Ref: ok, second.Ref: ok} {
		e.changeWith(engine.ChangeVisibilityParams{
			Queue: q.ID, Changes: []engine.Change{{Ref: ref, Timeout: 11 * time.Hour}},
			Stale: engine.StaleActs, MaxTotal: 12 * time.Hour,
		}, want)
	}
	e.changeLimited(q, second, 11*time.Hour+time.Millisecond, int(engine.VisibilityLimit))
}

func testChangeRefuseExpired(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	d := e.one(q, "a")
	change := func(timeout time.Duration, want int) {
		e.t.Helper()
		e.changeWith(engine.ChangeVisibilityParams{
			Queue: q.ID, Changes: []engine.Change{{Ref: d.Ref, Timeout: timeout}}, RefuseExpired: true,
		}, want)
	}
	change(time.Minute, ok)
	e.clock.Advance(time.Minute - time.Millisecond)
	change(time.Second, ok)
	e.clock.Advance(time.Second)
	change(time.Hour, int(engine.ExpiredReceipt))
	e.wantSizes(q, 1, 0, 0)
	change(0, int(engine.ExpiredReceipt))
	e.change(q, engine.StaleFails, time.Minute, []engine.Ref{d.Ref}, ok)
	change(0, ok)
	change(time.Hour, int(engine.ExpiredReceipt))
	e.one(q, "a")
}

func testDeadlineMany(_ testing.TB, e *env) {
	const n = 2500
	q := e.create("q")
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	e.collect(q, n)
	e.clock.Advance(time.Hour)
	e.collect(q, n)
	e.clock.Advance(time.Hour)
	e.wantSizes(q, n, 0, 0)
}
