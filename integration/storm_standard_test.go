package integration

import (
	"slices"
	"strings"
)

// plain is a standard queue: oldest first, those received three times or more
// after all others.
type plain struct {
	shelf

	// absent is true while there is no queue of the name. The handles are those
	// since it was made.
	absent bool
}

func (q *plain) clone() single { return &plain{q.shelf.copy(), q.absent} }
func (q *plain) base() *shelf  { return &q.shelf }

func (q *plain) text() string {
	var b strings.Builder
	if q.absent {
		b.WriteString("absent ")
	}
	q.write(&b)
	return b.String()
}

func (q *plain) next(s step, a answer) (sequential, bool) {
	n := q.clone().(*plain)
	switch {
	case s.do == "create":
		if n.absent = false; q.absent {
			n.messages, n.handles = nil, map[int]string{}
		}
		return n, a.code == ""
	case s.do == "end":
		return n, q.whole()
	case q.absent:
		return n, a.code == noQueue
	}
	switch s.do {
	case "send":
		return n, n.send(s, a)
	case "receive":
		return n, a.code == "" && n.receive(s, a)
	case "delete", "change":
		for i, o := range a.each(len(s.handles)) {
			if o.code != n.settle(s, s.handles[i]) {
				return nil, false
			}
		}
		return n, true
	case "count":
		return n, a.code == "" && a.counts == sizes(q.messages)
	case "purge":
		n.messages = nil
	case "remove":
		n.absent, n.messages = true, nil
	}
	return n, a.code == ""
}

// send stores the good entries, in their order, and refuses the bad ones alone.
func (q *plain) send(s step, a answer) bool {
	for i, o := range a.each(len(s.entries)) {
		e := s.entries[i]
		switch {
		case e.bad && o.code != badParam, !e.bad && o.code != "":
			return false
		case !e.bad:
			q.messages = append(q.messages, held{body: e.body, key: e.body, id: o.id, delayed: s.delayed})
		}
	}
	return true
}

// settle deletes a message or changes for how long it is hidden, and gives the
// code of the answer.
func (q *plain) settle(s step, handle int) string {
	key, ok := q.handles[handle]
	if !ok {
		return badHandle // of the queue that had the name before
	}
	at := q.at(key)
	switch {
	case s.do == "delete":
		if at >= 0 && q.messages[at].handle == handle {
			q.messages = slices.Delete(q.messages, at, at+1)
		}
	case at < 0 && len(s.handles) > 1:
		return badHandle
	case at < 0:
		return badParam
	default:
		q.messages[at].hidden = s.hidden
	}
	return ""
}

// receive checks that the right messages came, and notes that they did. It comes
// by the dead letters that stand before what it takes.
func (q *plain) receive(s step, a answer) bool {
	var order, letters []int
	for _, late := range []bool{false, true} {
		for i, m := range q.messages {
			switch {
			case m.hidden || m.delayed || late != (m.receives >= 3) || len(order) == s.most:
			case q.spent(m):
				letters = append(letters, i)
			default:
				order = append(order, i)
			}
		}
	}
	var want []*held
	for _, at := range order {
		want = append(want, &q.messages[at])
	}
	ok := q.give(s, want, a.got)
	q.bury(letters)
	return ok
}

func (q *plain) orders() []single { return []single{q} }

func (q *plain) arrive(m held) { q.messages = append(q.messages, m) }

func (q *plain) movable() []int {
	at := slices.IndexFunc(q.messages, func(m held) bool { return m.bound && !m.hidden && !m.delayed })
	if at < 0 {
		return nil
	}
	return []int{at}
}

func (q *plain) leave(at int) held {
	m := q.messages[at]
	q.messages = slices.Delete(q.messages, at, at+1)
	return m
}
