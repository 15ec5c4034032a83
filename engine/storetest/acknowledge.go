package storetest

import (
	"strings"
	"testing"
	"time"

	"queues/engine"
)

func acknowledgeTests() []test {
	return []test{
		{"Removes", testAck},
		{"Twice", testAckTwice},
		{"SameRefTwiceInOneCall", testAckDuplicate},
		{"AfterTheDeadline", testAckLate},
		{"RefuseExpired", testAckRefuseExpired},
		{"RefuseExpiredFollowsTheChange", testAckRefuseChanged},
		{"Batch", testAckBatch},
		{"OtherQueue", testAckForeign},
		{"Malformed", testAckMalformed},
		{"BentRefs", testAckBent},
		{"LargeBatch", testAckLarge},
	}
}

func testAck(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c")
	got := e.expect(q, "a b c")
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), ok)
	e.wantSizes(q, 0, 2, 0)
	e.clock.Advance(time.Hour)
	e.wantSizes(q, 2, 0, 0)
	got = e.expect(q, "a c")
	e.ack(q, engine.StaleFails, refsOf(got), ok, ok)
	e.clock.Advance(time.Hour)
	e.expect(q, "")
	if c := e.counts(q); c != (engine.Counts{}) {
		e.t.Errorf("the counts of an empty queue are %+v", c)
	}
}

func testAckTwice(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	refs := refsOf(e.expectFor(q, 0, "a b"))
	for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
		e.send(q, "c")
		ref := refsOf(e.receiveFor(q, 10, time.Hour))
		want := make([]int, len(ref))
		for i := range want {
			want[i] = ok
		}
		e.ack(q, rule, ref, want...)
		e.ack(q, rule, ref[:1], int(engine.MessageGone))
		e.ack(q, rule, refs, int(engine.MessageGone), int(engine.MessageGone))
		e.wantSizes(q, 0, 0, 0)
	}
}

func testAckDuplicate(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := refsOf(e.expect(q, "a b"))
	e.ack(q, engine.StaleFails, []engine.Ref{got[0], got[0], got[1], got[0], got[1]},
		ok, int(engine.MessageGone), ok, int(engine.MessageGone), int(engine.MessageGone))
	e.wantSizes(q, 0, 0, 0)
}

func testAckLate(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := e.expect(q, "a b")
	e.clock.Advance(time.Hour)
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.drain()
	e.ack(q, engine.StaleFails, refsOf(got[1:]), ok)
	e.wantSizes(q, 0, 0, 0)
	e.expect(q, "")
}

func testAckRefuseExpired(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	got := e.expect(q, "a b")
	ack := func(d engine.Delivery, want int) {
		e.t.Helper()
		e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: []engine.Ref{d.Ref}, RefuseExpired: true}, want)
	}
	e.clock.Advance(30*time.Second - time.Millisecond)
	ack(got[0], ok)
	e.clock.Advance(time.Millisecond)
	ack(got[1], int(engine.ExpiredReceipt))
	e.drain()
	ack(got[1], int(engine.ExpiredReceipt))
	ack(got[0], int(engine.MessageGone))
	ack(e.one(q, "b"), ok)
	e.wantSizes(q, 0, 0, 0)
}

func testAckRefuseChanged(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c")
	got := e.expect(q, "a b c")
	e.change(q, engine.StaleFails, time.Hour, refsOf(got[:1]), ok)
	e.change(q, engine.StaleFails, time.Second, refsOf(got[1:2]), ok)
	e.change(q, engine.StaleFails, 0, refsOf(got[2:]), ok)
	e.clock.Advance(time.Second)
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(got), RefuseExpired: true},
		ok, int(engine.ExpiredReceipt), int(engine.ExpiredReceipt))
	e.expect(q, "b c")
}

