package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func redriveRuleTests() []test {
	return []test{
		{"TargetMissing", testRedriveMissing},
		{"TargetRecreated", testRedriveRecreated},
		{"TargetOfAnotherKind", testRedriveKind},
		{"TargetElsewhere", testRedriveElsewhere},
		{"SourceIsAName", testRedriveSource},
		{"RuleChanged", testRedriveChanged},
		{"DeadlinesCount", testRedriveDeadlines},
		{"ChangesDoNotCount", testRedriveNotCounted},
		{"ReleasesDoNotCount", testRedriveReleased},
		{"HeldStays", testRedriveHeld},
	}
}

func testRedriveMissing(_ testing.TB, e *env) {
	q := e.create("q", withRedrive("dead", 1))
	e.send(q, "a b")
	for i := range 4 {
		for _, d := range e.look(q, 10, 0) {
			if d.Receives != i+1 || d.Source != (engine.QueueName{}) {
				e.t.Errorf("%s: %d receives, want %d; source %v", d.Body, d.Receives, i+1, d.Source)
			}
		}
		e.wantSizes(q, 2, 0, 0)
	}
	dead := e.create("dead")
	e.expectLook(q, 10, 0, "")
	e.wantSizes(q, 0, 0, 0)
	e.wantSizes(dead, 2, 0, 0)
}

func testRedriveRecreated(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.bury(q, "a")
	e.delete(dead)
	e.send(q, "b")
	e.expectFor(q, 0, "b")
	e.expectFor(q, 0, "b")
	dead = e.create("dead")
	e.expectLook(q, 10, 0, "")
	e.wantSizes(q, 0, 0, 0)
	if d := e.one(dead, "b"); d.Receives != 3 {
		e.t.Errorf("%d receives, want 3", d.Receives)
	}
	if got := e.find(q.Name).Redrive; got == nil || got.Target != dead.Name {
		e.t.Errorf("the rule came back as %+v", got)
	}
}

func testRedriveKind(_ testing.TB, e *env) {
	fifo, standard := e.fifo("fifo"), e.create("standard")
	a := e.create("a", withRedrive("fifo", 1))
	b := e.fifo("b", withRedrive("standard", 1))
	e.send(a, "a1")
	e.push(b, "b1")
	for range 3 {
		e.expectLook(a, 10, 0, "a1")
		e.expectLook(b, 10, 0, "b1")
	}
	e.wantSizes(fifo, 0, 0, 0)
	e.wantSizes(standard, 0, 0, 0)
	e.delete(fifo)
	dead := e.create("fifo")
	e.expectLook(a, 10, 0, "")
	e.expectLook(dead, 10, 0, "a1")
}

func testRedriveElsewhere(_ testing.TB, e *env) {
	here := e.create("dead")
	there := e.create("dead", func(p *engine.CreateQueueParams) { p.Name.Region = "eu-west-1" })
	q := e.create("q", func(p *engine.CreateQueueParams) {
		p.Settings.Redrive = &engine.Redrive{Target: there.Name, MaxReceives: 1}
	})
	e.bury(q, "a")
	e.wantSizes(here, 0, 0, 0)
	if d := e.one(there, "a"); d.Source != q.Name {
		e.t.Errorf("the source is %v, want %v", d.Source, q.Name)
	}
}

func testRedriveSource(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.bury(q, "a")
	e.delete(q)
	e.drain()
	if d := e.expectFor(dead, 0, "a")[0]; d.Source != named("q") {
		e.t.Errorf("the source of a deleted queue's message is %v", d.Source)
	}
	e.send(dead, "b")
	if got := e.expectFor(dead, 0, "a b"); got[0].Source != named("q") || got[1].Source != (engine.QueueName{}) {
		e.t.Errorf("the sources are %v and %v", got[0].Source, got[1].Source)
	}
}

func testRedriveChanged(_ testing.TB, e *env) {
	dead, other := e.create("dead"), e.create("other")
	q := e.create("q", withTimeout(0))
	e.send(q, "a")
	for range 2 {
		e.expect(q, "a")
	}
	e.setRedrive(q, "dead", 3)
	e.expect(q, "a")
	e.setRedrive(q, "dead", 4)
	e.expect(q, "a")
	e.setRedrive(q, "", 0)
	e.expect(q, "a")
	e.setRedrive(q, "other", 2)
	e.expectLook(q, 10, 0, "")
	e.wantSizes(dead, 0, 0, 0)
	if d := e.one(other, "a"); d.Receives != 6 {
		e.t.Errorf("%d receives, want 6", d.Receives)
	}
}

func testRedriveDeadlines(_ testing.TB, e *env) {
	dead := e.create("dead")
	q := e.create("q", withRedrive("dead", 2), withTimeout(10*time.Second))
	e.send(q, "a")
	for range 2 {
		e.clock.Set(e.one(q, "a").Deadline)
	}
	e.drain()
	e.wantSizes(q, 1, 0, 0)
	e.expectLook(q, 10, time.Minute, "")
	e.wantSizes(dead, 1, 0, 0)
}

func testRedriveNotCounted(_ testing.TB, e *env) {
	dead := e.create("dead")
	q := e.create("q", withRedrive("dead", 2))
	e.send(q, "a")
	d := e.one(q, "a")
	for range 5 {
		e.change(q, engine.StaleFails, 0, []engine.Ref{d.Ref}, ok)
		e.change(q, engine.StaleFails, time.Minute, []engine.Ref{d.Ref}, ok)
	}
	e.change(q, engine.StaleFails, 0, []engine.Ref{d.Ref}, ok)
	e.expect(q, "a")
	e.clock.Advance(time.Minute)
	e.expectLook(q, 10, time.Minute, "")
	e.wantSizes(dead, 1, 0, 0)
}

func testRedriveReleased(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.send(q, "a b")
	for range 100 {
		got := e.expect(q, "a b")
		e.release(q, refsOf(got)...)
	}
	e.wantSizes(q, 2, 0, 0)
	e.wantSizes(dead, 0, 0, 0)
	got := e.expectFor(q, time.Second, "a b")
	e.clock.Advance(time.Second)
	e.release(q, refsOf(got)...)
	e.expectLook(q, 10, 0, "")
	e.wantSizes(dead, 2, 0, 0)
}

func testRedriveHeld(_ testing.TB, e *env) {
	q, dead := e.deadly("q", "dead")
	e.send(q, "a")
	d := e.one(q, "a")
	e.send(q, "b")
	e.expectLook(q, 10, time.Hour, "b")
	e.expectLook(q, 10, time.Hour, "")
	e.wantSizes(q, 0, 2, 0)
	e.wantSizes(dead, 0, 0, 0)
	e.ack(q, engine.StaleFails, []engine.Ref{d.Ref}, ok)
	e.clock.Advance(time.Hour)
	e.expectLook(q, 10, time.Hour, "")
	e.expect(dead, "b")
}
