package integration

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// step is one call of a client of one queue.
type step struct {
	queue, do string
	// entries are what is sent, in one call.
	entries []parcel
	delayed bool
	// most and hidden are of a receive; hidden is of a change too. What is not
	// hidden is so for no time at all, what is for longer than the test.
	most    int
	hidden  bool
	attempt string
	// handles are what to settle, in one call, by the numbers that the recorder
	// gave them.
	handles []int
	// besides is true when something was under way too by which a receive may
	// have lost what it has taken before it was read.
	besides bool
}

// parcel is a message to send. Each body is used once. Only a FIFO queue gets a
// group and a deduplication id. A bad one has a delay that no queue takes.
type parcel struct {
	body, group, dedup string
	bad                bool
}

// String tells of a step on one line.
func (s step) String() string {
	text := s.do + " " + s.queue
	for _, m := range s.entries {
		text += " " + strings.TrimRight(fmt.Sprint(m.body, "/", m.group, "/", m.dedup), "/")
		if m.bad {
			text += "(bad)"
		}
	}
	if s.most > 0 {
		text += fmt.Sprint(" ", s.most)
	}
	for _, handle := range s.handles {
		text += fmt.Sprint(" #", handle)
	}
	for word, is := range map[string]bool{" delayed": s.delayed, " hidden": s.hidden, " besides": s.besides, " as " + s.attempt: s.attempt != ""} {
		if is {
			text += word
		}
	}
	return text
}

// answer is what the client saw.
type answer struct {
	code string
	// entries are of what was sent, and of batches, in the order of the request.
	entries []result
	got     []taken
	// counts are visible, in flight and delayed.
	counts [3]int
	task   moving
}

// String tells of an answer on one line.
func (a answer) String() string {
	text := a.code
	for _, o := range a.entries {
		text += fmt.Sprint(" ", o)
	}
	for _, m := range a.got {
		text += fmt.Sprint(" ", m.body, "#", m.handle, " ", m.id)
	}
	if a.counts != [3]int{} || a.task != (moving{}) {
		text += fmt.Sprint(" ", a.counts, a.task)
	}
	return text
}

// result is what became of one entry; id and number are of what was sent.
type result struct{ code, id, number string }

// each gives the outcomes of n entries. An answer as a whole is that of each.
func (a answer) each(n int) []result {
	if len(a.entries) == n {
		return a.entries
	}
	return slices.Repeat([]result{{code: a.code}}, n)
}

// taken is a message that was received. An empty id is not told.
type taken struct {
	body   string
	handle int
	id     string
}

// sequential is what one queue, or a pair, may answer when calls come one at a
// time. It is never changed.
type sequential interface {
	// next gives what the queue is after a step, and whether it may give that
	// answer.
	next(s step, a answer) (sequential, bool)
	// text tells it from any other.
	text() string
}

// single is one queue. What changes it is for a clone.
type single interface {
	sequential
	clone() single
	base() *shelf
	// orders are what it may be after a step that leaves an order open.
	orders() []single
	// arrive takes a message from another queue.
	arrive(m held)
	// movable gives the places of the messages of which a move task may move one
	// next; leave takes out the one at a place.
	movable() []int
	leave(at int) held
}

// state is a queue with its text.
type state struct {
	sequential
	key string
}

// begin is a queue, or a pair, that was just made.
func begin(queue string) sequential {
	var source, dead single = &plain{}, &plain{}
	if strings.HasSuffix(queue, ".fifo") {
		source, dead = &line{}, &line{}
	}
	most := redriven(queue)
	if most == 0 {
		return source
	}
	source.base().most = most
	return &pair{source: source, dead: dead}
}

// linear is the model of any number of queues, each by itself, and of pairs.
//
// It demands what engine.Store and the known differences promise: each call, a
// batch too, is one step at some moment while it was under way, and its entries
// are done in their order, each with an outcome of its own. Standard queues give
// the oldest first; FIFO queues give each group in its order, no group to two at
// a time, the groups in their turn (those that one batch makes available together
// in any order), and store nothing twice that has the same
// deduplication id. Counts are exact. Dead letters move in the receive that comes
// by them, with their id; a move task goes on by itself from its start to its
// end, moves one message after the other, each as a new one, and counts them.
//
// It leaves out time: nothing falls due, expires or is forgotten while a history
// lasts. Nor has it several sources of one target, sends to a target, tasks that
// are cancelled or have a rate, groups on standard queues, and pairs of which a
// queue is deleted. Other tests have those.
var linear = (&porcupine.NondeterministicModel{
	Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
		by := map[string][]porcupine.Operation{}
		for _, o := range history {
			queue := family(o.Input.(step).queue)
			by[queue] = append(by[queue], o)
		}
		for _, queue := range names(by) {
			parts = append(parts, by[queue])
		}
		return parts
	},
	Init: func() []any { return []any{state{}} },
	Step: func(from, input, output any) (all []any) {
		s, q := input.(step), from.(state).sequential
		if q == nil {
			q = begin(family(s.queue))
		}
		may := []sequential{q}
		if p, ok := q.(*pair); ok {
			may = p.alone()
		}
		add := func(q sequential) { all = append(all, state{q, q.text()}) }
		for _, q := range may {
			s := s
			if s.do == "again" {
				s.do = "receive"
				add(q)
			}
			next, ok := q.next(s, output.(answer))
			switch next := next.(type) {
			case *pair:
				if ok {
					for _, q := range next.orders() {
						add(q)
					}
				}
			case single:
				if ok {
					for _, q := range next.orders() {
						add(q)
					}
				}
			}
		}
		return all
	},
	Equal: func(a, b any) bool { return a.(state).key == b.(state).key },
	Hash: func(s any) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(s.(state).key))
		return h.Sum64()
	},
	DescribeOperation: func(input, output any) string { return input.(step).String() + " -> " + output.(answer).String() },
}).ToModel()
