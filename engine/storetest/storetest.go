package storetest

import (
	"fmt"
	"testing"

	"queues/engine"
)

// Harness is how the suite gets at a store.
type Harness struct {
	// Open opens the store whose data is in dir, an existing folder, empty at
	// first. The suite closes it. It may be opened again, under another clock.
	Open func(t testing.TB, dir string, clock engine.Clock, report engine.ReportFunc) engine.Store
	// Check verifies what a closed store left in dir, and fails the test when
	// something is wrong. It is called after every test. Nil for no check.
	Check func(t testing.TB, dir string)
	// Features are what the store can do beyond the contract.
	Features Features
}

// Features tell which optional parts of the suite a store takes.
type Features struct {
	// Persistent: what was in dir is there again when it is opened again. The
	// Reopen area and the restarts of the walk need it.
	Persistent bool
}

// area is one part of the contract.
type area struct {
	name  string
	tests []test
}

// test is one test with a store of its own.
type test struct {
	name string
	run  func(t testing.TB, e *env)
}

// areas lists the whole suite without the walk.
func areas(f Features) []area {
	all := []area{
		{"Queues", queueTests()},
		{"Lists", listTests()},
		{"Update", updateTests()},
		{"Send", sendTests()},
		{"Receive", receiveTests()},
		{"Order", orderTests()},
		{"Delay", delayTests()},
		{"Visibility", visibilityTests()},
		{"Acknowledge", acknowledgeTests()},
		{"Stale", staleTests()},
		{"Release", releaseTests()},
		{"Purge", purgeTests()},
		{"Expiry", expiryTests()},
		{"Counts", countsTests()},
		{"Reports", reportsTests()},
		{"Sweep", sweepTests()},
		{"FIFO", fifoTests()},
		{"FIFOLocks", fifoLockTests()},
		{"FIFODelay", fifoDelayTests()},
		{"FIFOReports", fifoReportTests()},
		{"Dedup", dedupTests()},
		{"Attempts", attemptTests()},
		{"Redrive", redriveTests()},
		{"RedriveRule", redriveRuleTests()},
		{"RedriveFIFO", redriveFIFOTests()},
		{"Sources", sourceTests()},
		{"Moves", moveTests()},
		{"MovePace", movePaceTests()},
		{"MoveLocks", moveLockTests()},
		{"MoveTasks", moveTaskTests()},
		{"Fair", fairTests()},
		{"Concurrent", concurrentTests()},
		{"FIFOConcurrent", fifoConcurrentTests()},
		{"Context", contextTests()},
	}
	if f.Persistent {
		all = append(all, area{"Reopen", reopenTests()}, area{"ReopenFIFO", reopenFIFOTests()})
	}
	return all
}

// Run runs the whole suite, each test with a store in a folder of its own.
func Run(t *testing.T, h Harness) {
	for _, a := range areas(h.Features) {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			for _, tc := range a.tests {
				t.Run(tc.name, func(t *testing.T) {
					t.Parallel()
					runTest(t, h, tc)
				})
			}
		})
	}
	t.Run("Walk", func(t *testing.T) {
		t.Parallel()
		for _, seed := range walkSeeds() {
			t.Run(fmt.Sprintf("Seed%d", seed), func(t *testing.T) {
				t.Parallel()
				runWalk(t, h, seed, *walkSteps)
			})
		}
	})
}

// runTest runs one test from the opening of its store to the check.
func runTest(t testing.TB, h Harness, tc test) {
	e := newEnv(t, h)
	defer e.finish()
	tc.run(t, e)
}
