package integration

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// plain is a standard queue: oldest first, those received three times or more
// after all others.
type plain struct {
	exists   bool
	messages []held
	// handles tells for which message each handle was given out, since the
	// queue was made.
	handles map[int]string
}

// held is a message in a queue.
type held struct {
	body            string
	hidden, delayed bool
	receives        int
	// handle is the latest.
	handle int
	// missed is true when a receive took it and did not give it: it must have
	// been removed meanwhile.
	missed bool
}

// give checks that what came is what should have, and notes that it did. With
// besides some of it may be missing.
func give(s step, want []*held, got []taken, handles map[int]string) bool {
	for _, m := range want {
		m.receives++
		m.hidden = s.hidden
		if len(got) == 0 || got[0].body != m.body {
			if m.handle, m.missed = 0, true; !s.besides {
				return false
			}
			continue
		}
		if _, twice := handles[got[0].handle]; twice {
			return false
		}
		m.handle = got[0].handle
		handles[m.handle] = m.body
		got = got[1:]
	}
	return len(got) == 0
}

func (q *plain) copy() *plain {
	return &plain{q.exists, slices.Clone(q.messages), maps.Clone(q.handles)}
}

// find gives the place of a handle's message, or what the answer is instead.
func (q *plain) find(handle int) (at int, code string) {
	body, ok := q.handles[handle]
	if !ok {
		return -1, badHandle // of the queue that had the name before
	}
	return slices.IndexFunc(q.messages, func(m held) bool { return m.body == body }), badParam
}

func (q *plain) next(s step, a answer) (sequential, bool) {
	n := q.copy()
	switch {
	case s.do == "create":
		if n.exists = true; !q.exists {
			n.messages, n.handles = nil, nil
		}
		return n, a.code == ""
	case s.do == "end":
		return n, !slices.ContainsFunc(q.messages, func(m held) bool { return m.missed })
	case !q.exists:
		return n, a.code == noQueue
	}
	switch s.do {
	case "send":
		for _, body := range s.bodies {
			n.messages = append(n.messages, held{body: body, delayed: s.delayed})
		}
	case "receive":
		return n, a.code == "" && n.receive(s, a)
	case "delete":
		at, code := q.find(s.handle)
		if code == badHandle {
			return n, a.code == badHandle
		}
		if at >= 0 && q.messages[at].handle == s.handle {
			n.messages = slices.Delete(n.messages, at, at+1)
		}
	case "change":
		at, code := q.find(s.handle)
		if at < 0 {
			return n, a.code == code
		}
		n.messages[at].hidden = s.hidden
	case "count":
		return n, a.code == "" && a.counts == sizes(q.messages)
	case "purge":
		n.messages = nil
	case "remove":
		n.exists, n.messages = false, nil
	}
	return n, a.code == ""
}

// receive checks that the right messages came, and notes that they did.
func (q *plain) receive(s step, a answer) bool {
	var order []int
	for _, late := range []bool{false, true} {
		for i, m := range q.messages {
			if !m.hidden && !m.delayed && late == (m.receives >= 3) {
				order = append(order, i)
			}
		}
	}
	order = order[:min(len(order), s.most)]
	var want []*held
	for _, at := range order {
		want = append(want, &q.messages[at])
	}
	if q.handles == nil {
		q.handles = map[int]string{}
	}
	return give(s, want, a.got, q.handles)
}

// sizes counts messages as a queue does.
func sizes(all []held) (n [3]int) {
	for _, m := range all {
		switch {
		case m.delayed:
			n[2]++
		case m.hidden:
			n[1]++
		default:
			n[0]++
		}
	}
	return n
}

// sizes reads the counts of an answer.
func (r *reply) sizes(t interface{ Errorf(string, ...any) }) (n [3]int) {
	for i, name := range []string{"", "NotVisible", "Delayed"} {
		name = "ApproximateNumberOfMessages" + name
		_, rest, ok := strings.Cut(r.Body, `"`+name+`":"`)
		if !ok {
			_, rest, ok = strings.Cut(r.Body, "<Name>"+name+"</Name><Value>")
		}
		if _, err := fmt.Sscanf(rest, "%d", &n[i]); err != nil || !ok {
			t.Errorf("there is no %s in %s", name, r.Body)
		}
	}
	return n
}
