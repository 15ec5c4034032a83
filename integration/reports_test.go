package integration

import (
	"fmt"
	"testing"
)

// report is a fault that users of other servers reported, as a test of this
// one.
type report struct {
	// kind is the kind of fault it is, from 1 to kindsOfReports.
	kind int
	// id is the number of the report in the collection that it comes from.
	id   string
	name string
	// run checks it in a bubble; nil for none.
	run func(t *testing.T, e *env)
	// alone checks it with servers in processes of its own, which it starts and
	// ends; nil for none.
	alone func(t *testing.T, w wire)
}

// allReports are the reports of all kinds.
func allReports() []report {
	var all []report
	for _, some := range [][]report{
		reportsOfDecoding, reportsOfErrors, reportsOfURLs, reportsOfShapes, reportsOfText, reportsOfMessageAttributes, reportsOfSelection,
		reportsOfLimits, reportsOfBatches, reportsOfQueueAttributes, reportsOfLifecycle, reportsOfPermissions, reportsOfVisibility, reportsOfPrecedence,
		reportsOfPolling, reportsOfGroups, reportsOfDuplicates, reportsOfDeadLetters, reportsOfMoveTasks, reportsOfCounters, reportsOfDurability,
		reportsOfLoad,
	} {
		all = append(all, some...)
	}
	return all
}

// TestReports runs every report in both protocols, as subtests named
// KindNN/BnnnNAME/PLACE/PROTOCOL. The report of compatibility reads those
// names, and the names of kinds from their attribute.
func TestReports(t *testing.T) {
	t.Parallel()
	for _, r := range allReports() {
		t.Run(fmt.Sprintf("Kind%02d/%s%s", r.kind, r.id, r.name), func(t *testing.T) {
			t.Parallel()
			t.Attr("kind", kindNames[r.kind-1])
			if r.run != nil {
				for _, w := range wires {
					t.Run(inBubble.name+"/"+w.name, func(t *testing.T) {
						t.Parallel()
						inBubble.run(t, func(t *testing.T, s *server) { r.run(t, newEnv(t, s, w)) })
					})
				}
			}
			if r.alone != nil {
				for _, w := range wires {
					t.Run(asBinary.name+"/"+w.name, func(t *testing.T) {
						t.Parallel()
						r.alone(t, w)
					})
				}
			}
		})
	}
}
