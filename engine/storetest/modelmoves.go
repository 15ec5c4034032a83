package storetest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

const (
	// keptMoves is how many tasks of a source are kept.
	keptMoves = 10
	// maxMoved is how many messages of one task a step moves.
	maxMoved = 100
)

// modelMove is a task that moves messages.
type modelMove struct {
	engine.MoveTask
	queue engine.QueueID
	// last is the last sequence that was in the source at the start.
	last uint64
	// next is when the rate allows the next message.
	next time.Time
}

func (t *modelMove) active() bool {
	return t.Status == engine.MoveRunning || t.Status == engine.MoveCancelling
}

// snapshot gives a copy that shares nothing with the task.
func (t *modelMove) snapshot() engine.MoveTask {
	c := t.MoveTask
	if t.Target != nil {
		target := *t.Target
		c.Target = &target
	}
	return c
}

// ListSources gives one page of the queues whose redrive names the target.
func (m *Model) ListSources(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	if _, err := m.begin(ctx); err != nil {
		return engine.ListQueuesResult{}, err
	}
	var all []*engine.Queue
	for _, q := range m.world.queues {
		if q.Redrive != nil && q.Redrive.Target == p.Target && q.Name.Namespace == p.Target.Namespace && q.Name.Name > p.After {
			all = append(all, copyQueue(q.Queue))
		}
	}
	slices.SortFunc(all, func(a, b *engine.Queue) int { return cmp.Compare(a.Name.Name, b.Name.Name) })
	n := min(p.Limit, len(all))
	return engine.ListQueuesResult{Queues: all[:n], More: n < len(all)}, nil
}

// tasks gives the tasks of a source, the newest first.
func (m *Model) tasks(source engine.QueueID) []*modelMove {
	var all []*modelMove
	for _, t := range slices.Backward(m.world.moves) {
		if t.queue == source && len(all) < keptMoves {
			all = append(all, t)
		}
	}
	return all
}

// StartMove starts a task.
func (m *Model) StartMove(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Source)
	if err != nil {
		return engine.MoveTask{}, err
	}
	if p.Target != nil && m.named(*p.Target) == nil {
		return engine.MoveTask{}, fail(engine.QueueNotFound, "the target does not exist")
	}
	for _, t := range m.tasks(q.ID) {
		if t.active() {
			return engine.MoveTask{}, fail(engine.MoveInProgress, "another task of the source is active")
		}
	}
	m.tell(m.settled(q, now))
	t := &modelMove{queue: q.ID, last: q.sequence, next: now}
	t.MoveTask = engine.MoveTask{
		ID: engine.MoveID(uuid.New()), Source: q.Name, Target: p.Target, Rate: p.Rate,
		ToMove: int64(len(q.movable(q.sequence, now))), Started: now,
	}
	t.MoveTask = t.snapshot()
	m.world.moves = append(m.world.moves, t)
	return t.snapshot(), nil
}

// movable gives the visible messages up to a sequence, the oldest first.
func (q *modelQueue) movable(last uint64, now time.Time) []*modelMessage {
	var all []*modelMessage
	for _, msg := range q.messages {
		if msg.place == visible && msg.sequence <= last && !q.over(msg, now) {
			all = append(all, msg)
		}
	}
	return all
}

// leading leaves out what is behind a hidden message of its group on a FIFO
// queue: a message moves only when it is the first of its group by then.
func (q *modelQueue) leading(all []*modelMessage, now time.Time) []*modelMessage {
	if q.Kind != engine.FIFO {
		return all
	}
	hidden := make(map[string]uint64)
	for _, msg := range q.messages {
		if first, ok := hidden[msg.Group]; msg.place != visible && !q.over(msg, now) && (!ok || msg.sequence < first) {
			hidden[msg.Group] = msg.sequence
		}
	}
	return slices.DeleteFunc(all, func(msg *modelMessage) bool {
		first, ok := hidden[msg.Group]
		return ok && msg.sequence > first
	})
}

