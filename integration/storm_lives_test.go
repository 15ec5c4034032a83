package integration

import (
	"fmt"
	"slices"
	"strings"
)

// lives is what clients saw of the queues that come and go, with the order in
// which calls were made and answered. Its storm's lock guards it.
type lives struct {
	clock int64
	// removals are the purges and deletions, ends the deletions alone, by queue.
	removals, ends map[string][]span
	sends          map[string][]lifeSend
	deliveries     []lifeDelivery
	// came tells when each handle was given out.
	came    map[string]span
	settles []lifeSettle
}

// span is when a call was made and when it was answered.
type span struct{ called, answered int64 }

// before tells whether one call was answered before the other was made.
func (s span) before(other span) bool { return s.answered < other.called }

// between tells whether one of some calls was made after a and answered before
// b.
func between(a span, all []span, b span) bool {
	return slices.ContainsFunc(all, func(s span) bool { return a.before(s) && s.before(b) })
}

type lifeSend struct {
	span
	queue, id string
}

type lifeDelivery struct {
	span
	queue, body string
}

// lifeSettle is a use of a handle.
type lifeSettle struct {
	span
	queue, action, handle, code string
}

func newLives() *lives {
	return &lives{removals: map[string][]span{}, ends: map[string][]span{}, sends: map[string][]lifeSend{}, came: map[string]span{}}
}

// tick gives the next moment.
func (s *storm) tick() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lives.clock++
	return s.lives.clock
}

// witness writes down a call to a queue that comes and goes.
func (c *stormWorker) witness(action, queue string, in args, r *reply, called int64) {
	if !slices.Contains(stormPassing, queue) {
		return
	}
	at := span{called, c.tick()}
	entries, batch := in["Entries"].(list)
	if !batch {
		entries = list{in}
	}
	var results []result
	var got []message
	if r.Status == 200 {
		switch {
		case batch:
			results = r.outcomes(c.t, len(entries))
		case action == "SendMessage":
			results = []result{{id: r.text(c.t, "MessageId")}}
		case action == "ReceiveMessage":
			got = r.messages(c.t)
		}
	}
	if results == nil {
		results = slices.Repeat([]result{{code: r.Code}}, len(entries))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lives
	switch strings.TrimSuffix(action, "Batch") {
	case "DeleteQueue", "PurgeQueue":
		if r.Status == 200 {
			l.removals[queue] = append(l.removals[queue], at)
			if action == "DeleteQueue" {
				l.ends[queue] = append(l.ends[queue], at)
			}
		}
	case "SendMessage":
		for i, e := range entries {
			if body := e.(args)["MessageBody"].(string); results[i].code == "" {
				l.sends[body] = append(l.sends[body], lifeSend{at, queue, results[i].id})
			}
		}
	case "ReceiveMessage":
		for _, m := range got {
			l.deliveries = append(l.deliveries, lifeDelivery{at, queue, m.Body})
			if _, again := l.came[m.ReceiptHandle]; !again { // it is, for a repeated attempt
				l.came[m.ReceiptHandle] = at
			}
		}
	case "DeleteMessage", "ChangeMessageVisibility":
		for i, e := range entries {
			l.settles = append(l.settles, lifeSettle{at, queue, action, e.(args)["ReceiptHandle"].(string), results[i].code})
		}
	}
}

// judgeLives empties the queues that come and go, and checks what was seen of
// them.
func (s *storm) judgeLives() {
	s.t.Helper()
	came := s.emptyLives()
	faults, old, repeats := s.lives.faults(came, s.removed)
	for _, fault := range faults {
		s.t.Error(fault)
	}
	removals := 0
	for _, all := range s.lives.removals {
		removals += len(all)
	}
	s.t.Logf("queues that come and go: %d deletions and purges, %d deliveries, %d uses of handles of deleted queues, %d sends of what was forgotten, %d messages there at the end",
		removals, len(s.lives.deliveries), old, repeats, len(came))
	// How much of that there was is chance; this is not.
	for _, queue := range stormPassing {
		s.worker[0].outlive(queue)
	}
}

// faults tells what was seen of a queue after it had been deleted or purged: a
// message, a duplicate that is known, a handle that is good. What was sent
// afterwards must have come at the end, unless it was removed. It counts the
// uses of old handles, and the sends of what had been sent before.
func (l *lives) faults(came map[string]int, removed map[string]bool) (faults []string, old, repeats int) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, d := range l.deliveries {
		if !slices.ContainsFunc(l.sends[d.body], func(of lifeSend) bool {
			return of.queue == d.queue && of.called < d.answered && !between(of.span, l.removals[d.queue], d.span)
		}) {
			add("%s came from %s, where it was never sent, or not since the queue was purged or deleted", d.body, d.queue)
		}
	}
	for _, u := range l.settles {
		if !between(l.came[u.handle], l.ends[u.queue], u.span) {
			continue
		}
		if old++; u.code != badHandle && u.code != noQueue {
			add("%s with a handle of a deleted queue %s was answered with %q", u.action, u.queue, u.code)
		}
	}
	for body, sends := range l.sends {
		removals := l.removals[sends[0].queue]
		for i, b := range sends {
			for _, a := range sends[:i] {
				if !between(a.span, removals, b.span) {
					continue
				}
				if repeats++; a.id == b.id {
					add("%s was known as a duplicate after %s had been purged or deleted", body, b.queue)
				}
			}
			late := !slices.ContainsFunc(removals, func(r span) bool { return !r.before(b.span) })
			if late && came[body] == 0 && !removed[body] {
				add("%s was sent to %s after it was last emptied, and is lost", body, b.queue)
			}
		}
	}
	return faults, old, repeats
}
