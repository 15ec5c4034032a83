//go:build linux

package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// script is a short piece of work that is cut off at each of its calls to the
// system.
type script struct {
	name string
	// prepare makes what is there before.
	prepare func(*scribe)
	// steps are made one after the other. With starting they were made before, by
	// a server that was killed at its last answer, and what is cut off is the
	// start of one that finds what they left.
	steps    []step
	starting bool
	// family names queues between which messages go by themselves.
	family map[string]string
	// task is the queue of which the first step starts a move task, and moves
	// how many messages that moves.
	task  string
	moves int
}

// step is one call, and what it makes of what is stored.
type step struct {
	action string
	in     wire.Args
	// does changes the messages of each queue.
	does func(map[string][]string)
}

// scribe prepares data, and notes what it stores.
type scribe struct {
	ctx    context.Context
	client *wire.Client
	stored map[string][]string
	err    error
}

func (s *scribe) call(action string, in wire.Args) wire.Answer {
	if s.err != nil {
		return wire.Answer{}
	}
	a := s.client.Call(s.ctx, action, in)
	if a.Outcome != history.Done {
		s.err = fmt.Errorf("%s: status %d %s %s", action, a.Status, a.Code, a.Message)
	}
	return a
}

// queue makes a queue.
func (s *scribe) queue(name string, attributes map[string]string) {
	if attributes == nil {
		attributes = make(map[string]string)
	}
	if strings.HasSuffix(name, ".fifo") {
		attributes["FifoQueue"] = "true"
	}
	s.call("CreateQueue", wire.Args{"QueueName": name, "Attributes": attributes})
	s.stored[name] = nil
}

// send fills a queue with messages of some groups; none for zero.
func (s *scribe) send(queue string, count, groups int) {
	for n := 0; n < count; n += 10 {
		var entries []wire.Args
		for i := n; i < min(n+10, count); i++ {
			entry := wire.Args{"Id": fmt.Sprint(i), "MessageBody": fmt.Sprintf("%s-%04d", queue, i)}
			if groups > 0 {
				entry["MessageGroupId"] = fmt.Sprint("g", i%groups)
			}
			if strings.HasSuffix(queue, ".fifo") {
				entry["MessageDeduplicationId"] = fmt.Sprint(i)
			}
			entries = append(entries, entry)
			s.stored[queue] = append(s.stored[queue], fmt.Sprint(entry["MessageBody"]))
		}
		s.call("SendMessageBatch", wire.Args{"QueueUrl": wire.QueueURL(queue), "Entries": entries})
	}
}

// receive is a receive that hides nothing: what it gives has been received once,
// and is there for the next.
func receive(queue string) step {
	return step{action: "ReceiveMessage", in: wire.Args{"QueueUrl": wire.QueueURL(queue), "MaxNumberOfMessages": 10, "VisibilityTimeout": 0}}
}

