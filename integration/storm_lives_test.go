package integration

import (
	"slices"
	"strings"
	"time"
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

// judgeLives empties the queues that come and go, and checks that nothing of a
// queue was seen after it had been deleted or purged: no message, no duplicate
// known, no handle good. What was sent afterwards is there.
func (s *storm) judgeLives() {
	s.t.Helper()
	came := s.emptyLives()
	l, old, judged := s.lives, 0, 0
	for _, d := range l.deliveries {
		sends := l.sends[d.body]
		if len(sends) == 0 || sends[0].queue != d.queue {
			s.t.Errorf("%s came from %s and was never sent there", d.body, d.queue)
		}
		if !slices.ContainsFunc(sends, func(of lifeSend) bool { return !between(of.span, l.removals[d.queue], d.span) }) {
			s.t.Errorf("%s came from %s after that had been purged, or deleted and made again", d.body, d.queue)
		}
		judged++
	}
	for _, u := range l.settles {
		if !between(l.came[u.handle], l.ends[u.queue], u.span) {
			continue
		}
		old++
		if u.code != badHandle && u.code != noQueue {
			s.t.Errorf("%s with a handle of a deleted queue %s was answered with %q", u.action, u.queue, u.code)
		}
	}
	repeats := 0
	for body, sends := range l.sends {
		removals := l.removals[sends[0].queue]
		for i, b := range sends {
			for _, a := range sends[:i] {
				if between(a.span, removals, b.span) {
					if repeats++; a.id == b.id {
						s.t.Errorf("%s was known as a duplicate after %s had been purged, or deleted and made again", body, b.queue)
					}
				}
			}
			late := !slices.ContainsFunc(removals, func(r span) bool { return !r.before(b.span) })
			if late && came[body] == 0 && !s.removed[body] {
				s.t.Errorf("%s was sent to %s after it was last emptied, and is lost", body, b.queue)
			}
		}
	}
	s.t.Logf("queues that come and go: %d deletions and purges, %d deliveries, %d uses of handles of deleted queues, %d duplicates of forgotten messages, %d messages there at the end",
		len(slices.Concat(l.removals["life-1"], l.removals["life-2"], l.removals["life-3.fifo"])), judged, old, repeats, len(came))
	// How much of that there was is chance; this is not.
	for _, queue := range stormPassing {
		s.worker[0].outlive(queue)
	}
}

// emptyLives takes what the queues that come and go have, and gives how often
// each body came.
func (s *storm) emptyLives() map[string]int {
	s.t.Helper()
	c, came := s.worker[0], map[string]int{}
	deadline := time.Now().Add(time.Minute)
	for _, queue := range stormPassing {
		c.call("CreateQueue", "", args{"QueueName": queue, "Attributes": s.attributes(queue)}, "QueueAlreadyExists")
		for sum := 1; sum > 0; {
			for _, m := range c.call("ReceiveMessage", queue, args{"MaxNumberOfMessages": 10, "VisibilityTimeout": 60, "WaitTimeSeconds": 1}).messages(s.t) {
				if came[m.Body]++; came[m.Body] > 1 {
					s.t.Errorf("%s came %d times at the end", m.Body, came[m.Body])
				}
				c.call("DeleteMessage", queue, args{"ReceiptHandle": m.ReceiptHandle}).wantOK(s.t)
			}
			sum = 0
			for _, n := range c.call("GetQueueAttributes", queue, args{"AttributeNames": list{"All"}}).wantOK(s.t).sizes(s.t) {
				sum += n
			}
			if time.Now().After(deadline) {
				s.t.Fatalf("%s is not empty", queue)
			}
		}
	}
	return came
}

// outlive uses a handle of a queue after the queue was deleted and made again,
// when the new one has a message that was sent and received as the old one's.
func (c *stormWorker) outlive(queue string) {
	c.t.Helper()
	var handles [2]string
	for i := range handles {
		if i > 0 {
			c.call("DeleteQueue", queue, nil).wantOK(c.t)
		}
		c.call("CreateQueue", "", args{"QueueName": queue, "Attributes": c.attributes(queue)}, "QueueAlreadyExists").wantOK(c.t)
		in := args{"MessageBody": "heir of " + queue}
		if strings.HasSuffix(queue, ".fifo") {
			in["MessageGroupId"], in["MessageDeduplicationId"] = "g", "heir"
		}
		c.call("SendMessage", queue, in).wantOK(c.t)
		got := c.call("ReceiveMessage", queue, args{"VisibilityTimeout": 60}).messages(c.t)
		if len(got) != 1 {
			c.t.Fatalf("%s gave %d messages, want its heir", queue, len(got))
		}
		handles[i] = got[0].ReceiptHandle
	}
	c.call("ChangeMessageVisibility", queue, args{"ReceiptHandle": handles[0], "VisibilityTimeout": 0}).wantCode(c.t, badHandle)
	c.call("DeleteMessage", queue, args{"ReceiptHandle": handles[0]}).wantCode(c.t, badHandle)
	if n := c.call("GetQueueAttributes", queue, args{"AttributeNames": list{"All"}}).sizes(c.t); n != [3]int{0, 1, 0} {
		c.t.Errorf("%s counts %v after an old handle was used, want its message in flight", queue, n)
	}
	c.call("DeleteMessage", queue, args{"ReceiptHandle": handles[1]}).wantOK(c.t)
}
