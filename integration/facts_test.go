package integration

import "testing"

// fact is one documented behaviour of SQS, as a test of this server.
type fact struct {
	// action is the action that a reader looks the fact up under; AnyAction
	// for what holds for all of them.
	action string
	// name says the behaviour, in TitleCase.
	name string
	// in is the protocol that the fact is about; zero means both.
	in wireName
	// run checks it. It is called once for each protocol, in a bubble.
	run func(t *testing.T, e *env)
}

// anyAction groups the facts that are not about one action.
const anyAction = "AnyAction"

// wireName names a protocol as test names do.
type wireName string

const (
	onlyJSON  wireName = "JSON"
	onlyQuery wireName = "Query"
)

// runFacts runs facts as subtests named ACTION/NAME/Bubble/PROTOCOL. The
// report of compatibility reads those names, so a fact is counted by being
// here and by nothing else.
func runFacts(t *testing.T, facts []fact) {
	t.Helper()
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range facts {
		path := f.action + "/" + f.name
		if seen[path] {
			t.Errorf("%s is there twice", path)
		}
		seen[path] = true
		in := wires
		if f.in != "" {
			in = wiresNamed(t, f.in)
		}
		t.Run(path, func(t *testing.T) { eachWire(t, []place{inBubble}, in, f.run) })
	}
}

// wiresNamed gives the protocol of a name.
func wiresNamed(t *testing.T, name wireName) []wire {
	t.Helper()
	for _, w := range wires {
		if w.name == string(name) {
			return []wire{w}
		}
	}
	t.Fatalf("no protocol is called %q", name)
	return nil
}
