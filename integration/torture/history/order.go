package history

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// checkOrder judges the deliveries of every group of every FIFO queue: a
// message may only be delivered when every one before it in its group may be
// gone, or is before it in the same answer.
func (x *index) checkOrder(f *findings) {
	for _, group := range x.groups {
		var deliveries []*Event
		for _, m := range group {
			for _, d := range m.deliveries {
				if d.Queue == m.queue {
					deliveries = append(deliveries, d)
				}
			}
		}
		slices.SortFunc(deliveries, func(a, b *Event) int { return cmp.Compare(a.End, b.End) })
		low := 0
		for _, d := range deliveries {
			for low < len(group) && x.left(group[low], d.End) {
				low++
			}
			for _, before := range group[min(low, len(group)):] {
				if before.order >= x.messages[d.Key].order {
					break
				}
				if !x.left(before, d.End) && !inAnswer(before, d) {
					f.add(Reordered, "%s was delivered at %v before %s of the same group", d.Key, d.End, before.key)
				}
			}
		}
	}
}

// left reports whether a message may have left its queue, or never been in it,
// by then.
func (x *index) left(m *message, by time.Duration) bool {
	seen := 0
	for _, d := range m.deliveries {
		if d.Queue != m.queue && d.Start < by {
			return true
		}
		if d.Queue == m.queue && d.Start < by {
			seen++
		}
	}
	if m.outcome != Done && len(m.deliveries) == 0 {
		return true
	}
	if at, may := x.mayBeGone(m); may && at < by {
		return true
	}
	q := x.h.Queues[m.queue]
	if q.DeadLetters == "" {
		return false
	}
	for _, lost := range x.lost[m.queue] {
		if lost.End > m.start && lost.Start < by {
			seen++
		}
	}
	return seen >= q.MaxReceives
}

// inAnswer reports whether a message is before another in the same answer.
func inAnswer(m *message, of *Event) bool {
	return slices.ContainsFunc(m.deliveries, func(d *Event) bool { return d.Call == of.Call && d.Position < of.Position })
}

// checkStoredOrder judges the order in which a FIFO queue holds its messages.
func (x *index) checkStoredOrder(f *findings, queue string, stored []Stored) {
	if !x.h.Queues[queue].FIFO {
		return
	}
	last := make(map[string]*message)
	for _, one := range stored {
		m := x.messages[one.Key]
		if m == nil || m.queue != queue {
			continue
		}
		if m.group != one.Group {
			f.add(Strayed, "%s was sent to the group %s and is in %s", m.key, m.group, one.Group)
		}
		if before := last[m.group]; before != nil && before.order > m.order {
			f.add(Reordered, "%s stands before %s of the same group", before.key, m.key)
		}
		last[m.group] = m
	}
}

// checkSequences judges the sequence numbers of FIFO queues: a message whose
// first send began after another's was answered has the greater number.
func (x *index) checkSequences(f *findings) {
	queues := make(map[string][]*message)
	for _, m := range x.messages {
		if m.outcome == Done && m.sequence != "" {
			queues[m.queue] = append(queues[m.queue], m)
		}
	}
	for queue, sent := range queues {
		byEnd := slices.Clone(sent)
		slices.SortFunc(byEnd, func(a, b *message) int { return cmp.Compare(a.end, b.end) })
		slices.SortFunc(sent, func(a, b *message) int { return cmp.Compare(a.start, b.start) })
		highest, next := "", 0
		for _, m := range sent {
			for ; next < len(byEnd) && byEnd[next].end < m.start; next++ {
				highest = max(highest, padded(byEnd[next].sequence))
			}
			if n := padded(m.sequence); n <= highest {
				f.add(Sequences, "%s in %s has the sequence number %s, and %s was given before", m.key, queue, n, highest)
			}
		}
	}
}

// padded makes sequence numbers comparable as texts.
func padded(number string) string { return fmt.Sprintf("%032s", number) }
