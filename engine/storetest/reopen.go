package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func reopenTests() []test {
	return []test{
		{"Queues", testReopenQueues},
		{"Messages", testReopenMessages},
		{"DeadlinesAndRefs", testReopenHeld},
		{"DeadlinesPassWhileClosed", testReopenPassed},
		{"OrderAndReceives", testReopenOrder},
		{"RemovedStaysRemoved", testReopenRemoved},
		{"Cooldowns", testReopenCooldowns},
		{"Secret", testReopenSecret},
		{"ClockSetBack", testReopenClock},
		{"SequenceGoesOn", testReopenSequence},
		{"UnfinishedGarbage", testReopenGarbage},
		{"Expiry", testReopenExpiry},
		{"ReleaseAfterwards", testReopenRelease},
		{"EmptyAgainAndAgain", testReopenEmpty},
	}
}

func testReopenQueues(t testing.TB, e *env) {
	full := e.create("full", func(p *engine.CreateQueueParams) {
		p.Settings, p.Tags, p.Kind = fullSettings(), map[string]string{"k": "v", "": "ü"}, engine.Standard
	})
	changed := e.create("changed")
	e.create("deleted")
	e.clock.Advance(time.Minute)
	e.delete(e.find(named("deleted")))
	changed, err := e.store.UpdateQueue(t.Context(), engine.UpdateQueueParams{
		Queue: changed.ID, Touch: true,
		Change: func(q *engine.Queue) error {
			q.Settings, q.Tags = fullSettings(), map[string]string{"x": ""}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	other := e.create("full", func(p *engine.CreateQueueParams) { p.Name.Region = "eu-west-1" })
	e.reopen()
	for _, want := range []*engine.Queue{full, changed, other} {
		if d := diffQueues(want, e.find(want.Name)); d != "" {
			t.Errorf("after a restart (-want +got):\n%s", d)
		}
	}
	_, err = e.store.FindQueue(t.Context(), named("deleted"))
	e.wantCode("FindQueue of a deleted queue", err, engine.QueueNotFound)
	e.wantList(engine.ListQueuesParams{}, "changed full")
}

func testReopenMessages(t testing.TB, e *env) {
	q := e.create("q")
	n := message("a")
	n.Sender, n.Trace, n.Group, n.Dedup = "me", "trace", "group", "dedup"
	n.Attributes = []engine.Attribute{{Name: "n", Type: "Binary.x", Value: []byte{0, 1}}}
	sent := e.sendAll(q, n)
	at := e.clock.Now()
	e.sendLater(q, time.Minute, "b")
	e.reopen()
	e.wantSizes(q, 1, 0, 1)
	d := e.one(q, "a")
	if d.ID != n.ID || d.Sequence != sent[0].Sequence || !d.Sent.Equal(at) || d.Receives != 1 ||
		d.Sender != "me" || d.Trace != "trace" || d.Group != "group" || d.Dedup != "dedup" ||
		len(d.Attributes) != 1 || d.Attributes[0].Type != "Binary.x" || string(d.Attributes[0].Value) != "\x00\x01" {
		t.Errorf("after a restart: %+v", d)
	}
	e.clock.Advance(time.Minute - time.Millisecond)
	e.expect(q, "a")
	e.clock.Advance(time.Millisecond)
	e.expect(q, "b")
}

func testReopenHeld(_ testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.send(q, "a b c d")
	old := e.expectFor(q, 0, "a b c d")
	e.clock.Advance(time.Second)
	held := e.expect(q, "a b c d")
	e.change(q, engine.StaleFails, time.Hour, refsOf(held[3:]), ok)
	e.reopen()
	e.wantSizes(q, 0, 4, 0)
	e.expect(q, "")
	e.ack(other, engine.StaleFails, refsOf(held[:1]), int(engine.InvalidReceipt))
	e.ack(q, engine.StaleFails, refsOf(old[:1]), int(engine.StaleReceipt))
	e.ack(q, engine.StaleFails, refsOf(held[:1]), ok)
	e.change(q, engine.StaleActs, 0, refsOf(old[1:2]), ok)
	e.expect(q, "b")
	e.clock.Advance(30 * time.Second)
	for _, d := range e.expect(q, "c b") {
		if want := map[string]int{"b": 4, "c": 3}[d.Body]; d.Receives != want || !d.FirstReceived.Equal(old[0].FirstReceived) {
			e.t.Errorf("%s: %d receives, first at %v; want %d, %v", d.Body, d.Receives, d.FirstReceived, want, old[0].FirstReceived)
		}
	}
	e.reopen()
	e.ack(q, engine.StaleFails, []engine.Ref{held[3].Ref, held[2].Ref, held[0].Ref},
		ok, int(engine.StaleReceipt), int(engine.MessageGone))
}

func testReopenPassed(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	e.sendLater(q, time.Minute, "c")
	refs := refsOf(e.expect(q, "a b"))
	e.close()
	e.clock.Advance(time.Minute)
	e.open()
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refs[:1], RefuseExpired: true}, int(engine.ExpiredReceipt))
	e.wantSizes(q, 3, 0, 0)
	e.ack(q, engine.StaleFails, refs[:1], ok)
	e.expect(q, "b c")
}

func testReopenOrder(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(0))
	e.send(q, "a b c")
	for range 3 {
		e.expectOne(q, "a")
		e.reopen()
	}
	for range 2 {
		e.expectOne(q, "b")
		e.reopen()
	}
	e.send(q, "d")
	e.expect(q, "b c d a")
}

