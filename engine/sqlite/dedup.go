package sqlite

import (
	"fmt"

	"queues/engine"
)

const (
	rememberSQL = `INSERT INTO dedup (generation, queue, grp, id, at, sequence, message)
		SELECT column1, column2, column3, column4, column5, column6, column7 FROM (VALUES `
	rememberParams = `(?, ?, ?, ?, ?, ?, ?)`
	recallSQL      = `SELECT sequence, message FROM dedup
		WHERE generation IN (?1 - 1, ?1) AND queue = ?2 AND grp = ?3 AND id = ?4 ORDER BY generation DESC LIMIT 1`
	forgetDedupSQL = `DELETE FROM dedup WHERE (generation, queue, grp, id) IN (
		SELECT generation, queue, grp, id FROM dedup WHERE generation < ? ORDER BY generation, queue, grp, id LIMIT ?)
		RETURNING 1`
	oldestDedupSQL = `SELECT generation FROM dedup WHERE generation > 0 ORDER BY generation LIMIT 1`
)

// rememberTail leaves out the rows of duplicates and gives those it has
// written.
var rememberTail = fmt.Sprintf(`) WHERE NOT EXISTS (
		SELECT 1 FROM dedup WHERE generation = column1 - 1 AND queue = column2 AND grp = column3 AND id = column4
			AND at > column5 - %d)
	ON CONFLICT DO NOTHING RETURNING sequence`, forgetWindow)

// forgetWindow is how long deduplication and attempt ids count, and the length
// of a generation, in milliseconds.
var forgetWindow = spanMS(max(engine.DedupWindow, engine.AttemptWindow))

// generation numbers a time's part of all time.
func generation(at int64) int64 { return at / forgetWindow }

// dedupScope is where a deduplication id counts.
func (q *queue) dedupScope(m *packedMessage) string {
	if q.snapshot.DedupPerGroup {
		return m.group
	}
	return ""
}

// remember remembers the deduplication ids of messages that are about to be
// sent under the sequence numbers from first on, and tells of each whether it
// is a duplicate.
func (t *tx) remember(q *queue, messages []packedMessage, first int64) (duplicate []bool, err error) {
	duplicate = make([]bool, len(messages))
	for i := range messages {
		if m := &messages[i]; m.dedup != "" {
			duplicate[i] = true
			t.forgetLater()
			t.add(t.w.remember, generation(t.now), q.epoch, q.dedupScope(m), m.dedup, t.nowArg, first+int64(i), m.id[:])
		}
	}
	return duplicate, t.runRows(t.w.remember, func(r row) error { duplicate[r.int(0)-first] = false; return nil })
}

// recall gives what became of the first message with a deduplication id.
func (t *tx) recall(q *queue, m *packedMessage) (engine.Sent, error) {
	first := engine.Sent{Duplicate: true}
	return first, t.runNow(t.w.recall, func(r row) error {
		first.Sequence = uint64(r.int(0))
		copy(first.ID[:], r.blob(1))
		return nil
	}, generation(t.now), q.epoch, q.dedupScope(m), m.dedup)
}

// forgetLater notes that the present generation has something to forget.
func (t *tx) forgetLater() {
	t.w.nextForget = min(t.w.nextForget, (generation(t.now)+2)*forgetWindow)
}

// forget removes deduplication and attempt ids of generations that are over, at
// most limit.
func (t *tx) forget(limit int64) (rows int64, err error) {
	if t.w.nextForget > t.now {
		return 0, nil
	}
	next := int64(never)
	for _, kind := range []struct{ forget, oldest *stmt }{
		{t.w.forgetDedup, t.w.oldestDedup},
		{t.w.forgetAttempts, t.w.oldestAttempt},
	} {
		err := t.runNow(kind.forget, func(row) error { rows++; return nil }, generation(t.now)-1, limit-rows)
		if err != nil {
			return rows, err
		}
		err = t.runNow(kind.oldest, func(r row) error {
			next = min(next, (r.int(0)+2)*forgetWindow)
			return nil
		})
		if err != nil {
			return rows, err
		}
	}
	t.w.nextForget = next
	return rows, nil
}
