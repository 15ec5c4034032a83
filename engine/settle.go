package engine

import (
	"context"
	"time"
)

// SettleParams name deliveries to acknowledge by their handles.
type SettleParams struct {
	Queue   QueueID
	Handles []string
	Stale   StaleRule
	// RefuseExpired refuses with ExpiredReceipt once the deadline has passed.
	RefuseExpired bool
}

// Acknowledge removes received messages. The result has one entry for each
// handle, as [Store].Acknowledge has it for each reference; a handle that was
// never issued gives InvalidReceipt and leaves the others alone.
func (e *Engine) Acknowledge(ctx context.Context, p SettleParams) ([]error, error) {
	results, at, refs := e.open(len(p.Handles), func(i int) string { return p.Handles[i] })
	if len(refs) == 0 {
		return results, nil
	}
	outcomes, err := e.store.Acknowledge(ctx, AcknowledgeParams{
		Queue: p.Queue, Refs: refs, Stale: p.Stale, RefuseExpired: p.RefuseExpired,
	})
	return spread(results, at, outcomes, err)
}

// HandleChange is a new deadline for the delivery of one handle.
type HandleChange struct {
	Handle string
	// Timeout counts from the commit; zero frees the message.
	Timeout time.Duration
}

// HideParams are new deadlines for deliveries named by their handles.
type HideParams struct {
	Queue   QueueID
	Changes []HandleChange
	Stale   StaleRule
	// RefuseExpired refuses with ExpiredReceipt once the deadline has passed.
	RefuseExpired bool
	// MaxTotal bounds the whole time since the message's last receive. Zero for
	// no limit.
	MaxTotal time.Duration
}

// ChangeVisibility sets new deadlines. Result entries as for Acknowledge, and
// VisibilityLimit.
func (e *Engine) ChangeVisibility(ctx context.Context, p HideParams) ([]error, error) {
	results, at, refs := e.open(len(p.Changes), func(i int) string { return p.Changes[i].Handle })
	if len(refs) == 0 {
		return results, nil
	}
	changes := make([]Change, len(refs))
	for k, ref := range refs {
		changes[k] = Change{Ref: ref, Timeout: p.Changes[at[k]].Timeout}
	}
	outcomes, err := e.store.ChangeVisibility(ctx, ChangeVisibilityParams{
		Queue: p.Queue, Changes: changes, Stale: p.Stale, RefuseExpired: p.RefuseExpired, MaxTotal: p.MaxTotal,
	})
	return spread(results, at, outcomes, err)
}

// open unseals n handles. It gives the entries' results, with the errors of
// those that did not open, and for those that did their index and reference.
func (e *Engine) open(n int, handle func(int) string) (results []error, at []int, refs []Ref) {
	results = make([]error, n)
	at, refs = make([]int, 0, n), make([]Ref, 0, n)
	for i := range n {
		ref, err := e.sealer.open(handle(i))
		if err != nil {
			results[i] = err
			continue
		}
		at, refs = append(at, i), append(refs, ref)
	}
	return results, at, refs
}

// spread puts the store's outcomes where their entries stand.
func spread(results []error, at []int, outcomes []error, err error) ([]error, error) {
	if err != nil {
		return nil, err
	}
	for k, i := range at {
		results[i] = outcomes[k]
	}
	return results, nil
}
