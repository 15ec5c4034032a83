package integration

import (
	"testing"

	"github.com/anishathalye/porcupine"
)

// script writes histories by hand: calls follow each other, and those of one
// beside overlap.
type script struct {
	queue string
	at    int64
	r     *recorder
}

func (s *script) then(do step, a answer) {
	s.at += 10
	s.write(do, a, s.at, s.at+5)
}

// beside is then for two calls that overlap.
func (s *script) beside(one step, a answer, other step, b answer) {
	s.at += 10
	s.write(one, a, s.at, s.at+5)
	s.write(other, b, s.at+1, s.at+6)
	s.at += 5
}

func (s *script) write(do step, a answer, call, end int64) {
	if do.queue == "" {
		do.queue = s.queue
	}
	s.r.history = append(s.r.history, porcupine.Operation{Input: do, Call: call, Output: a, Return: end})
}

// Steps of scripts, and answers to them.
func sends(bodies ...string) step {
	s := step{do: "send"}
	for _, body := range bodies {
		s.entries = append(s.entries, parcel{body: body})
	}
	return s
}

func sendsTo(body, group string) step {
	return step{do: "send", entries: []parcel{{body: body, group: group, dedup: body}}}
}
func takes(most int) step         { return step{do: "receive", most: most, hidden: true} }
func deletes(handles ...int) step { return step{do: "delete", handles: handles} }
func frees(handles ...int) step   { return step{do: "change", handles: handles} }
func gives(all ...taken) answer   { return answer{got: all} }
func stored(numbers ...string) (a answer) {
	for _, n := range numbers {
		a.entries = append(a.entries, result{id: "id-" + n, number: n})
	}
	return a
}

var good, counting, purging = answer{}, step{do: "count"}, step{do: "purge"}

