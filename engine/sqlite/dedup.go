package sqlite

import (
	"fmt"

	"queues/engine"
)

const (
	// A row is written when there is none, or one whose window is over.
	rememberSQL    = `INSERT INTO dedup (sequence, queue, grp, id, at, message) VALUES `
	rememberParams = `(?, ?, ?, ?, ?, ?)`
	recallSQL      = `SELECT sequence, message FROM dedup WHERE queue = ? AND grp = ? AND id = ?`

	oldDedupSQL = `SELECT count(*), max(sequence) FROM (
		SELECT sequence, at FROM dedup WHERE sequence > 0 ORDER BY sequence LIMIT ?2) WHERE at <= ?1`
	forgetDedupSQL = `DELETE FROM dedup WHERE sequence <= ?`
	oldestDedupSQL = `SELECT at FROM dedup WHERE sequence > 0 ORDER BY sequence LIMIT 1`
)

// rememberTail leaves the row of a duplicate alone and gives no row for it.
var rememberTail = fmt.Sprintf(` ON CONFLICT (queue, grp, id) DO UPDATE SET
		sequence = excluded.sequence, at = excluded.at, message = excluded.message
	WHERE at <= excluded.at - %d RETURNING sequence`, dedupWindow)

// The windows in milliseconds.
var (
	dedupWindow   = spanMS(engine.DedupWindow)
	attemptWindow = spanMS(engine.AttemptWindow)
)

// forgetLag is how long rows may stay whose window is over, in milliseconds:
// they leave many at a time.
const forgetLag = 30_000

// dedupScope is where a deduplication id counts.
func (q *queue) dedupScope(m packedMessage) string {
	if q.snapshot.DedupPerGroup {
		return m.group
	}
	return ""
}

// remember remembers the deduplication ids of messages that are about to be
// sent under the sequence numbers from first on, and tells of each whether it
// is a duplicate.
func (t *tx) remember(q *queue, messages []packedMessage, first int64) (duplicate []bool, err error) {
	var rows [][]any
	duplicate = make([]bool, len(messages))
	for i, m := range messages {
		if m.dedup != "" {
			duplicate[i] = true
			rows = append(rows, []any{first + int64(i), q.epoch, q.dedupScope(m), m.dedup, t.now, m.id[:]})
		}
	}
	if len(rows) > 0 {
		t.w.nextForget = min(t.w.nextForget, t.now+dedupWindow+forgetLag)
	}
	return duplicate, t.w.remember.runEach(t, rows, func(r row) error { duplicate[r.int(0)-first] = false; return nil })
}

// recall gives what became of the first message with a deduplication id.
func (t *tx) recall(q *queue, m packedMessage) (engine.Sent, error) {
	first := engine.Sent{Duplicate: true}
	return first, t.runNow(t.w.recall, func(r row) error {
		first.Sequence = uint64(r.int(0))
		copy(first.ID[:], r.blob(1))
		return nil
	}, q.epoch, q.dedupScope(m), m.dedup)
}

// forget removes deduplication and attempt ids whose time is over, at most
// limit of each.
func (t *tx) forget(limit int64) (rows int64, err error) {
	if t.w.nextForget > t.now {
		return 0, nil
	}
	next := int64(never)
	for _, kind := range []struct {
		old, remove, oldest *stmt
		window              int64
	}{
		{t.w.oldDedup, t.w.forgetDedup, t.w.oldestDedup, dedupWindow},
		{t.w.oldAttempts, t.w.forgetAttempts, t.w.oldestAttempt, attemptWindow},
	} {
		var n, last int64
		err := t.runNow(kind.old, func(r row) error { n, last = r.int(0), r.int(1); return nil }, t.now-kind.window, limit)
		if err != nil {
			return rows, err
		}
		if n > 0 {
			if err := t.runNow(kind.remove, nil, last); err != nil {
				return rows, err
			}
			rows += n
		}
		lag := int64(forgetLag)
		if n == limit {
			lag = 0
		}
		err = t.runNow(kind.oldest, func(r row) error {
			next = min(next, r.int(0)+kind.window+lag)
			return nil
		})
		if err != nil {
			return rows, err
		}
	}
	t.w.nextForget = next
	return rows, nil
}
