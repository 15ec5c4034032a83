package integration

import "testing"

// DIFFERENCES 12: on a standard queue a delete with the handle of an earlier
// receive succeeds and leaves the message to its newer holder. AWS promises
// neither.
func TestDiff12OldHandlesDeleteNothing(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		first := e.receiveOne(t, url)
		e.changeVisibility(t, url, first, 0)
		e.receiveOne(t, url)
		e.delete(t, url, first)
		e.wantCounts(t, url, counts{"0", "1", "0"})
	})
}
