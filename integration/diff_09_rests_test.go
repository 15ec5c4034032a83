package integration

import "testing"

// DIFFERENCES 9: in dev mode the rules of 60 seconds are off: a queue can be
// purged again and a name used again at once.
func TestDiff09DevModeHasNoRests(t *testing.T) {
	eachWire(t, []place{asBinary}, wires, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, nil)
		e.purge(t, url)
		e.purge(t, url)
		e.deleteQueue(t, url)
		e.createNamed(t, name, nil)
	})
}
