package sqlite

import (
	"context"
	"math/bits"

	"github.com/google/uuid"

	"queues/engine"
)

const (
	nextMoveSQL = `SELECT ` + moveColumns + `, due, turn FROM moves INDEXED BY moves_active
		WHERE status < 2 AND due >= 0 ORDER BY due, turn LIMIT ?`
	moveQueueSQL = `SELECT id FROM queues WHERE number = ?`

	readMetaSQL = `SELECT m.meta, b.account, b.region, b.name FROM messages AS m LEFT JOIN moved AS b ON b.id = m.id WHERE m.id = ?`
)

// lateMoves is how late a step may come, in milliseconds, before its task is
// held to have been kept waiting.
const lateMoves = 20

// Move does one bounded step of the active tasks.
func (s *Store) Move(ctx context.Context) (engine.SweepResult, error) {
	if err := s.enter(ctx); err != nil {
		return engine.SweepResult{}, err
	}
	defer s.calls.Done()
	var r engine.SweepResult
	err := s.do(ctx, &request{name: "a step of a move task", run: func(t *tx) error {
		r = engine.SweepResult{}
		return t.move(&r)
	}})
	if err != nil {
		return engine.SweepResult{}, err
	}
	return r, nil
}

// move lets the task that has waited longest do a step. One step costs the
// writer a few milliseconds at most, so that others hardly feel it.
func (t *tx) move(r *engine.SweepResult) error {
	m, err := t.nextMove()
	if err != nil || m == nil {
		return err
	}
	if m.due <= t.now {
		if err := t.stepMove(m); err != nil {
			return err
		}
		if m, err = t.nextMove(); err != nil || m == nil {
			return err
		}
	}
	if r.More = m.due <= t.now; !r.More {
		r.Next = fromMS(m.due)
	}
	return nil
}

// nextMove gives the active task whose turn is next, nil for none.
func (t *tx) nextMove() (*moveTask, error) {
	var next *moveTask
	err := t.run(t.w.nextMove, func(r row) error {
		m, err := readMove(r)
		m.due, m.turn = r.int(14), r.int(15)
		next = &m
		return err
	}, int64(1))
	return next, err
}

// stepMove does one step of a task.
func (t *tx) stepMove(m *moveTask) error {
	if m.Status == engine.MoveCancelling {
		m.Status = engine.MoveCancelled
		return t.putMove(m)
	}
	q, err := t.moveSource(m)
	if err != nil {
		return err
	}
	if err := t.room(); err != nil {
		return err
	}
	if err := t.settle(q); err != nil {
		return err
	}
	ready := true
	if q.groups > 0 {
		if ready, err = t.catchUpFair(q); err != nil {
			return err
		}
	}
	// A task that was kept waiting does not make up for it.
	if late := t.now - m.due; late > lateMoves {
		m.paced += late - lateMoves
	}
	n, _ := m.allowance(t.now)
	if n > 0 && ready {
		if err := t.moveSome(q, m, n); err != nil {
			return err
		}
		if err := t.putRight(q); err != nil {
			return err
		}
	}
	_, m.due = m.allowance(t.now)
	m.turn = t.w.nextID
	return t.putMove(m)
}

func (t *tx) moveSource(m *moveTask) (*queue, error) {
	var id engine.QueueID
	err := t.run(t.w.moveQueue, func(r row) error { copy(id[:], r.blob(0)); return nil }, m.source)
	if err != nil {
		return nil, err
	}
	return t.queue(id)
}

// allowance gives how many messages a task may move now, and when it may move
// the next: now, while that is any. The first may go at once, each further one
// as the rate has it.
func (m *moveTask) allowance(now int64) (n, next int64) {
	if m.Rate <= 0 {
		return taskMoves, now
	}
	// The k-th message may go at paced + ceil(k seconds / rate), from k = 0.
	const second = 1000
	high, low := bits.Mul64(uint64(max(0, now-m.paced)), uint64(m.Rate))
	if high > 0 || low>>62 > 0 {
		return taskMoves, now
	}
	if n = 1 + int64(low)/second - m.Moved; n > 0 {
		return min(n, taskMoves), now
	}
	rate := int64(m.Rate)
	return 0, m.paced + m.Moved/rate*second + (m.Moved%rate*second+rate-1)/rate
}

