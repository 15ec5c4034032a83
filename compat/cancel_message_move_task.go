package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// textBadTask is the whole text of what is no task handle.
const textBadTask = "Value for parameter TaskHandle is invalid."

// cancelMessageMoveTask makes a running task stop and tells how many messages
// it has moved so far. They stay where they are.
func (s *Service) cancelMessageMoveTask(ctx context.Context, c Caller, in *protocol.CancelMessageMoveTaskInput) (Result, *protocol.Error) {
	if deref(in.TaskHandle) == "" {
		return Result{}, missing("TaskHandle")
	}
	task, source, ok := readTaskHandle(*in.TaskHandle)
	if !ok {
		return Result{}, protocol.InvalidParameterValue.New(textBadTask)
	}
	if _, ok := parseARN(source); !ok {
		return Result{}, noResource(memberSourceARN)
	}
	q, err := s.queueByARN(ctx, c, source, memberSourceARN)
	if err != nil {
		return Result{}, err
	}
	id, ok := moveID(task)
	if !ok {
		return Result{}, translateMove(&engine.Error{Code: engine.MoveNotFound, Text: "no task has such an id"})
	}
	t, failure := s.engine.CancelMove(ctx, engine.CancelMoveParams{Source: q.ID, Task: id})
	if failure != nil {
		return Result{}, translateMove(failure)
	}
	return Result{Output: &protocol.CancelMessageMoveTaskOutput{ApproximateNumberOfMessagesMoved: &t.Moved}}, nil
}
