package integration

import (
	"strings"
	"testing"
	"time"
)

// emptyLives takes what the queues that come and go have, and gives how often
// each body came.
func (s *storm) emptyLives() map[string]int {
	s.t.Helper()
	c, came := s.worker[0], map[string]int{}
	deadline := time.Now().Add(patience)
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
		// The storm has changed the attributes of the one that is there at first.
		c.call("DeleteQueue", queue, nil).wantOK(c.t)
		c.call("CreateQueue", "", args{"QueueName": queue, "Attributes": c.attributes(queue)}).wantOK(c.t)
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

// What outlives its queue, and what is lost after a deletion, is a fault; what
// goes on beside the deletion may be either.
func TestStormJudgesLives(t *testing.T) {
	t.Parallel()
	const q = "life-1"
	sent := func(l *lives, body, id string, called, answered int64) {
		l.sends[body] = append(l.sends[body], lifeSend{span{called, answered}, q, id})
	}
	seen := func(l *lives, body string, called, answered int64) {
		l.deliveries = append(l.deliveries, lifeDelivery{span{called, answered}, q, body})
		l.came["of "+body] = span{called, answered}
	}
	ended := func(l *lives, called, answered int64) {
		l.removals[q] = append(l.removals[q], span{called, answered})
		l.ends[q] = append(l.ends[q], span{called, answered})
	}
	used := func(l *lives, handle, code string, called, answered int64) {
		l.settles = append(l.settles, lifeSettle{span{called, answered}, q, "DeleteMessage", handle, code})
	}
	for name, tc := range map[string]struct {
		want  bool // a fault
		build func(l *lives)
	}{
		"SentAndSeen":        {false, func(l *lives) { sent(l, "a", "1", 1, 2); seen(l, "a", 3, 4); ended(l, 5, 6) }},
		"SeenAfterDeletion":  {true, func(l *lives) { sent(l, "a", "1", 1, 2); ended(l, 3, 4); seen(l, "a", 5, 6) }},
		"SeenBesideDeletion": {false, func(l *lives) { sent(l, "a", "1", 1, 2); ended(l, 3, 5); seen(l, "a", 4, 6) }},
		"SentBesideDeletion": {false, func(l *lives) { sent(l, "a", "1", 1, 3); ended(l, 2, 4); seen(l, "a", 5, 6) }},
		"NeverSent":          {true, func(l *lives) { seen(l, "a", 1, 2); ended(l, 3, 4) }},
		"SeenBeforeItsSend":  {true, func(l *lives) { seen(l, "a", 1, 2); sent(l, "a", "1", 3, 4); ended(l, 5, 6) }},
		"OldHandle": {true, func(l *lives) {
			sent(l, "a", "1", 1, 2)
			seen(l, "a", 3, 4)
			ended(l, 5, 6)
			used(l, "of a", "", 7, 8)
		}},
		"OldHandleOfAMessageThatIsGone": {true, func(l *lives) {
			sent(l, "a", "1", 1, 2)
			seen(l, "a", 3, 4)
			ended(l, 5, 6)
			used(l, "of a", badParam, 7, 8)
		}},
		"OldHandleRefused": {false, func(l *lives) {
			sent(l, "a", "1", 1, 2)
			seen(l, "a", 3, 4)
			ended(l, 5, 6)
			used(l, "of a", badHandle, 7, 8)
			used(l, "of a", noQueue, 7, 8)
		}},
		"HandleBesideDeletion": {false, func(l *lives) {
			sent(l, "a", "1", 1, 2)
			seen(l, "a", 3, 4)
			ended(l, 5, 7)
			used(l, "of a", "", 6, 8)
		}},
		"KnownAfterDeletion": {true, func(l *lives) { sent(l, "a", "1", 1, 2); ended(l, 3, 4); sent(l, "a", "1", 5, 6); ended(l, 7, 8) }},
		"StoredAnew":         {false, func(l *lives) { sent(l, "a", "1", 1, 2); ended(l, 3, 4); sent(l, "a", "2", 5, 6); ended(l, 7, 8) }},
		"Lost":               {true, func(l *lives) { ended(l, 1, 2); sent(l, "a", "1", 3, 4) }},
		"LostBesideDeletion": {false, func(l *lives) { ended(l, 1, 3); sent(l, "a", "1", 2, 4) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLives()
			tc.build(l)
			if faults, _, _ := l.faults(nil, nil); len(faults) > 0 != tc.want {
				t.Errorf("the faults are %q, want any: %v", faults, tc.want)
			}
		})
	}
}
