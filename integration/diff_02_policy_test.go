package integration

import "testing"

// DIFFERENCES 2: a queue's policy is stored and shown, but nobody asks it.
func TestDiff02PolicyIsNotEvaluated(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"Policy": `{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"*"}]}`})
		stranger := newEnv(t, e.server, e.wire)
		stranger.send(t, url, "b")
		stranger.delete(t, url, stranger.receiveOne(t, url))
	})
}
