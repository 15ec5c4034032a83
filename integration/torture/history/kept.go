package history

import (
	"slices"
	"time"
)

// counting is how long it may take to ask for all counts.
const counting = 5 * time.Second

// checkKept judges how many messages a queue has from which only time removes
// any.
func (x *index) checkKept(f *findings, at time.Duration, queue string, kept time.Duration, c Counts) {
	least, most := 0, 0
	for _, m := range x.messages {
		if m.queue != queue || m.outcome == Refused || m.start > at {
			continue
		}
		if m.end+kept+margin+counting > at {
			most++
		}
		if m.outcome == Done && m.end <= at && m.start+kept > at+margin {
			least++
		}
	}
	if n := c.Visible + c.Hidden + c.Delayed; n < least || n > most {
		f.add(Kept, "%s counts %d messages at %v, want %d to %d that are younger than %v", queue, n, at, least, most, kept)
	}
}

// checkAttempts judges receives that were repeated with their attempt id: as
// long as what the first one got is certainly held and untouched, the next gets
// the same under the same handles.
func (x *index) checkAttempts(f *findings) {
	got := make(map[int][]*Event) // by the call
	last := make(map[string]*Event)
	for i := range x.h.events {
		if e := &x.h.events[i]; e.Op == Deliver && e.Attempt != "" {
			got[e.Call] = append(got[e.Call], e)
		}
	}
	for i := range x.h.events {
		e := &x.h.events[i]
		if e.Op != Receive || e.Attempt == "" || e.Outcome != Done {
			continue
		}
		name := e.Queue + "/" + e.Attempt
		before := last[name]
		last[name] = e
		if before == nil || len(got[before.Call]) == 0 || before.End > e.Start || !x.untouched(got[before.Call], e.End) {
			continue
		}
		if !slices.EqualFunc(got[before.Call], got[e.Call], func(a, b *Event) bool { return a.Key == b.Key && a.Handle == b.Handle }) {
			f.add(Attempts, "the receive of %s at %v got %d messages, and again at %v %d, or others", name, before.Start, len(got[before.Call]), e.Start, len(got[e.Call]))
		}
	}
}

// untouched reports whether what was delivered is certainly held until then, and
// nobody has tried to settle any of it.
func (x *index) untouched(deliveries []*Event, until time.Duration) bool {
	return !slices.ContainsFunc(deliveries, func(d *Event) bool {
		m := x.messages[d.Key]
		settles := func(e *Event) bool { return e.Outcome != Refused && e.Start < until && e.End > d.Start }
		return d.Start+d.Hidden <= until+margin || slices.ContainsFunc(m.deletes, settles) || slices.ContainsFunc(m.changes, settles) ||
			slices.ContainsFunc(x.wipes[d.Queue], settles)
	})
}
