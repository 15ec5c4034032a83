package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

func fifoTests() []test {
	return []test{
		{"OrderInAGroup", testFIFOOrder},
		{"RunsOfSeveralGroups", testFIFORuns},
		{"AsMuchAsFits", testFIFOFits},
		{"RecordedTimeoutZero", testFIFORecordedZero},
		{"RecordedFreedHead", testFIFORecordedFreed},
		{"RecordedTimedOut", testFIFORecordedTimedOut},
		{"RecordedDeleted", testFIFORecordedDeleted},
		{"ServedGoesToTheEnd", testFIFOTurns},
		{"NewGroupsJoinTheEnd", testFIFOJoin},
		{"NewMessagesKeepThePlace", testFIFOKeepPlace},
		{"LineByAvailability", testFIFOLine},
		{"LineByDeadline", testFIFOLineDeadline},
		{"ReturnsNeverRankLast", testFIFOReturns},
		{"Counts", testFIFOCounts},
		{"MoreAndNextDue", testFIFOMore},
		{"InFlightLimit", testFIFOLimit},
		{"Sequence", testFIFOSequence},
		{"GroupNamesAreExact", testFIFONames},
		{"QueuesApart", testFIFOApart},
		{"ManyGroups", testFIFOManyGroups},
		{"DeepGroup", testFIFODeep},
		{"KindIsKept", testFIFOKind},
	}
}

func testFIFOOrder(t testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	e.clock.Advance(time.Second)
	e.push(q, "a3")
	e.push(q, "a4 a5")
	got := e.expect(q, "a1 a2 a3 a4 a5")
	for _, d := range got {
		if d.Group != "a" || d.Receives != 1 || d.Source != (engine.QueueName{}) {
			t.Errorf("%s: group %q, %d receives, source %v", d.Body, d.Group, d.Receives, d.Source)
		}
	}
	e.expect(q, "")
	e.clock.Advance(30 * time.Second)
	e.expect(q, "a1 a2 a3 a4 a5")
}

func testFIFORuns(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1 a2 c1 b2 a3")
	e.expect(q, "a1 a2 a3 b1 b2 c1")
	e.expect(q, "")
}

func testFIFOFits(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 b1 b2 b3 c1 c2")
	e.expectOf(q, 4, time.Minute, "a1 a2 a3 b1")
	e.expectOf(q, 1, time.Minute, "c1")
	e.expect(q, "")
	e.wantSizes(q, 3, 5, 0)
	e.clock.Advance(time.Minute)
	if runs := e.groupsIn(e.receive(q, 10)); runs["a"] != "a1 a2 a3" || runs["b"] != "b1 b2 b3" || runs["c"] != "c1 c2" {
		e.t.Errorf("received %v, want the groups whole and in order", runs)
	}
}

func testFIFORecordedZero(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1 b2 c1 a2")
	e.expectOf(q, 3, 0, "a1 a2 b1")
	e.expectOf(q, 10, 0, "c1 a1 a2 b1 b2")
}

func testFIFORecordedFreed(_ testing.TB, e *env) {
	for name, free := range map[string]func(q *engine.Queue, d engine.Delivery){
		"ByChange": func(q *engine.Queue, d engine.Delivery) {
			e.change(q, engine.StaleFails, 0, []engine.Ref{d.Ref}, ok)
		},
		"ByDeadline": func(q *engine.Queue, d engine.Delivery) {
			e.change(q, engine.StaleFails, time.Second, []engine.Ref{d.Ref}, ok)
			e.clock.Advance(time.Second)
		},
	} {
		q := e.fifo(name)
		e.push(q, "a1 a2 b1")
		got := e.expectOf(q, 2, time.Minute, "a1 a2")
		free(q, got[0])
		e.expectOf(q, 3, time.Minute, "b1 a1")
	}
}

func testFIFORecordedTimedOut(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 a4 b1 c1")
	e.expectOf(q, 2, time.Second, "a1 a2")
	e.expectOf(q, 1, time.Second, "b1")
	e.clock.Advance(time.Second)
	e.expectAny(q, 10, time.Minute, "c1 a1 a2 a3 a4 b1", "c1 b1 a1 a2 a3 a4")
}

func testFIFORecordedDeleted(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 a4 b1 b2 c1")
	got := e.expectOf(q, 2, time.Minute, "a1 a2")
	e.ack(q, engine.StaleFails, refsOf(got), ok, ok)
	e.expectAny(q, 10, time.Minute, "b1 b2 a3 a4 c1", "b1 b2 c1 a3 a4")
}

func testFIFOTurns(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 b1 c1 c2")
	for range 3 {
		e.expectOf(q, 1, 0, "a1")
		e.expectOf(q, 1, 0, "b1")
		e.expectOf(q, 1, 0, "c1")
	}
	e.expectOf(q, 2, 0, "a1 a2")
	e.expectOf(q, 10, 0, "b1 c1 c2 a1 a2 a3")
	held := e.expectOf(q, 1, time.Minute, "b1")
	e.ack(q, engine.StaleFails, refsOf(held), ok)
	e.expectOf(q, 10, 0, "c1 c2 a1 a2 a3")
}

