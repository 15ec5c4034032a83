package storetest

import (
	"testing"
	"time"

	"queues/engine"
)

func fifoReportTests() []test {
	return []test{
		{"Send", testFIFOReportSend},
		{"Acknowledge", testFIFOReportAck},
		{"GivingBack", testFIFOReportBack},
		{"Deadline", testFIFOReportDeadline},
		{"ExpiredHead", testFIFOReportExpiry},
		{"DelayChanged", testFIFOReportDelay},
	}
}

func testFIFOReportSend(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.log.take()
	e.push(q, "a1 a2 b1")
	e.wantReport(q, 2, 0)
	e.setDelay(q, 10*time.Second)
	e.log.take()
	e.push(q, "c1")
	e.wantReport(q, 0, 10*time.Second)
}

func testFIFOReportAck(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 1, time.Minute, "a1")
	e.expect(q, "")
	e.log.take()
	e.ack(q, engine.StaleFails, refsOf(got), ok)
	e.wantReport(q, 1, 0)
}

func testFIFOReportBack(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2 a3")
	got := e.expectOf(q, 1, time.Minute, "a1")
	e.expect(q, "")
	e.log.take()
	e.change(q, engine.StaleFails, 0, refsOf(got), ok)
	e.wantReport(q, 1, 0)
	got = e.expectOf(q, 1, time.Minute, "a1")
	e.log.take()
	e.release(q, got[0].Ref)
	e.wantReport(q, 1, 0)
}

func testFIFOReportDeadline(_ testing.TB, e *env) {
	q := e.fifo("q")
	e.push(q, "a1 a2")
	e.log.take()
	got := e.expectOf(q, 1, time.Minute, "a1")
	e.wantReport(q, 0, time.Minute)
	e.change(q, engine.StaleFails, time.Second, refsOf(got), ok)
	e.wantReport(q, 0, time.Second)
	e.drain()
	e.log.take()
	e.clock.Advance(time.Second)
	e.drain()
	e.wantReport(q, 1, 0)
}

func testFIFOReportExpiry(_ testing.TB, e *env) {
	q := e.fifo("q", withRetention(time.Minute))
	e.push(q, "a1")
	e.clock.Advance(30 * time.Second)
	e.push(q, "a2 a3")
	e.expectOf(q, 1, time.Hour, "a1")
	r := e.drain()
	if at := Epoch.Add(time.Minute); r.Next.IsZero() || r.Next.After(at) {
		e.t.Errorf("the next sweep is announced for %v, want at most %v", r.Next, at)
	}
	e.log.take()
	e.clock.Advance(30 * time.Second)
	e.drain()
	e.wantReport(q, 1, 0)
	e.expect(q, "a2 a3")
}

func testFIFOReportDelay(_ testing.TB, e *env) {
	q := e.fifo("q", withDelay(time.Minute))
	e.push(q, "a1")
	e.clock.Advance(10 * time.Second)
	e.push(q, "b1")
	e.expect(q, "")
	e.drain()
	e.log.take()
	e.setDelay(q, 15*time.Second)
	e.wantReport(q, 0, 5*time.Second)
	e.setDelay(q, 10*time.Second)
	e.wantReport(q, 1, 10*time.Second)
	e.expectOf(q, 10, time.Hour, "a1")
	e.setDelay(q, 0)
	e.wantReport(q, 1, 0)
}
