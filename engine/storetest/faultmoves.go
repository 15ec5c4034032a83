package storetest

import (
	"context"

	"queues/engine"
)

// ListSources hands on to the store.
func (f *Fault) ListSources(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	return through(ctx, f, "ListSources", func() (engine.ListQueuesResult, error) { return f.store.ListSources(ctx, p) })
}

// StartMove hands on to the store.
func (f *Fault) StartMove(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
	return through(ctx, f, "StartMove", func() (engine.MoveTask, error) { return f.store.StartMove(ctx, p) })
}

// CancelMove hands on to the store.
func (f *Fault) CancelMove(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
	return through(ctx, f, "CancelMove", func() (engine.MoveTask, error) { return f.store.CancelMove(ctx, p) })
}

// ListMoves hands on to the store.
func (f *Fault) ListMoves(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
	return through(ctx, f, "ListMoves", func() ([]engine.MoveTask, error) { return f.store.ListMoves(ctx, p) })
}

// Move hands on to the store.
func (f *Fault) Move(ctx context.Context) (engine.SweepResult, error) {
	return through(ctx, f, "Move", func() (engine.SweepResult, error) { return f.store.Move(ctx) })
}