func testFIFOJoin(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "c1")
	e.push(q, "b1")
	e.push(q, "a1 d1")
	e.expectOf(q, 1, 0, "c1")
	e.push(q, "e1")
	e.expectOf(q, 10, time.Minute, "b1 a1 d1 c1 e1")
}

func testFIFOKeepPlace(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1")
	e.clock.Advance(time.Second)
	e.push(q, "a2 c1 b2")
	e.expectOf(q, 1, time.Minute, "a1")
	e.push(q, "a3 b3")
	e.expectOf(q, 10, time.Minute, "b1 b2 b3 c1")
}

// testFIFOLine frees groups one after the other: they stand in line in the
// order in which they became available, whatever their age.
func testFIFOLine(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 b1 b2 c1 c2 d1")
	held := make(map[string]engine.Ref)
	for _, body := range []string{"a1", "b1", "c1"} {
		held[body] = e.expectOf(q, 1, time.Hour, body)[0].Ref
	}
	e.ack(q, engine.StaleFails, []engine.Ref{held["c1"]}, ok)
	e.change(q, engine.StaleFails, 0, []engine.Ref{held["a1"]}, ok)
	e.push(q, "e1")
	e.ack(q, engine.StaleFails, []engine.Ref{held["b1"]}, ok)
	e.expectOf(q, 10, time.Hour, "d1 c2 a1 a2 e1 b2")
}

// testFIFOLineDeadline lets deadlines pass that nobody looks at: what came
// later stands behind.
func testFIFOLineDeadline(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 b1 c1")
	e.expectOf(q, 1, 30*time.Second, "a1")
	e.expectOf(q, 1, 10*time.Second, "b1")
	e.expectOf(q, 1, 20*time.Second, "c1")
	e.clock.Advance(15 * time.Second)
	e.push(q, "d1")
	e.clock.Advance(10 * time.Second)
	e.push(q, "e1")
	e.clock.Advance(10 * time.Second)
	e.push(q, "f1")
	e.expectOf(q, 10, time.Minute, "b1 d1 c1 e1 a1 f1")
}

func testFIFOReturns(_ testing.TB, e *env) {
	q := e.fifo("q", withTimeout(0))
	e.push(q, "a1 a2 a3")
	for range 5 {
		e.expectOf(q, 1, 0, "a1")
	}
	e.push(q, "a4")
	for n := range 3 {
		for i, d := range e.expectOf(q, 10, 0, "a1 a2 a3 a4") {
			want := n + 1
			if i == 0 {
				want += 5
			}
			if d.Receives != want {
				e.t.Errorf("%s: %d receives, want %d", d.Body, d.Receives, want)
			}
		}
	}
}

func testFIFOCounts(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 b1")
	e.wantSizes(q, 4, 0, 0)
	got := e.expectOf(q, 1, 30*time.Second, "a1")
	e.wantSizes(q, 3, 1, 0)
	e.push(q, "a4")
	e.wantSizes(q, 4, 1, 0)
	if c := e.counts(q); !c.Oldest.Equal(Epoch) {
		e.t.Errorf("the oldest was sent at %v, want %v", c.Oldest, Epoch)
	}
	e.ack(q, engine.StaleFails, refsOf(got), ok)
	e.wantSizes(q, 4, 0, 0)
	e.expectOf(q, 10, 30*time.Second, "b1 a2 a3 a4")
	e.wantSizes(q, 0, 4, 0)
	e.clock.Advance(30 * time.Second)
	e.wantSizes(q, 4, 0, 0)
	e.purge(q)
	e.wantSizes(q, 0, 0, 0)
}

func testFIFOMore(t testing.TB, e *env) {
	q := e.fifo("q")
	receive := func(most int, want string, more bool, due time.Duration) {
		t.Helper()
		r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: most})
		if bodiesOf(r.Messages) != want || r.More != more {
			t.Fatalf("received %q, more %v; want %q, %v", bodiesOf(r.Messages), r.More, want, more)
		}
		at := e.clock.Now().Add(due)
		if len(r.Messages) < most && due > 0 && (r.NextDue.IsZero() || r.NextDue.After(at) || !r.NextDue.After(e.clock.Now())) {
			t.Errorf("received %q of at most %d: NextDue is %v, want at most %v", want, most, r.NextDue, at)
		}
	}
	e.push(q, "a1 a2 b1")
	receive(1, "a1", true, 0)
	receive(1, "b1", false, 0)
	receive(1, "", false, 30*time.Second)
	e.clock.Advance(10 * time.Second)
	e.push(q, "c1 c2")
	receive(1, "c1", false, 0)
	receive(10, "", false, 20*time.Second)
}

