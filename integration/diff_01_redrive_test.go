package integration

import "testing"

// DIFFERENCES 1: a redrive policy is checked, stored and shown, but messages
// are not moved to the dead-letter queue yet: they go on being delivered.
func TestDiff01RedrivePolicyMovesNothing(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		target := e.create(t, nil)
		arn := e.attributes(t, target, "QueueArn")["QueueArn"]
		url := e.create(t, attrs{"VisibilityTimeout": "0", "RedrivePolicy": `{"deadLetterTargetArn":"` + arn + `","maxReceiveCount":1}`})
		e.send(t, url, "b")
		for range 5 {
			wantBodies(t, e.receive(t, url), "b")
		}
		e.wantCounts(t, target, counts{"0", "0", "0"})
		e.wantCounts(t, url, counts{"1", "0", "0"})
	})
}
