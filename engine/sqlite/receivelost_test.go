package sqlite

import (
	"slices"
	"testing"

	"queues/engine"
)

// TestDeadLetterAfterALoss lets what a receive has taken be removed before it is
// read. The receive looks again, and as well as at first: what it comes by and
// has to move does so before it is answered.
func TestDeadLetterAfterALoss(t *testing.T) {
	t.Parallel()
	for kind, tc := range map[string]struct {
		// build makes a queue whose first message a receive is to take and lose,
		// whose next has to move and whose last is m. It gives the reference to
		// the first and the receive.
		build func(f *fixture) (*engine.Queue, engine.Ref, engine.ReceiveParams)
	}{
		"Standard": {func(f *fixture) (*engine.Queue, engine.Ref, engine.ReceiveParams) {
			q := f.create("q", redriveTo("dlq", 2))
			f.create("dlq")
			f.send(q, 2)
			seen := f.touch(q, 2)
			hidden := f.receive(q, 1)
			f.touch(q, 1)
			if err := f.Release(f.t.Context(), q.ID, refs(hidden)); err != nil {
				f.t.Fatal(err)
			}
			f.send(q, 1)
			return q, seen[0].Ref, engine.ReceiveParams{Queue: q.ID, Max: 1}
		}},
		"FIFO": {func(f *fixture) (*engine.Queue, engine.Ref, engine.ReceiveParams) {
			q := f.createFIFO("q", settingsOf(redriveTo("dlq", 1)))
			f.createFIFO("dlq")
			f.sendTo(q, "a", "first")
			first := f.receiveAttempt(q, "try", 1)
			f.sendTo(q, "b", "spent", "m0")
			f.touch(q, 1)
			return q, first[0].Ref, engine.ReceiveParams{Queue: q.ID, Max: 1, AttemptID: "try"}
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			q, ref, p := tc.build(f)
			lost := 0
			p.Room = func(int64) bool {
				if lost++; lost == 1 {
					outcomes, err := f.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: q.ID, Refs: []engine.Ref{ref}, Stale: engine.StaleActs})
					if err != nil || outcomes[0] != nil {
						t.Errorf("Acknowledge: %v, %v", err, outcomes)
					}
				}
				return true
			}
			r, err := f.Receive(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if got := bodies(r.Messages); !slices.Equal(got, []string{"m0"}) || lost != 2 {
				t.Errorf("received %v after %d reads, want m0 after 2", got, lost)
			}
			dlq, err := f.FindQueue(t.Context(), name("dlq"))
			if err != nil {
				t.Fatal(err)
			}
			if c := f.counts(dlq); c.Visible != 1 {
				t.Errorf("%d have moved when it is answered, want 1", c.Visible)
			}
		})
	}
}
