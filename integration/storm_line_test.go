package integration

import (
	"maps"
	"slices"
)

// line is a FIFO queue. Its groups stand in line in the order in which they
// became available; being served puts them at the end.
type line struct {
	// messages are those of all groups, oldest first.
	messages []lineMember
	// turns are the groups in line: those whose oldest message is visible.
	turns []string
	// sent is what the deduplication ids were answered with, tries what the
	// attempts took, in its order; number is the greatest number.
	sent    map[string]answer
	tries   map[string][]taken
	handles map[int]string
	number  string
}

// lineMember is a message of a group.
type lineMember struct {
	held
	group string
}

func (q *line) copy() *line {
	n := *q
	n.messages, n.turns = slices.Clone(q.messages), slices.Clone(q.turns)
	n.sent, n.tries, n.handles = maps.Clone(q.sent), maps.Clone(q.tries), maps.Clone(q.handles)
	if n.sent == nil {
		n.sent, n.tries, n.handles = map[string]answer{}, map[string][]taken{}, map[int]string{}
	}
	return &n
}

// at gives the place of a message, or -1.
func (q *line) at(body string) int {
	return slices.IndexFunc(q.messages, func(m lineMember) bool { return m.body == body })
}

func (q *line) next(s step, a answer) (sequential, bool) {
	n := q.copy()
	switch s.do {
	case "send":
		return n, a.code == "" && n.send(s, a)
	case "receive":
		return n, a.code == "" && n.receive(s, a)
	case "delete", "change":
		return n, a.code == n.settle(s)
	case "count":
		var all []held
		for _, m := range q.messages {
			all = append(all, m.held)
		}
		return n, a.code == "" && a.counts == sizes(all)
	case "end":
		return n, !slices.ContainsFunc(q.messages, func(m lineMember) bool { return m.missed })
	case "purge":
		n.messages, n.turns = nil, nil
		clear(n.sent) // a purge forgets what was sent
	}
	return n, a.code == ""
}

// send stores a message, or knows it already.
func (q *line) send(s step, a answer) bool {
	if first, ok := q.sent[s.dedup]; ok {
		return a.id == first.id && a.number == first.number
	}
	if a.number <= q.number { // all have 20 digits
		return false
	}
	q.number = a.number
	q.sent[s.dedup] = answer{id: a.id, number: a.number}
	q.messages = append(q.messages, lineMember{held{body: s.bodies[0]}, s.group})
	q.putRight(s.group)
	return true
}

// putRight puts a group into the line or takes it out, as its oldest message
// says. One that stays keeps its place.
func (q *line) putRight(group string) {
	i := slices.IndexFunc(q.messages, func(m lineMember) bool { return m.group == group })
	available := i >= 0 && !q.messages[i].hidden
	at := slices.Index(q.turns, group)
	switch {
	case available && at < 0:
		q.turns = append(q.turns, group)
	case !available && at >= 0:
		q.turns = slices.Delete(q.turns, at, at+1)
	}
}

// settle deletes a message or changes for how long it is hidden, and gives the
// code of the answer. Only who holds it may.
func (q *line) settle(s step) string {
	at := q.at(q.handles[s.handle])
	if at < 0 {
		if s.do == "delete" {
			return ""
		}
		return badParam
	}
	if m := q.messages[at]; !m.hidden || m.handle != s.handle {
		return badParam
	}
	group := q.messages[at].group
	for try, got := range q.tries { // it is not as it was given out
		if slices.ContainsFunc(got, func(g taken) bool { return g.body == q.messages[at].body }) {
			delete(q.tries, try)
		}
	}
	if s.do == "delete" {
		q.messages = slices.Delete(q.messages, at, at+1)
	} else {
		q.messages[at].hidden = s.hidden
	}
	q.putRight(group)
	return ""
}

// receive checks that the right messages came, and notes that they did.
func (q *line) receive(s step, a answer) bool {
	if before, ok := q.tries[s.attempt]; ok && q.untouched(before) {
		return q.again(s, before, a.got)
	}
	var order []int
	var served []string
	for _, group := range q.turns {
		before := len(order)
		for i, m := range q.messages {
			if m.group != group {
				continue
			}
			if m.hidden || len(order) == s.most {
				break
			}
			order = append(order, i)
		}
		if len(order) > before {
			served = append(served, group)
		}
	}
	var want []*held
	for _, at := range order {
		want = append(want, &q.messages[at].held)
	}
	if !give(s, want, a.got, q.handles) {
		return false
	}
	for _, group := range served {
		q.turns = slices.DeleteFunc(q.turns, func(g string) bool { return g == group })
		q.putRight(group)
	}
	if s.attempt != "" && len(want) > 0 {
		var all []taken
		for _, m := range want {
			all = append(all, taken{m.body, m.handle})
		}
		q.tries[s.attempt] = all
	}
	return true
}

// again checks that an attempt got what it had got before.
func (q *line) again(s step, before, got []taken) bool {
	before = slices.Clone(before)
	q.tries[s.attempt] = before
	for i, b := range before {
		m := &q.messages[q.at(b.body)]
		switch {
		case len(got) > 0 && got[0].body == b.body && b.handle == 0: // the first time it was missed
			m.handle, before[i] = got[0].handle, got[0]
			q.handles[m.handle] = m.body
			got = got[1:]
		case len(got) > 0 && got[0] == b:
			got = got[1:]
		case s.besides:
			m.missed = true
		default:
			return false
		}
	}
	return len(got) == 0
}

// untouched reports whether messages are in flight as they were given out.
func (q *line) untouched(all []taken) bool {
	return !slices.ContainsFunc(all, func(g taken) bool {
		at := q.at(g.body)
		return at < 0 || !q.messages[at].hidden || q.messages[at].handle != g.handle
	})
}
