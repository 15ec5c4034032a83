package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

func dedupTests() []test {
	return []test{
		{"Duplicate", testDedup},
		{"Window", testDedupWindow},
		{"NotProlonged", testDedupNotProlonged},
		{"OutlivesTheMessage", testDedupOutlives},
		{"ScopeOfTheQueue", testDedupQueue},
		{"ScopeOfTheGroup", testDedupGroup},
		{"InOneBatch", testDedupBatch},
		{"FirstIsKept", testDedupFirst},
		{"Delayed", testDedupDelayed},
		{"Purge", testDedupPurge},
		{"Recreated", testDedupRecreated},
		{"QueuesApart", testDedupApart},
		{"IdsAreExact", testDedupExact},
		{"StandardStoresAll", testDedupStandard},
		{"DoesNotUnlock", testDedupLocked},
		{"AnyMoment", testDedupMoments},
		{"Many", testDedupMany},
	}
}

// withDedup gives a message a deduplication id.
func withDedup(body, id string) engine.NewMessage {
	n := grouped(body)
	n.Dedup = id
	return n
}

// sendDup sends one message with a deduplication id that is known already, and
// wants it to be a duplicate of a send, or a new one when that is zero.
func (e *env) sendDup(q *engine.Queue, body, id string, of engine.Sent) engine.Sent {
	e.t.Helper()
	n := withDedup(body, id)
	got := e.sendAll(q, n)[0]
	if of != (engine.Sent{}) {
		of.Duplicate = true
		if got != of {
			e.t.Fatalf("sent %s with the id %q: %+v, want a duplicate, %+v", body, id, got, of)
		}
		return got
	}
	if got.Duplicate || got.ID != n.ID || got.Sequence == 0 {
		e.t.Fatalf("sent %s with the id %q: %+v, want a new message %v", body, id, got, n.ID)
	}
	return got
}

// anew wants a send to be stored.
var anew = engine.Sent{}

func testDedup(_ testing.TB, e *env) {
	q := e.fifo("q")
	first := e.sendDup(q, "a1", "x", anew)
	other := e.sendDup(q, "a2", "y", anew)
	e.sendDup(q, "a3", "x", first)
	e.sendDup(q, "a4", "y", other)
	e.sendDup(q, "a5", "x", first)
	e.wantSizes(q, 2, 0, 0)
	got := e.expect(q, "a1 a2")
	if got[0].Dedup != "x" || got[1].Dedup != "y" || got[0].Sequence != first.Sequence {
		e.t.Errorf("received %+v", got)
	}
}

func testDedupWindow(_ testing.TB, e *env) {
	q := e.fifo("q")
	first := e.sendDup(q, "a1", "x", anew)
	e.clock.Advance(engine.DedupWindow - time.Millisecond)
	e.sendDup(q, "a2", "x", first)
	e.clock.Advance(time.Millisecond)
	second := e.sendDup(q, "a3", "x", anew)
	if second.Sequence <= first.Sequence {
		e.t.Errorf("sequence %d follows %d", second.Sequence, first.Sequence)
	}
	e.clock.Advance(engine.DedupWindow - time.Millisecond)
	e.drain()
	e.sendDup(q, "a4", "x", second)
	e.expect(q, "a1 a3")
}

func testDedupNotProlonged(_ testing.TB, e *env) {
	q := e.fifo("q")
	first := e.sendDup(q, "a1", "x", anew)
	for range 4 {
		e.clock.Advance(time.Minute)
		e.sendDup(q, "a2", "x", first)
	}
	e.clock.Advance(time.Minute)
	e.sendDup(q, "a3", "x", anew)
}

func testDedupOutlives(_ testing.TB, e *env) {
	q := e.fifo("q", withRetention(time.Minute))
	received := e.sendDup(q, "a1", "x", anew)
	e.sendDup(q, "b1", "y", anew)
	got := e.expectOf(q, 1, time.Second, "a1")
	e.sendDup(q, "a2", "x", received)
	e.ack(q, engine.StaleFails, refsOf(got), ok)
	e.sendDup(q, "a3", "x", received)
	e.expectOf(q, 10, time.Second, "b1")
	e.clock.Advance(time.Minute)
	e.drain()
	e.wantSizes(q, 0, 0, 0)
	e.sendDup(q, "a4", "x", received)
	e.clock.Advance(4*time.Minute - time.Millisecond)
	e.sendDup(q, "a5", "x", received)
	e.clock.Advance(time.Millisecond)
	e.sendDup(q, "a6", "x", anew)
	e.sendDup(q, "b2", "y", anew)
	e.expect(q, "a6 b2")
}

