package integration

import (
	"strings"
	"testing"
	"time"
)

// flight sends so many messages of a group and receives them, which leaves
// them in flight for an hour.
func (e *env) flight(t *testing.T, url, group string, n int) {
	t.Helper()
	e.flood(t, url, group, n)
	for left := n; left > 0; left -= min(10, left) {
		e.pull(t, url, most(min(10, left), 3600))
	}
}

func TestFactsOfFairQueues(t *testing.T) {
	const receive = "ReceiveMessage"
	runFacts(t, []fact{
		{receive, "QuietGroupsBeforeANoisyOne", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flight(t, url, "noisy", 40)
			e.flood(t, url, "noisy", 20)
			e.flood(t, url, "quiet", 2)
			e.send(t, url, "of-nobody")
			wantTaken(t, e.pull(t, url, most(3, 30)), "quiet0 quiet1 of-nobody")
			wantTaken(t, e.pull(t, url, most(2, 30)), "noisy0 noisy1")
		}},
		{receive, "ANoisyGroupIsServedWhenNobodyElseWaits", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flight(t, url, "noisy", 100)
			e.flood(t, url, "noisy", 30)
			for range 3 {
				if got := e.pull(t, url, most(10, 30)); len(got) != 10 {
					t.Errorf("received [%s]", bodiesOf(got))
				}
			}
		}},
		{receive, "FewerThan30InFlightAreNotNoisy", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flight(t, url, "a", 29)
			e.flood(t, url, "a", 1)
			e.flood(t, url, "b", 1)
			wantTaken(t, e.pull(t, url, most(2, 30)), "a0 b0")
		}},
		{receive, "30InFlightAreNoisy", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flight(t, url, "a", 30)
			e.flood(t, url, "a", 1)
			e.flood(t, url, "b", 1)
			wantTaken(t, e.pull(t, url, most(1, 30)), "b0")
		}},
		{receive, "ATenthOfWhatIsInFlightIsNotNoisy", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			for range 27 {
				e.sendBatch(t, url, strings.Split("0123456789", "")...)
				e.pull(t, url, most(10, 3600))
			}
			e.flight(t, url, "a", 30) // of 300
			e.flood(t, url, "a", 1)
			e.flood(t, url, "b", 1)
			wantTaken(t, e.pull(t, url, most(1, 30)), "a0")
		}},
		{receive, "MessagesWithoutAGroupAreNobodysNeighbours", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			for range 5 {
				e.sendBatch(t, url, strings.Split("0123456789", "")...)
				e.pull(t, url, most(10, 3600))
			}
			e.send(t, url, "of-nobody")
			e.flood(t, url, "b", 1)
			wantTaken(t, e.pull(t, url, most(2, 30)), "of-nobody b0")
		}},
		{receive, "NoisyNoMoreAfterItsDeletes", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flood(t, url, "a", 30)
			var held []string
			for range 3 {
				for _, m := range e.pull(t, url, most(10, 3600)) {
					held = append(held, m.ReceiptHandle)
				}
			}
			e.flood(t, url, "a", 1)
			e.flood(t, url, "b", 1)
			for _, handle := range held {
				e.remove(t, url, handle).wantOK(t)
			}
			wantTaken(t, e.pull(t, url, most(2, 30)), "a0 b0")
		}},
		{receive, "NoisyNoMoreAfterItsTimeouts", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flood(t, url, "a", 30)
			for range 3 {
				e.pull(t, url, most(10, 1))
			}
			e.flood(t, url, "b", 1)
			time.Sleep(time.Second)
			wantTaken(t, e.pull(t, url, most(3, 30)), "a0 a1 a2")
		}},
		{receive, "GroupsOfAStandardQueueLockNothing", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flood(t, url, "a", 3)
			e.flood(t, url, "b", 1)
			wantTaken(t, e.pull(t, url, most(2, 30)), "a0 a1")
			wantTaken(t, e.pull(t, url, most(10, 30)), "a2 b0")
		}},
		{"SendMessage", "GroupsOfAStandardQueueAreNotDeduplicated", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			in := args{"MessageBody": "b", "MessageGroupId": "g"}
			if first, again := e.sendTo(t, url, in), e.sendTo(t, url, in); first.MessageId == again.MessageId || first.SequenceNumber != "" {
				t.Errorf("sent %+v and %+v", first, again)
			}
			wantTaken(t, e.pull(t, url, all), "b b")
		}},
	})
}
