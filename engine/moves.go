package engine

import "context"

// ListSources gives one page of the queues whose redrive names the target.
func (e *Engine) ListSources(ctx context.Context, p ListSourcesParams) (ListQueuesResult, error) {
	return e.store.ListSources(ctx, p)
}

// StartMove starts a task that moves a queue's messages elsewhere, in the
// background; errors as for [Store].
func (e *Engine) StartMove(ctx context.Context, p StartMoveParams) (MoveTask, error) {
	task, err := e.store.StartMove(ctx, p)
	e.mover.kick()
	return task, err
}

// CancelMove makes a running task stop; errors as for [Store].
func (e *Engine) CancelMove(ctx context.Context, p CancelMoveParams) (MoveTask, error) {
	task, err := e.store.CancelMove(ctx, p)
	e.mover.kick()
	return task, err
}

// ListMoves gives a source's newest tasks, newest first.
func (e *Engine) ListMoves(ctx context.Context, p ListMovesParams) ([]MoveTask, error) {
	return e.store.ListMoves(ctx, p)
}