// moveSome moves up to n messages and ends the task when none are left.
func (t *tx) moveSome(q *queue, m *moveTask, n int64) error {
	if q.fifo() {
		return t.moveMembers(q, m, n)
	}
	// One more tells whether any are left.
	walks := []stream{t.walk(q, again, n+1), t.walk(q, fresh, n+1), t.walk(q, late, n+1)}
	if q.groups > 0 {
		walks = append(walks, t.walkGroups(q, again, n+1, nil), t.walkGroups(q, late, n+1, nil))
	}
	for _, w := range walks {
		w.end(m.boundary + 1)
	}
	for {
		w, c, err := oldest(walks...)
		switch {
		case err != nil:
			return err
		case w == nil:
			t.endMove(q, m)
			return nil
		case t.expiry && c.sent >= 0 && t.over(q, c.sent):
			if t.dropped >= stepRows {
				return nil
			}
			t.dropped++
			if err := t.drop(q, c); err != nil {
				return err
			}
			w.take()
			continue
		case n == 0 || !t.mayMove(q):
			return nil
		}
		if moved, err := t.moveNext(q, m, c); err != nil || !moved {
			return err
		}
		w.take()
		n--
	}
}

// endMove ends a task that has found no more to move. What is due but not
// visible yet, or behind expired rows, is a matter of further steps.
func (t *tx) endMove(q *queue, m *moveTask) {
	if q.nextDue > t.now && (!q.fifo() || !q.expired) {
		m.Status = engine.MoveCompleted
	}
}

// moveNext moves and counts one message, or makes the task fail.
func (t *tx) moveNext(q *queue, m *moveTask, c candidate) (moved bool, err error) {
	failure, err := t.moveOne(q, m, c)
	if err != nil {
		return false, err
	}
	if failure != engine.NoFailure {
		m.Status, m.Failure = engine.MoveFailed, failure
		return false, nil
	}
	m.Moved++
	return true, nil
}

// moveOne moves one message to where the task says, as a new message.
func (t *tx) moveOne(q *queue, m *moveTask, c candidate) (engine.MoveFailure, error) {
	var meta []byte
	to, fromNowhere := m.Target, true
	err := t.runNow(t.w.readMeta, func(r row) error {
		meta = append(meta, r.blob(0)...)
		if r[1] != nil && m.Target == nil {
			fromNowhere = false
			to = &engine.QueueName{Namespace: engine.Namespace{Account: r.text(1), Region: r.text(2)}, Name: r.text(3)}
		}
		return nil
	}, c.id)
	if err != nil {
		return engine.NoFailure, err
	}
	if m.Target == nil && fromNowhere {
		return engine.SourceUnknown, nil
	}
	target := t.partner(q, *to)
	if target == nil {
		return engine.TargetGone, nil
	}
	if _, err := t.queue(target.snapshot.ID); err != nil {
		return engine.NoFailure, err
	}
	if meta, err = renewMeta(meta, q.snapshot.Kind); err != nil {
		return engine.NoFailure, err
	}
	if _, err := t.copyTo(target, c, meta, spanMS(target.snapshot.Delay)); err != nil {
		return engine.NoFailure, err
	}
	return engine.NoFailure, t.drop(q, c)
}

// renewMeta gives a message a new id, which on a FIFO queue is its
// deduplication id too.
func renewMeta(meta []byte, kind engine.Kind) ([]byte, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, err
	}
	if kind == engine.FIFO {
		m, err := decodeMeta(meta)
		if err != nil {
			return nil, err
		}
		m.ID, m.Dedup = engine.MessageID(id), id.String()
		return encodeMeta(&m), nil
	}
	if len(meta) < 1+len(id) {
		return nil, errMeta
	}
	copy(meta[1:], id[:])
	return meta, nil
}
