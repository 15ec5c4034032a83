package history

import (
	"cmp"
	"slices"
	"time"
)

// margin is how exact the clocks of clients and server are to each other: both
// are of one machine, and the server counts milliseconds.
const margin = 50 * time.Millisecond

// message is all that happened to one message.
type message struct {
	key, queue, group string
	// order is the message's place in its group.
	order int
	// start and end are of its first and its last send.
	start, end time.Duration
	outcome    Outcome
	sequence   string
	ids        []string

	deliveries, deletes, changes []*Event
}

// index is a history by message and queue.
type index struct {
	h        *History
	messages map[string]*message
	// keys has the messages in the order of their first send.
	keys []string
	// handles has the deliveries by their number.
	handles map[int]*Event
	wipes   map[string][]*Event
	// lost has, for each queue, the receives of unknown outcome.
	lost map[string][]*Event
	// groups has the messages of each group of a FIFO queue, in order.
	groups map[string][]*message
}

func newIndex(h *History) *index {
	x := &index{
		h: h, messages: make(map[string]*message), handles: make(map[int]*Event),
		wipes: make(map[string][]*Event), lost: make(map[string][]*Event), groups: make(map[string][]*message),
	}
	slices.SortStableFunc(h.events, func(a, b Event) int { return cmp.Compare(a.Start, b.Start) })
	for i := range h.events {
		x.add(&h.events[i])
	}
	return x
}

func (x *index) add(e *Event) {
	switch e.Op {
	case Send:
		x.addSend(e)
	case Receive:
		if e.Outcome == Unknown {
			x.lost[e.Queue] = append(x.lost[e.Queue], e)
		}
	case Deliver:
		x.handles[e.Handle] = e
		m := x.message(e.Key)
		m.deliveries = append(m.deliveries, e)
		m.addID(e.ID)
	case Delete:
		if e.Key != "" {
			m := x.message(e.Key)
			m.deletes = append(m.deletes, e)
		}
	case Change:
		m := x.message(e.Key)
		m.changes = append(m.changes, e)
	case Wipe:
		if e.Outcome != Refused {
			x.wipes[e.Queue] = append(x.wipes[e.Queue], e)
		}
	}
}

// message gives the record of a key. One that was not sent yet is one that
// nobody sent, unless a send follows.
func (x *index) message(key string) *message {
	m := x.messages[key]
	if m == nil {
		m = &message{key: key, outcome: Refused, start: -1}
		x.messages[key] = m
		x.keys = append(x.keys, key)
	}
	return m
}

func (x *index) addSend(e *Event) {
	m := x.message(e.Key)
	if m.start < 0 {
		m.queue, m.group, m.start, m.outcome = e.Queue, e.Group, e.Start, e.Outcome
		if x.h.Queues[e.Queue].FIFO {
			name := e.Queue + "/" + e.Group
			m.order = len(x.groups[name])
			x.groups[name] = append(x.groups[name], m)
		}
	}
	m.end = max(m.end, e.End)
	switch {
	case e.Outcome == Done:
		m.outcome, m.sequence = Done, e.Sequence
		m.addID(e.ID)
	case e.Outcome == Unknown && m.outcome == Refused:
		m.outcome = Unknown
	}
}

func (m *message) addID(id string) {
	if id != "" && !slices.Contains(m.ids, id) {
		m.ids = append(m.ids, id)
	}
}

// places gives the queues that a message may be in.
func (x *index) places(m *message) []string {
	places := []string{m.queue}
	for i := 0; i < len(places); i++ {
		q := x.h.Queues[places[i]]
		for _, next := range []string{q.DeadLetters, q.MovesTo} {
			if next != "" && !slices.Contains(places, next) {
				places = append(places, next)
			}
		}
	}
	return places
}

// heldUntil is until when the one who got a delivery certainly has the message
// to himself, as of a moment; zero when that is not certain.
func (x *index) heldUntil(m *message, d *Event, asOf time.Duration) time.Duration {
	if d == nil {
		return 0
	}
	until := d.Start + d.Hidden
	for _, c := range m.changes {
		if c.Outcome == Refused || c.End < d.Start || c.Start > asOf {
			continue
		}
		if c.Handle != d.Handle {
			return 0 // somebody else's handle may still act
		}
		changed := c.Start + c.Hidden
		switch {
		case c.End+margin >= until:
			return 0 // it may have come too late
		case c.Outcome == Unknown:
			until = min(until, changed)
		default:
			until = changed
		}
	}
	return until
}

// certain reports whether a delete that was answered has removed its message.
func (x *index) certain(m *message, d *Event) bool {
	return d.Outcome == Done && x.heldUntil(m, x.handles[d.Handle], d.End) > d.End+margin
}

// mayBeGone is when a message may have been removed at the earliest, and
// whether it may.
func (x *index) mayBeGone(m *message) (time.Duration, bool) {
	at, may := time.Duration(0), false
	note := func(t time.Duration) {
		if !may || t < at {
			at, may = t, true
		}
	}
	for _, d := range m.deletes {
		if d.Outcome != Refused {
			note(d.Start)
		}
	}
	for _, place := range x.places(m) {
		for _, w := range x.wipes[place] {
			if w.End > m.start {
				note(w.Start)
			}
		}
	}
	return at, may
}

// mustBeGone is since when a message is certainly gone, and whether it is.
func (x *index) mustBeGone(m *message) (at time.Duration, by *Event) {
	note := func(e *Event) {
		if by == nil || e.End < at {
			at, by = e.End, e
		}
	}
	for _, d := range m.deletes {
		if x.certain(m, d) {
			note(d)
		}
	}
	if len(x.places(m)) == 1 {
		for _, w := range x.wipes[m.queue] {
			if w.Outcome == Done && w.Start > m.end {
				note(w)
			}
		}
	}
	return at, by
}

// lastDelivery is the last delivery that had begun by then; nil for none.
func (m *message) lastDelivery(by time.Duration) *Event {
	for i := len(m.deliveries) - 1; i >= 0; i-- {
		if d := m.deliveries[i]; d.Start <= by {
			return d
		}
	}
	return nil
}
