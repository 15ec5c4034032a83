package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func fifoLockTests() []test {
	return []test{
		{"HeldHeadLocksTheRest", testLockHead},
		{"NewMessagesDoNotUnlock", testLockNew},
		{"DeleteOfSome", testLockDeleteSome},
		{"DeleteOfTheMiddle", testLockDeleteMiddle},
		{"DeadlineOfTheFirst", testLockDeadline},
		{"DeadlineOfTheSecond", testLockDeadlineSecond},
		{"ChangeToZero", testLockZero},
		{"Extension", testLockExtend},
		{"HiddenAgain", testLockHideAgain},
		{"ExpiredHead", testLockExpiry},
		{"ExpiredHeadSwept", testLockExpirySwept},
		{"ExpiredDeepGroup", testLockExpiryDeep},
		{"ExpiredManyGroups", testLockExpiryMany},
		{"Purge", testLockPurge},
		{"Release", testLockRelease},
		{"ReleaseOfSome", testLockReleaseSome},
		{"RefuseExpired", testLockRefuse},
		{"LateDelete", testLockLate},
		{"OldReferences", testLockOld},
		{"Recreated", testLockRecreated},
		{"ManyDeadlinesAtOnce", testLockMany},
	}
}

func testLockHead(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 b1")
	d := e.expectOf(q, 1, 30*time.Second, "a1")[0]
	e.expectOf(q, 10, 30*time.Second, "b1")
	e.expect(q, "")
	e.clock.Advance(30*time.Second - time.Millisecond)
	e.expect(q, "")
	e.ack(q, engine.StaleFails, []engine.Ref{d.Ref}, ok)
	e.expect(q, "a2 a3")
}

func testLockNew(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1")
	e.expect(q, "a1")
	e.push(q, "a2 a3")
	e.drain()
	e.expect(q, "")
	e.clock.Advance(30 * time.Second)
	e.expect(q, "a1 a2 a3")
}

func testLockDeleteSome(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 a4")
	got := e.expectOf(q, 3, time.Minute, "a1 a2 a3")
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.expect(q, "")
	e.ack(q, engine.StaleFails, refsOf(got[2:]), ok)
	e.expect(q, "")
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), ok)
	e.expect(q, "a4")
}

func testLockDeleteMiddle(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 a4 a5")
	got := e.expectOf(q, 3, time.Minute, "a1 a2 a3")
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), ok)
	e.change(q, engine.StaleFails, 0, refsOf(got[:1]), ok)
	again := e.expectOf(q, 10, 0, "a1")
	e.change(q, engine.StaleFails, 0, refsOf(got[2:]), ok)
	e.ack(q, engine.StaleFails, refsOf(again), ok)
	e.expect(q, "a3 a4 a5")
}

func testLockDeadline(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 2, 10*time.Second, "a1 a2")
	e.change(q, engine.StaleFails, time.Minute, refsOf(got[1:]), ok)
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.expect(q, "")
	e.clock.Advance(time.Millisecond)
	e.expectOf(q, 10, 0, "a1")
	e.clock.Advance(50 * time.Second)
	e.expect(q, "a1 a2 a3")
}

func testLockDeadlineSecond(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 2, 10*time.Second, "a1 a2")
	e.change(q, engine.StaleFails, time.Minute, refsOf(got[:1]), ok)
	e.clock.Advance(10 * time.Second)
	e.wantSizes(q, 2, 1, 0)
	e.expect(q, "")
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.expect(q, "a2 a3")
}

func testLockZero(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 2, time.Minute, "a1 a2")
	e.change(q, engine.StaleFails, 0, refsOf(got[1:]), ok)
	e.expect(q, "")
	e.wantSizes(q, 2, 1, 0)
	e.change(q, engine.StaleFails, time.Minute, refsOf(got[1:]), ok)
	e.change(q, engine.StaleFails, 0, refsOf(got[:1]), ok)
	e.expectOf(q, 10, time.Minute, "a1")
	e.change(q, engine.StaleFails, 0, refsOf(got[1:]), ok)
	e.expect(q, "")
	e.clock.Advance(time.Minute)
	e.expect(q, "a1 a2 a3")
}

func testLockExtend(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 a4")
	got := e.expectOf(q, 4, 10*time.Second, "a1 a2 a3 a4")
	e.change(q, engine.StaleFails, time.Minute, refsOf(got[2:3]), ok)
	e.clock.Advance(10 * time.Second)
	e.wantSizes(q, 3, 1, 0)
	got = e.expectOf(q, 10, time.Hour, "a1 a2")
	e.ack(q, engine.StaleFails, refsOf(got), ok, ok)
	e.expect(q, "")
	e.clock.Advance(50 * time.Second)
	e.expect(q, "a3 a4")
}

