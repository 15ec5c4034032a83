package storetest

import (
	"context"
	"crypto/rand"
	"maps"
	"sync"
	"time"

	"queues/engine"
)

// Model is an [engine.Store] of standard queues in memory, as plain as the
// contract allows: one lock, one list of messages for each queue, every call
// looks at all of them. It is what other stores are compared with.
type Model struct {
	world  *world
	clock  engine.Clock
	report engine.ReportFunc
	closed bool

	// rank, when set, orders the messages that were returned too often, where
	// the contract leaves the choice. The walk sets it to what the other store
	// chose.
	rank func(engine.MessageID) int
}

var _ engine.Store = (*Model)(nil)

// world is what a store keeps over a restart.
type world struct {
	mu         sync.Mutex
	secret     [32]byte
	latest     time.Time
	queues     map[engine.QueueID]*modelQueue
	deleted    map[engine.QueueName]time.Time
	refs       map[engine.Ref]modelRef
	deliveries uint64
}

type modelQueue struct {
	*engine.Queue
	// messages are in the order they were sent.
	messages []*modelMessage
	sequence uint64
	purged   time.Time
}

// place is where a message is in its life.
type place uint8

const (
	visible place = iota
	delayed
	inFlight
)

type modelMessage struct {
	engine.Message
	sequence uint64
	sent     time.Time
	place    place
	// due is the end of the delay or the deadline; it stays when that is over.
	due      time.Time
	receives int
	// first and last are the times of the first and the last receive.
	first, last time.Time
	// before is what last was before the last receive.
	before time.Time
	// delivery is the number of the last receive; zero when there is none or
	// it was released.
	delivery uint64
}

type modelRef struct {
	queue    engine.QueueID
	message  engine.MessageID
	delivery uint64
}

// NewModel makes an empty store. The report function may be nil.
func NewModel(clock engine.Clock, report engine.ReportFunc) *Model {
	w := &world{
		queues:  make(map[engine.QueueID]*modelQueue),
		deleted: make(map[engine.QueueName]time.Time),
		refs:    make(map[engine.Ref]modelRef),
	}
	_, _ = rand.Read(w.secret[:])
	return &Model{world: w, clock: clock, report: report}
}

// Reopen plays a restart: it closes the model and gives another that holds what
// the first one held.
func (m *Model) Reopen(clock engine.Clock, report engine.ReportFunc) *Model {
	_ = m.Close()
	return &Model{world: m.world, clock: clock, report: report}
}

// fail makes the error of a code.
func fail(code engine.Code, text string) error {
	return &engine.Error{Code: code, Text: text}
}

// begin refuses a call that must not happen and gives the time of the others.
// It is called with the lock held.
func (m *Model) begin(ctx context.Context) (time.Time, error) {
	if m.closed {
		return time.Time{}, fail(engine.Closed, "the store is closed")
	}
	if err := ctx.Err(); err != nil {
		return time.Time{}, err
	}
	if now := m.clock.Now(); now.After(m.world.latest) {
		m.world.latest = now
	}
	return m.world.latest, nil
}

// queue is begin for the calls that name a queue.
func (m *Model) queue(ctx context.Context, id engine.QueueID) (*modelQueue, time.Time, error) {
	now, err := m.begin(ctx)
	if err != nil {
		return nil, now, err
	}
	q := m.world.queues[id]
	if q == nil {
		return nil, now, fail(engine.QueueNotFound, "the queue does not exist")
	}
	return q, now, nil
}

// tell hands over the report of one queue unless it says nothing.
func (m *Model) tell(r engine.Report) {
	if m.report != nil && (r.Ready > 0 || !r.Due.IsZero() || r.Deleted) {
		m.report([]engine.Report{r})
	}
}

// over says whether the message's retention is over.
func (q *modelQueue) over(msg *modelMessage, now time.Time) bool {
	return !now.Before(msg.sent.Add(q.Retention))
}

// find gives a message that is still kept, or nil.
func (q *modelQueue) find(id engine.MessageID, now time.Time) *modelMessage {
	for _, msg := range q.messages {
		if msg.ID == id && !q.over(msg, now) {
			return msg
		}
	}
	return nil
}

// settle lets time pass in a queue: due messages become visible and, when the
// clock is trusted, expired ones go. It gives how much became receivable, room
// under an in-flight limit included.
func (m *Model) settle(q *modelQueue, now time.Time) int {
	ready := 0
	var kept []*modelMessage
	for _, msg := range q.messages {
		if q.over(msg, now) && m.clock.Trusted() {
			if msg.place == inFlight {
				ready++
			}
			continue
		}
		if msg.place != visible && !now.Before(msg.due) {
			msg.place = visible
			ready++
		}
		kept = append(kept, msg)
	}
	q.messages = kept
	return ready
}

// next gives the earliest time at which a hidden message of the queue falls
// due, zero for none.
func (q *modelQueue) next(now time.Time) time.Time {
	var at time.Time
	for _, msg := range q.messages {
		if msg.place != visible && !q.over(msg, now) {
			at = earlier(at, msg.due)
		}
	}
	return at
}

// earlier gives the earlier of two times, where zero is no time.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// copyQueue gives a copy that shares nothing with q.
func copyQueue(q *engine.Queue) *engine.Queue {
	c := *q
	c.Settings = copySettings(q.Settings)
	c.Tags = maps.Clone(q.Tags)
	return &c
}

func copySettings(s engine.Settings) engine.Settings {
	s.Extra = maps.Clone(s.Extra)
	if s.Redrive != nil {
		redrive := *s.Redrive
		s.Redrive = &redrive
	}
	return s
}

// Sweep lets time pass in every queue.
func (m *Model) Sweep(ctx context.Context) (engine.SweepResult, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	now, err := m.begin(ctx)
	if err != nil {
		return engine.SweepResult{}, err
	}
	var result engine.SweepResult
	for id, q := range m.world.queues {
		m.tell(engine.Report{Queue: id, Ready: m.settle(q, now)})
		result.Next = earlier(result.Next, q.next(now))
		for _, msg := range q.messages {
			if !q.over(msg, now) {
				result.Next = earlier(result.Next, msg.sent.Add(q.Retention))
			}
		}
	}
	return result, nil
}

// Secret gives the 32 bytes made with the model.
func (m *Model) Secret() [32]byte { return m.world.secret }

// Health is nil until the model is closed.
func (m *Model) Health(ctx context.Context) error {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	_, err := m.begin(ctx)
	return err
}

// Close makes every later call fail with Closed.
func (m *Model) Close() error {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	m.closed = true
	return nil
}
