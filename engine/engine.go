package engine

import (
	"context"
	"log/slog"
)

// Engine is the Queues domain over one store.
type Engine struct {
	store   Store
	clock   Clock
	wakeups *Wakeups
	sealer  *sealer
	sweeper *sweeper
	mover   *sweeper
	parked  chan struct{}
}

// Options configure an [Engine]. Clock, Log and Wakeups are required.
type Options struct {
	// Clock is the same clock that the store was given.
	Clock Clock
	Log   *slog.Logger
	// Wakeups is what the store was told to report to.
	Wakeups *Wakeups
	// MaxParked bounds the receives that wait at once; past it a receive looks
	// once and does not wait. At least 1; zero means 100,000.
	MaxParked int
}

// defaultMaxParked leaves a waiting receive some 30 KB within 3 GB, most of it
// its connection.
const defaultMaxParked = 100_000

// New gives an engine over the store. [Engine.Start] starts its background
// work.
func New(store Store, o Options) *Engine {
	if o.MaxParked == 0 {
		o.MaxParked = defaultMaxParked
	}
	return &Engine{
		store:   store,
		clock:   o.Clock,
		wakeups: o.Wakeups,
		sealer:  newSealer(store.Secret()),
		sweeper: newSweeper(store.Sweep, o.Clock, o.Log, o.Wakeups.activity),
		mover:   newSweeper(store.Move, o.Clock, o.Log, nil),
		parked:  make(chan struct{}, o.MaxParked),
	}
}

// Start begins the background work. It must be called once.
func (e *Engine) Start() {
	e.sweeper.start()
	e.mover.start()
}

// Drain answers every waiting receive, empty, and lets no further one wait.
func (e *Engine) Drain() { e.wakeups.drain() }

// Close drains and stops the background work. The store stays open: it is its
// owner's to close. Close may be called more than once.
func (e *Engine) Close() {
	e.Drain()
	e.mover.stop()
	e.sweeper.stop()
}

// Health is nil while changes can be stored.
func (e *Engine) Health(ctx context.Context) error { return e.store.Health(ctx) }

// Clock is the clock of the engine's messages.
func (e *Engine) Clock() Clock { return e.clock }

// CreateQueue makes a queue or finds the one that has the name; errors as for
// [Store].
func (e *Engine) CreateQueue(ctx context.Context, p CreateQueueParams) (CreateQueueResult, error) {
	return e.store.CreateQueue(ctx, p)
}

// FindQueue gives the queue that has the name, or QueueNotFound.
func (e *Engine) FindQueue(ctx context.Context, name QueueName) (*Queue, error) {
	return e.store.FindQueue(ctx, name)
}

// ListQueues gives one page of a namespace's queues, ordered by name.
func (e *Engine) ListQueues(ctx context.Context, p ListQueuesParams) (ListQueuesResult, error) {
	return e.store.ListQueues(ctx, p)
}

// UpdateQueue changes settings and tags, all or nothing; errors as for [Store].
func (e *Engine) UpdateQueue(ctx context.Context, p UpdateQueueParams) (*Queue, error) {
	q, err := e.store.UpdateQueue(ctx, p)
	if err == nil {
		e.sweeper.kick() // a shorter retention may have ended many messages
	}
	return q, err
}

// DeleteQueue removes a queue with its messages; its waiting receives end with
// QueueNotFound.
func (e *Engine) DeleteQueue(ctx context.Context, p DeleteQueueParams) error {
	err := e.store.DeleteQueue(ctx, p)
	e.sweeper.kick()
	return err
}

// PurgeQueue removes all messages of a queue; errors as for [Store].
func (e *Engine) PurgeQueue(ctx context.Context, p PurgeQueueParams) error {
	err := e.store.PurgeQueue(ctx, p)
	e.sweeper.kick()
	return err
}

// Counts gives the sizes of a queue.
func (e *Engine) Counts(ctx context.Context, queue QueueID) (Counts, error) {
	return e.store.Counts(ctx, queue)
}
