package history

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The rules, by the name that a violation carries.
const (
	Lost       = "lost"
	BackAgain  = "back again"
	Doubled    = "doubled"
	Strayed    = "strayed"
	Invented   = "invented"
	AlteredOne = "altered"
	Reordered  = "reordered"
	Sequences  = "sequence numbers"
	HeldTwice  = "held twice"
	BadHandle  = "handle refused"
	Miscounted = "miscounted"
	TooEarly   = "dead too early"
	Settings   = "settings"
	Tasks      = "move task"
	QueueGone  = "queue gone"
	Attempts   = "attempt"
	Kept       = "retention"
)

// Violation is something that must not be.
type Violation struct{ Rule, Text string }

func (v Violation) String() string { return v.Rule + ": " + v.Text }

// maxOfEach bounds the violations told of one rule.
const maxOfEach = 20

// findings collects violations.
type findings struct {
	all  []Violation
	each map[string]int
}

func (f *findings) add(rule, format string, args ...any) {
	if f.each[rule]++; f.each[rule] <= maxOfEach {
		f.all = append(f.all, Violation{rule, fmt.Sprintf(format, args...)})
	}
}

// Check gives everything that no order of the calls explains; nil when all is
// well. Call it when no call is under way. Its time grows with the history. A
// state is judged by the first check after it alone: what came later says
// nothing about it.
func (h *History) Check() []Violation {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := &findings{each: make(map[string]int)}
	x := newIndex(h)
	for _, key := range x.keys {
		x.checkMessage(f, x.messages[key])
	}
	x.checkOrder(f)
	x.checkSequences(f)
	x.checkSettings(f)
	x.checkAttempts(f)
	for ; h.judged < len(h.states); h.judged++ {
		x.checkState(f, &h.states[h.judged])
	}
	for _, t := range h.tasks {
		checkTask(f, t)
	}
	return f.all
}

// checkMessage judges what clients saw of one message.
func (x *index) checkMessage(f *findings, m *message) {
	if m.start >= 0 && len(m.ids) > 1 && !x.moves(m) {
		f.add(Doubled, "%s was stored as %s", m.key, strings.Join(m.ids, " and "))
	}
	gone, by := x.mustBeGone(m)
	places := x.places(m)
	for i, d := range m.deliveries {
		switch {
		case m.outcome == Refused || d.End < m.start:
			f.add(Invented, "%s was delivered and not sent", m.key)
		case d.Altered:
			f.add(AlteredOne, "%s was delivered with another body", m.key)
		case !slices.Contains(places, d.Queue):
			f.add(Strayed, "%s was sent to %s and delivered from %s", m.key, m.queue, d.Queue)
		}
		if by != nil && d.Start > gone {
			f.add(BackAgain, "%s was delivered from %s at %v, after the %s answered at %v", m.key, d.Queue, d.Start, by.Op, by.End)
		}
		for _, before := range m.deliveries[:i] {
			if before.Attempt != "" && before.Attempt == d.Attempt && before.Handle == d.Handle {
				continue // the same receive again
			}
			if until := x.heldUntil(m, before, d.End); before.End <= d.Start && until > d.End+margin {
				f.add(HeldTwice, "%s was delivered at %v and again by %v, held until %v", m.key, before.Start, d.End, until)
			}
		}
		x.checkDead(f, m, d.Queue, d.End)
	}
	for _, e := range slices.Concat(m.deletes, m.changes) {
		x.checkHandle(f, m, e)
	}
}

// moves reports whether a move task may have given a message a new id.
func (x *index) moves(m *message) bool {
	return slices.ContainsFunc(x.places(m), func(q string) bool { return x.h.Queues[q].MovesTo != "" })
}

// checkHandle judges a handle that was refused: it must not be while its
// message is certainly held and there.
func (x *index) checkHandle(f *findings, m *message, e *Event) {
	d := x.handles[e.Handle]
	if e.Outcome != Refused || e.Error == "" || d == nil || x.heldUntil(m, d, e.End) <= e.End+margin {
		return
	}
	for _, other := range m.deletes {
		if other.Outcome != Refused && other.Start < e.End {
			return
		}
	}
	for _, w := range x.wipes[d.Queue] {
		if w.End > m.start && w.Start < e.End {
			return
		}
	}
	f.add(BadHandle, "the %s of %s at %v was refused (%s) with the handle of %v", e.Op, m.key, e.Start, e.Error, d.Start)
}

// checkDead judges a message that is in a dead-letter queue: it must have been
// received as often as it takes.
func (x *index) checkDead(f *findings, m *message, in string, at time.Duration) {
	source := x.h.Queues[m.queue]
	if in != source.DeadLetters || in == m.queue || source.DeadLetters == "" {
		return
	}
	seen := 0
	for _, d := range m.deliveries {
		if d.Queue == m.queue && d.Start < at {
			seen++
		}
	}
	for _, lost := range x.lost[m.queue] {
		if lost.End > m.start && lost.Start < at {
			seen++
		}
	}
	if seen < source.MaxReceives {
		f.add(TooEarly, "%s is in %s at %v after at most %d receives of %d", m.key, in, at, seen, source.MaxReceives)
	}
}

