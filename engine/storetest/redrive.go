package storetest

import (
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

func redriveTests() []test {
	return []test{
		{"ExactCount", testRedriveCount},
		{"RecordedPolls", testRedrivePolls},
		{"SameReceiveGoesOn", testRedriveGoesOn},
		{"KeptAndReset", testRedriveKept},
		{"RetentionGoesOn", testRedriveRetention},
		{"OlderThanTheTargetKeeps", testRedriveTooOld},
		{"Chain", testRedriveChain},
		{"Self", testRedriveSelf},
		{"SelfBesideOthers", testRedriveSelfOthers},
		{"PoisonOfTen", testRedrivePoison},
		{"LoweredOnMany", testRedriveLowered},
		{"GoodBehindMany", testRedriveGoodBehind},
		{"ReceivesGetThrough", testRedriveGetThrough},
		{"RanksByArrival", testRedriveRank},
		{"TenReleasedAtOnce", testRedriveTen},
		{"TenUnderLoad", testRedriveTenRace},
		{"HandleOfAMovedMessage", testRedriveHandle},
		{"Reports", testRedriveReports},
		{"NeverInBoth", testRedriveNeverInBoth},
	}
}

func testRedriveCount(_ testing.TB, e *env) {
	for _, n := range []int{1, 2, 3, 5} {
		name := fmt.Sprint("dead", n)
		dead := e.create(name)
		q := e.create(fmt.Sprint("q", n), withRedrive(name, n), withTimeout(0))
		e.send(q, "a")
		for i := range n {
			if d := e.one(q, "a"); d.Receives != i+1 || d.Source != (engine.QueueName{}) {
				e.t.Fatalf("limit %d: receive %d says %d, source %v", n, i+1, d.Receives, d.Source)
			}
			e.wantSizes(dead, 0, 0, 0)
		}
		e.expectLook(q, 10, 0, "")
		e.wantSizes(q, 0, 0, 0)
		e.wantSizes(dead, 1, 0, 0)
		if d := e.one(dead, "a"); d.Receives != n+1 || d.Source != q.Name {
			e.t.Errorf("limit %d: the dead letter has %d receives and the source %v", n, d.Receives, d.Source)
		}
	}
}

func testRedrivePolls(_ testing.TB, e *env) {
	for _, n := range []int{2, 4, 10} {
		q, dead := e.deadly(fmt.Sprint("q", n), fmt.Sprint("dead", n))
		e.sendMany(q, n, func(int) time.Duration { return 0 })
		seen := make(map[string]int)
		for range 2 * n {
			for _, d := range e.receiveFor(q, 1, 0) {
				seen[d.Body]++
			}
		}
		e.wantSizes(q, 0, 0, 0)
		e.wantSizes(dead, int64(n), 0, 0)
		for i := range n {
			if seen[fmt.Sprint(i)] != 1 {
				e.t.Errorf("%d messages: message %d was received %d times, want 1", n, i, seen[fmt.Sprint(i)])
			}
		}
	}
}

func testRedriveGoesOn(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.send(q, "a b")
	e.expectFor(q, 0, "a b")
	e.send(q, "c d")
	e.expectLook(q, 1, time.Minute, "c")
	e.wantSizes(q, 1, 1, 0)
	e.wantSizes(dead, 2, 0, 0)
	e.expectLook(q, 10, time.Minute, "d")
	e.expect(dead, "a b")
}

func testRedriveKept(t testing.TB, e *env) {
	dead := e.create("dead", withDelay(time.Hour))
	q := e.create("q", withRedrive("dead", 2))
	n := message("body")
	n.Sender, n.Trace, n.Group, n.Dedup = "me", "trace", "group", "dedup"
	n.Attributes = []engine.Attribute{{Name: "b", Type: "Binary", Value: []byte{0, 1}}, {Name: "a", Type: "Number.x", Value: []byte("1")}}
	e.sendAll(q, n)
	sent := e.clock.Now()
	e.clock.Advance(time.Minute)
	first := e.expectFor(q, time.Second, "body")[0]
	e.clock.Advance(time.Minute)
	e.expectFor(q, time.Second, "body")
	e.clock.Advance(time.Minute)
	e.expectLook(q, 10, time.Second, "")
	e.wantSizes(dead, 1, 0, 0)
	if c := e.counts(dead); !c.Oldest.Equal(sent) {
		t.Errorf("the oldest dead letter was sent at %v, want %v", c.Oldest, sent)
	}
	e.clock.Advance(time.Minute)
	d := e.one(dead, "body")
	if d.ID != n.ID || d.Sender != "me" || d.Trace != "trace" || d.Group != "group" || d.Dedup != "dedup" ||
		len(d.Attributes) != 2 || d.Attributes[0].Name != "b" || string(d.Attributes[0].Value) != "\x00\x01" || d.Attributes[1].Type != "Number.x" {
		t.Errorf("the dead letter is %+v", d.Message)
	}
	if !d.Sent.Equal(sent) || !d.FirstReceived.Equal(first.FirstReceived) || d.Receives != 3 || d.Source != q.Name || d.Sequence == 0 {
		t.Errorf("the dead letter was sent %v, first received %v, %d times, source %v, sequence %d",
			d.Sent, d.FirstReceived, d.Receives, d.Source, d.Sequence)
	}
}

func testRedriveRetention(_ testing.TB, e *env) {
	dead := e.create("dead", withRetention(time.Hour))
	q := e.create("q", withRedrive("dead", 1))
	e.send(q, "a")
	e.clock.Advance(20 * time.Minute)
	e.expectFor(q, 0, "a")
	e.expectLook(q, 1, 0, "")
	e.send(dead, "b")
	e.clock.Advance(20 * time.Minute)
	e.send(dead, "c")
	e.wantSizes(dead, 3, 0, 0)
	e.clock.Advance(20*time.Minute - time.Millisecond)
	e.wantSizes(dead, 3, 0, 0)
	e.clock.Advance(time.Millisecond)
	if c := e.countsNow(dead); c.Visible != 2 || !c.Oldest.Equal(Epoch.Add(20*time.Minute)) {
		e.t.Errorf("counts when a dead letter's retention is over: %+v", c)
	}
	e.expectFor(dead, 0, "b c")
	e.drain()
	e.expectFor(dead, 0, "b c")
	e.clock.Advance(20 * time.Minute)
	e.expectFor(dead, 0, "c")
	e.drain()
	e.wantSizes(dead, 1, 0, 0)
}

func testRedriveTooOld(_ testing.TB, e *env) {
	dead := e.create("dead", withRetention(time.Hour))
	q := e.create("q", withRedrive("dead", 1))
	e.send(q, "a")
	e.clock.Advance(time.Hour)
	e.expectFor(q, 0, "a")
	e.expectLook(q, 1, 0, "")
	e.wantSizes(q, 0, 0, 0)
	e.wantSizes(dead, 0, 0, 0)
	e.expect(dead, "")
	e.send(dead, "b")
	e.expect(dead, "b")
}

func testRedriveChain(_ testing.TB, e *env) {
	last := e.create("last")
	middle := e.create("middle", withRedrive("last", 2))
	q := e.create("q", withRedrive("middle", 3))
	e.send(q, "a")
	first := e.clock.Now()
	for range 3 {
		e.expectFor(q, 0, "a")
	}
	e.expectLook(q, 1, 0, "")
	for i := range 2 {
		if d := e.expectFor(middle, 0, "a")[0]; d.Receives != 4+i || d.Source != q.Name {
			e.t.Errorf("in the first target: %d receives, source %v", d.Receives, d.Source)
		}
	}
	e.expectLook(middle, 1, 0, "")
	for i := range 5 {
		d := e.expectFor(last, 0, "a")[0]
		if d.Receives != 6+i || d.Source != middle.Name || !d.FirstReceived.Equal(first) || !d.Sent.Equal(first) {
			e.t.Errorf("in the last target: %+v", d)
		}
	}
}

func testRedriveSelf(_ testing.TB, e *env) {
	q := e.create("q", withRedrive("q", 2))
	e.send(q, "a")
	id := e.expectFor(q, 0, "a")[0].ID
	e.expectFor(q, 0, "a")
	total := 2
	for range 3 {
		for range 10 {
			e.log.take()
			zero := time.Duration(0)
			r := e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: 10, Visibility: &zero})
			got := r.Messages
			if len(got) == 0 && !r.More && e.log.take()[q.ID].Ready == 0 {
				e.t.Error("an empty receive hides that the message can be received again")
			}
			e.wantSizes(q, 1, 0, 0)
			if len(got) == 0 {
				continue
			}
			total++
			if d := got[0]; d.ID != id || d.Receives != total || d.Source != q.Name {
				e.t.Fatalf("received %+v, want %d receives and the queue itself as source", d, total)
			}
			break
		}
	}
	if total != 5 {
		e.t.Errorf("%d receives in all, want 5", total)
	}
}

