package storetest

import (
	"context"

	"queues/engine"
)

// ListSources is not modelled yet.
func (m *Model) ListSources(context.Context, engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	return engine.ListQueuesResult{}, fail(engine.Internal, "not modelled")
}

// StartMove is not modelled yet.
func (m *Model) StartMove(context.Context, engine.StartMoveParams) (engine.MoveTask, error) {
	return engine.MoveTask{}, fail(engine.Internal, "not modelled")
}

// CancelMove is not modelled yet.
func (m *Model) CancelMove(context.Context, engine.CancelMoveParams) (engine.MoveTask, error) {
	return engine.MoveTask{}, fail(engine.Internal, "not modelled")
}

// ListMoves is not modelled yet.
func (m *Model) ListMoves(context.Context, engine.ListMovesParams) ([]engine.MoveTask, error) {
	return nil, fail(engine.Internal, "not modelled")
}

// Move is not modelled yet.
func (m *Model) Move(context.Context) (engine.SweepResult, error) {
	return engine.SweepResult{}, nil
}
