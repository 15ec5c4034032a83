package integration

import "testing"

// DIFFERENCES 3: encryption settings are stored and shown; there is no key
// service that could refuse, so a key that does not exist works.
func TestDiff03EncryptionKeysAreNotUsed(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"KmsMasterKeyId": "arn:aws:kms:us-east-1:000000000000:key/nobody"})
		e.send(t, url, "b")
		wantBodies(t, e.receive(t, url), "b")
	})
}
