package sqlite

import "slices"

const (
	fairHeadsSQL = `SELECT g.head, g.number, d.receives, b.id IS NOT NULL, b.sent
		FROM fair_groups AS g INDEXED BY fair_groups_head CROSS JOIN deliveries AS d ON d.id = g.head LEFT JOIN moved AS b ON b.id = g.head
		WHERE g.queue = ? AND g.head > ? ORDER BY g.head LIMIT ?`
	fairLateSQL = `SELECT g.late_head, g.number, d.receives, b.id IS NOT NULL, b.sent
		FROM fair_groups AS g INDEXED BY fair_groups_late CROSS JOIN deliveries AS d ON d.id = g.late_head LEFT JOIN moved AS b ON b.id = g.late_head
		WHERE g.queue = ? AND g.late_head > ? ORDER BY g.late_head LIMIT ?`
	fairMembersSQL = `SELECT d.id, d.grp, d.receives, b.id IS NOT NULL, b.sent
		FROM deliveries AS d INDEXED BY deliveries_grouped LEFT JOIN moved AS b ON b.id = d.id
		WHERE d.grp = ? AND d.state = ? AND d.id > ? ORDER BY d.id LIMIT ?`
)

// groupWalker goes through the visible messages of groups of one class, oldest
// first. It starts with the heads; a group whose message was taken goes on with
// its next. The rows of the groups must be up to date; one whose head has expired
// is not met.
type groupWalker struct {
	t     *tx
	q     *queue
	class class
	// Ids from below on do not count, and neither do the groups in skip.
	below int64
	skip  []int64
	// only are groups to be looked into that are not reached by their heads.
	only []int64

	// heads are those read and not taken, up to the head after.
	heads   []candidate
	after   int64
	chunk   int64
	allRead bool
	// begun are the groups behind their head, sorted by their next message.
	begun []groupWalk
	// taken is true when the message that peek gave last was taken.
	taken bool
}

// groupWalk is where a walk stands within one group.
type groupWalk struct {
	number, after int64
	waiting       []candidate
	chunk         int64
}

// walkGroups starts a walk through all groups but those to skip, which expects
// to take n messages.
func (t *tx) walkGroups(q *queue, of class, n int64, skip []int64) *groupWalker {
	return &groupWalker{
		t: t, q: q, class: of, below: t.w.nextID, skip: skip,
		after: q.cut, chunk: n + 1 + int64(len(skip)), allRead: q.groups == 0 || q.count[of] == 0,
	}
}

// walkOnly starts a walk through some groups.
func (t *tx) walkOnly(q *queue, of class, groups []int64) *groupWalker {
	w := &groupWalker{t: t, q: q, class: of, below: t.w.nextID, only: groups, allRead: true}
	if q.count[of] == 0 {
		w.only = nil
	}
	return w
}

// peek gives the next message; false when there is none.
func (w *groupWalker) peek() (candidate, bool, error) {
	if err := w.leave(); err != nil {
		return candidate{}, false, err
	}
	for ; len(w.only) > 0; w.only = w.only[1:] {
		if err := w.goOn(groupWalk{number: w.only[0], after: w.q.cut}); err != nil {
			return candidate{}, false, err
		}
	}
	if err := w.readHeads(); err != nil {
		return candidate{}, false, err
	}
	switch {
	case w.headFirst():
		return w.heads[0], true, nil
	case len(w.begun) > 0:
		return w.begun[0].waiting[0], true, nil
	}
	return candidate{}, false, nil
}

// headFirst tells whether the next message is the head of its group.
func (w *groupWalker) headFirst() bool {
	return len(w.heads) > 0 && (len(w.begun) == 0 || w.heads[0].id < w.begun[0].waiting[0].id)
}

// of gives the class of the messages.
func (w *groupWalker) of() class { return w.class }

// end makes ids from here on not count.
func (w *groupWalker) end(below int64) { w.below = min(w.below, below) }

// take goes on to the next message.
func (w *groupWalker) take() { w.taken = true }

// stop ends the walk before its next message.
func (w *groupWalker) stop() {
	w.heads, w.begun, w.only, w.allRead, w.taken = nil, nil, nil, true, false
}

// leave goes on behind the message that was taken.
func (w *groupWalker) leave() error {
	if !w.taken {
		return nil
	}
	w.taken = false
	if w.headFirst() {
		head := w.heads[0]
		w.heads = w.heads[1:]
		return w.goOn(groupWalk{number: head.group, after: head.id})
	}
	g := w.begun[0]
	w.begun = w.begun[1:]
	g.waiting = g.waiting[1:]
	return w.goOn(g)
}

// goOn gives a group the place of its next message, if it has one.
func (w *groupWalker) goOn(g groupWalk) error {
	if len(g.waiting) == 0 {
		// Most groups give one message, few give all.
		g.chunk = min(max(2, 2*g.chunk), lookRows)
		err := w.t.run(w.t.w.fairMembers, func(r row) error {
			c := w.candidate(r)
			g.after = c.id
			if c.id < w.below {
				g.waiting = append(g.waiting, c)
			}
			return nil
		}, g.number, int64(w.class), g.after, g.chunk)
		if err != nil || len(g.waiting) == 0 {
			return err
		}
	}
	i, _ := slices.BinarySearchFunc(w.begun, g.waiting[0].id, func(b groupWalk, id int64) int { return int(b.waiting[0].id - id) })
	w.begun = slices.Insert(w.begun, i, g)
	return nil
}

// readHeads reads further heads when those read are used up.
func (w *groupWalker) readHeads() error {
	for len(w.heads) == 0 && !w.allRead {
		n := min(max(w.chunk, 1), lookRows)
		stmt := w.t.w.fairHeads
		if w.class == late {
			stmt = w.t.w.fairLate
		}
		err := w.t.run(stmt, func(r row) error {
			n--
			c := w.candidate(r)
			w.after = c.id
			if c.id >= w.below {
				w.allRead = true
			} else if !slices.Contains(w.skip, c.group) {
				w.heads = append(w.heads, c)
			}
			return nil
		}, w.q.epoch, w.after, n)
		if err != nil {
			return err
		}
		w.allRead = w.allRead || n > 0
		w.chunk = lookRows
	}
	return nil
}

func (w *groupWalker) candidate(r row) candidate {
	c := candidate{id: r.int(0), group: r.int(1), class: w.class, receives: r.int(2), moved: r.int(3) != 0, sent: -1}
	if r[4] != nil {
		c.sent = r.int(4)
	}
	return c
}
