package sqlite

import (
	"container/heap"
	"math"

	"queues/engine"
)

// class is what a message is counted as. All but fresh are the values of
// deliveries.state.
type class int64

const (
	fresh class = iota
	delayed
	inFlight
	again
	late
	classes
)

// keptReturns is how many returns leave a message its place.
const keptReturns = 2

// never is a time that does not come.
const never = math.MaxInt64

// queue is the writer's view of one queue.
type queue struct {
	number   int64
	snapshot *engine.Queue
	// purged is when the queue was last purged, zero for never.
	purged  int64
	deleted bool

	// The stored state.
	epoch int64
	// cursor: every fresh message up to here has a delivery row or is gone.
	cursor int64
	// cut: every message up to here has expired, whether or not its rows are
	// still there. It never passes the cursor.
	cut int64
	// count counts the rows that are there, expired ones included.
	count [classes]int64
	// moved is how many of them brought something along from another queue.
	moved int64
	// groups is how many message groups of a standard queue have rows.
	groups int64

	// turn is the last place in the line of a FIFO queue; zero when it has to be
	// looked up. receding is true while the cursor may stand behind messages
	// that are delayed.
	turn     int64
	receding bool
	// caughtUp is the transaction that has removed expired rows of a FIFO queue.
	caughtUp *tx

	// unknown is true when the stored state must be read before it is used.
	unknown bool
	// nextDue is no later than the first deadline of a delayed or in-flight
	// message, and nextExpiry than the first expiry behind the cut. Zero means
	// that it has to be looked up.
	nextDue, nextExpiry int64
	// expired is true while there may be rows up to the cut.
	expired bool

	// spent is true while receives have left messages that are to move to the
	// dead-letter target; spentAt is when the sweeper last went on with them,
	// and redriven, on a FIFO queue, the place in the line up to which it has.
	spent             bool
	spentAt, redriven int64
	// passedFrom and passedTo bound a part of the line of a FIFO queue in which
	// every group has a spent head. Zero for none.
	passedFrom, passedTo int64
	// received: every message of a FIFO queue up to here was received or is gone.
	// Less than there is to say is allowed.
	received int64
	// skipTo is the last place in the line that was given when groups that are to
	// be passed by came about.
	skipTo int64

	// touched is the transaction that changes the queue, and report its report.
	touched *tx
	report  engine.Report

	// at and index are the queue's place in the agenda; index is -1 outside.
	at    int64
	index int
}

// visible is how many messages can be received, expired ones whose rows are
// still there included.
func (q *queue) visible() int64 { return q.count[fresh] + q.count[again] + q.count[late] }

// rows is how many messages have rows.
func (q *queue) rows() int64 { return q.visible() + q.count[inFlight] + q.count[delayed] }

// fifo tells whether the queue keeps the order within groups.
func (q *queue) fifo() bool { return q.snapshot.Kind == engine.FIFO }

// classOf is what a message of a FIFO queue is counted as, given the state of
// its delivery, zero for none.
func (q *queue) classOf(id int64, state class) class {
	if state == fresh && id > q.cursor {
		return delayed
	}
	return state
}

// guess sets the bounds that nothing is known about.
func (q *queue) guess() {
	q.nextDue, q.nextExpiry, q.expired = never, never, false
	q.spent, q.passedFrom, q.passedTo, q.skipTo, q.received = false, 0, 0, 0, 0
	q.turn, q.receding = 0, q.fifo() && q.snapshot.Delay > 0 && q.rows() > 0
	if q.count[delayed]+q.count[inFlight] > 0 {
		q.nextDue = 0
	}
	if q.rows() > 0 {
		q.nextExpiry, q.expired = 0, q.cut > 0
	}
}

// wake is when the sweeper should look at the queue.
func (q *queue) wake() int64 {
	if q.expired || q.receding {
		return 0
	}
	if q.spent {
		return min(q.spentAt, q.nextDue, q.nextExpiry)
	}
	return min(q.nextDue, q.nextExpiry)
}

// returned is the class of a message that becomes visible again after so many
// receives. On a FIFO queue nothing loses its place.
func (q *queue) returned(receives int64) class {
	if receives > keptReturns && !q.fifo() {
		return late
	}
	return again
}

const (
	readStateSQL   = `SELECT epoch, cursor, cut, fresh, delayed, in_flight, again, late, moved, fair_groups FROM queue_state WHERE number = ?`
	removeStateSQL = `DELETE FROM queue_state WHERE number = ?`
	putStatesSQL   = `REPLACE INTO queue_state (number, epoch, cursor, cut, fresh, delayed, in_flight, again, late, moved, fair_groups) VALUES `
	putStateParams = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// load reads the stored state of a queue.
func (t *tx) load(q *queue) error {
	found := false
	err := t.run(t.w.readState, func(r row) error {
		found = true
		q.setState(r, 0)
		return nil
	}, q.number)
	if err != nil {
		return err
	}
	if !found {
		return internal("queue %s has no stored state", q.snapshot.ID)
	}
	q.unknown = false
	q.guess()
	return nil
}

// setState takes the stored state from a row, from its column i on.
func (q *queue) setState(r row, i int) {
	q.epoch, q.cursor, q.cut = r.int(i), r.int(i+1), r.int(i+2)
	for c := range q.count {
		q.count[c] = r.int(i + 3 + c)
	}
	q.moved, q.groups = r.int(i+3+int(classes)), r.int(i+4+int(classes))
}

// agenda is a heap of queues by when they want to be looked at. Queues that
// want nothing are not in it.
type agenda struct{ queues []*queue }

// update gives a queue its place.
func (a *agenda) update(q *queue) {
	if q.deleted {
		a.set(q, never)
	} else {
		a.set(q, q.wake())
	}
}

// set gives a queue its place at a time.
func (a *agenda) set(q *queue, at int64) {
	switch {
	case at == never && q.index >= 0:
		heap.Remove(a, q.index)
	case at == never:
	case q.index < 0:
		q.at = at
		heap.Push(a, q)
	case q.at != at:
		q.at = at
		heap.Fix(a, q.index)
	}
}

// first gives the queue that wants to be looked at first, nil for none.
func (a *agenda) first() *queue {
	if len(a.queues) == 0 {
		return nil
	}
	return a.queues[0]
}

// Len is part of heap.Interface, as are Less, Swap, Push and Pop.
func (a *agenda) Len() int { return len(a.queues) }

// Less orders by time.
func (a *agenda) Less(i, j int) bool { return a.queues[i].at < a.queues[j].at }

// Swap keeps the queues' own idea of their place.
func (a *agenda) Swap(i, j int) {
	a.queues[i], a.queues[j] = a.queues[j], a.queues[i]
	a.queues[i].index, a.queues[j].index = i, j
}

// Push adds a queue at the end.
func (a *agenda) Push(x any) {
	q := x.(*queue)
	q.index = len(a.queues)
	a.queues = append(a.queues, q)
}

// Pop takes the last queue.
func (a *agenda) Pop() any {
	n := len(a.queues) - 1
	q := a.queues[n]
	a.queues[n] = nil
	a.queues = a.queues[:n]
	q.index = -1
	return q
}
