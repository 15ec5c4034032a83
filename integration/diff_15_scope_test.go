package integration

import (
	"testing"
	"time"
)

// DIFFERENCES 15: the deduplication scope is that of the queue's creation.
func TestDiff15ScopeOfCreation(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		e.setAttributes(t, url, attrs{"DeduplicationScope": "messageGroup"})
		time.Sleep(24 * time.Hour)
		e.send(t, url, "A", inGroup("g1"), as("d"))
		e.send(t, url, "B", inGroup("g2"), as("d"))
		wantBodies(t, e.receive(t, url), "A")
	})
}