func testLockHideAgain(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	d := e.expectOf(q, 1, time.Second, "a1")[0]
	e.clock.Advance(time.Second)
	e.wantSizes(q, 2, 0, 0)
	e.change(q, engine.StaleFails, 10*time.Second, []engine.Ref{d.Ref}, ok)
	e.expect(q, "")
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.expect(q, "")
	e.clock.Advance(time.Millisecond)
	e.expect(q, "a1 a2")
}

func testLockExpiry(_ testing.TB, e *env) {
	q := e.fifo("q", withRetention(time.Minute))
	e.push(q, "a1 a2")
	e.clock.Advance(30 * time.Second)
	e.push(q, "a3")
	got := e.expectOf(q, 2, time.Hour, "a1 a2")
	e.clock.Advance(30*time.Second - time.Millisecond)
	e.expect(q, "")
	e.clock.Advance(time.Millisecond)
	e.expectFor(q, time.Hour, "a3")
	gone := int(engine.MessageGone)
	e.ack(q, engine.StaleFails, refsOf(got), gone, gone)
	e.wantSizes(q, 0, 1, 0)
}

func testLockExpirySwept(_ testing.TB, e *env) {
	q := e.fifo("q", withRetention(time.Minute))
	e.push(q, "a1 b1")
	e.clock.Advance(30 * time.Second)
	e.expectOf(q, 2, time.Hour, "a1 b1")
	e.push(q, "a2 b2 b3")
	e.clock.Advance(30 * time.Second)
	e.drain()
	e.wantSizes(q, 3, 0, 0)
	if runs := e.groupsIn(e.receive(q, 10)); runs["a"] != "a2" || runs["b"] != "b2 b3" {
		e.t.Errorf("received %v", runs)
	}
}

// testLockExpiryDeep: more messages of a group are over than one step of
// background work may remove.
func testLockExpiryDeep(_ testing.TB, e *env) {
	const n = 1500
	q := e.fifo("q", withRetention(time.Minute))
	for range n / 100 {
		var messages []engine.NewMessage
		for range 100 {
			messages = append(messages, grouped("a1"))
		}
		e.sendAll(q, messages...)
	}
	e.receiveFor(q, 10, time.Hour)
	e.clock.Advance(30 * time.Second)
	e.push(q, "a2 b1")
	e.clock.Advance(30 * time.Second)
	runs := e.groupsIn(e.receiveFor(q, 10, 0))
	if runs["a"] != "a2" || runs["b"] != "b1" {
		e.t.Errorf("received %v when all but the last of a group were over", runs)
	}
	e.wantSizes(q, 2, 0, 0)
}

func testLockExpiryMany(_ testing.TB, e *env) {
	const n = 300
	q := e.fifo("q", withRetention(time.Minute))
	push := func(number string) {
		var messages []engine.NewMessage
		for i := range n {
			messages = append(messages, grouped(string(rune('A'+i/100))+string(rune('a'+i%100))+number))
		}
		e.sendAll(q, messages...)
	}
	push("1")
	e.collectBy(q, n, 100)
	e.clock.Advance(30 * time.Second)
	push("2")
	e.expect(q, "")
	e.clock.Advance(30 * time.Second)
	for body := range e.collectBy(q, n, 100) {
		if body[len(body)-1] != '2' {
			e.t.Fatalf("received %s, whose retention is over", body)
		}
	}
	e.wantSizes(q, 0, n, 0)
}

func testLockPurge(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 b1 b2")
	held := e.expectOf(q, 1, time.Hour, "a1")
	e.purge(q)
	e.expect(q, "")
	e.push(q, "a3 b3 a4")
	e.expectOf(q, 1, time.Hour, "a3")
	e.expectOf(q, 10, time.Hour, "b3")
	e.ack(q, engine.StaleFails, refsOf(held), int(engine.MessageGone))
	e.expect(q, "")
	e.wantSizes(q, 1, 2, 0)
	e.drain()
	e.clock.Advance(time.Hour)
	if runs := e.groupsIn(e.receive(q, 10)); runs["a"] != "a3 a4" || runs["b"] != "b3" {
		e.t.Errorf("received %v", runs)
	}
}

