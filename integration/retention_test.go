package integration

import (
	"testing"
	"time"
)

// A message lives for the queue's retention from its send, and counters follow
// without a receive.
func TestMessagesExpire(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"MessageRetentionPeriod": "60"})
		e.send(t, url, "old")
		time.Sleep(30 * time.Second)
		e.send(t, url, "young")
		time.Sleep(29 * time.Second)
		e.wantCounts(t, url, counts{"2", "0", "0"})
		time.Sleep(2 * time.Second)
		e.wantCounts(t, url, counts{"1", "0", "0"})
		wantBodies(t, e.receive(t, url), "young")
		time.Sleep(30 * time.Second)
		e.wantCounts(t, url, counts{"0", "0", "0"})
		e.wantNothing(t, url)
	})
}

// A new retention is for the messages that are there as well, either way.
func TestChangedRetentionIsRetroactive(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "old")
		time.Sleep(100 * time.Second)
		e.send(t, url, "young")
		e.setAttributes(t, url, attrs{"MessageRetentionPeriod": "60"})
		wantBodies(t, e.receive(t, url, hideFor(1)), "young")
		e.wantCounts(t, url, counts{"0", "1", "0"})
		e.setAttributes(t, url, attrs{"MessageRetentionPeriod": "1209600"})
		time.Sleep(14*24*time.Hour - 2*time.Second)
		wantBodies(t, e.receive(t, url, hideFor(1)), "young")
		time.Sleep(2 * time.Second)
		e.wantNothing(t, url)
	})
}

// The default keeps a message for four days.
func TestDefaultRetentionIsFourDays(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		time.Sleep(4*24*time.Hour - time.Second)
		e.receiveOne(t, url, hideFor(1))
		time.Sleep(time.Second)
		e.wantNothing(t, url)
	})
}