// The checker explains what may be, and does not explain what a queue would
// give that forgets, doubles, reorders, miscounts or brings back.
func TestStormCheckerCanFail(t *testing.T) {
	t.Parallel()
	runScripts(t, map[string]scripted{
		"OneAfterTheOther": {true, "q", func(s *script) {
			s.then(sends("a", "b"), good)
			s.then(takes(1), gives(taken{"a", 1, ""}))
			s.then(counting, answer{counts: [3]int{1, 1, 0}})
			s.then(deletes(1), good)
			s.then(takes(2), gives(taken{"b", 2, ""}))
		}},
		"EitherOrder": {true, "q", func(s *script) {
			s.beside(sends("a"), good, sends("b"), good)
			s.then(takes(2), gives(taken{"b", 1, ""}, taken{"a", 2, ""}))
		}},
		"TakenBesideItsSend":     {true, "q", func(s *script) { s.beside(sends("a"), good, takes(1), gives(taken{"a", 1, ""})) }},
		"LateAfterThreeReceives": {true, "q", thrice("b")},
		"MissedBesideAPurge": {true, "q", func(s *script) {
			s.then(sends("a", "b"), good)
			s.beside(takes(1), gives(), purging, good)
			s.then(counting, good)
		}},
		"TakenAgainBesideAPurge": {true, "q", func(s *script) {
			s.then(sends("a", "b"), good)
			s.write(takes(1), gives(taken{"c", 1, ""}), s.at+10, s.at+99)
			s.then(counting, answer{counts: [3]int{1, 1, 0}})
			s.then(purging, good)
			s.then(sends("c"), good)
		}},
		"Lost": {false, "q", func(s *script) { s.then(sends("a"), good); s.then(takes(1), gives()) }},
		"Reordered": {false, "q", func(s *script) {
			s.then(sends("a"), good)
			s.then(sends("b"), good)
			s.then(takes(1), gives(taken{"b", 1, ""}))
		}},
		"HalfABatch": {false, "q", func(s *script) { s.beside(sends("a", "b"), good, counting, answer{counts: [3]int{1, 0, 0}}) }},
		"HeldTwice": {false, "q", func(s *script) {
			s.then(sends("a"), good)
			s.beside(takes(1), gives(taken{"a", 1, ""}), takes(1), gives(taken{"a", 2, ""}))
		}},
		"Invented":               {false, "q", func(s *script) { s.then(takes(1), gives(taken{"a", 1, ""})); s.then(sends("a"), good) }},
		"FewerThanThereAre":      {false, "q", func(s *script) { s.then(sends("a", "b"), good); s.then(takes(2), gives(taken{"a", 1, ""})) }},
		"TheFourthInItsOldPlace": {false, "q", thrice("a")},
		"BackAfterDelete": {false, "q", func(s *script) {
			s.then(sends("a"), good)
			s.then(step{do: "receive", most: 1}, gives(taken{"a", 1, ""}))
			s.then(deletes(1), good)
			s.then(takes(1), gives(taken{"a", 2, ""}))
		}},
		"BackAfterPurge": {false, "q", func(s *script) {
			s.then(sends("a"), good)
			s.then(purging, good)
			s.then(takes(1), gives(taken{"a", 1, ""}))
		}},
		"Miscounted": {false, "q", func(s *script) { s.then(sends("a"), good); s.then(counting, good) }},
		"MissedAndStillThere": {false, "q", func(s *script) {
			s.then(sends("a", "b"), good)
			s.then(takes(1), gives(taken{"a", 1, ""}))
			s.beside(takes(1), gives(), deletes(1), good)
			s.then(counting, answer{counts: [3]int{0, 1, 0}})
		}},
		"HandleOfAnotherLife": {false, "q", func(s *script) {
			s.then(sends("a"), good)
			s.then(takes(1), gives(taken{"a", 1, ""}))
			s.then(step{do: "remove"}, good)
			s.then(step{do: "create"}, good)
			s.then(deletes(1), good)
		}},
		"GroupsInTurn": {true, "q.fifo", func(s *script) {
			s.then(sendsTo("a1", "a"), stored("1"))
			s.then(sendsTo("b1", "b"), stored("2"))
			s.then(sendsTo("a2", "a"), stored("3"))
			s.then(takes(2), gives(taken{"a1", 1, ""}, taken{"a2", 2, ""}))
			s.then(frees(1), good)
			s.then(takes(3), gives(taken{"b1", 3, ""}, taken{"a1", 4, ""}))
		}},
		"BehindALock": {false, "q.fifo", func(s *script) {
			s.then(sendsTo("a1", "a"), stored("1"))
			s.then(sendsTo("a2", "a"), stored("2"))
			s.then(takes(1), gives(taken{"a1", 1, ""}))
			s.then(takes(1), gives(taken{"a2", 2, ""}))
		}},
		"GroupReordered": {false, "q.fifo", func(s *script) {
			s.then(sendsTo("a1", "a"), stored("1"))
			s.then(sendsTo("a2", "a"), stored("2"))
			s.then(takes(2), gives(taken{"a2", 1, ""}, taken{"a1", 2, ""}))
		}},
		"OutOfTurn": {false, "q.fifo", func(s *script) {
			s.then(sendsTo("a1", "a"), stored("1"))
			s.then(sendsTo("b1", "b"), stored("2"))
			s.then(takes(1), gives(taken{"b1", 1, ""}))
		}},
		"StoredTwice": {false, "q.fifo", func(s *script) {
			s.then(sendsTo("a1", "a"), stored("1"))
			s.then(sendsTo("a1", "a"), stored("2"))
		}},
		"NumbersGoBack": {false, "q.fifo", func(s *script) {
			s.then(sendsTo("a1", "a"), stored("2"))
			s.then(sendsTo("b1", "b"), stored("1"))
		}},
		"AttemptForgotten": {false, "q.fifo", func(s *script) {
			try := step{do: "receive", most: 1, hidden: true, attempt: "try"}
			s.then(sendsTo("a1", "a"), stored("1"))
			s.then(try, gives(taken{"a1", 1, ""}))
			s.then(try, gives())
		}},
	})
}

// scripted is a history that the checker is to explain, or not to.
type scripted struct {
	legal bool
	queue string
	build func(s *script)
}

// runScripts lets the checker judge histories.
func runScripts(t *testing.T, all map[string]scripted) {
	t.Helper()
	for name, tc := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{queue: tc.queue, r: newRecorder()}
			tc.build(s)
			s.r.finish()
			if got := porcupine.CheckOperations(linear, s.r.history); got != tc.legal {
				t.Errorf("explained: %v, want %v", got, tc.legal)
			}
		})
	}
}

// thrice receives one of two messages three times; then the other comes, or
// not.
func thrice(then string) func(s *script) {
	return func(s *script) {
		s.then(sends("a"), good)
		for handle := 1; handle <= 3; handle++ {
			s.then(step{do: "receive", most: 1}, gives(taken{"a", handle, ""}))
		}
		s.then(sends("b"), good)
		s.then(takes(1), gives(taken{then, 4, ""}))
	}
}
