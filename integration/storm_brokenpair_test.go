package integration

import "testing"

// Steps of the scripts of pairs, and answers to them.
func batch(all ...parcel) step                        { return step{do: "send", entries: all} }
func peeks(most int) step                             { return step{do: "receive", most: most} }
func named(body string, handle int, id string) answer { return gives(taken{body, handle, id}) }
func at(queue string, s step) step                    { s.queue = queue; return s }
func told(status string, moved, toMove int) answer {
	return answer{task: moving{status, moved, toMove}}
}
func counted(visible, inFlight int) answer { return answer{counts: [3]int{visible, inFlight, 0}} }
func codes(all ...string) (a answer) {
	for _, code := range all {
		a.entries = append(a.entries, result{code: code})
	}
	return a
}

var starting, listing = step{do: "move"}, step{do: "tasks"}

// The checker explains batches of FIFO queues in their order with an outcome for
// each entry, and nothing else.
func TestStormCheckerJudgesBatches(t *testing.T) {
	t.Parallel()
	a1, a2, b1 := parcel{body: "a1", group: "a", dedup: "1"}, parcel{body: "a2", group: "a", dedup: "2"}, parcel{body: "b1", group: "b", dedup: "3"}
	same := parcel{body: "a3", group: "a", dedup: "1"}
	bad := parcel{body: "a4", group: "a", dedup: "4", bad: true}
	both := gives(taken{"a1", 1, ""}, taken{"a2", 2, ""})
	const q = "q.fifo"
	runScripts(t, map[string]scripted{
		"InTheirOrder": {true, q, func(s *script) { s.then(batch(a1, b1, a2), stored("1", "2", "3")); s.then(takes(2), both) }},
		"OrderBroken": {false, q, func(s *script) {
			s.then(batch(a1, b1, a2), stored("1", "2", "3"))
			s.then(takes(2), gives(taken{"a2", 1, ""}, taken{"a1", 2, ""}))
		}},
		"NumbersOutOfOrder": {false, q, func(s *script) { s.then(batch(a1, b1, a2), stored("1", "3", "2")) }},
		"OneLost":           {false, q, func(s *script) { s.then(batch(a1, a2), stored("1", "2")); s.then(takes(2), gives(taken{"a1", 1, ""})) }},
		"OneIsKnown": {true, q, func(s *script) {
			s.then(sendsTo("1", "a"), stored("1"))
			s.then(batch(same, a2), stored("1", "2"))
			s.then(takes(3), gives(taken{"1", 1, ""}, taken{"a2", 2, ""}))
		}},
		"TwiceInOne":              {true, q, func(s *script) { s.then(batch(a1, same), stored("1", "1")); s.then(counting, counted(1, 0)) }},
		"DuplicateStored":         {false, q, func(s *script) { s.then(batch(a1, same), stored("1", "2")) }},
		"DuplicateStoredInSecret": {false, q, func(s *script) { s.then(batch(a1, same), stored("1", "1")); s.then(counting, counted(2, 0)) }},
		"DuplicateDelivered": {false, q, func(s *script) {
			s.then(batch(a1, a2), stored("1", "2"))
			s.beside(batch(same), stored("1"), takes(3), gives(taken{"a1", 1, ""}, taken{"a2", 2, ""}, taken{"a3", 3, ""}))
		}},
		"BadFailsAll": {true, q, func(s *script) { s.then(batch(a1, bad), answer{code: badParam}); s.then(counting, good) }},
		"BadFailsAlone": {false, q, func(s *script) {
			s.then(batch(a1, bad), answer{entries: []result{{id: "1", number: "1"}, {code: badParam}}})
		}},
		"RefusedAndStored": {false, q, func(s *script) { s.then(batch(a1, bad), answer{code: badParam}); s.then(counting, counted(1, 0)) }},
		"BadAloneOnAStandardQueue": {true, "q", func(s *script) {
			s.then(batch(parcel{body: "a"}, parcel{body: "b", bad: true}, parcel{body: "c"}), codes("", badParam, ""))
			s.then(takes(3), gives(taken{"a", 1, ""}, taken{"c", 2, ""}))
		}},
		"GroupHeldTwice": {false, q, func(s *script) {
			s.then(batch(a1, a2), stored("1", "2"))
			s.beside(takes(1), gives(taken{"a1", 1, ""}), takes(1), gives(taken{"a2", 2, ""}))
		}},
		"BackAfterDeleteInABatch": {false, q, func(s *script) {
			s.then(batch(a1, a2), stored("1", "2"))
			s.then(takes(2), both)
			s.then(deletes(1, 2), codes("", ""))
			s.then(takes(1), gives(taken{"a1", 3, ""}))
		}},
		"DeletedApart": {true, q, func(s *script) {
			s.then(batch(a1, a2), stored("1", "2"))
			s.then(takes(2), both)
			s.then(frees(2), good)
			s.then(deletes(1, 2), codes("", badParam))
			s.then(takes(2), gives(taken{"a2", 3, ""}))
		}},
		"FreedApart": {true, q, func(s *script) {
			s.then(batch(a1, a2), stored("1", "2"))
			s.then(takes(2), both)
			s.then(deletes(1), good)
			s.then(frees(1, 2), codes(badHandle, ""))
			s.then(takes(1), gives(taken{"a2", 3, ""}))
		}},
		"GroupsFreedTogether": {true, q, func(s *script) {
			s.then(batch(a1, b1), stored("1", "2"))
			s.then(takes(2), gives(taken{"a1", 1, ""}, taken{"b1", 2, ""}))
			s.then(frees(1, 2), codes("", ""))
			s.then(takes(1), named("b1", 3, ""))
		}},
		"GroupsFreedInTurn": {false, q, func(s *script) {
			s.then(batch(a1, b1), stored("1", "2"))
			s.then(takes(2), gives(taken{"a1", 1, ""}, taken{"b1", 2, ""}))
			s.then(frees(1), good)
			s.then(frees(2), good)
			s.then(takes(1), named("b1", 3, ""))
		}},
		"RefusedAndDone": {false, q, func(s *script) {
			s.then(batch(a1, a2), stored("1", "2"))
			s.then(takes(2), both)
			s.then(deletes(1, 2), codes("", badParam))
		}},
	})
}