func testDedupQueue(_ testing.TB, e *env) {
	q := e.fifo("q")
	first := e.sendDup(q, "a1", "x", anew)
	e.sendDup(q, "b1", "x", first)
	e.expect(q, "a1")
}

func testDedupGroup(_ testing.TB, e *env) {
	q := e.fifo("q", func(p *engine.CreateQueueParams) { p.DedupPerGroup = true })
	a := e.sendDup(q, "a1", "x", anew)
	b := e.sendDup(q, "b1", "x", anew)
	e.sendDup(q, "a2", "x", a)
	e.sendDup(q, "b2", "x", b)
	// The group and the id are two things.
	e.sendDup(q, "ab1", "c", anew)
	n := withDedup("a3", "bc")
	if e.sendAll(q, n)[0].Duplicate {
		e.t.Error("the id bc of the group a is a duplicate of the id c of the group ab")
	}
	e.expect(q, "a1 a3 b1 ab1")
	e.clock.Advance(engine.DedupWindow)
	e.sendDup(q, "a4", "x", anew)
	e.sendDup(q, "b3", "x", anew)
}

func testDedupBatch(t testing.TB, e *env) {
	q := e.fifo("q")
	before := e.sendDup(q, "a1", "old", anew)
	messages := []engine.NewMessage{
		withDedup("a2", "x"), withDedup("b1", "y"), withDedup("a3", "x"),
		withDedup("a4", "old"), withDedup("b2", "y"), withDedup("b3", "z"),
	}
	got := e.sendAll(q, messages...)
	for i, duplicate := range []bool{false, false, true, true, true, false} {
		if got[i].Duplicate != duplicate {
			t.Errorf("message %d of the batch: %+v, want duplicate %v", i, got[i], duplicate)
		}
	}
	for i, of := range map[int]engine.Sent{2: got[0], 3: before, 4: got[1]} {
		of.Duplicate = true
		if got[i] != of {
			t.Errorf("message %d of the batch: %+v, want %+v", i, got[i], of)
		}
	}
	for _, i := range []int{0, 1, 5} {
		if got[i].ID != messages[i].ID {
			t.Errorf("message %d of the batch has the id %v, want %v", i, got[i].ID, messages[i].ID)
		}
	}
	e.expect(q, "a1 a2 b1 b3")
}

func testDedupFirst(_ testing.TB, e *env) {
	q := e.fifo("q")
	first := withDedup("a1", "x")
	first.Attributes = []engine.Attribute{{Name: "n", Type: "String", Value: []byte("first")}}
	sent := e.sendAll(q, first)[0]
	second := withDedup("b7", "x")
	second.Attributes = []engine.Attribute{{Name: "n", Type: "String", Value: []byte("second")}}
	got := e.sendAll(q, second)[0]
	if sent.Duplicate = true; got != sent {
		e.t.Errorf("sent %+v, want %+v", got, sent)
	}
	d := e.one(q, "a1")
	if d.ID != first.ID || d.Group != "a" || len(d.Attributes) != 1 || string(d.Attributes[0].Value) != "first" {
		e.t.Errorf("received %+v", d)
	}
}

func testDedupDelayed(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(15*time.Minute))
	first := e.sendDup(q, "a1", "x", anew)
	e.sendDup(q, "a2", "x", first)
	e.wantSizes(q, 0, 0, 1)
	e.clock.Advance(engine.DedupWindow)
	e.sendDup(q, "a3", "x", anew)
	e.clock.Advance(15 * time.Minute)
	e.expect(q, "a1 a3")
}

func testDedupPurge(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.sendDup(q, "a1", "x", anew)
	e.sendDup(q, "a2", "y", anew)
	e.expectOf(q, 1, time.Minute, "a1")
	e.clock.Advance(time.Second)
	e.purge(q)
	first := e.sendDup(q, "a3", "x", anew)
	e.drain()
	e.sendDup(q, "a4", "x", first)
	e.sendDup(q, "a5", "y", anew)
	e.expect(q, "a3 a5")
}