func testReopenRemoved(_ testing.TB, e *env) {
	q, purged := e.create("q"), e.create("purged")
	e.send(q, "a b c")
	held := e.fill(purged)
	got := e.expect(q, "a b c")
	e.ack(q, engine.StaleFails, refsOf(got[:2]), ok, ok)
	e.purge(purged)
	e.reopen()
	e.wantSizes(q, 0, 1, 0)
	e.wantSizes(purged, 0, 0, 0)
	gone := int(engine.MessageGone)
	e.ack(q, engine.StaleFails, refsOf(got), gone, gone, ok)
	e.ack(purged, engine.StaleFails, refsOf(held), gone, gone, gone)
	e.clock.Advance(time.Hour)
	e.expect(q, "")
	e.expect(purged, "")
}

func testReopenCooldowns(t testing.TB, e *env) {
	q := e.create("q")
	e.delete(e.create("deleted"))
	e.purge(q)
	e.clock.Advance(30 * time.Second)
	e.reopen()
	_, err := e.createWith("deleted", time.Minute)
	e.wantCode("CreateQueue after a restart", err, engine.QueueDeletedRecently)
	e.wantCode("PurgeQueue after a restart", e.purgeWith(q), engine.PurgeInProgress)
	e.clock.Advance(30 * time.Second)
	e.reopen()
	if _, err := e.createWith("deleted", time.Minute); err != nil {
		t.Errorf("CreateQueue when the cooldown is over: %v", err)
	}
	if err := e.purgeWith(q); err != nil {
		t.Errorf("PurgeQueue when the cooldown is over: %v", err)
	}
}

func testReopenSecret(t testing.TB, e *env) {
	want := e.store.Secret()
	for range 2 {
		e.reopen()
		if e.store.Secret() != want {
			t.Fatal("the secret changed with a restart")
		}
	}
}

func testReopenClock(t testing.TB, e *env) {
	q := e.create("q", withRetention(time.Hour))
	e.clock.Advance(10 * time.Minute)
	e.send(q, "a b")
	latest := e.clock.Now()
	e.close()
	e.clock.Advance(-10 * time.Minute)
	e.open()
	e.send(q, "c")
	for _, d := range e.expect(q, "a b c") {
		if d.Sent.Before(latest) || d.FirstReceived.Before(latest) || d.Deadline.Before(latest.Add(30*time.Second)) {
			t.Errorf("%s: sent %v, received %v until %v, all of which must not be before %v",
				d.Body, d.Sent, d.FirstReceived, d.Deadline, latest)
		}
	}
	if modified := e.create("late").Created; modified.Before(latest) {
		t.Errorf("a queue was created at %v, before %v", modified, latest)
	}
	e.clock.Advance(10*time.Minute + 29*time.Second)
	e.expect(q, "")
	e.clock.Advance(time.Second)
	e.expect(q, "a b c")
}

func testReopenSequence(t testing.TB, e *env) {
	q := e.create("q")
	var last uint64
	for round := range 6 {
		for _, s := range e.send(q, "a b") {
			if s.Sequence <= last {
				t.Fatalf("sequence %d follows %d", s.Sequence, last)
			}
			last = s.Sequence
		}
		if got := e.receive(q, 10); round%2 == 0 {
			e.ack(q, engine.StaleActs, refsOf(got), ok, ok)
		} else {
			e.purge(q)
		}
		e.reopen()
	}
}

func testReopenGarbage(t testing.TB, e *env) {
	q, doomed := e.create("q"), e.create("doomed")
	none := func(int) time.Duration { return 0 }
	e.sendMany(q, 2200, none)
	e.sendMany(doomed, 2200, none)
	e.receiveFor(q, 300, time.Hour)
	e.receiveFor(doomed, 300, time.Hour)
	e.purge(q)
	e.delete(doomed)
	e.send(q, "a")
	for range 3 {
		e.reopen()
		if _, err := e.store.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	e.send(q, "b")
	e.wantSizes(q, 2, 0, 0)
	e.expect(q, "a b")
	e.reopen()
	e.wantSizes(q, 0, 2, 0)
}

func testReopenExpiry(_ testing.TB, e *env) {
	q := e.create("q", withRetention(time.Minute))
	e.send(q, "a")
	e.clock.Advance(30 * time.Second)
	e.send(q, "b")
	e.update(q, func(q *engine.Queue) { q.Retention = 2 * time.Minute })
	e.reopen()
	e.clock.Advance(time.Minute)
	e.expectFor(q, 0, "a b")
	e.close()
	e.clock.Advance(30 * time.Second)
	e.open()
	e.expectFor(q, 0, "b")
	e.wantSizes(q, 1, 0, 0)
}

func testReopenRelease(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	first := e.expectFor(q, time.Second, "a b")
	e.clock.Advance(time.Second)
	second := e.expect(q, "a b")
	e.reopen()
	e.release(q, second[0].Ref, first[1].Ref)
	e.reopen()
	d := e.one(q, "a")
	if d.Receives != 2 || !d.FirstReceived.Equal(first[0].FirstReceived) {
		e.t.Errorf("%d receives, first at %v; want 2, %v", d.Receives, d.FirstReceived, first[0].FirstReceived)
	}
}

func testReopenEmpty(_ testing.TB, e *env) {
	for range 3 {
		e.reopen()
		e.drain()
	}
	q := e.create("q")
	e.reopen()
	e.send(q, "a")
	e.reopen()
	e.one(q, "a")
}