func testRedriveSelfOthers(_ testing.TB, e *env) {
	q := e.create("q", withRedrive("q", 1))
	e.send(q, "a b")
	e.expectFor(q, 0, "a b")
	e.send(q, "c")
	got := e.receiveFor(q, 10, time.Hour)
	if bodiesOf(got) != "c" {
		e.t.Fatalf("received %q, want %q: what has just moved is not looked at again", bodiesOf(got), "c")
	}
	e.wantSizes(q, 2, 1, 0)
	for _, d := range e.expectOf(q, 10, time.Hour, "a b") {
		if d.Receives != 2 {
			e.t.Errorf("%s: %d receives, want 2", d.Body, d.Receives)
		}
	}
}

// testRedrivePoison brings ten messages back at one instant that may not be
// received any more: what stands behind them is not held up.
func testRedrivePoison(_ testing.TB, e *env) {
	for _, limit := range []int{1, 2, 3, 4} {
		name := fmt.Sprint("dead", limit)
		dead := e.create(name)
		q := e.create(fmt.Sprint("q", limit), withRedrive(name, limit))
		e.send(q, "p0 p1 p2 p3 p4 p5 p6 p7 p8 p9")
		for range limit {
			if got := e.look(q, 10, time.Second); len(got) != 10 {
				e.t.Fatalf("limit %d: received %q", limit, bodiesOf(got))
			}
			e.clock.Advance(time.Second)
		}
		e.send(q, "a")
		e.expectLook(q, 1, time.Minute, "a")
		e.send(q, "b c")
		e.expectLook(q, 10, time.Minute, "b c")
		e.expectLook(q, 10, time.Minute, "")
		e.wantSizes(q, 0, 3, 0)
		e.wantSizes(dead, 10, 0, 0)
	}
}

