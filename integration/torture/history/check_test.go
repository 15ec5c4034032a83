package history

import (
	"testing"
	"time"
)

// TestBroken feeds the checker broken histories: each must be found, under its
// name and no other.
func TestBroken(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		want  string
		build func(*script)
	}{
		"LostMessage": {Lost, func(s *script) {
			s.send("q", "a", Done)
			s.state(nil)
		}},
		"LostAfterARefusedDelete": {Lost, func(s *script) {
			s.send("q", "a", Done)
			s.delete("q", "a", s.deliver("q", "a", second/2), Refused)
			s.state(nil)
		}},
		"LostOnTheWayToItsDeadLetters": {Lost, func(s *script) {
			s.send("source", "a", Done)
			s.deliver("source", "a", 0)
			s.deliver("source", "a", 0)
			s.state(contents{"source": nil, "dead": nil})
		}},
		"LostBeforeTheDelete": {Lost, func(s *script) {
			s.send("q", "a", Done)
			h := s.deliver("q", "a", hour)
			s.state(nil)
			s.delete("q", "a", h, Done)
		}},
		"DeletedIsStored": {BackAgain, func(s *script) {
			s.send("q", "a", Done)
			s.delete("q", "a", s.deliver("q", "a", hour), Done)
			s.state(contents{"q": {"a"}})
		}},
		"DeletedIsDelivered": {BackAgain, func(s *script) {
			s.send("q", "a", Done)
			s.delete("q", "a", s.deliver("q", "a", 3*second), Done)
			s.at += 5 * second
			s.deliver("q", "a", hour)
		}},
		"PurgedIsStored": {BackAgain, func(s *script) {
			s.send("q", "a", Done)
			s.wipe("q", Done)
			s.state(contents{"q": {"a"}})
		}},
		"UnansweredSendOutlivesThePurge": {BackAgain, func(s *script) {
			s.send("q", "a", Unknown)
			s.wipe("q", Done)
			s.deliver("q", "a", 0)
		}},
		"InTwoQueues": {Doubled, func(s *script) {
			s.send("source", "a", Done)
			s.deliver("source", "a", 0)
			s.deliver("source", "a", 0)
			s.state(contents{"source": {"a"}, "dead": {"a"}})
		}},
		"MovedAndStillThere": {Doubled, func(s *script) {
			s.send("from", "a", Done)
			s.state(contents{"from": {"a"}, "to": {"a"}})
		}},
		"StoredTwice": {Doubled, func(s *script) {
			s.do(Event{Op: Send, Queue: "f.fifo", Key: "a", Group: "g", Outcome: Unknown})
			s.do(Event{Op: Send, Queue: "f.fifo", Key: "a", Group: "g", ID: "second", Outcome: Done})
			s.do(Event{Op: Deliver, Queue: "f.fifo", Key: "a", ID: "first", Handle: s.NewHandle(), Call: 1, Outcome: Done})
		}},
		"InAnotherQueue": {Strayed, func(s *script) {
			s.send("q", "a", Done)
			s.state(contents{"elsewhere": {"a"}})
		}},
		"RefusedAndStored": {Invented, func(s *script) {
			s.send("q", "a", Refused)
			s.state(contents{"q": {"a"}})
		}},
		"NeverSent": {Invented, func(s *script) { s.deliver("q", "a", 0) }},
		"AnotherBody": {AlteredOne, func(s *script) {
			s.send("q", "a", Done)
			s.state(contents{"q": {"a"}}).Contents["q"][0].Altered = true
		}},
		"OvertakenInItsGroup": {Reordered, func(s *script) {
			s.send("f.fifo", "a", Done)
			s.send("f.fifo", "b", Done)
			s.deliver("f.fifo", "b", hour)
		}},
		"OvertakenWhileHeld": {Reordered, func(s *script) {
			s.send("f.fifo", "a", Done)
			s.send("f.fifo", "b", Done)
			s.deliver("f.fifo", "a", hour)
			s.deliver("f.fifo", "b", hour)
		}},
		"WrongOrderInAnAnswer": {Reordered, func(s *script) {
			s.send("f.fifo", "a", Done)
			s.send("f.fifo", "b", Done)
			for i, key := range []string{"b", "a"} {
				s.Add(Event{Op: Deliver, Queue: "f.fifo", Key: key, ID: "id-" + key, Handle: s.NewHandle(), Call: 1, Position: i, Start: s.at, End: s.at + second, Outcome: Done})
			}
		}},
		"StoredInWrongOrder": {Reordered, func(s *script) {
			s.send("f.fifo", "a", Done)
			s.send("f.fifo", "b", Done)
			s.state(contents{"f.fifo": {"b", "a"}})
		}},
		"SequenceGoesBack": {Sequences, func(s *script) {
			s.do(Event{Op: Send, Queue: "f.fifo", Key: "a", Group: "g", Sequence: "18850000000000000002", Outcome: Done})
			s.do(Event{Op: Send, Queue: "f.fifo", Key: "b", Group: "g", Sequence: "18850000000000000001", Outcome: Done})
		}},
		"TwoHolders": {HeldTwice, func(s *script) {
			s.send("q", "a", Done)
			s.deliver("q", "a", hour)
			s.deliver("q", "a", hour)
		}},
		"LongerHoldIgnored": {HeldTwice, func(s *script) {
			s.send("q", "a", Done)
			s.change("q", "a", s.deliver("q", "a", 2*second), hour, Done)
			s.at += 10 * second
			s.deliver("q", "a", 0)
		}},
		"GoodHandleRefused": {BadHandle, func(s *script) {
			s.send("q", "a", Done)
			s.do(Event{Op: Delete, Queue: "q", Key: "a", Handle: s.deliver("q", "a", hour), Outcome: Refused, Error: "ReceiptHandleIsInvalid"})
			s.state(contents{"q": {"a"}})
		}},
		"CountsTooMany": {Miscounted, func(s *script) {
			s.send("q", "a", Done)
			s.state(contents{"q": {"a"}}).Counts["q"] = Counts{Visible: 2}
		}},
		"CountsTooManyOfAFamily": {Miscounted, func(s *script) {
			s.send("source", "a", Done)
			state := s.state(contents{"source": {"a"}, "dead": nil})
			state.Counts["source"], state.Counts["dead"] = Counts{Visible: 1}, Counts{Visible: 1}
		}},
		"CountsTheHeldAsVisible": {Miscounted, func(s *script) {
			s.send("q", "a", Done)
			s.deliver("q", "a", hour)
			s.state(contents{"q": {"a"}}).Counts["q"] = Counts{Visible: 1}
		}},
		"DeadAfterOneReceiveOfTwo": {TooEarly, func(s *script) {
			s.send("source", "a", Done)
			s.deliver("source", "a", 0)
			s.state(contents{"source": nil, "dead": {"a"}})
		}},
		"SettingOfBefore": {Settings, func(s *script) {
			s.do(Event{Op: Set, Queue: "q", Value: 1, Outcome: Done})
			s.do(Event{Op: Set, Queue: "q", Value: 2, Outcome: Done})
			s.do(Event{Op: Read, Queue: "q", Value: 1, Outcome: Done})
		}},
		"SettingThatComesAndGoes": {Settings, func(s *script) {
			s.do(Event{Op: Set, Queue: "q", Value: 1, Outcome: Done})
			s.do(Event{Op: Set, Queue: "q", Value: 2, Outcome: Unknown})
			s.do(Event{Op: Read, Queue: "q", Value: 2, Outcome: Done})
			s.do(Event{Op: Read, Queue: "q", Value: 1, Outcome: Done})
		}},
		"QueueNotThere": {QueueGone, func(s *script) {
			s.Queues["lasting"] = Queue{Lasting: true}
			s.state(contents{"q": nil})
		}},
		"AttemptGetsNothingAgain": {Attempts, func(s *script) {
			s.send("f.fifo", "a", Done)
			s.attempt("a", 1)
			s.attempt("", 0)
		}},
		"AttemptGetsOthers": {Attempts, func(s *script) {
			s.do(Event{Op: Send, Queue: "f.fifo", Key: "a", Group: "g", Outcome: Done})
			s.do(Event{Op: Send, Queue: "f.fifo", Key: "b", Group: "h", Outcome: Done})
			s.attempt("a", 1)
			s.attempt("b", 2)
		}},
		"AttemptWithNewHandles": {HeldTwice, func(s *script) {
			s.send("f.fifo", "a", Done)
			s.attempt("a", 1)
			s.do(Event{Op: Receive, Queue: "f.fifo", Attempt: "try", Outcome: Unknown})
			s.do(Event{Op: Deliver, Queue: "f.fifo", Key: "a", ID: "id-a", Handle: 9, Call: 99, Hidden: hour, Outcome: Done, Attempt: "try"})
		}},
		"GoneBeforeItsTime": {Kept, func(s *script) {
			s.send("brief", "a", Done)
			s.state(nil).Counts["brief"] = Counts{}
		}},
		"KeptBeyondItsTime": {Kept, func(s *script) {
			s.send("brief", "a", Done)
			s.at += 70 * second
			s.state(nil).Counts["brief"] = Counts{Visible: 1}
		}},
		"TaskForgotten": {Tasks, func(s *script) { s.AddTask(Task{Source: "from", Acknowledged: true}) }},
		"TaskCountsWrong": {Tasks, func(s *script) {
			s.AddTask(Task{Source: "from", Acknowledged: true, Status: "COMPLETED", Moved: 9, Least: 10, Most: 10})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript()
			tc.build(s)
			got := s.Check()
			if len(got) == 0 {
				t.Fatalf("nothing was found, want %q", tc.want)
			}
			for _, v := range got {
				if v.Rule != tc.want {
					t.Errorf("found %q, want only %q", v, tc.want)
				}
			}
		})
	}
}

