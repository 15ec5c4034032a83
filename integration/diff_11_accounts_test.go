package integration

import "testing"

// DIFFERENCES 11: without credentials an access key of 12 digits is the
// account; any other is the default account 000000000000, and every account may
// use the queues of all others by their URL.
func TestDiff11AccessKeysNameAccounts(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		anybody := e.client(t, e.wire, "AKIAIOSFODNN7EXAMPLE", "us-east-1")
		url := anybody.createNamed(t, name, nil)
		if want := e.url + "/000000000000/" + name; url != want {
			t.Errorf("the URL is %s, want %s", url, want)
		}
		e.send(t, url, "b")
		wantBodies(t, anybody.receive(t, url), "b")
		anybody.deleteQueue(t, url)
	})
}
