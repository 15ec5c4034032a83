package history

import (
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"
)

// Op is what a client did.
type Op string

// The operations.
const (
	// Send is one message of a SendMessage or its batch. Repeated with the same
	// key it is the same message sent again.
	Send Op = "send"
	// Receive is one receive, whatever it returned.
	Receive Op = "receive"
	// Deliver is one message that a receive returned.
	Deliver Op = "deliver"
	// Delete is one entry of DeleteMessage or its batch.
	Delete Op = "delete"
	// Change is one entry of ChangeMessageVisibility or its batch.
	Change Op = "change"
	// Wipe is a purge or the deletion of a queue.
	Wipe Op = "wipe"
	// Set is a write of a queue's setting, and Read a look at it.
	Set  Op = "set"
	Read Op = "read"
)

// Outcome is what is known of a call.
type Outcome uint8

// The outcomes.
const (
	// Unknown: no answer came, or one that says that nobody knows.
	Unknown Outcome = iota
	// Done: the call was answered with success.
	Done
	// Refused: the answer says that nothing happened.
	Refused
)

// Event is one thing a client did. Times are since the start of the history.
type Event struct {
	Op         Op
	Queue      string
	Start, End time.Duration
	Outcome    Outcome

	// Key names the message; it is in its body and is used for no other.
	Key string `json:",omitempty"`
	// Group is the group of a message in a FIFO queue. The messages of a group
	// are sent one after the other, in the order of the events.
	Group string `json:",omitempty"`
	// ID is the id that the server gave the message.
	ID string `json:",omitempty"`
	// Sequence is the sequence number of a message in a FIFO queue.
	Sequence string `json:",omitempty"`
	// Call numbers the receive that a Deliver belongs to; Position is its place
	// in the answer.
	Call     int `json:",omitempty"`
	Position int `json:",omitempty"`
	// Handle numbers a Deliver, from 1, and is what a Delete and a Change refer to.
	Handle int `json:",omitempty"`
	// Hidden is the timeout of a Deliver or a Change.
	Hidden time.Duration `json:",omitempty"`
	// Attempt is the attempt id of a Receive and of what it delivers.
	Attempt string `json:",omitempty"`
	// Altered is set on a Deliver whose body is not what was sent.
	Altered bool `json:",omitempty"`
	// Value is what a Set wrote or a Read found.
	Value int `json:",omitempty"`
	// Error is what a call was refused with; empty when the server was not there
	// or had no time for it.
	Error string `json:",omitempty"`
}

// Queue is what the checker has to know of a queue.
type Queue struct {
	FIFO bool
	// Lasting is true for a queue that was created before the first event and is
	// never deleted.
	Lasting bool
	// DeadLetters is the queue's dead-letter queue, MaxReceives its limit.
	DeadLetters string
	MaxReceives int
	// Retention is how long the queue keeps messages, when that is short of what
	// a look into the store needs; then only the counts are judged. Zero for
	// longer.
	Retention time.Duration
	// MovesTo is where move tasks take the queue's messages, if any do.
	MovesTo string
}

// Stored is one message found in the store.
type Stored struct {
	Key, ID, Group string
	Altered        bool
}

// Counts are the sizes of a queue as the server gives them.
type Counts struct{ Visible, Hidden, Delayed int }

// State is what a store held when nothing was going on.
type State struct {
	// At is when nothing was going on; all calls had ended.
	At time.Duration
	// Contents has the messages of each queue that exists, in order.
	Contents map[string][]Stored
	// Counts are what the server said; queues that were not asked are missing.
	Counts map[string]Counts
}

// Task is one move task, as seen at its end.
type Task struct {
	Source, Status string
	// Acknowledged is true when its start was answered with success.
	Acknowledged bool
	// Moved is what it says it has moved; Least and Most are what it must and
	// may have moved.
	Moved, Least, Most int
}

// History is what happened. Its methods are safe for concurrent use.
type History struct {
	Queues map[string]Queue

	mu      sync.Mutex
	begin   time.Time
	events  []Event
	states  []State
	judged  int // how many of the states were checked
	tasks   []Task
	handles int
	calls   int
}

// New begins a history over these queues.
func New(queues map[string]Queue) *History {
	return &History{Queues: queues, begin: time.Now()}
}

// Now is the time since the history began.
func (h *History) Now() time.Duration { return time.Since(h.begin) }

// Add adds events of calls that have ended.
func (h *History) Add(events ...Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, events...)
}

// NewHandle gives the number of a delivery.
func (h *History) NewHandle() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handles++
	return h.handles
}

// NewCall gives the number of a receive.
func (h *History) NewCall() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
	return h.calls
}

// AddState adds what was found in the store.
func (h *History) AddState(s State) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.states = append(h.states, s)
}

// AddTask adds a move task that has ended or was lost.
func (h *History) AddTask(t Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tasks = append(h.tasks, t)
}

// Len is the number of events.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.events)
}

// Tally says in words how many events there are of each kind, and how many of
// them had no answer.
func (h *History) Tally() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	total, unknown := make(map[Op]int), make(map[Op]int)
	for i := range h.events {
		e := &h.events[i]
		total[e.Op]++
		if e.Outcome == Unknown {
			unknown[e.Op]++
		}
	}
	var words []string
	for _, op := range []Op{Send, Receive, Deliver, Delete, Change, Wipe, Set, Read} {
		word := fmt.Sprintf("%d %s", total[op], op)
		if unknown[op] > 0 {
			word += fmt.Sprintf(" (%d unanswered)", unknown[op])
		}
		words = append(words, word)
	}
	return fmt.Sprintf("%s, %d move tasks", strings.Join(words, ", "), len(h.tasks))
}

// All gives the events and then the states and tasks. Nothing may be added
// meanwhile.
func (h *History) All() iter.Seq[any] {
	return func(yield func(any) bool) {
		for i := range h.events {
			if !yield(&h.events[i]) {
				return
			}
		}
		for i := range h.states {
			if !yield(&h.states[i]) {
				return
			}
		}
		for i := range h.tasks {
			if !yield(&h.tasks[i]) {
				return
			}
		}
	}
}

// Until gives the history of a world that ended at some moment from answered to
// begun, without states and tasks: calls that had not ended by the first are
// calls of which nothing is known, and those that began after the second are
// left out.
func (h *History) Until(answered, begun time.Duration) *History {
	h.mu.Lock()
	defer h.mu.Unlock()
	cut := &History{Queues: h.Queues, begin: h.begin, handles: h.handles, calls: h.calls}
	for _, e := range h.events {
		if e.Start > begun {
			continue
		}
		if e.End > answered {
			if e.Op == Deliver {
				continue // nobody had seen it; its receive stands for it
			}
			e.End, e.Outcome = min(e.End, begun), Unknown
		}
		cut.events = append(cut.events, e)
	}
	return cut
}