// checkState judges what was found in the store.
func (x *index) checkState(f *findings, s *State) {
	found := make(map[string][]string)
	held := make(map[string]int)
	for queue, stored := range s.Contents {
		if x.h.Queues[queue].Retention > 0 {
			continue
		}
		for _, one := range stored {
			found[one.Key] = append(found[one.Key], queue)
			m := x.messages[one.Key]
			if m == nil || m.outcome == Refused || m.start > s.At {
				f.add(Invented, "%s is in %s at %v and was not sent", one.Key, queue, s.At)
				continue
			}
			if one.Altered {
				f.add(AlteredOne, "%s is in %s with another body", one.Key, queue)
			}
			if !slices.Contains(x.places(m), queue) {
				f.add(Strayed, "%s was sent to %s and is in %s", one.Key, m.queue, queue)
			}
			if gone, by := x.mustBeGone(m); by != nil && gone <= s.At {
				f.add(BackAgain, "%s is in %s at %v, after the %s answered at %v", one.Key, queue, s.At, by.Op, by.End)
			}
			x.checkDead(f, m, queue, s.At)
			if d := m.lastDelivery(s.At); d != nil && d.Queue == queue && x.heldUntil(m, d, s.At) > s.At+margin {
				held[queue]++
			}
		}
		x.checkStoredOrder(f, queue, stored)
	}
	for _, key := range x.keys {
		m := x.messages[key]
		in := found[key]
		if len(in) > 1 {
			f.add(Doubled, "%s is stored %d times at %v, in %s", key, len(in), s.At, strings.Join(in, " and "))
		}
		if len(in) == 0 && m.outcome == Done && m.end <= s.At && x.h.Queues[m.queue].Retention == 0 {
			if at, may := x.mayBeGone(m); !may || at > s.At {
				f.add(Lost, "%s, answered at %v with id %s, is not in %s at %v", key, m.end, strings.Join(m.ids, ", "), m.queue, s.At)
			}
		}
	}
	for queue, rule := range x.h.Queues {
		if _, ok := s.Contents[queue]; !ok && rule.Lasting {
			f.add(QueueGone, "%s does not exist at %v", queue, s.At)
		}
	}
	x.checkCounts(f, s, held)
}

// checkCounts judges the sizes that the server gave. A queue and its dead-letter
// queue count together: messages go from one to the other by themselves.
func (x *index) checkCounts(f *findings, s *State, held map[string]int) {
	dead := make(map[string]bool)
	for _, rule := range x.h.Queues {
		dead[rule.DeadLetters] = true
	}
	for queue, c := range s.Counts {
		if c.Hidden < held[queue] {
			f.add(Miscounted, "%s has %d messages in flight for certain at %v and counts %+v", queue, held[queue], s.At, c)
		}
		if dead[queue] {
			continue
		}
		if kept := x.h.Queues[queue].Retention; kept > 0 {
			x.checkKept(f, s.At, queue, kept, c)
			continue
		}
		n, sum := len(s.Contents[queue]), c.Visible+c.Hidden+c.Delayed
		if letters := x.h.Queues[queue].DeadLetters; letters != "" {
			c := s.Counts[letters]
			n, sum = n+len(s.Contents[letters]), sum+c.Visible+c.Hidden+c.Delayed
		}
		if n != sum {
			f.add(Miscounted, "%s has %d messages at %v and counts %d, %+v", queue, n, s.At, sum, c)
		}
	}
}

// checkTask judges a move task at its end.
func checkTask(f *findings, t Task) {
	switch {
	case t.Acknowledged && t.Status != "COMPLETED":
		f.add(Tasks, "the task of %s was answered and is %q", t.Source, t.Status)
	case t.Status == "COMPLETED" && (t.Moved < t.Least || t.Moved > t.Most):
		f.add(Tasks, "the task of %s says it moved %d messages, want %d to %d", t.Source, t.Moved, t.Least, t.Most)
	}
}

// checkSettings judges the settings of each queue, which one client writes and
// reads, one call after the other.
func (x *index) checkSettings(f *findings) {
	may := make(map[string][]int)
	for i := range x.h.events {
		switch e := &x.h.events[i]; {
		case e.Op == Set && e.Outcome == Done:
			may[e.Queue] = []int{e.Value}
		case e.Op == Set && e.Outcome == Unknown:
			may[e.Queue] = append(may[e.Queue], e.Value)
		case e.Op == Read && e.Outcome == Done:
			if values, ok := may[e.Queue]; ok && !slices.Contains(values, e.Value) {
				f.add(Settings, "%s has the setting %d at %v, want one of %v", e.Queue, e.Value, e.Start, values)
			}
			may[e.Queue] = []int{e.Value}
		}
	}
}
