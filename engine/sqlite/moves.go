package sqlite

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"queues/engine"
)

const (
	moveColumns   = `number, id, source, target_account, target_region, target_name, rate, status, failure, moved, to_move, boundary, started, paced`
	insertMoveSQL = `INSERT INTO moves (id, source, target_account, target_region, target_name,
		rate, status, failure, moved, to_move, boundary, started, paced, due, turn) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, ?, ?, ?, ?, ?, ?)`
	findMoveSQL  = `SELECT ` + moveColumns + ` FROM moves WHERE id = ?`
	trimMovesSQL = `DELETE FROM moves WHERE source = ?1 AND number <= (
		SELECT number FROM moves INDEXED BY moves_source WHERE source = ?1 ORDER BY number DESC LIMIT 1 OFFSET 10)`
	putMoveSQL     = `UPDATE moves SET status = ?2, failure = ?3, moved = ?4, paced = ?5, due = ?6, turn = ?7 WHERE number = ?1`
	removeMovesSQL = `DELETE FROM moves WHERE source = ?`

	moveSourceSQL = `SELECT number, account, region, name FROM queues WHERE id = ?`
	listMovesSQL  = `SELECT ` + moveColumns + ` FROM moves INDEXED BY moves_source WHERE source = ? ORDER BY number DESC LIMIT ?`
)

// moveTask is a task as it is stored.
type moveTask struct {
	engine.MoveTask
	number   int64
	source   int64 // number of the queue
	boundary int64
	paced    int64
	due      int64
	turn     int64
}

// readMove reads the columns of a task. Its source has no name yet.
func readMove(r row) (moveTask, error) {
	m := moveTask{number: r.int(0), source: r.int(2), boundary: r.int(11), paced: r.int(13)}
	if copy(m.ID[:], r.blob(1)) != len(m.ID) {
		return m, fmt.Errorf("move task %d has no id", m.number)
	}
	if r[5] != nil {
		m.Target = &engine.QueueName{
			Namespace: engine.Namespace{Account: r.text(3), Region: r.text(4)}, Name: r.text(5),
		}
	}
	m.Rate, m.Status, m.Failure = int(r.int(6)), engine.MoveStatus(r.int(7)), engine.MoveFailure(r.int(8))
	m.Moved, m.ToMove, m.Started = r.int(9), r.int(10), fromMS(r.int(12))
	return m, nil
}

func (m *moveTask) active() bool {
	return m.Status == engine.MoveRunning || m.Status == engine.MoveCancelling
}

// StartMove starts a task that moves the messages of a queue.
func (s *Store) StartMove(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
	if err := s.enter(ctx); err != nil {
		return engine.MoveTask{}, err
	}
	defer s.calls.Done()
	id, err := uuid.NewRandom()
	if err != nil {
		return engine.MoveTask{}, &engine.Error{Code: engine.Internal, Text: "no random bytes for a task id", Err: err}
	}
	if p.Target != nil {
		p.Target = new(*p.Target)
	}
	var task engine.MoveTask
	err = s.do(ctx, &request{name: "the start of a move task", run: func(t *tx) error {
		q, err := t.queue(p.Source)
		if err != nil {
			return err
		}
		task = engine.MoveTask{
			ID: engine.MoveID(id), Source: q.snapshot.Name, Target: p.Target, Rate: p.Rate, Started: fromMS(t.now),
		}
		return t.startMove(q, &task)
	}})
	if err != nil {
		return engine.MoveTask{}, err
	}
	return task, nil
}

func (t *tx) startMove(q *queue, task *engine.MoveTask) error {
	if err := t.room(); err != nil {
		return err
	}
	last := &moveTask{MoveTask: engine.MoveTask{Status: engine.MoveCompleted}}
	err := t.run(t.w.lastMove, func(r row) (err error) { *last, err = readMove(r); return err }, q.number, int64(1))
	if err != nil {
		return err
	}
	var account, region, name any
	switch {
	case last.active():
		return &engine.Error{Code: engine.MoveInProgress, Text: "a move task of the queue is active"}
	case task.Target != nil && t.w.byName[*task.Target] == nil:
		return errQueueNotFound()
	case task.Target != nil:
		account, region, name = task.Target.Account, task.Target.Region, task.Target.Name
	}
	if err := t.settle(q); err != nil {
		return err
	}
	if err := t.removeExpired(q); err != nil {
		return err
	}
	task.ToMove = q.visible()
	err = t.run(t.w.insertMove, nil, task.ID[:], q.number, account, region, name, int64(task.Rate),
		task.ToMove, t.w.nextID-1, t.now, t.now, t.now, t.w.nextID)
	if err != nil {
		return err
	}
	return t.run(t.w.trimMoves, nil, q.number)
}

// CancelMove makes a running task stop with its next step.
func (s *Store) CancelMove(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
	if err := s.enter(ctx); err != nil {
		return engine.MoveTask{}, err
	}
	defer s.calls.Done()
	var task engine.MoveTask
	err := s.do(ctx, &request{name: "the cancelling of a move task", run: func(t *tx) error {
		q, err := t.queue(p.Source)
		if err != nil {
			return err
		}
		m := moveTask{source: -1}
		err = t.run(t.w.findMove, func(r row) (err error) { m, err = readMove(r); return err }, p.Task[:])
		switch {
		case err != nil:
			return err
		case m.source != q.number:
			return &engine.Error{Code: engine.MoveNotFound, Text: "the queue has no such move task"}
		case m.Status != engine.MoveRunning:
			return &engine.Error{Code: engine.MoveEnded, Text: "the move task is not running"}
		}
		m.Status, m.Source, m.due = engine.MoveCancelling, q.snapshot.Name, t.now
		task = m.MoveTask
		return t.putMove(&m)
	}})
	if err != nil {
		return engine.MoveTask{}, err
	}
	return task, nil
}

// putMove stores what changes of a task.
func (t *tx) putMove(m *moveTask) error {
	return t.run(t.w.putMove, nil, m.number, int64(m.Status), int64(m.Failure), m.Moved, m.paced, m.due, m.turn)
}

// ListMoves gives the newest tasks of a source.
func (s *Store) ListMoves(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	var tasks []engine.MoveTask
	var number int64
	var source engine.QueueName
	err := s.readers.with(func(rd *reader) error {
		err := rd.moveSource.run(func(r row) error {
			number = r.int(0)
			source = engine.QueueName{Namespace: engine.Namespace{Account: r.text(1), Region: r.text(2)}, Name: r.text(3)}
			return nil
		}, p.Source[:])
		if err != nil || number == 0 {
			return err
		}
		return rd.moves.run(func(r row) error {
			m, err := readMove(r)
			m.Source = source
			tasks = append(tasks, m.MoveTask)
			return err
		}, number, int64(max(1, p.Limit)))
	})
	if err != nil {
		return nil, unavailable(err)
	}
	if number == 0 {
		return nil, errQueueNotFound()
	}
	return tasks, nil
}