func testRedriveLowered(t testing.TB, e *env) {
	const n = 2000
	dead := e.create("dead")
	for _, returns := range []int{1, 3} {
		q := e.create(fmt.Sprint("q", returns), withRedrive("dead", 10), withTimeout(time.Second))
		e.sendMany(q, n, func(int) time.Duration { return 0 })
		for range returns {
			for left := n; left > 0; {
				got := e.receive(q, 100)
				if len(got) == 0 {
					t.Fatal("received nothing")
				}
				left -= len(got)
			}
			e.clock.Advance(time.Second)
		}
		e.setRedrive(q, "dead", 1)
		e.send(q, "fresh")
		e.expectLook(q, 1, time.Hour, "fresh")
		e.expectLook(q, 10, time.Hour, "")
		e.drain()
		e.wantSizes(q, 0, 1, 0)
		e.wantSizes(dead, n, 0, 0)
		for body, receives := range e.collectBy(dead, n, 100) {
			if receives != returns+1 {
				t.Fatalf("message %s has %d receives, want %d", body, receives, returns+1)
			}
		}
		e.purge(dead)
	}
}

func testRedriveHandle(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.send(q, "a b")
	held := e.expectFor(q, 0, "a b")
	e.expectLook(q, 10, 0, "")
	gone, invalid := int(engine.MessageGone), int(engine.InvalidReceipt)
	for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
		e.ack(q, rule, refsOf(held), gone, gone)
		e.change(q, rule, time.Hour, refsOf(held), gone, gone)
		e.change(q, rule, 0, refsOf(held), gone, gone)
		e.ack(dead, rule, refsOf(held), invalid, invalid)
		e.change(dead, rule, time.Hour, refsOf(held), invalid, invalid)
	}
	e.release(q, refsOf(held)...)
	e.release(dead, refsOf(held)...)
	e.wantSizes(dead, 2, 0, 0)
	e.ack(dead, engine.StaleFails, refsOf(e.expect(dead, "a b")), ok, ok)
	e.wantSizes(dead, 0, 0, 0)
}

func testRedriveReports(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.send(q, "a b c")
	e.expectFor(q, 0, "a b c")
	e.expect(dead, "")
	e.log.take()
	e.expectLook(q, 10, 0, "")
	e.wantReport(dead, 3, 0)
}

func testRedriveNeverInBoth(t testing.TB, e *env) {
	const n = 60
	q, dead := e.deadly("q", "dead")
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	e.collect(q, n)
	e.clock.Advance(time.Hour)
	e.sendMany(q, n, func(int) time.Duration { return 0 })
	for range 2 * n {
		e.receiveFor(q, 1, time.Hour)
		a, b := e.counts(q), e.counts(dead)
		if total := a.Visible + a.InFlight + b.Visible; total != 2*n {
			t.Fatalf("%d messages in both queues, want %d: %+v, %+v", total, 2*n, a, b)
		}
	}
	e.wantSizes(q, 0, n, 0)
	e.collect(dead, n)
}
