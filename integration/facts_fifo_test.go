package integration

import (
	"strings"
	"testing"
	"time"
)

// turns makes a fact of a recorded sequence of receives on a FIFO queue, whose
// timeout is an hour.
func turns(name string, run func(t *testing.T, e *env, url string)) fact {
	return fact{"ReceiveMessage", name, "", func(t *testing.T, e *env) {
		run(t, e, e.createFIFO(t, attrs{"VisibilityTimeout": "3600"}))
	}}
}

// most is a receive of at most so many, for a timeout of so many seconds.
func most(n, seconds int) args {
	return args{"MaxNumberOfMessages": n, "VisibilityTimeout": seconds}
}

// wantOneOf checks messages that may come in several orders.
func wantOneOf(t *testing.T, got []received, want ...string) {
	t.Helper()
	for _, w := range want {
		if bodiesOf(got) == w {
			return
		}
	}
	t.Errorf("received [%s], want one of %q", bodiesOf(got), want)
}

func TestFactsOfGroups(t *testing.T) {
	runFacts(t, []fact{
		turns("RecordedOneGroupThenTheNext", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g1-m1", "g2-m1", "g1-m2", "g2-m2", "g1-m3")
			wantTaken(t, e.pull(t, url, most(4, 3600)), "g1-m1 g1-m2 g1-m3 g2-m1")
		}),
		turns("RecordedServedGroupsGoToTheEnd", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g1-m1", "g2-m1", "g2-m2", "g3-m1", "g1-m2")
			wantTaken(t, e.pull(t, url, most(3, 0)), "g1-m1 g1-m2 g2-m1")
			wantTaken(t, e.pull(t, url, most(10, 0)), "g3-m1 g1-m1 g1-m2 g2-m1 g2-m2")
		}),
		turns("RecordedFreedAtOnceStandsBehindTheWaiting", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g1-m1", "g1-m2", "g2-m1")
			held := e.pull(t, url, most(2, 3600))
			wantTaken(t, held, "g1-m1 g1-m2")
			e.change(t, url, held[0].ReceiptHandle, 0).wantOK(t)
			wantTaken(t, e.pull(t, url, most(3, 3600)), "g2-m1 g1-m1")
			wantTaken(t, e.pull(t, url, most(3, 3600)), "")
		}),
		turns("RecordedFreedLaterStandsBehindTheWaiting", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g1-m1", "g1-m2", "g2-m1")
			held := e.pull(t, url, most(2, 3600))
			e.change(t, url, held[0].ReceiptHandle, 1).wantOK(t)
			time.Sleep(time.Second)
			wantTaken(t, e.pull(t, url, most(3, 3600)), "g2-m1 g1-m1")
			wantTaken(t, e.pull(t, url, most(3, 3600)), "")
		}),
		turns("RecordedTimedOutPartOfAGroup", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1", "g3-m1")
			wantTaken(t, e.pull(t, url, most(2, 1)), "g1-m1 g1-m2")
			wantTaken(t, e.pull(t, url, most(1, 1)), "g2-m1")
			time.Sleep(time.Second)
			wantOneOf(t, e.pull(t, url, most(10, 3600)), "g3-m1 g1-m1 g1-m2 g1-m3 g1-m4 g2-m1", "g3-m1 g2-m1 g1-m1 g1-m2 g1-m3 g1-m4")
		}),
		turns("RecordedDeletedPartOfAGroup", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1", "g2-m2", "g3-m1")
			for _, m := range e.pull(t, url, most(2, 3600)) {
				e.remove(t, url, m.ReceiptHandle).wantOK(t)
			}
			wantOneOf(t, e.pull(t, url, most(10, 3600)), "g2-m1 g2-m2 g1-m3 g1-m4 g3-m1", "g2-m1 g2-m2 g3-m1 g1-m3 g1-m4")
		}),
		turns("RecordedExtendedInTheMiddle", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-m1", "g-m2", "g-m3", "g-m4")
			held := e.pull(t, url, most(10, 2))
			e.change(t, url, held[2].ReceiptHandle, 60).wantOK(t)
			time.Sleep(2 * time.Second)
			again := e.pull(t, url, most(10, 3600))
			wantTaken(t, again, "g-m1 g-m2")
			for _, m := range append(again, held[2]) {
				wantTaken(t, e.pull(t, url, most(10, 3600)), "")
				e.remove(t, url, m.ReceiptHandle).wantOK(t)
			}
			wantTaken(t, e.pull(t, url, most(10, 3600)), "g-m4")
		}),
		turns("InFlightLocksTheRestOfTheGroup", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1", "g-2", "h-1", "g-3")
			wantTaken(t, e.pull(t, url, most(1, 3600)), "g-1")
			wantTaken(t, e.pull(t, url, most(10, 3600)), "h-1")
			e.put(t, url, "g-4")
			wantTaken(t, e.pull(t, url, most(10, 3600)), "")
		}),
		turns("AllDeletesUnlockSomeDoNot", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1", "g-2", "g-3", "g-4")
			held := e.pull(t, url, most(2, 3600))
			e.remove(t, url, held[0].ReceiptHandle).wantOK(t)
			wantTaken(t, e.pull(t, url, most(10, 3600)), "")
			e.remove(t, url, held[1].ReceiptHandle).wantOK(t)
			wantTaken(t, e.pull(t, url, most(10, 3600)), "g-3 g-4")
		}),
		turns("FreedAloneWhileLaterOnesAreHeld", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1", "g-2", "g-3", "g-4")
			held := e.pull(t, url, most(3, 3600))
			e.change(t, url, held[0].ReceiptHandle, 0).wantOK(t)
			wantTaken(t, e.pull(t, url, most(10, 3600)), "g-1")
			// The second is behind the first, which is held.
			e.change(t, url, held[1].ReceiptHandle, 0).wantOK(t)
			wantTaken(t, e.pull(t, url, most(10, 3600)), "")
		}),
		turns("TheFirstAgainAfterTheTimeout", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1", "g-2")
			for range 3 {
				wantTaken(t, e.pull(t, url, most(1, 1)), "g-1")
				wantTaken(t, e.pull(t, url, most(1, 1)), "")
				time.Sleep(time.Second)
			}
		}),
		turns("NoTimeoutKeepsTheOrderInTheGroup", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1", "g-2", "g-3")
			for range 3 {
				wantTaken(t, e.pull(t, url, most(10, 0)), "g-1 g-2 g-3")
			}
		}),
		turns("NoLimitOfGroups", func(t *testing.T, e *env, url string) {
			var want []string
			for i := range 200 {
				group := "g" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26))
				e.put(t, url, group+"-1")
				want = append(want, group+"-1")
			}
			var got []string
			for range 20 {
				got = append(got, strings.Fields(bodiesOf(e.pull(t, url, most(10, 3600))))...)
			}
			wantList(t, got, strings.Join(want, " "))
		}),
		{"ReceiveMessage", "ADelayedMessageHoldsBackLaterOnes", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"DelaySeconds": "10"})
			e.put(t, url, "g-1")
			time.Sleep(5 * time.Second)
			e.put(t, url, "g-2")
			time.Sleep(5 * time.Second)
			// The first is not held back by the second.
			first := e.pullOne(t, url, all)
			e.remove(t, url, first.ReceiptHandle).wantOK(t)
			wantTaken(t, e.pull(t, url, all), "")
			time.Sleep(5 * time.Second)
			wantTaken(t, e.pull(t, url, all), "g-2")
		}},
		turns("APurgeUnlocksItsGroups", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1", "g-2")
			e.pull(t, url, most(1, 3600))
			e.purge(t, url)
			e.put(t, url, "g-3")
			wantTaken(t, e.pull(t, url, most(10, 3600)), "g-3")
		}),
		{"ReceiveMessage", "AnExpiredMessageUnlocksItsGroup", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"MessageRetentionPeriod": "60"})
			e.put(t, url, "g-1")
			e.pull(t, url, most(1, 3600))
			time.Sleep(30 * time.Second)
			e.put(t, url, "g-2")
			wantTaken(t, e.pull(t, url, most(10, 3600)), "")
			time.Sleep(30 * time.Second)
			wantTaken(t, e.pull(t, url, most(10, 3600)), "g-2")
		}},
		{"ReceiveMessage", "AnExpiringMessageWakesItsGroup", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"MessageRetentionPeriod": "60"})
			e.put(t, url, "g-1")
			e.pull(t, url, most(1, 3600))
			time.Sleep(50 * time.Second)
			e.put(t, url, "g-2")
			start := time.Now()
			wantTaken(t, e.pull(t, url, args{"WaitTimeSeconds": 20}), "g-2")
			e.took(t, start, 10*time.Second)
		}},
		turns("AttemptsEndWithAPurge", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1")
			attempt := args{"ReceiveRequestAttemptId": "a", "VisibilityTimeout": 3600}
			wantTaken(t, e.pull(t, url, attempt), "g-1")
			e.purge(t, url)
			wantTaken(t, e.pull(t, url, attempt), "")
			e.put(t, url, "g-2")
			wantTaken(t, e.pull(t, url, attempt), "g-2")
		}),
		turns("AnAttemptAfterItsTimeout", func(t *testing.T, e *env, url string) {
			e.put(t, url, "g-1")
			attempt := args{"ReceiveRequestAttemptId": "a", "VisibilityTimeout": 10, "AttributeNames": list{"All"}}
			first := e.pullOne(t, url, attempt)
			time.Sleep(10 * time.Second)
			again := e.pullOne(t, url, attempt)
			if again.ReceiptHandle == first.ReceiptHandle || again.Attributes["ApproximateReceiveCount"] != "2" {
				t.Errorf("first %+v, then %+v", first, again)
			}
		}),
	})
}
