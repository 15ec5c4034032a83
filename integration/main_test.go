// Package integration holds black-box tests: what users of the real AWS SDK,
// of old clients and of plain HTTP see of a running server.
//
// Principles:
//
//   - A test body runs in both protocols, and against the server in two places:
//     in the test's own process inside a time bubble, where every wait is over
//     at once and time is exact, and as the real binary in a process of its
//     own. What waits long runs in bubbles only.
//   - Tests speak to the server through its sockets alone.
//   - Nothing sleeps outside a bubble. A test that waits, waits for an event.
//   - Names of accounts and queues are the test's own, so that tests can share
//     a server and run in any order.
package integration

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

var (
	targetURL = flag.String("target-url", "", "run against the server at this URL in place of the binary built from this tree")
	seedFlag  = flag.Uint64("seed", 0, "seed of the randomised tests; 0 takes a new one")
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

// run runs the tests and then looks for what they left behind.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "queues-integration-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binaryDir = dir
	code := m.Run()
	if err := shared.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stopping the shared server:", err)
		code = max(code, 1)
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines left behind:", err)
		code = 1
	}
	return code
}
