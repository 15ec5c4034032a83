package storetest

import (
	"context"
	"crypto/rand"
	"maps"
	"math"
	"sync"
	"time"

	"queues/engine"
)

// Model is an [engine.Store] in memory, as plain as the contract allows: one
// lock, one list of messages for each queue, every call looks at all of them.
// It is what other stores are compared with.
type Model struct {
	world  *world
	clock  engine.Clock
	report engine.ReportFunc
	closed bool

	// rank, when set, orders messages and groups where the contract leaves the
	// choice: those returned too often, dead letters of one receive, groups that
	// became available at one time. The walk sets it to what the other store
	// chose: negative for what it moved away, rankedLast for what it left.
	rank func(*modelMessage) int
	// returnedLast: what was returned too often ranks behind the messages of
	// noisy groups; else those rank last.
	returnedLast bool
	// pace, when set, says how far a move task has come and whether it may end.
	pace func(engine.MoveID) (moved int64, ends bool)
}

var _ engine.Store = (*Model)(nil)

// rankedLast is the rank of what was not chosen.
const rankedLast = math.MaxInt

// world is what a store keeps over a restart.
type world struct {
	mu         sync.Mutex
	secret     [32]byte
	latest     time.Time
	queues     map[engine.QueueID]*modelQueue
	deleted    map[engine.QueueName]time.Time
	refs       map[engine.Ref]modelRef
	deliveries uint64
	arrivals   uint64
	// moves are the move tasks, the oldest first.
	moves []*modelMove
}

type modelQueue struct {
	*engine.Queue
	// messages are in the order they were sent.
	messages []*modelMessage
	sequence uint64
	purged   time.Time

	// groups, turns and lined are the line of groups of a FIFO queue.
	groups map[string]*modelGroup
	turns  uint64
	lined  time.Time
	// sends is what a FIFO queue remembers of what it was sent.
	sends map[string]modelSend
	// untrusted is true while nothing expires.
	untrusted bool
	// spent is true while receives have left messages that are to move away.
	spent bool
	// attempts are the receives of a FIFO queue that can be repeated.
	attempts map[string]modelAttempt
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
	due time.Time
	// receives counts in all queues, here in this one.
	receives, here int
	// first and last are the times of the first and the last receive.
	first, last time.Time
	// before is what last was before the last receive.
	before time.Time
	// delivery is the number of the last receive; zero when there is none or
	// it was released. ref is its reference.
	delivery uint64
	ref      engine.Ref
	// touched: the deadline was changed since the last receive.
	touched bool
	// arrival numbers the message's arrival in the queue, among all arrivals.
	arrival uint64
	// source is the queue whose redrive brought it here.
	source engine.QueueName
	// batch is the first sequence of the dead letters that came together with
	// this one in an order that is left open; zero for none.
	batch uint64
}

type modelRef struct {
	queue    engine.QueueID
	message  engine.MessageID
	arrival  uint64
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

// tell hands over the reports of a commit, without those that say nothing.
func (m *Model) tell(all ...engine.Report) {
	var said []engine.Report
	for _, r := range all {
		if r.Ready > 0 || !r.Due.IsZero() || r.Deleted {
			said = append(said, r)
		}
	}
	if m.report != nil && len(said) > 0 {
		m.report(said)
	}
}

// over says whether the message's retention is over, which it is not while the
// clock was not to be trusted when the queue was last looked at.
func (q *modelQueue) over(msg *modelMessage, now time.Time) bool {
	return !q.untrusted && !now.Before(msg.sent.Add(q.Retention))
}

// find gives the message of an arrival if it is still kept, or nil.
func (q *modelQueue) find(arrival uint64, now time.Time) *modelMessage {
	for _, msg := range q.messages {
		if msg.arrival == arrival && !q.over(msg, now) {
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
	q.untrusted = !m.clock.Trusted()
	var kept []*modelMessage
	for _, msg := range q.messages {
		if q.over(msg, now) {
			if msg.place == inFlight {
				ready++
			}
			continue
		}
		if q.Kind == engine.FIFO {
			q.delay(msg, now)
		}
		if msg.place != visible && !now.Before(msg.due) {
			msg.place = visible
			ready++
		}
		kept = append(kept, msg)
	}
	q.messages = kept
	if q.Kind == engine.FIFO {
		q.pass(now)
	}
	return ready
}

// settled settles a queue and gives the report of it. On a FIFO queue it
// promises everything that can be received when something may have come to it.
func (m *Model) settled(q *modelQueue, now time.Time) engine.Report {
	kept := len(q.messages)
	ready := m.settle(q, now)
	if q.Kind == engine.FIFO && (ready > 0 || len(q.messages) < kept) {
		ready = len(q.inLine(nil, now))
	}
	return engine.Report{Queue: q.ID, Ready: ready}
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
	for _, q := range m.world.queues {
		m.tell(m.settled(q, now))
		result.More = m.goOn(q, now) || result.More
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
