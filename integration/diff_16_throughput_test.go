package integration

import "testing"

// DIFFERENCES 16: a FIFO queue takes as much as it can, not 300 calls a second.
func TestDiff16NoThroughputQuota(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, attrs{"FifoThroughputLimit": "perQueue"})
		for range 1000 { // in one second of the bubble's time, which stands still
			e.wantNothing(t, url)
		}
	})
}
