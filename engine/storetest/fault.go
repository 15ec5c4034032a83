package storetest

import (
	"context"
	"sync/atomic"

	"queues/engine"
)

// Hook is called with the name of the operation, which is the name of the
// [engine.Store] method. It may block. What it returns, when not nil, is the
// answer of the call.
type Hook func(ctx context.Context, op string) error

// Fault is a store that hands every call to another one and fails, delays or
// forgets the answer when its hooks say so. FindQueue, Health and Close go
// through the hooks like all others; Secret does not. It is safe for concurrent
// use, and the hooks may be exchanged at any time.
type Fault struct {
	store         engine.Store
	before, after atomic.Pointer[Hook]
}

var _ engine.Store = (*Fault)(nil)

// NewFault wraps a store. Without hooks it changes nothing.
func NewFault(store engine.Store) *Fault { return &Fault{store: store} }

// Before sets the hook that is called first. An error from it means that the
// store never hears of the call. Nil takes the hook away.
func (f *Fault) Before(hook Hook) { set(&f.before, hook) }

// After sets the hook that is called when the store has answered. An error from
// it takes the place of the answer, though the call has happened. Nil takes the
// hook away.
func (f *Fault) After(hook Hook) { set(&f.after, hook) }

func set(at *atomic.Pointer[Hook], hook Hook) {
	if hook == nil {
		at.Store(nil)
		return
	}
	at.Store(&hook)
}

// FailOnce makes a hook that fails the next call of one operation with an error
// of the given code and lets all others pass.
func FailOnce(op string, code engine.Code) Hook {
	var done atomic.Bool
	return func(_ context.Context, name string) error {
		if name != op || !done.CompareAndSwap(false, true) {
			return nil
		}
		return fail(code, "the test wants "+op+" to fail")
	}
}

// FailAll makes a hook that fails every call of the named operations, or of all
// when none is named, with an error of the given code.
func FailAll(code engine.Code, ops ...string) Hook {
	named := make(map[string]bool, len(ops))
	for _, op := range ops {
		named[op] = true
	}
	return func(_ context.Context, name string) error {
		if len(named) > 0 && !named[name] {
			return nil
		}
		return fail(code, "the test wants "+name+" to fail")
	}
}

// through makes one call between the hooks.
func through[T any](ctx context.Context, f *Fault, op string, call func() (T, error)) (T, error) {
	var none T
	if hook := f.before.Load(); hook != nil {
		if err := (*hook)(ctx, op); err != nil {
			return none, err
		}
	}
	result, err := call()
	if hook := f.after.Load(); hook != nil {
		if err := (*hook)(ctx, op); err != nil {
			return none, err
		}
	}
	return result, err
}

// done is through for the calls that answer with nothing but an error.
func done(ctx context.Context, f *Fault, op string, call func() error) error {
	_, err := through(ctx, f, op, func() (struct{}, error) { return struct{}{}, call() })
	return err
}

// CreateQueue hands on to the store.
func (f *Fault) CreateQueue(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
	return through(ctx, f, "CreateQueue", func() (engine.CreateQueueResult, error) { return f.store.CreateQueue(ctx, p) })
}

// FindQueue hands on to the store.
func (f *Fault) FindQueue(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
	return through(ctx, f, "FindQueue", func() (*engine.Queue, error) { return f.store.FindQueue(ctx, name) })
}

// ListQueues hands on to the store.
func (f *Fault) ListQueues(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
	return through(ctx, f, "ListQueues", func() (engine.ListQueuesResult, error) { return f.store.ListQueues(ctx, p) })
}

// UpdateQueue hands on to the store.
func (f *Fault) UpdateQueue(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
	return through(ctx, f, "UpdateQueue", func() (*engine.Queue, error) { return f.store.UpdateQueue(ctx, p) })
}

// DeleteQueue hands on to the store.
func (f *Fault) DeleteQueue(ctx context.Context, p engine.DeleteQueueParams) error {
	return done(ctx, f, "DeleteQueue", func() error { return f.store.DeleteQueue(ctx, p) })
}

// PurgeQueue hands on to the store.
func (f *Fault) PurgeQueue(ctx context.Context, p engine.PurgeQueueParams) error {
	return done(ctx, f, "PurgeQueue", func() error { return f.store.PurgeQueue(ctx, p) })
}

// Counts hands on to the store.
func (f *Fault) Counts(ctx context.Context, queue engine.QueueID) (engine.Counts, error) {
	return through(ctx, f, "Counts", func() (engine.Counts, error) { return f.store.Counts(ctx, queue) })
}

// Send hands on to the store.
func (f *Fault) Send(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
	return through(ctx, f, "Send", func() ([]engine.Sent, error) { return f.store.Send(ctx, p) })
}

// Receive hands on to the store.
func (f *Fault) Receive(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
	return through(ctx, f, "Receive", func() (engine.ReceiveResult, error) { return f.store.Receive(ctx, p) })
}

// Release hands on to the store.
func (f *Fault) Release(ctx context.Context, queue engine.QueueID, refs []engine.Ref) error {
	return done(ctx, f, "Release", func() error { return f.store.Release(ctx, queue, refs) })
}

// Acknowledge hands on to the store.
func (f *Fault) Acknowledge(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
	return through(ctx, f, "Acknowledge", func() ([]error, error) { return f.store.Acknowledge(ctx, p) })
}

// ChangeVisibility hands on to the store.
func (f *Fault) ChangeVisibility(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
	return through(ctx, f, "ChangeVisibility", func() ([]error, error) { return f.store.ChangeVisibility(ctx, p) })
}

// Sweep hands on to the store.
func (f *Fault) Sweep(ctx context.Context) (engine.SweepResult, error) {
	return through(ctx, f, "Sweep", func() (engine.SweepResult, error) { return f.store.Sweep(ctx) })
}

// Secret gives the store's secret.
func (f *Fault) Secret() [32]byte { return f.store.Secret() }

// Health hands on to the store.
func (f *Fault) Health(ctx context.Context) error {
	return done(ctx, f, "Health", func() error { return f.store.Health(ctx) })
}

// Close hands on to the store.
func (f *Fault) Close() error {
	return done(context.Background(), f, "Close", f.store.Close)
}