func testLockRelease(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 2, time.Minute, "a1 a2")
	e.release(q, got[0].Ref, got[1].Ref)
	e.wantSizes(q, 3, 0, 0)
	for _, d := range e.expect(q, "a1 a2 a3") {
		if d.Receives != 1 || !d.FirstReceived.Equal(e.clock.Now()) {
			e.t.Errorf("%s: %d receives, first at %v; want 1, now", d.Body, d.Receives, d.FirstReceived)
		}
	}
}

func testLockReleaseSome(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3 a4")
	got := e.expectOf(q, 3, time.Minute, "a1 a2 a3")
	e.release(q, got[2].Ref)
	e.expect(q, "")
	e.release(q, got[0].Ref)
	e.expectOf(q, 10, 0, "a1")
	e.wantSizes(q, 3, 1, 0)
	e.ack(q, engine.StaleFails, refsOf(got[1:2]), ok)
	e.expect(q, "a1 a3 a4")
}

func testLockRefuse(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	d := e.expectOf(q, 1, time.Second, "a1")[0]
	late := engine.AcknowledgeParams{Queue: q.ID, Refs: []engine.Ref{d.Ref}, RefuseExpired: true}
	e.clock.Advance(time.Second)
	e.ackWith(late, int(engine.ExpiredReceipt))
	e.changeWith(engine.ChangeVisibilityParams{
		Queue: q.ID, Changes: []engine.Change{{Ref: d.Ref, Timeout: time.Hour}}, RefuseExpired: true,
	}, int(engine.ExpiredReceipt))
	e.wantSizes(q, 2, 0, 0)
	again := e.expectOf(q, 10, time.Minute, "a1 a2")
	e.change(q, engine.StaleFails, 2*time.Minute, refsOf(again), ok, ok)
	e.clock.Advance(2*time.Minute - time.Millisecond)
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(again[:1]), RefuseExpired: true}, ok)
	e.clock.Advance(time.Millisecond)
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refsOf(again[1:]), RefuseExpired: true}, int(engine.ExpiredReceipt))
	e.expect(q, "a2")
}

func testLockLate(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 2, time.Second, "a1 a2")
	e.clock.Advance(time.Second)
	e.ack(q, engine.StaleFails, refsOf(got[:1]), ok)
	e.expectOf(q, 1, time.Second, "a2")
	e.ack(q, engine.StaleFails, refsOf(got[1:]), int(engine.StaleReceipt))
	e.expect(q, "")
	e.clock.Advance(time.Second)
	e.expect(q, "a2 a3")
}

func testLockOld(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	old := refsOf(e.expectOf(q, 1, 0, "a1"))
	held := e.expectOf(q, 1, time.Minute, "a1")
	e.ack(q, engine.StaleFails, old, int(engine.StaleReceipt))
	e.change(q, engine.StaleFails, 0, old, int(engine.StaleReceipt))
	e.ack(q, engine.StaleIgnored, old, ok)
	e.change(q, engine.StaleIgnored, 0, old, ok)
	e.release(q, old...)
	e.expect(q, "")
	e.change(q, engine.StaleActs, 0, old, ok)
	e.expectOf(q, 10, 0, "a1 a2")
	e.ack(q, engine.StaleActs, refsOf(held), ok)
	e.expect(q, "a2")
}

func testLockRecreated(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	e.expectOf(q, 1, time.Hour, "a1")
	e.delete(q)
	q = e.fifo("q")
	e.expect(q, "")
	e.push(q, "a3")
	e.expect(q, "a3")
	e.clock.Advance(time.Hour)
	e.drain()
	e.expect(q, "a3")
}

// testLockMany frees more groups at one instant than one step of background
// work may touch.
func testLockMany(_ testing.TB, e *env) {
	const n = 600
	q := e.fifo("q")
	for i := 0; i < n; i += 50 {
		var messages []engine.NewMessage
		for j := range 50 {
			k := string(rune('A'+(i+j)/100)) + string(rune('a'+(i+j)%100))
			messages = append(messages, grouped(k+"1"), grouped(k+"2"))
		}
		e.sendAll(q, messages...)
	}
	seen := e.collectBy(q, 2*n, 250)
	e.wantSizes(q, 0, 2*n, 0)
	e.clock.Advance(time.Hour)
	for body, receives := range e.collectBy(q, 2*n, 250) {
		if receives != 2 || seen[body] != 1 {
			e.t.Fatalf("message %s: %d receives", body, receives)
		}
	}
}
