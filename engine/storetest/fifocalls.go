package storetest

import (
	"slices"
	"strings"
	"time"

	"queues/engine"
)

// asFIFO makes the new queue a FIFO queue.
func asFIFO(p *engine.CreateQueueParams) { p.Kind = engine.FIFO }

// fifo makes a FIFO queue that must not exist.
func (e *env) fifo(name string, options ...func(*engine.CreateQueueParams)) *engine.Queue {
	e.t.Helper()
	return e.create(name, append([]func(*engine.CreateQueueParams){asFIFO}, options...)...)
}

// grouped makes a message for a FIFO queue. Its group is what stands before the
// number that its body ends with, and its deduplication id is its own.
func grouped(body string) engine.NewMessage {
	n := message(body)
	n.Group = groupOf(body)
	n.Dedup = "dedup-" + n.ID.String()
	return n
}

// groupOf gives the group of a body that a test has sent.
func groupOf(body string) string { return strings.TrimRight(body, "0123456789") }

// push sends messages with groups, separated by blanks, in one call.
func (e *env) push(q *engine.Queue, bodies string) []engine.Sent {
	e.t.Helper()
	var messages []engine.NewMessage
	for _, body := range strings.Fields(bodies) {
		messages = append(messages, grouped(body))
	}
	return e.sendAll(q, messages...)
}

// expectOf receives up to n messages with a timeout, whose bodies must be
// these, in this order.
func (e *env) expectOf(q *engine.Queue, n int, timeout time.Duration, bodies string) []engine.Delivery {
	e.t.Helper()
	return e.expectAny(q, n, timeout, bodies)
}

// expectAny is expectOf where one of several answers is right.
func (e *env) expectAny(q *engine.Queue, n int, timeout time.Duration, allowed ...string) []engine.Delivery {
	e.t.Helper()
	got := e.receiveFor(q, n, timeout)
	if !slices.Contains(allowed, bodiesOf(got)) {
		e.t.Fatalf("received %q, want one of %q", bodiesOf(got), allowed)
	}
	return got
}

// groupsIn wants a result in which the messages of each group stand together,
// and gives them by group.
func (e *env) groupsIn(got []engine.Delivery) map[string]string {
	e.t.Helper()
	runs := make(map[string]string)
	last := ""
	for i, d := range got {
		if _, seen := runs[d.Group]; seen && (i == 0 || d.Group != last) {
			e.t.Fatalf("received %q, where a group stands in two places", bodiesOf(got))
		}
		runs[d.Group] = strings.TrimSpace(runs[d.Group] + " " + d.Body)
		last = d.Group
	}
	return runs
}
