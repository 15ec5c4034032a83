package sqlite

import (
	"context"

	"queues/engine"
)

const (
	addGarbageSQL    = `INSERT INTO garbage VALUES (?)`
	firstGarbageSQL  = `SELECT epoch FROM garbage ORDER BY epoch LIMIT 1`
	removeGarbageSQL = `DELETE FROM garbage WHERE epoch = ?`
	freePagesSQL     = `PRAGMA freelist_count`

	deadGroupsSQL = `DELETE FROM groups WHERE number IN (SELECT number FROM groups WHERE queue = ? LIMIT ?) RETURNING 1`

	shrinkSQL = `PRAGMA incremental_vacuum(256)`
)

// The bounds of one step of background work.
const (
	// sweepRows is how many rows one step of the sweeper touches at most, and
	// sharedRows how many when other calls share its transaction and wait for
	// it. Larger steps end the work sooner, which nobody notices, and everybody
	// waits for a step.
	sweepRows  = 250
	sharedRows = 100
	// stepQueues is how many queues it looks at.
	stepQueues = 256
	// keptPages is how many free pages the file keeps for what comes next:
	// giving pages back and taking them again costs more than keeping them.
	keptPages = 4096
)

// distrustedPause is how long the sweeper leaves expiry alone while nothing
// may expire, in milliseconds.
const distrustedPause = 60_000

// Sweep does one bounded step of background work.
func (s *Store) Sweep(ctx context.Context) (engine.SweepResult, error) {
	if err := s.enter(ctx); err != nil {
		return engine.SweepResult{}, err
	}
	defer s.calls.Done()
	var r engine.SweepResult
	err := s.do(ctx, &request{name: "a sweep", run: func(t *tx) error {
		r = engine.SweepResult{}
		return t.sweep(&r)
	}})
	if err != nil {
		return engine.SweepResult{}, err
	}
	return r, nil
}

func (t *tx) sweep(r *engine.SweepResult) error {
	most := int64(sweepRows)
	if !t.alone {
		most = sharedRows
	}
	rows := most
	for visits := 0; visits < stepQueues && rows > 0; visits++ {
		q := t.w.agenda.first()
		if q == nil || q.at > t.now {
			break
		}
		done, err := t.visit(q, rows)
		if err != nil {
			return err
		}
		rows -= done
	}
	if rows > 0 && t.w.garbage {
		done, err := t.collect(rows)
		if err != nil {
			return err
		}
		rows -= done
	}
	if rows > 0 {
		done, err := t.forget(rows)
		if err != nil {
			return err
		}
		rows -= done
	}
	first := t.w.agenda.first()
	r.More = rows <= 0 || t.w.garbage || first != nil && first.at <= t.now || t.w.nextForget <= t.now
	if r.More {
		return nil
	}
	if first != nil {
		r.Next = fromMS(first.at)
	}
	if t.w.nextForget != never && (r.Next.IsZero() || t.w.nextForget < toMS(r.Next)) {
		r.Next = fromMS(t.w.nextForget)
	}
	if rows == most && t.alone {
		return t.shrink(r)
	}
	return nil
}

// visit does what a queue wants done and gives it its next place in the
// agenda.
func (t *tx) visit(q *queue, limit int64) (rows int64, err error) {
	if q.deleted {
		t.w.agenda.update(q)
		return 0, nil
	}
	if q.unknown {
		if err := t.load(q); err != nil {
			return 0, err
		}
	}
	if rows, err = t.promoteUpTo(q, limit); err != nil {
		return 0, err
	}
	if err := t.expire(q); err != nil {
		return 0, err
	}
	if rows < limit {
		cost := int64(1)
		if q.fifo() || q.groups > 0 {
			cost = groupedCost
		}
		removed, err := t.removeExpiredUpTo(q, max((limit-rows)/cost, 1))
		if err != nil {
			return 0, err
		}
		rows += removed * cost
	}
	if q.spent && !q.expired && rows < limit {
		if err := t.redrive(q); err != nil {
			return 0, err
		}
		rows = limit // a move costs much more than a row that goes
	}
	at := q.wake()
	if !t.expiry && at <= t.now && q.nextDue > t.now && !q.expired && !q.spent {
		at = min(q.nextDue, t.now+distrustedPause)
	}
	t.w.agenda.set(q, at)
	return rows, nil
}

// collect removes rows of the first dead epoch.
func (t *tx) collect(limit int64) (rows int64, err error) {
	epoch := int64(0)
	if err := t.run(t.w.firstGarbage, func(r row) error { epoch = r.int(0); return nil }); err != nil {
		return 0, err
	}
	if epoch == 0 {
		t.w.garbage = false
		return 0, nil
	}
	// What belongs to messages goes before them.
	err = t.run(t.w.forgetMovedOf, func(row) error { rows++; return nil }, epoch, limit)
	if err != nil || rows == limit {
		return rows, err
	}
	removed, err := t.removeRows(nil, epoch, never, limit-rows)
	if rows += removed.rows; err != nil || rows == limit {
		return rows, err
	}
	// Its deduplication and attempt ids leave with their generation.
	for _, remove := range []*stmt{t.w.deadGroups, t.w.deadFair} {
		err := t.run(remove, func(row) error { rows++; return nil }, epoch, limit-rows)
		if err != nil || rows == limit {
			return rows, err
		}
	}
	return rows, t.run(t.w.removeGarbage, nil, epoch)
}

// shrink gives some free pages back to the file system when there are more
// than will soon be used again.
func (t *tx) shrink(r *engine.SweepResult) error {
	free := int64(0)
	if err := t.run(t.w.freePages, func(row row) error { free = row.int(0); return nil }); err != nil {
		return err
	}
	if free <= keptPages {
		t.w.cutFile, t.w.shrunk = t.w.shrunk, false
		return nil
	}
	r.More = true
	t.w.shrunk = true
	t.writes++
	return t.run(t.w.shrink, nil)
}
