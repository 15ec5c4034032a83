package sqlite

import (
	"context"

	"queues/engine"
)

// ListSources is not built yet.
func (s *Store) ListSources(context.Context, engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	return engine.ListQueuesResult{}, internal("not built")
}

// StartMove is not built yet.
func (s *Store) StartMove(context.Context, engine.StartMoveParams) (engine.MoveTask, error) {
	return engine.MoveTask{}, internal("not built")
}

// CancelMove is not built yet.
func (s *Store) CancelMove(context.Context, engine.CancelMoveParams) (engine.MoveTask, error) {
	return engine.MoveTask{}, internal("not built")
}

// ListMoves is not built yet.
func (s *Store) ListMoves(context.Context, engine.ListMovesParams) ([]engine.MoveTask, error) {
	return nil, internal("not built")
}

// Move is not built yet.
func (s *Store) Move(context.Context) (engine.SweepResult, error) {
	return engine.SweepResult{}, nil
}
