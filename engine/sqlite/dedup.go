package sqlite

import "queues/engine"

const (
	// A row is written when there is none, or one whose window is over.
	rememberSQL = `INSERT INTO dedup (sequence, queue, grp, id, at, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (queue, grp, id) DO UPDATE SET sequence = ?1, at = ?5, message = ?6 WHERE at <= ?7
		RETURNING 1`
	recallSQL = `SELECT sequence, message FROM dedup WHERE queue = ? AND grp = ? AND id = ?`

	oldDedupSQL = `SELECT count(*), max(sequence) FROM (
		SELECT sequence, at FROM dedup WHERE sequence > 0 ORDER BY sequence LIMIT ?2) WHERE at <= ?1`
	forgetDedupSQL = `DELETE FROM dedup WHERE sequence <= ?`
	oldestDedupSQL = `SELECT at FROM dedup WHERE sequence > 0 ORDER BY sequence LIMIT 1`
)

// The windows in milliseconds.
var (
	dedupWindow   = spanMS(engine.DedupWindow)
	attemptWindow = spanMS(engine.AttemptWindow)
)

// forgetLag is how long rows may stay whose window is over, in milliseconds:
// they leave many at a time.
const forgetLag = 30_000

// firstOf remembers the deduplication id of a message that is about to be sent
// under the next sequence number. When the message is a duplicate it gives what
// became of the first one instead.
func (t *tx) firstOf(q *queue, m packedMessage) (*engine.Sent, error) {
	if m.dedup == "" {
		return nil, nil
	}
	scope := ""
	if q.snapshot.DedupPerGroup {
		scope = m.group
	}
	isNew := false
	err := t.runNow(t.w.remember, func(row) error { isNew = true; return nil },
		t.w.nextID, q.epoch, scope, m.dedup, t.now, m.id[:], t.now-dedupWindow)
	if err != nil {
		return nil, err
	}
	if isNew {
		t.w.nextForget = min(t.w.nextForget, t.now+dedupWindow+forgetLag)
		return nil, nil
	}
	first := &engine.Sent{Duplicate: true}
	return first, t.runNow(t.w.recall, func(r row) error {
		first.Sequence = uint64(r.int(0))
		copy(first.ID[:], r.blob(1))
		return nil
	}, q.epoch, scope, m.dedup)
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
