package integration

import "testing"

// DIFFERENCES 19: a dead letter has arrived when the receive that moved it is
// answered.
func TestDiff19MovedAtOnce(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		url := e.withDeadLetters(t, dlq, 1)
		e.send(t, url, "b")
		e.receiveOne(t, url)
		e.wantNothing(t, url)
		wantBodies(t, e.receive(t, dlq), "b")
	})
}