// TestWhole feeds the checker histories that an order of the calls explains.
func TestWhole(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*script){
		"StillThere": func(s *script) {
			s.send("q", "a", Done)
			s.state(contents{"q": {"a"}}).Counts["q"] = Counts{Visible: 1}
		},
		"UnansweredSendStored": func(s *script) {
			s.send("q", "a", Unknown)
			s.state(contents{"q": {"a"}})
		},
		"UnansweredSendNotStored": func(s *script) {
			s.send("q", "a", Unknown)
			s.state(nil)
		},
		"UnansweredDeleteTookEffect": func(s *script) {
			s.send("q", "a", Done)
			s.delete("q", "a", s.deliver("q", "a", hour), Unknown)
			s.state(nil)
		},
		"UnansweredDeleteDidNot": func(s *script) {
			s.send("q", "a", Done)
			s.delete("q", "a", s.deliver("q", "a", hour), Unknown)
			s.state(contents{"q": {"a"}})
		},
		"DeleteWithAnOldHandle": func(s *script) {
			s.send("q", "a", Done)
			h := s.deliver("q", "a", 0)
			s.deliver("q", "a", hour)
			s.delete("q", "a", h, Done)
			s.state(contents{"q": {"a"}})
		},
		"DeleteAfterItWasLetGo": func(s *script) {
			s.send("q", "a", Done)
			h := s.deliver("q", "a", hour)
			s.change("q", "a", h, 0, Unknown)
			s.delete("q", "a", h, Done)
			s.state(contents{"q": {"a"}})
		},
		"SendBesideThePurge": func(s *script) {
			s.send("q", "a", Done)
			s.Add(Event{Op: Wipe, Queue: "q", Start: 0, End: 10 * second, Outcome: Done})
			s.at = 20 * second
			s.state(contents{"q": {"a"}})
		},
		"RefusedBecauseNobodyWasThere": func(s *script) {
			s.send("q", "a", Done)
			s.delete("q", "a", s.deliver("q", "a", hour), Refused)
			s.state(contents{"q": {"a"}})
		},
		"HeldAfterItWasCounted": func(s *script) {
			s.send("q", "a", Done)
			s.state(contents{"q": {"a"}}).Counts["q"] = Counts{Visible: 1}
			s.deliver("q", "a", hour)
		},
		"CountedOnItsWayToTheDead": func(s *script) {
			s.send("source", "a", Done)
			s.deliver("source", "a", 0)
			s.deliver("source", "a", 0)
			state := s.state(contents{"source": nil, "dead": {"a"}})
			state.Counts["source"], state.Counts["dead"] = Counts{Visible: 1}, Counts{}
		},
		"DeadAfterALostReceive": func(s *script) {
			s.send("source", "a", Done)
			s.deliver("source", "a", 0)
			s.do(Event{Op: Receive, Queue: "source", Outcome: Unknown})
			s.state(contents{"dead": {"a"}})
		},
		"RepeatedUntilAnswered": func(s *script) {
			s.send("f.fifo", "a", Unknown)
			s.send("f.fifo", "a", Done)
			s.send("f.fifo", "b", Done)
			h := s.deliver("f.fifo", "a", hour)
			s.delete("f.fifo", "a", h, Done)
			s.deliver("f.fifo", "b", hour)
			s.state(contents{"f.fifo": {"b"}})
		},
		"AttemptRepeated": func(s *script) {
			s.send("f.fifo", "a", Done)
			s.attempt("a", 1)
			s.attempt("a", 1)
			s.delete("f.fifo", "a", 1, Done)
			s.attempt("", 0)
		},
		"AttemptAfterItsTimeout": func(s *script) {
			s.send("f.fifo", "a", Done)
			s.attempt("a", 1)
			s.at += hour
			s.attempt("a", 2)
		},
		"ExpiredOrNot": func(s *script) {
			s.send("brief", "a", Done)
			s.at += 59*second - second/50
			s.state(nil).Counts["brief"] = Counts{Visible: 1}
			s.at += second
			s.state(nil).Counts["brief"] = Counts{}
		},
		"MovedByATask": func(s *script) {
			s.send("from", "a", Done)
			s.do(Event{Op: Deliver, Queue: "to", Key: "a", ID: "new", Handle: s.NewHandle(), Call: 1, Outcome: Done})
			s.state(contents{"to": {"a"}})
		},
		"SettingUnanswered": func(s *script) {
			s.do(Event{Op: Set, Queue: "q", Value: 1, Outcome: Done})
			s.do(Event{Op: Set, Queue: "q", Value: 2, Outcome: Unknown})
			s.do(Event{Op: Read, Queue: "q", Value: 1, Outcome: Done})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript()
			build(s)
			for _, v := range s.Check() {
				t.Errorf("found %q, want nothing", v)
			}
		})
	}
}

// TestUntil cuts a history: what was under way is unknown, and what was seen
// after the cut is not held against it.
func TestUntil(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.send("q", "a", Done)
	s.send("q", "b", Done)
	for name, tc := range map[string]struct {
		at   time.Duration
		want int
	}{
		"Before": {second, 0}, "Between": {1500 * time.Millisecond, 1}, "DuringTheSecond": {2*second + second/20, 1}, "After": {3 * second, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cut := s.Until(tc.at, tc.at)
			cut.AddState(State{At: tc.at})
			if got := len(cut.Check()); got != tc.want {
				t.Errorf("%d violations, want %d", got, tc.want)
			}
		})
	}
}
