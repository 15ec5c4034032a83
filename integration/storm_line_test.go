package integration

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// line is a FIFO queue. Its groups stand in line in the order in which they
// became available; being served puts them at the end.
type line struct {
	shelf

	// turns are the groups in line: those whose oldest message is visible.
	turns []string
	// sent is what the deduplication ids were answered with, tries what the
	// attempts took, in its order; number is the greatest number.
	sent   map[string]result
	tries  map[string][]tried
	number string
	// together is how many groups at the end of the line have come in one batch:
	// they stand there in any order.
	together int
}

// tried is a message that an attempt took, and the handle that it gave.
type tried struct {
	key    string
	handle int
}

func (q *line) clone() single {
	n := &line{q.shelf.copy(), slices.Clone(q.turns), maps.Clone(q.sent), maps.Clone(q.tries), q.number, 0}
	if n.sent == nil {
		n.sent, n.tries = map[string]result{}, map[string][]tried{}
	}
	return n
}

func (q *line) base() *shelf { return &q.shelf }

func (q *line) text() string {
	var b strings.Builder
	q.write(&b)
	fmt.Fprint(&b, q.number, q.turns)
	for _, dedup := range names(q.sent) {
		b.WriteString(dedup + q.sent[dedup].number)
	}
	if len(q.tries) > 0 {
		fmt.Fprint(&b, q.tries)
	}
	return b.String()
}

func (q *line) next(s step, a answer) (sequential, bool) {
	n := q.clone().(*line)
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
		n.together = len(n.turns) - len(q.turns)
		return n, true
	case "count":
		return n, a.code == "" && a.counts == sizes(q.messages)
	case "end":
		return n, q.whole()
	case "purge":
		n.messages, n.turns = nil, nil
		clear(n.sent) // a purge forgets what was sent
	}
	return n, a.code == ""
}

// send stores the entries in their order, each unless it is known already. One
// bad entry fails them all.
func (q *line) send(s step, a answer) bool {
	if slices.ContainsFunc(s.entries, func(e parcel) bool { return e.bad }) {
		return a.code == badParam
	}
	for i, o := range a.each(len(s.entries)) {
		e := s.entries[i]
		if o.code != "" {
			return false
		}
		if first, ok := q.sent[e.dedup]; ok {
			if o != first {
				return false
			}
			continue
		}
		if o.number <= q.number { // all have 20 digits
			return false
		}
		q.number = o.number
		q.sent[e.dedup] = o
		q.arrive(held{body: e.body, key: e.body, id: o.id, group: e.group})
	}
	return true
}

// orders are the line with those that came together in every order.
func (q *line) orders() (all []single) {
	if q.together < 2 {
		return []single{q}
	}
	for i := len(q.turns) - q.together; i < len(q.turns); i++ {
		rest := q.clone().(*line)
		rest.turns = slices.Delete(rest.turns, i, i+1)
		rest.together = q.together - 1
		for _, o := range rest.orders() {
			o := o.clone().(*line)
			o.turns = append(o.turns, q.turns[i])
			all = append(all, o)
		}
	}
	return all
}

func (q *line) arrive(m held) {
	q.messages = append(q.messages, m)
	q.putRight(m.group)
}

func (q *line) movable() (places []int) {
	seen := map[string]bool{}
	for i, m := range q.messages {
		if !seen[m.group] && m.bound && !m.hidden {
			places = append(places, i)
		}
		seen[m.group] = true
	}
	return places
}

func (q *line) leave(at int) held {
	m := q.messages[at]
	q.messages = slices.Delete(q.messages, at, at+1)
	q.putRight(m.group)
	return m
}

// putRight puts a group into the line or takes it out, as its oldest message
// says. One that stays keeps its place.
func (q *line) putRight(group string) {
	i := slices.IndexFunc(q.messages, func(m held) bool { return m.group == group })
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
func (q *line) settle(s step, handle int) string {
	refused := badParam
	if s.do == "change" && len(s.handles) > 1 {
		refused = badHandle
	}
	at := q.at(q.handles[handle])
	if at < 0 {
		if s.do == "delete" {
			return ""
		}
		return refused
	}
	if m := q.messages[at]; !m.hidden || m.handle != handle {
		return refused
	}
	group := q.messages[at].group
	for try, got := range q.tries { // it is not as it was given out
		if slices.ContainsFunc(got, func(g tried) bool { return g.key == q.messages[at].key }) {
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

// receive checks that the right messages came, and notes that they did. It comes
// by the dead letters that stand before what it takes from each group.
func (q *line) receive(s step, a answer) bool {
	if before, ok := q.tries[s.attempt]; ok && q.untouched(before) {
		return q.again(s, before, a.got)
	}
	var order, letters []int
	var served, shorter []string
	for _, group := range q.turns {
		before := len(order)
		for i, m := range q.messages {
			if m.group != group {
				continue
			}
			if m.hidden || len(order) == s.most {
				break
			}
			if q.spent(m) {
				letters = append(letters, i)
				shorter = append(shorter, group)
				continue
			}
			order = append(order, i)
		}
		if len(order) > before {
			served = append(served, group)
		}
	}
	var want []*held
	for _, at := range order {
		want = append(want, &q.messages[at])
	}
	if !q.give(s, want, a.got) {
		return false
	}
	if s.attempt != "" && len(want) > 0 {
		var all []tried
		for _, m := range want {
			all = append(all, tried{m.key, m.handle})
		}
		q.tries[s.attempt] = all
	}
	q.bury(letters)
	for _, group := range served {
		q.turns = slices.DeleteFunc(q.turns, func(g string) bool { return g == group })
		q.putRight(group)
	}
	for _, group := range shorter {
		q.putRight(group)
	}
	return true
}

// again checks that an attempt got what it had got before.
func (q *line) again(s step, before []tried, got []taken) bool {
	before = slices.Clone(before)
	q.tries[s.attempt] = before
	for i, b := range before {
		m := &q.messages[q.at(b.key)]
		switch {
		case len(got) > 0 && got[0].body == m.body && b.handle == 0: // the first time it was missed
			m.handle, before[i].handle = got[0].handle, got[0].handle
			q.handles[m.handle] = m.key
			got = got[1:]
		case len(got) > 0 && got[0].body == m.body && got[0].handle == b.handle && m.known(got[0].id):
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
func (q *line) untouched(all []tried) bool {
	return !slices.ContainsFunc(all, func(g tried) bool {
		at := q.at(g.key)
		return at < 0 || !q.messages[at].hidden || q.messages[at].handle != g.handle
	})
}