// The checker explains how dead letters come and go, and not that one is lost,
// doubled, early, late, renamed or in two queues.
func TestStormCheckerJudgesDeadLetters(t *testing.T) {
	t.Parallel()
	const q, dead, line, deadLine = "q-most1", "q-most1-dead", "q-most1.fifo", "q-most1-dead.fifo"
	// letter makes a dead letter of a message, on a queue of either kind.
	letter := func(s *script) {
		s.then(parcelOf(s.queue), answer{entries: []result{{id: "i", number: "1"}}})
		s.then(peeks(1), named("a", 1, "i"))
		s.then(peeks(1), gives())
	}
	// moved moves it back.
	moved := func(s *script) {
		letter(s)
		s.then(at(deadOf(s.queue), starting), good)
		s.then(at(deadOf(s.queue), listing), told("COMPLETED", 1, 1))
	}
	all := map[string]scripted{}
	for kind, queue := range map[string]string{"": q, "InALine": line} {
		dead := deadOf(queue)
		for name, tc := range map[string]struct {
			legal bool
			then  func(s *script)
		}{
			"Moves":            {true, func(s *script) { letter(s); s.then(at(dead, takes(1)), named("a", 2, "i")) }},
			"Lost":             {false, func(s *script) { letter(s); s.then(at(dead, takes(1)), gives()) }},
			"LostAndCounted":   {false, func(s *script) { letter(s); s.then(at(dead, counting), good) }},
			"Renamed":          {false, func(s *script) { letter(s); s.then(at(dead, takes(1)), named("a", 2, "j")) }},
			"InBoth":           {false, func(s *script) { letter(s); s.then(counting, counted(1, 0)) }},
			"ReceivedTooOften": {false, func(s *script) { letter(s); s.then(peeks(1), named("a", 2, "i")) }},
			"Doubled": {false, func(s *script) {
				letter(s)
				s.then(at(dead, takes(2)), gives(taken{"a", 2, "i"}, taken{"a", 3, "i"}))
			}},
			"DoubledLater": {false, func(s *script) {
				letter(s)
				s.then(at(dead, takes(1)), named("a", 2, "i"))
				s.then(at(dead, takes(1)), named("a", 3, "i"))
			}},
			"BackAfterDelete": {false, func(s *script) {
				letter(s)
				s.then(at(dead, takes(1)), named("a", 2, "i"))
				s.then(at(dead, deletes(2)), good)
				s.then(at(dead, takes(1)), named("a", 3, "i"))
			}},
			"ByAnOldHandle": {false, func(s *script) {
				letter(s)
				s.then(deletes(1), good)
				s.then(at(dead, counting), good)
			}},
			"TooEarly": {false, func(s *script) {
				s.then(parcelOf(queue), answer{entries: []result{{id: "i", number: "1"}}})
				s.then(peeks(1), gives())
				s.then(at(dead, takes(1)), named("a", 1, "i"))
			}},
			"MovedBack": {true, func(s *script) {
				moved(s)
				s.then(at(dead, counting), good)
				s.then(takes(2), named("a", 2, "j"))
			}},
			"MovesBackByItself": {true, func(s *script) {
				letter(s)
				s.then(at(dead, starting), good)
				s.then(at(dead, listing), told("RUNNING", 0, 1))
				s.then(at(dead, counting), counted(1, 0))
				s.then(at(dead, listing), told("RUNNING", 1, 1))
				s.then(takes(1), named("a", 2, "j"))
			}},
			"TakenBeforeItMoves": {true, func(s *script) {
				letter(s)
				s.then(at(dead, starting), good)
				s.then(at(dead, takes(1)), named("a", 2, "i"))
				s.then(at(dead, listing), told("COMPLETED", 0, 1))
			}},
			"MovedAndInBoth": {false, func(s *script) {
				moved(s)
				s.then(takes(1), named("a", 2, "j"))
				s.then(at(dead, takes(1)), named("a", 3, "i"))
			}},
			"MovedAndCountedInBoth": {false, func(s *script) {
				letter(s)
				s.then(at(dead, starting), good)
				s.then(counting, counted(1, 0))
				s.then(at(dead, counting), counted(1, 0))
			}},
			"MovedAndLost":       {false, func(s *script) { moved(s); s.then(takes(1), gives()) }},
			"MovedUnderItsOldID": {false, func(s *script) { moved(s); s.then(takes(1), named("a", 2, "i")) }},
			"CompletedTooEarly": {false, func(s *script) {
				letter(s)
				s.then(at(dead, starting), good)
				s.then(at(dead, listing), told("COMPLETED", 0, 1))
			}},
			"MovedWithoutATask":   {false, func(s *script) { letter(s); s.then(takes(1), named("a", 2, "j")) }},
			"MovedTwiceByATask":   {false, func(s *script) { moved(s); s.then(at(dead, listing), told("COMPLETED", 2, 1)) }},
			"MovedAndReceivedOld": {false, func(s *script) { moved(s); s.then(deletes(1), good); s.then(counting, good) }},
			"TwoTasks": {false, func(s *script) {
				letter(s)
				s.then(at(dead, starting), good)
				s.then(at(dead, listing), told("RUNNING", 0, 1))
				s.then(at(dead, starting), answer{code: badParam})
				s.then(at(dead, listing), told("", 0, 0))
			}},
		} {
			all[name+kind] = scripted{tc.legal, queue, tc.then}
		}
	}
	// A later dead letter is not the task's.
	all["MovedThoughLater"] = scripted{false, q, func(s *script) {
		moved(s)
		s.then(peeks(1), named("a", 2, "j"))
		s.then(peeks(1), gives())
		s.then(takes(1), named("a", 3, "k"))
	}}
	all["GroupReorderedByATask"] = scripted{false, line, func(s *script) {
		s.then(sendsTo("a1", "a"), stored("1"))
		s.then(sendsTo("a2", "a"), stored("2"))
		s.then(peeks(2), gives(taken{"a1", 1, ""}, taken{"a2", 2, ""}))
		s.then(peeks(2), gives())
		s.then(at(deadLine, starting), good)
		s.then(at(deadLine, listing), told("COMPLETED", 2, 2))
		s.then(takes(2), gives(taken{"a2", 3, ""}, taken{"a1", 4, ""}))
	}}
	runScripts(t, all)
}

// parcelOf sends a message to a queue of either kind.
func parcelOf(queue string) step {
	if queue == family("q-most1.fifo") {
		return sendsTo("a", "g")
	}
	return sends("a")
}