func testAckBatch(_ testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.send(q, "a b c d")
	e.send(other, "x")
	first := e.receiveFor(q, 1, 0)
	got, foreign := e.expect(q, "a b c d"), e.one(other, "x")
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), ok)
	e.ack(q, engine.StaleFails,
		[]engine.Ref{foreign.Ref, got[0].Ref, "", got[1].Ref, first[0].Ref, got[2].Ref},
		int(engine.InvalidReceipt), ok, int(engine.InvalidReceipt), int(engine.MessageGone),
		int(engine.MessageGone), ok)
	e.wantSizes(q, 0, 1, 0)
	e.wantSizes(other, 0, 1, 0)
	e.clock.Advance(30 * time.Second)
	e.expect(q, "d")
	e.expect(other, "x")
}

func testAckForeign(_ testing.TB, e *env) {
	queues := []*engine.Queue{e.create("q"), e.create("p"), e.create("r")}
	held := make([]engine.Delivery, len(queues))
	for i, q := range queues {
		e.send(q, "a")
		held[i] = e.one(q, "a")
	}
	invalid := int(engine.InvalidReceipt)
	for i, q := range queues {
		foreign := []engine.Ref{held[(i+1)%3].Ref, held[(i+2)%3].Ref}
		for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
			e.ack(q, rule, foreign, invalid, invalid)
			e.change(q, rule, 0, foreign, invalid, invalid)
		}
		e.release(q, foreign...)
	}
	for _, q := range queues {
		e.wantSizes(q, 0, 1, 0)
	}
}

func testAckMalformed(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	good := string(e.one(q, "a").Ref)
	var refs []engine.Ref
	for n := range 200 {
		refs = append(refs, engine.Ref(randomBytes(n)), engine.Ref(strings.Repeat("A", n)), engine.Ref(strings.Repeat("é", n)))
	}
	for n := range good {
		refs = append(refs, engine.Ref(good[:n]), engine.Ref(good[n+1:]))
	}
	for _, extra := range []string{"\x00", " ", "=", "A", good} {
		refs = append(refs, engine.Ref(good+extra), engine.Ref(extra+good))
	}
	refs = append(refs, engine.Ref(strings.Repeat("x", 1<<20)))
	want := make([]int, len(refs))
	for i := range want {
		want[i] = int(engine.InvalidReceipt)
	}
	for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
		e.ack(q, rule, refs, want...)
		e.change(q, rule, 0, refs, want...)
	}
	e.release(q, refs...)
	e.wantSizes(q, 0, 1, 0)
	e.ack(q, engine.StaleFails, []engine.Ref{engine.Ref(good)}, ok)
	if t.Failed() {
		return
	}
	e.wantSizes(q, 0, 0, 0)
}

func testAckBent(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c d e")
	got := e.expect(q, "a b c d e")
	var refs []engine.Ref
	for i := range len(got[2].Ref) {
		for bit := range 8 {
			bent := []byte(got[2].Ref)
			bent[i] ^= 1 << bit
			refs = append(refs, engine.Ref(bent))
		}
	}
	for n := range engine.MaxRefBytes + 1 {
		refs = append(refs, engine.Ref(make([]byte, n)))
	}
	results, err := e.store.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: refs})
	for i, code := range e.outcomes("Acknowledge", len(refs), results, err) {
		switch engine.Code(max(code, 0)) {
		case engine.InvalidReceipt, engine.MessageGone, engine.StaleReceipt:
		default:
			t.Errorf("the reference %q, close to a real one, gave %v", refs[i], results[i])
		}
	}
	e.wantSizes(q, 0, 5, 0)
}

func testAckLarge(_ testing.TB, e *env) {
	const n = 1200
	q := e.create("q")
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	var refs []engine.Ref
	for len(refs) < n {
		got := e.receiveFor(q, 100, time.Hour)
		if len(got) == 0 {
			e.t.Fatalf("received %d of %d messages", len(refs), n)
		}
		refs = append(refs, refsOf(got)...)
	}
	want := make([]int, n)
	for i := range want {
		want[i] = ok
	}
	e.ack(q, engine.StaleFails, refs, want...)
	e.wantSizes(q, 0, 0, 0)
}
