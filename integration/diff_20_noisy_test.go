package integration

import "testing"

// DIFFERENCES 20: of several noisy groups the oldest message goes first, not
// the group that holds the fewest.
func TestDiff20NoisyGroupsByAge(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.flood(t, url, "a", 50)
		for range 4 {
			e.receive(t, url)
		}
		e.flood(t, url, "b", 40)
		for range 3 {
			e.receive(t, url)
		}
		// Forty of a and thirty of b are in flight.
		wantBodies(t, e.receive(t, url, upTo(2)), "a40", "a41")
	})
}
