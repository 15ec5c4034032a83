package storetest

import (
	"cmp"
	"math"
	"slices"
	"time"

	"queues/engine"
)

// modelTurn is a place in the line of groups.
type modelTurn struct {
	at time.Time
	n  uint64
}

func (t modelTurn) compare(other modelTurn) int {
	return cmp.Or(t.at.Compare(other.at), cmp.Compare(t.n, other.n))
}

// endOf is the last place that a time can give.
func endOf(at time.Time) modelTurn { return modelTurn{at, math.MaxUint64} }

// modelGroup is a message group of a FIFO queue that has messages.
type modelGroup struct {
	name string
	// head is the oldest message that is kept.
	head *modelMessage
	// open: the head is visible.
	open bool
	// earliest and latest bound the group's place in the line. They differ
	// where the contract does not fix it: for groups that became available at
	// one time, and when it is open who noticed an expiry, and when.
	earliest, latest modelTurn
}

// turn draws the next place in the line.
func (q *modelQueue) turn(now time.Time) modelTurn {
	q.turns++
	return modelTurn{now, q.turns}
}

// delay computes the place of a message that nobody received: the delay of a
// FIFO queue is the current one for all its messages.
func (q *modelQueue) delay(msg *modelMessage, now time.Time) {
	if msg.receives > 0 || msg.place == inFlight {
		return
	}
	msg.due = msg.sent.Add(q.Delay)
	if now.Before(msg.due) {
		msg.place = delayed
	}
}

// runs gives the messages of each group that are kept, the oldest first, in the
// order of the groups' heads.
func (q *modelQueue) runs(now time.Time) [][]*modelMessage {
	var all [][]*modelMessage
	at := make(map[string]int)
	for _, msg := range q.messages {
		if q.over(msg, now) {
			continue
		}
		i, seen := at[msg.Group]
		if !seen {
			i = len(all)
			at[msg.Group] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], msg)
	}
	return all
}

// line brings the line of groups up to date. The place of a group that has
// become available is what the function gives for what was known of the group,
// nil for nothing.
func (q *modelQueue) line(now time.Time, place func(was *modelGroup, head *modelMessage) (earliest, latest modelTurn)) {
	groups := make(map[string]*modelGroup)
	for _, run := range q.runs(now) {
		head := run[0]
		was := q.groups[head.Group]
		g := &modelGroup{name: head.Group, head: head, open: head.place == visible}
		groups[g.name] = g
		switch earliest, latest := place(was, head); {
		case !g.open:
		case was == nil || !was.open:
			g.earliest, g.latest = earliest, latest
		case was.head != head:
			g.earliest, g.latest = was.earliest, latest
		default:
			g.earliest, g.latest = was.earliest, was.latest
		}
	}
	q.groups, q.lined = groups, now
}

// pass lets time pass in the line.
func (q *modelQueue) pass(now time.Time) {
	last := q.lined
	q.line(now, func(was *modelGroup, head *modelMessage) (earliest, latest modelTurn) {
		if was != nil && was.head == head {
			return modelTurn{at: head.due}, endOf(head.due)
		}
		return modelTurn{at: last}, endOf(now)
	})
}

// between brings the line up to date after a call that began at a place.
func (q *modelQueue) between(begin modelTurn, now time.Time) {
	end := q.turn(now)
	q.line(now, func(*modelGroup, *modelMessage) (earliest, latest modelTurn) { return begin, end })
}

// relined brings the line up to date after a call that began at a place, and
// reports on a FIFO queue everything that can be received now.
func (m *Model) relined(q *modelQueue, report *engine.Report, begin modelTurn, now time.Time) {
	if q.Kind != engine.FIFO {
		return
	}
	q.between(begin, now)
	report.Ready = max(report.Ready, len(q.inLine(nil, now)))
}

// relay applies settings that have changed.
func (m *Model) relay(q *modelQueue, now time.Time) {
	for _, msg := range q.messages {
		q.delay(msg, now)
		if msg.place == delayed && !now.Before(msg.due) {
			msg.place = visible
		}
	}
	q.line(now, func(*modelGroup, *modelMessage) (earliest, latest modelTurn) { return modelTurn{}, endOf(now) })
}

// inLine gives the messages that can be received in the order of the line: of
// each group the visible ones before the first hidden one.
func (q *modelQueue) inLine(rank func(*modelMessage) int, now time.Time) []*modelMessage {
	var waiting [][]*modelMessage
	for _, run := range q.runs(now) {
		hidden := slices.IndexFunc(run, func(msg *modelMessage) bool { return msg.place != visible })
		if hidden >= 0 {
			run = run[:hidden]
		}
		if len(run) > 0 {
			waiting = append(waiting, run)
		}
	}
	if rank == nil {
		slices.SortStableFunc(waiting, func(a, b []*modelMessage) int { return q.groupOf(a).latest.compare(q.groupOf(b).latest) })
		return slices.Concat(waiting...)
	}
	var offered []*modelMessage
	for len(waiting) > 0 {
		i := q.foremost(waiting, rank)
		offered = append(offered, waiting[i]...)
		waiting = slices.Delete(waiting, i, i+1)
	}
	return offered
}

func (q *modelQueue) groupOf(run []*modelMessage) *modelGroup { return q.groups[run[0].Group] }

// foremost chooses the group that is served next, by rank among those that may
// stand in front.
func (q *modelQueue) foremost(waiting [][]*modelMessage, rank func(*modelMessage) int) int {
	first := q.groupOf(waiting[0]).latest
	for _, run := range waiting {
		if latest := q.groupOf(run).latest; latest.compare(first) < 0 {
			first = latest
		}
	}
	best, bestRank := -1, 0
	for i, run := range waiting {
		if first.compare(q.groupOf(run).earliest) < 0 {
			continue
		}
		least := rankOf(run, rank)
		if best < 0 || least < bestRank {
			best, bestRank = i, least
		}
	}
	return best
}

// rankOf gives the rank of a group: the least of its messages that were chosen.
// A group of which only dead letters were chosen comes before all others.
func rankOf(run []*modelMessage, rank func(*modelMessage) int) int {
	least, dead := rankedLast, false
	for _, msg := range run {
		if r := rank(msg); r >= 0 {
			least = min(least, r)
		} else {
			dead = true
		}
	}
	if dead && least == rankedLast {
		return -1
	}
	return least
}

// serve puts groups that were served and are still available at the end.
func (q *modelQueue) serve(groups []string, now time.Time) {
	for _, name := range groups {
		if g := q.groups[name]; g != nil && g.open {
			g.earliest = q.turn(now)
			g.latest = g.earliest
		}
	}
}
