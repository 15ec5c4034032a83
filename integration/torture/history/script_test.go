package history

import "time"

// script builds a history whose events follow each other by a second and take
// a tenth of one, unless a test says otherwise.
type script struct {
	*History
	at time.Duration
}

const (
	second = time.Second
	hour   = time.Hour
)

func newScript() *script {
	return &script{History: New(map[string]Queue{
		"q":         {},
		"f.fifo":    {FIFO: true},
		"source":    {DeadLetters: "dead", MaxReceives: 2},
		"dead":      {},
		"from":      {MovesTo: "to"},
		"to":        {},
		"elsewhere": {},
		"brief":     {Retention: 60 * second},
	})}
}

func (s *script) do(e Event) Event {
	s.at += second
	e.Start, e.End = s.at, s.at+second/10
	s.Add(e)
	return e
}

func (s *script) send(queue, key string, o Outcome) {
	s.do(Event{Op: Send, Queue: queue, Key: key, ID: "id-" + key, Group: "g", Outcome: o})
}

func (s *script) deliver(queue, key string, hidden time.Duration) int {
	handle, call := s.NewHandle(), s.NewCall()
	s.do(Event{Op: Deliver, Queue: queue, Key: key, ID: "id-" + key, Handle: handle, Call: call, Hidden: hidden, Outcome: Done})
	return handle
}

// attempt receives with an attempt id: a message under a handle, or nothing.
func (s *script) attempt(key string, handle int) {
	call := s.NewCall()
	e := s.do(Event{Op: Receive, Queue: "f.fifo", Attempt: "try", Call: call, Outcome: Done})
	if key != "" {
		s.Add(Event{Op: Deliver, Queue: "f.fifo", Key: key, ID: "id-" + key, Handle: handle, Call: call, Hidden: hour / 2, Attempt: "try", Outcome: Done, Start: e.Start, End: e.End})
	}
}

func (s *script) delete(queue, key string, handle int, o Outcome) {
	s.do(Event{Op: Delete, Queue: queue, Key: key, Handle: handle, Outcome: o})
}

func (s *script) change(queue, key string, handle int, hidden time.Duration, o Outcome) {
	s.do(Event{Op: Change, Queue: queue, Key: key, Handle: handle, Hidden: hidden, Outcome: o})
}

func (s *script) wipe(queue string, o Outcome) { s.do(Event{Op: Wipe, Queue: queue, Outcome: o}) }

func (s *script) state(contents map[string][]string) *State {
	s.at += second
	state := State{At: s.at, Contents: make(map[string][]Stored), Counts: make(map[string]Counts)}
	for queue, keys := range contents {
		for _, key := range keys {
			state.Contents[queue] = append(state.Contents[queue], Stored{Key: key, ID: "id-" + key, Group: "g"})
		}
	}
	s.AddState(state)
	return &s.states[len(s.states)-1]
}

type contents = map[string][]string