// scripts are all of them.
func scripts() []script {
	redrive := func(dead string) map[string]string {
		return map[string]string{"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":1}`, wire.QueueARN(dead))}
	}
	return []script{
		{
			name: "dead letters",
			prepare: func(s *scribe) {
				s.queue("dead", nil)
				s.queue("source", redrive("dead"))
				s.send("source", 25, 0)
			},
			steps:  slices.Repeat([]step{receive("source")}, 6),
			family: map[string]string{"dead": "source"},
		},
		{
			name: "dead letters of groups",
			prepare: func(s *scribe) {
				s.queue("dead", nil)
				s.queue("source", redrive("dead"))
				s.send("source", 20, 3)
			},
			steps:  slices.Repeat([]step{receive("source")}, 5),
			family: map[string]string{"dead": "source"},
		},
		{
			name: "dead letters of a FIFO queue",
			prepare: func(s *scribe) {
				s.queue("dead.fifo", nil)
				s.queue("source.fifo", redrive("dead.fifo"))
				s.send("source.fifo", 20, 4)
			},
			steps:  slices.Repeat([]step{receive("source.fifo")}, 5),
			family: map[string]string{"dead.fifo": "source.fifo"},
		},
		{
			name: "move task",
			prepare: func(s *scribe) {
				s.queue("from", nil)
				s.queue("owner", redrive("from"))
				s.queue("to", nil)
				s.send("from", 120, 0)
			},
			steps:  []step{{action: "StartMessageMoveTask", in: wire.Args{"SourceArn": wire.QueueARN("from"), "DestinationArn": wire.QueueARN("to")}}},
			family: map[string]string{"to": "from"},
			task:   "from", moves: 120,
		},
		{
			name: "move task of a FIFO queue",
			prepare: func(s *scribe) {
				s.queue("from.fifo", nil)
				s.queue("owner.fifo", redrive("from.fifo"))
				s.queue("to.fifo", nil)
				s.send("from.fifo", 40, 5)
			},
			steps:  []step{{action: "StartMessageMoveTask", in: wire.Args{"SourceArn": wire.QueueARN("from.fifo"), "DestinationArn": wire.QueueARN("to.fifo")}}},
			family: map[string]string{"to.fifo": "from.fifo"},
			task:   "from.fifo", moves: 40,
		},
		{name: "purge and deletion", prepare: rubbish, steps: clearing()},
		{
			name: "garbage at a start",
			prepare: func(s *scribe) {
				rubbish(s)
				s.queue("much", nil)
				s.send("much", 3500, 0)
			},
			steps: []step{
				{"DeleteQueue", wire.Args{"QueueUrl": wire.QueueURL("line.fifo")}, func(m map[string][]string) { delete(m, "line.fifo") }},
				{"DeleteQueue", wire.Args{"QueueUrl": wire.QueueURL("doomed")}, func(m map[string][]string) { delete(m, "doomed") }},
				{"PurgeQueue", wire.Args{"QueueUrl": wire.QueueURL("much")}, func(m map[string][]string) { m["much"] = nil }},
			},
			starting: true,
		},
	}
}

// rubbish makes queues that are garbage for several turns of the sweeper once
// they are cleared: a turn takes a thousand rows.
func rubbish(s *scribe) {
	s.queue("purged", nil)
	s.queue("doomed", nil)
	s.queue("line.fifo", nil)
	s.send("purged", 1200, 0)
	s.send("doomed", 700, 7)
	s.send("line.fifo", 200, 100)
}

// clearing purges and deletes queues, and uses them again.
func clearing() []step {
	return []step{
		{"PurgeQueue", wire.Args{"QueueUrl": wire.QueueURL("purged")}, func(m map[string][]string) { m["purged"] = nil }},
		sending("purged", "after"),
		{"DeleteQueue", wire.Args{"QueueUrl": wire.QueueURL("doomed")}, func(m map[string][]string) { delete(m, "doomed") }},
		{"CreateQueue", wire.Args{"QueueName": "doomed"}, func(m map[string][]string) { m["doomed"] = nil }},
		sending("doomed", "again"),
		{"PurgeQueue", wire.Args{"QueueUrl": wire.QueueURL("line.fifo")}, func(m map[string][]string) { m["line.fifo"] = nil }},
	}
}

func sending(queue, body string) step {
	return step{
		action: "SendMessage",
		in:     wire.Args{"QueueUrl": wire.QueueURL(queue), "MessageBody": body},
		does:   func(m map[string][]string) { m[queue] = append(m[queue], body) },
	}
}

// states are what may be stored after so many answers: what the steps that were
// answered make, and that with the next one, which may have come through.
func (s *script) states(before map[string][]string, answered int) []map[string]int {
	now := make(map[string][]string)
	for queue, messages := range before {
		now[queue] = slices.Clone(messages)
	}
	var all []map[string]int
	for i := range s.steps {
		if i >= answered {
			all = append(all, s.tally(now))
		}
		if i > answered {
			return all[:2]
		}
		if s.steps[i].does != nil {
			s.steps[i].does(now)
		}
	}
	return append(all, s.tally(now))
}

// tally counts messages by their queue, and families as one queue. A queue that
// exists counts too.
func (s *script) tally(messages map[string][]string) map[string]int {
	count := make(map[string]int)
	for queue, keys := range messages {
		count[queuePrefix+queue]++
		for _, key := range keys {
			count[key+" in "+s.familyOf(queue)]++
		}
	}
	return count
}

// queuePrefix is before the name of a queue in a tally.
const queuePrefix = "the queue "

// queueOf gives the queue that a line of a tally is of.
func queueOf(line string) (string, bool) { return strings.CutPrefix(line, queuePrefix) }

// familyOf is the queue that a queue counts together with.
func (s *script) familyOf(queue string) string {
	if family := s.family[queue]; family != "" {
		return family
	}
	return queue
}

// miscounted says where the sizes that the server gave are not those of what was
// found.
func (s *script) miscounted(counts map[string]int, found contents.Found) string {
	has := make(map[string]int)
	for queue, stored := range found.Messages {
		has[s.familyOf(queue)] += len(stored)
	}
	for queue, n := range has {
		if counts[queue] != n {
			return fmt.Sprintf("%s has %d messages and counts %d", queue, n, counts[queue])
		}
	}
	return ""
}

// differs says how what was found differs from all states that may be; empty
// when it is one of them.
func (s *script) differs(found contents.Found, states []map[string]int) string {
	messages := make(map[string][]string)
	for queue, stored := range found.Messages {
		messages[queue] = nil
		last := make(map[string]string)
		for _, one := range stored {
			messages[queue] = append(messages[queue], one.Key)
			if strings.HasSuffix(queue, ".fifo") && one.Key < last[one.Group] {
				return fmt.Sprintf("%s comes before %s in %s", last[one.Group], one.Key, queue)
			}
			last[one.Group] = one.Key
		}
	}
	got := s.tally(messages)
	var words []string
	for _, want := range states {
		if maps.Equal(want, got) {
			return ""
		}
		words = append(words, difference(want, got))
	}
	return strings.Join(words, "; or ")
}
