package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func reportsTests() []test {
	return []test{
		{"Send", testReportSend},
		{"Receive", testReportReceive},
		{"GivingBack", testReportGiveBack},
		{"RoomUnderTheLimit", testReportRoom},
		{"Sweep", testReportSweep},
		{"SweepOfManyQueues", testReportSweepMany},
		{"LateChange", testReportLateChange},
		{"Delete", testReportDelete},
		{"NothingHappened", testReportNothing},
	}
}

// wantReport takes the reports so far and wants that of a queue to promise at
// least ready messages and a due time no later than in from now; zero for none.
func (e *env) wantReport(q *engine.Queue, ready int, in time.Duration) {
	e.t.Helper()
	r := e.log.take()[q.ID]
	if r.Ready < ready {
		e.t.Errorf("the reports promise %d messages, want at least %d", r.Ready, ready)
	}
	if in == 0 {
		return
	}
	if want := e.clock.Now().Add(in); r.Due.IsZero() || r.Due.After(want) {
		e.t.Errorf("the earliest due time reported is %v, want %v", r.Due, want)
	}
}

func testReportSend(t testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.log.take()
	e.send(q, "a b c")
	e.wantReport(q, 3, 0)
	e.sendLater(q, time.Minute, "d")
	e.wantReport(q, 0, time.Minute)
	long, short := time.Hour, time.Second
	x, y, z := message("x"), message("y"), message("z")
	x.Delay, z.Delay = &long, &short
	e.sendAll(q, x, y, z)
	e.wantReport(q, 1, time.Second)
	e.send(other, "a")
	reports := e.log.take()
	if _, told := reports[q.ID]; told || reports[other.ID].Ready < 1 {
		t.Errorf("a send to one queue was reported as %+v", reports)
	}
}

func testReportReceive(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	e.log.take()
	e.receive(q, 1)
	e.wantReport(q, 0, 30*time.Second)
	e.receiveFor(q, 1, time.Second)
	e.wantReport(q, 0, time.Second)
}

func testReportGiveBack(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b c d")
	got := e.expect(q, "a b c d")
	e.log.take()
	e.change(q, engine.StaleFails, 0, refsOf(got[:2]), ok, ok)
	e.wantReport(q, 2, 0)
	e.change(q, engine.StaleFails, 5*time.Second, refsOf(got[2:3]), ok)
	e.wantReport(q, 0, 5*time.Second)
	e.release(q, got[2].Ref, got[3].Ref)
	e.wantReport(q, 2, 0)
	got = e.expect(q, "a b c d")
	e.log.take()
	e.changeWith(engine.ChangeVisibilityParams{Queue: q.ID, Changes: []engine.Change{
		{Ref: got[0].Ref, Timeout: time.Hour}, {Ref: got[1].Ref, Timeout: time.Minute}, {Ref: got[2].Ref, Timeout: 0},
	}}, ok, ok, ok)
	e.wantReport(q, 1, time.Minute)
}

func testReportRoom(_ testing.TB, e *env) {
	full := func(name string) (*engine.Queue, []engine.Ref) {
		q := e.create(name, withRetention(time.Minute))
		e.send(q, "a b")
		e.clock.Advance(time.Second)
		e.send(q, "c")
		refs := refsOf(e.receiveLimited(q, 2, 2, "a b", false))
		e.receiveLimited(q, 2, 1, "", true)
		e.log.take()
		return q, refs
	}
	q, refs := full("Acknowledge")
	e.ack(q, engine.StaleFails, refs[:1], ok)
	e.wantReport(q, 1, 0)

	q, refs = full("AcknowledgeIgnoringStale")
	e.ack(q, engine.StaleIgnored, refs, ok, ok)
	e.wantReport(q, 1, 0)

	q, _ = full("Purge")
	e.purge(q)
	e.wantReport(q, 1, 0)

	q, refs = full("Expiry")
	e.change(q, engine.StaleFails, time.Hour, refs, ok, ok)
	e.log.take()
	e.clock.Advance(59 * time.Second)
	e.drain()
	e.wantReport(q, 1, 0)
	e.receiveLimited(q, 2, 2, "c", false)
}

func testReportSweep(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	e.sendLater(q, 10*time.Second, "c d e")
	e.expect(q, "a b")
	e.drain()
	e.log.take()
	e.clock.Advance(10 * time.Second)
	e.drain()
	e.wantReport(q, 3, 0)
	e.clock.Advance(20 * time.Second)
	e.drain()
	e.wantReport(q, 2, 0)
	e.clock.Advance(time.Hour)
	e.drain()
	if r := e.log.take()[q.ID]; r.Ready != 0 {
		t.Logf("a sweep with nothing due promises %d messages", r.Ready)
	}
}

func testReportSweepMany(t testing.TB, e *env) {
	queues := make(map[engine.QueueID]string)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		q := e.create(name)
		e.sendMany(q, 400, func(int) time.Duration { return 10 * time.Second })
		queues[q.ID] = name
	}
	idle := e.create("idle")
	e.sendLater(idle, time.Hour, "x")
	e.log.take()
	e.clock.Advance(10 * time.Second)
	e.drain()
	reports := e.log.take()
	for id, name := range queues {
		if reports[id].Ready < 400 {
			t.Errorf("queue %s: the reports promise %d messages, want at least 400", name, reports[id].Ready)
		}
	}
}

func testReportLateChange(_ testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a")
	d := e.one(q, "a")
	e.clock.Advance(time.Hour)
	e.drain()
	e.log.take()
	e.change(q, engine.StaleFails, time.Minute, []engine.Ref{d.Ref}, ok)
	e.wantReport(q, 0, time.Minute)
	e.clock.Advance(time.Minute)
	e.drain()
	e.wantReport(q, 1, 0)
	e.one(q, "a")
}

func testReportDelete(t testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.send(q, "a")
	e.log.take()
	e.delete(q)
	reports := e.log.take()
	if !reports[q.ID].Deleted {
		t.Errorf("the deletion was reported as %+v", reports[q.ID])
	}
	if reports[other.ID].Deleted {
		t.Error("the deletion of another queue was reported")
	}
	heir := e.create("q")
	e.send(heir, "b")
	e.drain()
	if r := e.log.take()[heir.ID]; r.Deleted || r.Ready < 1 {
		t.Errorf("a send to the heir was reported as %+v", r)
	}
}

func testReportNothing(t testing.TB, e *env) {
	q := e.create("q")
	e.log.take()
	e.expect(q, "")
	_, err := e.store.Send(t.Context(), engine.SendParams{Queue: engine.QueueID{9}, Messages: []engine.NewMessage{message("a")}})
	e.wantCode("Send", err, engine.QueueNotFound)
	e.ack(q, engine.StaleFails, []engine.Ref{"malformed"}, int(engine.InvalidReceipt))
	for id, r := range e.log.take() {
		if id == (engine.QueueID{9}) || r.Deleted || !r.Due.IsZero() {
			t.Errorf("calls that did nothing were reported as %+v", r)
		}
	}
}
