package integration

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// held is a message in a queue.
type held struct {
	body, group string
	// id is its message id, empty while nobody has seen it; was is the one that
	// it had in another queue, and that it may not keep.
	id, was string
	// key tells it from what the same message was in another queue.
	key             string
	hidden, delayed bool
	receives        int
	// handle is the latest.
	handle int
	// missed is true when a receive took it and did not give it: it must have
	// been removed meanwhile.
	missed bool
	// bound is true when a move task is to move it.
	bound bool
}

// elsewhere is the message after it has moved to another queue. With a new id
// it is a new message there.
func (m held) elsewhere(newID bool) held {
	n := held{body: m.body, group: m.group, id: m.id, was: m.was, key: m.key + "'"}
	if newID {
		n.id, n.was = "", m.id
	}
	return n
}

// shelf is what queues of both kinds have.
type shelf struct {
	// messages are all, oldest first.
	messages []held
	// handles tells the key of the message for which each handle was given out.
	handles map[int]string
	// most is how often a message may be received before it is a dead letter, 0
	// for ever; letters are those that the last receive has found.
	most    int
	letters []held
}

func (q *shelf) copy() shelf {
	n := shelf{slices.Clone(q.messages), maps.Clone(q.handles), q.most, nil}
	if n.handles == nil {
		n.handles = map[int]string{}
	}
	return n
}

// at gives the place of the message with a key, or -1.
func (q *shelf) at(key string) int {
	return slices.IndexFunc(q.messages, func(m held) bool { return m.key == key })
}

// spent tells whether a message is to be a dead letter.
func (q *shelf) spent(m held) bool { return q.most > 0 && m.receives >= q.most }

// bury takes the messages at some places out, as dead letters.
func (q *shelf) bury(places []int) {
	for _, at := range places {
		q.letters = append(q.letters, q.messages[at])
	}
	slices.Sort(places)
	for _, at := range slices.Backward(places) {
		q.messages = slices.Delete(q.messages, at, at+1)
	}
}

// bind makes a move task's of all messages there are, or of none, and gives how
// many can be received.
func (q *shelf) bind(bound bool) (visible int) {
	for i := range q.messages {
		q.messages[i].bound = bound
	}
	return sizes(q.messages)[0]
}

// whole tells whether nothing is missing at the end.
func (q *shelf) whole() bool {
	return !slices.ContainsFunc(q.messages, func(m held) bool { return m.missed })
}

// give checks that what came is what should have, and notes that it did. With
// besides some of it may be missing.
func (q *shelf) give(s step, want []*held, got []taken) bool {
	for _, m := range want {
		m.receives++
		m.hidden = s.hidden
		if len(got) == 0 || got[0].body != m.body {
			if m.handle, m.missed = 0, true; !s.besides {
				return false
			}
			continue
		}
		if _, twice := q.handles[got[0].handle]; twice || !m.known(got[0].id) {
			return false
		}
		m.handle = got[0].handle
		q.handles[m.handle] = m.key
		got = got[1:]
	}
	return len(got) == 0
}

// known checks the id with which a message came.
func (m *held) known(id string) bool {
	if m.id == "" && id != "" {
		m.id = id
		return id != m.was
	}
	return m.id == id || id == ""
}

// write appends a text that tells a shelf from any other.
func (q *shelf) write(b *strings.Builder) {
	for i := range q.messages {
		m := &q.messages[i]
		for _, s := range []string{m.key, m.group, m.id, m.was} {
			b.WriteString(s)
			b.WriteByte(' ')
		}
		for _, is := range []bool{m.hidden, m.delayed, m.missed, m.bound} {
			b.WriteString(strconv.FormatBool(is)[:1])
		}
		b.WriteString(strconv.Itoa(m.receives))
		b.WriteByte('/')
		b.WriteString(strconv.Itoa(m.handle))
		b.WriteByte('\n')
	}
	for _, handle := range slices.Sorted(maps.Keys(q.handles)) {
		b.WriteString(strconv.Itoa(handle))
		b.WriteByte('=')
		b.WriteString(q.handles[handle])
		b.WriteByte(' ')
	}
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