func testFIFOLimit(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 b1 c1")
	got := e.receiveLimited(q, 3, 10, "a1 a2 b1", false)
	e.receiveLimited(q, 3, 10, "", true)
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.receiveLimited(q, 3, 10, "c1", false)
	e.push(q, "a3")
	e.receiveLimited(q, 3, 10, "", false)
	e.receiveLimited(q, 4, 10, "", false)
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), ok)
	e.receiveLimited(q, 2, 10, "", true)
	e.receiveLimited(q, 3, 10, "a3", false)
}

func testFIFOSequence(t testing.TB, e *env) {
	q := e.fifo("q")
	want := make(map[string]uint64)
	last := make(map[string]uint64)
	for i := range 5 {
		bodies := fmt.Sprintf("a%d b%d a%d", 2*i, i, 2*i+1)
		for j, s := range e.push(q, bodies) {
			body := []string{fmt.Sprintf("a%d", 2*i), fmt.Sprintf("b%d", i), fmt.Sprintf("a%d", 2*i+1)}[j]
			if s.Sequence <= last[groupOf(body)] || s.Duplicate {
				t.Errorf("%s: sequence %d follows %d, duplicate %v", body, s.Sequence, last[groupOf(body)], s.Duplicate)
			}
			want[body], last[groupOf(body)] = s.Sequence, s.Sequence
		}
	}
	for range 2 {
		for _, d := range e.receiveFor(q, 20, 0) {
			if d.Sequence != want[d.Body] {
				t.Errorf("%s: sequence %d, want %d", d.Body, d.Sequence, want[d.Body])
			}
		}
	}
}

func testFIFONames(_ testing.TB, e *env) {
	q := e.fifo("q")
	names := []string{"a", "A", "a.", "a%", "a_", "'a", "a\x00", "ä", "ab", "a/b", "!~"}
	for _, name := range names {
		for i := range 2 {
			n := grouped(fmt.Sprint(i))
			n.Group = name
			e.sendAll(q, n)
		}
	}
	for _, name := range names {
		d := e.expectOf(q, 1, time.Hour, "0")[0]
		if d.Group != name {
			e.t.Fatalf("received a message of group %q, want %q", d.Group, name)
		}
	}
	e.expect(q, "")
}

func testFIFOApart(_ testing.TB, e *env) {
	q, other := e.fifo("q"), e.fifo("other")
	e.push(q, "a1 a2")
	e.push(other, "a3 a4")
	got := e.expectOf(q, 1, time.Minute, "a1")
	e.expectOf(other, 10, time.Minute, "a3 a4")
	e.ack(q, engine.StaleFails, refsOf(got), ok)
	e.expect(other, "")
	e.expect(q, "a2")
}

func testFIFOManyGroups(t testing.TB, e *env) {
	const groups, each = 400, 3
	q := e.fifo("q")
	for i := range each {
		for g := 0; g < groups; g += 50 {
			var messages []engine.NewMessage
			for j := range 50 {
				messages = append(messages, grouped(fmt.Sprintf("g%d.%d", g+j, i)))
			}
			e.sendAll(q, messages...)
		}
	}
	next := make(map[string]int)
	for total := 0; total < groups*each; {
		got := e.receive(q, 50)
		if len(got) == 0 {
			t.Fatalf("received nothing after %d of %d messages", total, groups*each)
		}
		for _, d := range got {
			if want := fmt.Sprintf("%s%d", d.Group, next[d.Group]); d.Body != want {
				t.Fatalf("received %s, want %s", d.Body, want)
			}
			next[d.Group]++
		}
		total += len(got)
		e.ackAll(q, got)
	}
	e.wantSizes(q, 0, 0, 0)
}

func testFIFODeep(t testing.TB, e *env) {
	const n = 2000
	q := e.fifo("q")
	for i := 0; i < n; i += 100 {
		var messages []engine.NewMessage
		for j := range 100 {
			messages = append(messages, grouped(fmt.Sprintf("a%d", i+j)))
		}
		e.sendAll(q, messages...)
	}
	for i := 0; i < n; {
		got := e.receive(q, 1+i%20)
		if len(got) == 0 {
			t.Fatalf("received nothing after %d of %d messages", i, n)
		}
		for _, d := range got {
			if want := fmt.Sprintf("a%d", i); d.Body != want {
				t.Fatalf("received %s, want %s", d.Body, want)
			}
			i++
		}
		e.expectOf(q, 1, 0, "")
		e.ackAll(q, got)
	}
	e.wantSizes(q, 0, 0, 0)
}

func testFIFOKind(t testing.TB, e *env) {
	q := e.fifo("q", func(p *engine.CreateQueueParams) { p.DedupPerGroup = true })
	plain := e.fifo("plain")
	e.update(q, func(q *engine.Queue) { q.Kind, q.DedupPerGroup = engine.Standard, false })
	if got := e.find(q.Name); got.Kind != engine.FIFO || !got.DedupPerGroup {
		t.Errorf("a FIFO queue with deduplication for each group came back as %+v", got)
	}
	if got := e.find(plain.Name); got.Kind != engine.FIFO || got.DedupPerGroup {
		t.Errorf("a FIFO queue came back as %+v", got)
	}
}
