package sqlite

import (
	"fmt"
	"time"

	"queues/engine"
)

// tx is one transaction over the requests of a batch. It begins with the first
// statement: a batch that is answered from memory costs no disk access.
type tx struct {
	w *writer
	// nowArg is now as an argument of statements, made once for all of them.
	now    int64
	nowArg any
	// expiry is false while nothing may expire.
	expiry bool

	// alone is true when the batch is one request.
	alone bool

	begun bool
	// writes counts what has been written, waiting rows included.
	writes int
	// broken is the first failure of the database; nothing runs after it.
	broken error

	// moves and movedBytes are what has moved between queues, dropped what was
	// removed one by one for being over.
	moves, dropped int
	movedBytes     int64

	// groups are those that the call under way has looked at, as they were before
	// it, and disturbed those whose head it has changed.
	groups    map[int64]group
	disturbed []int64

	// notes are what happened to groups of standard queues, and noted where each
	// is among them.
	notes []groupNote
	noted map[int64]int

	touched []*queue
	undo    []func()
	publish []func()
}

// run runs a statement, after what waits before it.
func (t *tx) run(s *stmt, each func(row) error, args ...any) error {
	if err := t.flush(); err != nil {
		return err
	}
	return t.runNow(s, each, args...)
}

// runNow runs a statement that does not look at rows that wait.
func (t *tx) runNow(s *stmt, each func(row) error, args ...any) error {
	if err := t.begin(); err != nil {
		return err
	}
	if err := t.fault(s.point); err != nil {
		return err
	}
	if s.writes {
		t.writes++
	}
	if err := s.run(each, args...); err != nil {
		return t.fail(s.point, err)
	}
	return nil
}

// runBound is runNow for a statement that has its arguments.
func (t *tx) runBound(s *stmt, each func(row) error) error {
	if err := t.begin(); err != nil {
		return err
	}
	if err := t.fault(s.point); err != nil {
		return err
	}
	t.writes++
	if err := s.step(each); err != nil {
		return t.fail(s.point, err)
	}
	return nil
}

// begin starts the transaction unless it has been.
func (t *tx) begin() error {
	if t.broken != nil {
		return t.broken
	}
	if t.begun {
		return nil
	}
	if err := t.fault("begin"); err != nil {
		return err
	}
	if err := t.w.begin.run(nil); err != nil {
		return t.fail("begin", err)
	}
	t.begun = true
	return nil
}

// fault asks the tests whether this step is to fail.
func (t *tx) fault(point string) error {
	if t.w.fault == nil {
		return nil
	}
	if err := t.w.fault(point); err != nil {
		return t.fail(point, err)
	}
	return nil
}

// fail marks the transaction as lost.
func (t *tx) fail(point string, err error) error {
	if t.broken == nil {
		t.broken = &storageError{point: point, err: err}
	}
	return t.broken
}

// flush writes the rows that wait.
func (t *tx) flush() error {
	if err := t.runRows(t.w.insertMessages, nil); err != nil {
		return err
	}
	return t.runRows(t.w.removeMessages, nil)
}

// remove takes a message out of the table before the next statement that could
// see it.
func (t *tx) remove(id int64) { t.add(t.w.removeMessages, id) }

// queue gives a queue for work on its messages, or QueueNotFound.
func (t *tx) queue(id engine.QueueID) (*queue, error) {
	q := t.w.byID[id]
	if q == nil {
		return nil, errQueueNotFound()
	}
	if q.unknown {
		if err := t.load(q); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// touch must be called when anything of a queue's stored state changes.
func (t *tx) touch(q *queue) {
	t.writes++
	if q.touched != t {
		q.touched, q.report = t, engine.Report{Queue: q.snapshot.ID}
		t.touched = append(t.touched, q)
	}
}

// ready reports that n messages became receivable.
func (t *tx) ready(q *queue, n int64) {
	t.touch(q)
	q.report.Ready += int(n)
}

// due notes a deadline in a queue, for the report too.
func (t *tx) due(q *queue, at int64) {
	t.touch(q)
	q.nextDue = min(q.nextDue, at)
	if q.fifo() && q.nextExpiry > t.now {
		// A group goes on when a head expires that locks it.
		at = min(at, q.nextExpiry)
	}
	if due := fromMS(at); q.report.Due.IsZero() || due.Before(q.report.Due) {
		q.report.Due = due
	}
}

// commit ends the transaction: it writes the state of the queues that were
// touched and makes everything durable. A transaction that wrote nothing ends
// without a sync.
func (t *tx) commit() error {
	if t.broken != nil {
		return t.broken
	}
	if err := t.flush(); err != nil {
		return err
	}
	if err := t.putGroups(); err != nil {
		return err
	}
	if t.writes > 0 {
		if err := t.writeStates(); err != nil {
			return err
		}
	}
	if !t.begun {
		return nil
	}
	if err := t.fault("commit"); err != nil {
		return err
	}
	if err := t.w.commit.run(nil); err != nil {
		return t.fail("commit", err)
	}
	return nil
}

// writeStates writes one row for each queue touched, and the store's own.
func (t *tx) writeStates() error {
	t.add(t.w.putStates, int64(0), t.w.nextNumber, t.w.nextID, t.nowArg,
		int64(0), int64(0), int64(0), int64(0), int64(0), int64(0), int64(0))
	for _, q := range t.touched {
		if q.deleted {
			continue
		}
		t.add(t.w.putStates, q.number, q.epoch, q.cursor, q.cut,
			q.count[fresh], q.count[delayed], q.count[inFlight], q.count[again], q.count[late], q.moved, q.groups)
	}
	return t.runRows(t.w.putStates, nil)
}

// rollback undoes the transaction in the database and in memory.
func (t *tx) rollback() error {
	for i := len(t.undo) - 1; i >= 0; i-- {
		t.undo[i]()
	}
	for _, m := range t.w.conn.multis {
		m.drop()
	}
	t.w.garbage, t.w.nextForget = true, 0 // what was collected is back
	for _, q := range t.touched {
		q.touched, q.unknown = nil, true
		q.nextDue, q.nextExpiry = 0, 0
		t.w.agenda.update(q)
	}
	if t.begun && t.w.conn.inTransaction() {
		if err := t.w.rollback.run(nil); err != nil {
			return fmt.Errorf("rollback: %w", err)
		}
	}
	return nil
}

// done brings memory up to date after the commit and gives the reports.
func (t *tx) done() []engine.Report {
	for _, publish := range t.publish {
		publish()
	}
	var reports []engine.Report
	for _, q := range t.touched {
		q.touched = nil
		t.w.agenda.update(q)
		if r := q.report; r.Ready > 0 || !r.Due.IsZero() || r.Deleted {
			reports = append(reports, r)
		}
	}
	return reports
}

// fromMS and toMS convert between the database's time and the engine's.
func fromMS(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func toMS(t time.Time) int64 { return t.UnixMilli() }

// spanMS gives a span in milliseconds, rounded up: a message is never visible
// too early.
func spanMS(d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	ms := d.Milliseconds()
	if time.Duration(ms)*time.Millisecond < d {
		ms++
	}
	return ms
}
