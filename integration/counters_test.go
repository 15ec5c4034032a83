package integration

import (
	"testing"
	"time"
)

// The three counters partition the messages.
func TestCountersPartitionTheMessages(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.wantCounts(t, url, counts{"0", "0", "0"})
		e.send(t, url, "plain")
		e.send(t, url, "delayed", delayed(3))
		e.wantCounts(t, url, counts{"1", "0", "1"})
		m := e.receiveOne(t, url, hideFor(10))
		e.wantCounts(t, url, counts{"0", "1", "1"})
		time.Sleep(4 * time.Second)
		e.wantCounts(t, url, counts{"1", "1", "0"})
		time.Sleep(6 * time.Second)
		e.wantCounts(t, url, counts{"2", "0", "0"})
		e.delete(t, url, m)
		e.wantCounts(t, url, counts{"1", "0", "0"})
	})
}
