package integration

import "testing"

// report is a fault that users of other servers reported, as a test of this
// one.
type report struct {
	// id is the number of the report in the collection that it comes from.
	id   string
	name string
	run  func(t *testing.T, e *env)
}

// runReports runs the cases in bubbles, in both protocols.
func runReports(t *testing.T, reports []report) {
	t.Helper()
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range reports {
		if seen[r.id] {
			t.Errorf("%s is there twice", r.id)
		}
		seen[r.id] = true
		t.Run(r.id+r.name, func(t *testing.T) { forEachInBubble(t, r.run) })
	}
}