func testDedupRecreated(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.sendDup(q, "a1", "x", anew)
	e.delete(q)
	q = e.fifo("q")
	e.sendDup(q, "a2", "x", anew)
	e.drain()
	e.expect(q, "a2")
}

func testDedupApart(_ testing.TB, e *env) {
	q, other := e.fifo("q"), e.fifo("other")
	first := e.sendDup(q, "a1", "x", anew)
	second := e.sendDup(other, "a1", "x", anew)
	e.sendDup(q, "a2", "x", first)
	e.sendDup(other, "a2", "x", second)
	e.purge(other)
	e.sendDup(q, "a3", "x", first)
}

func testDedupExact(_ testing.TB, e *env) {
	q := e.fifo("q")
	var sent []engine.Sent
	ids := []string{"x", "X", "x ", "x\x00", "xx", "%", "'", "ä", "a\u0308"}
	for i, id := range ids {
		sent = append(sent, e.sendDup(q, fmt.Sprintf("a%d", i), id, anew))
	}
	for i, id := range ids {
		e.sendDup(q, "b1", id, sent[i])
	}
}

func testDedupStandard(_ testing.TB, e *env) {
	q := e.create("q")
	e.sendDup(q, "a1", "x", anew)
	e.sendDup(q, "a2", "x", anew)
	for _, d := range e.expect(q, "a1 a2") {
		if d.Dedup != "x" {
			e.t.Errorf("%s has the deduplication id %q", d.Body, d.Dedup)
		}
	}
}

func testDedupLocked(_ testing.TB, e *env) {
	q := e.fifo("q")
	first := e.sendDup(q, "a1", "x", anew)
	e.expect(q, "a1")
	e.sendDup(q, "a2", "x", first)
	e.sendDup(q, "b1", "x", first)
	e.expect(q, "")
	e.wantSizes(q, 0, 1, 0)
}

// testDedupMoments sends at many moments of the window, with background work
// in between: whatever a store does by the clock, the window starts at the send.
func testDedupMoments(_ testing.TB, e *env) {
	q := e.fifo("q")
	type memory struct {
		id   string
		at   time.Time
		sent engine.Sent
	}
	var all []memory
	for i := range 60 {
		m := memory{id: fmt.Sprint("id", i), at: e.clock.Now()}
		m.sent = e.sendDup(q, fmt.Sprintf("a%d", i), m.id, anew)
		all = append(all, m)
		e.clock.Advance(17 * time.Second)
		if i%3 == 0 {
			e.drain()
		}
		for j, m := range all {
			if e.clock.Now().Sub(m.at) < engine.DedupWindow {
				e.sendDup(q, "b0", m.id, m.sent)
			} else if j%2 == 0 {
				all[j] = memory{m.id, e.clock.Now(), e.sendDup(q, "c0", m.id, anew)}
			}
		}
	}
}

func testDedupMany(t testing.TB, e *env) {
	const n = 2500
	q := e.fifo("q")
	sendAll := func(prefix string) (duplicates int) {
		for i := 0; i < n; i += 50 {
			var messages []engine.NewMessage
			for j := range 50 {
				messages = append(messages, withDedup(fmt.Sprintf("%s%d", prefix, i+j), fmt.Sprint("id", i+j)))
			}
			for _, s := range e.sendAll(q, messages...) {
				if s.Duplicate {
					duplicates++
				}
			}
		}
		return duplicates
	}
	if got := sendAll("a"); got != 0 {
		t.Fatalf("%d of the first sends are duplicates", got)
	}
	e.purgeMessages(q, n)
	e.clock.Advance(engine.DedupWindow - time.Millisecond)
	e.drain()
	if got := sendAll("b"); got != n {
		t.Fatalf("%d of %d are duplicates just before the end of the window", got, n)
	}
	e.clock.Advance(time.Millisecond)
	e.drain()
	if got := sendAll("c"); got != 0 {
		t.Fatalf("%d are duplicates when the window is over", got)
	}
}

// purgeMessages receives and acknowledges n messages, which must be all.
func (e *env) purgeMessages(q *engine.Queue, n int) {
	e.t.Helper()
	for n > 0 {
		got := e.receiveFor(q, 100, time.Hour)
		if len(got) == 0 {
			e.t.Fatalf("received nothing where %d messages are left", n)
		}
		e.ackAll(q, got)
		n -= len(got)
	}
	e.wantSizes(q, 0, 0, 0)
}
