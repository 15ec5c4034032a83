package integration

import (
	"testing"
	"time"
)

func TestDelayOfAMessage(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "later", delayed(900))
		e.send(t, url, "now")
		e.wantCounts(t, url, counts{"1", "0", "1"})
		wantBodies(t, e.receive(t, url), "now")
		e.wantCounts(t, url, counts{"0", "1", "1"})
		time.Sleep(899*time.Second + 999*time.Millisecond)
		wantBodies(t, e.receive(t, url), "now")
		time.Sleep(time.Millisecond)
		e.wantCounts(t, url, counts{"1", "1", "0"})
		wantBodies(t, e.receive(t, url), "later")
	})
}

func TestDelayOfAQueue(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"DelaySeconds": "10"})
		e.send(t, url, "queue's delay")
		e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": "none", "DelaySeconds": 0}).wantOK(t)
		e.send(t, url, "own delay", delayed(3))
		e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": list{
			args{"Id": "a", "MessageBody": "none in a batch", "DelaySeconds": 0},
			args{"Id": "b", "MessageBody": "own in a batch", "DelaySeconds": 4},
			args{"Id": "c", "MessageBody": "queue's in a batch"},
		}}).wantOK(t)
		e.wantCounts(t, url, counts{"2", "0", "4"})
		wantBodies(t, e.receive(t, url), "none", "none in a batch")
		start := time.Now()
		for _, want := range []struct {
			body  string
			after time.Duration
		}{{"own delay", 3 * time.Second}, {"own in a batch", 4 * time.Second}} {
			wantBodies(t, e.receive(t, url, waitFor(20)), want.body)
			e.took(t, start, want.after)
		}
		wantBodies(t, e.receive(t, url, waitFor(20), upTo(1)), "queue's delay")
		e.took(t, start, 10*time.Second)
		wantBodies(t, e.receive(t, url), "queue's in a batch")
	})
}

// After its delay a message ranks by when it was sent.
func TestDelayedMessagesRankByTheirSend(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "1", delayed(5))
		e.send(t, url, "2")
		e.send(t, url, "3", delayed(2))
		time.Sleep(6 * time.Second)
		wantBodies(t, e.receive(t, url), "1", "2", "3")
	})
}

func TestShortDelay(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		start := time.Now()
		e.send(t, url, "b", delayed(1))
		early := e.receive(t, url)
		if len(early) > 0 && time.Since(start) < time.Second {
			t.Errorf("received %q before its delay was over", bodies(early))
		}
		if len(early) == 0 {
			e.receiveOne(t, url, waitFor(20))
		}
		e.took(t, start, time.Second)
	})
}