// CancelMove makes a running task stop.
func (m *Model) CancelMove(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, _, err := m.queue(ctx, p.Source)
	if err != nil {
		return engine.MoveTask{}, err
	}
	for _, t := range m.tasks(q.ID) {
		switch {
		case t.ID != p.Task:
		case t.Status != engine.MoveRunning:
			return engine.MoveTask{}, fail(engine.MoveEnded, "the task is not running")
		default:
			t.Status = engine.MoveCancelling
			return t.snapshot(), nil
		}
	}
	return engine.MoveTask{}, fail(engine.MoveNotFound, "the source has no such task")
}

// ListMoves gives the source's newest tasks.
func (m *Model) ListMoves(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, _, err := m.queue(ctx, p.Source)
	if err != nil {
		return nil, err
	}
	var all []engine.MoveTask
	for _, t := range m.tasks(q.ID) {
		if len(all) < p.Limit {
			all = append(all, t.snapshot())
		}
	}
	return all, nil
}

// Move does one step of every active task.
func (m *Model) Move(ctx context.Context) (engine.SweepResult, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	now, err := m.begin(ctx)
	if err != nil {
		return engine.SweepResult{}, err
	}
	var result engine.SweepResult
	for _, t := range m.world.moves {
		if t.Status == engine.MoveCancelling {
			t.Status = engine.MoveCancelled
		}
		if t.Status == engine.MoveRunning {
			m.advance(t, now)
		}
		switch {
		case !t.active():
		case t.next.After(now):
			result.Next = earlier(result.Next, t.next)
		default:
			result.More = true
		}
	}
	return result, nil
}

// advance moves messages of one task until the bound, the rate or the end.
func (m *Model) advance(t *modelMove, now time.Time) {
	q := m.world.queues[t.queue]
	m.tell(m.settled(q, now))
	stop, ends := t.Moved+maxMoved, true
	if m.pace != nil {
		stop, ends = m.pace(t.ID)
	}
	for waiting := q.leading(q.movable(t.last, now), now); ; waiting = waiting[1:] {
		switch {
		case t.Moved >= stop && !ends:
			return
		case len(waiting) == 0:
			t.Status = engine.MoveCompleted
			return
		case m.pace == nil && t.next.After(now):
			return
		}
		target := m.destination(t, q, waiting[0])
		if target == nil || t.Moved >= stop {
			return
		}
		m.move(q, target, waiting[0], now)
		t.Moved++
		if t.Rate > 0 {
			// A clock of whole milliseconds must not slow the task down, and a
			// task that was kept waiting must not make up for it.
			if from := now.Add(-time.Millisecond); t.next.Before(from) {
				t.next = from
			}
			t.next = t.next.Add(time.Second / time.Duration(t.Rate))
		}
	}
}

// destination gives the queue that a message goes to, or makes the task fail.
func (m *Model) destination(t *modelMove, q *modelQueue, msg *modelMessage) *modelQueue {
	name := msg.source
	if t.Target != nil {
		name = *t.Target
	}
	if name == (engine.QueueName{}) {
		t.Status, t.Failure = engine.MoveFailed, engine.SourceUnknown
		return nil
	}
	target := m.named(name)
	if target == nil || target.Kind != q.Kind {
		t.Status, t.Failure = engine.MoveFailed, engine.TargetGone
		return nil
	}
	return target
}

// move makes a new message of one in another queue.
func (m *Model) move(q, target *modelQueue, msg *modelMessage, now time.Time) {
	here := engine.Report{Queue: q.ID}
	there := m.settled(target, now)
	begin := target.turn(now)
	q.remove(msg)
	content := msg.Message
	content.ID = engine.MessageID(uuid.New())
	if q.Kind == engine.FIFO {
		content.Dedup = content.ID.String()
	}
	target.postpone(m.arrive(target, content, now), target.Delay, &there, now)
	m.relined(q, &here, q.turn(now), now)
	m.relined(target, &there, begin, now)
	m.tell(here, there)
}
