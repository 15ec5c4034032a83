package integration

import "testing"

// DIFFERENCES 13: a queue's URL does not name its region, so queues of one name
// in two regions have the same URL; the region of the request tells them apart.
func TestDiff13URLsDoNotNameTheRegion(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		here := e.createNamed(t, name, nil)
		abroad := e.client(t, e.wire, e.account, "eu-west-1")
		if there := abroad.createNamed(t, name, nil); there != here {
			t.Errorf("the URLs are %s and %s", here, there)
		}
		e.send(t, here, "b")
		abroad.wantNothing(t, here)
	})
}
