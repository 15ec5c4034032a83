package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// textMoveResults is the whole text of a bad number of tasks.
const textMoveResults = "Value for parameter MaxResults is invalid. Reason: You must enter a number that's between 1 and 10."

// listMessageMoveTasks shows the newest tasks of a source, newest first.
func (s *Service) listMessageMoveTasks(ctx context.Context, c Caller, in *protocol.ListMessageMoveTasksInput) (Result, *protocol.Error) {
	if deref(in.SourceARN) == "" {
		return Result{}, missing(memberSourceARN)
	}
	q, err := s.queueByARN(ctx, c, *in.SourceARN, memberSourceARN)
	if err != nil {
		return Result{}, err
	}
	limit := defaultMoveResults
	if n := in.MaxResults; n != nil {
		if !rangeMoveResults.holds(int64(*n)) {
			return Result{}, protocol.InvalidParameterValue.New(textMoveResults)
		}
		limit = int(*n)
	}
	tasks, failure := s.engine.ListMoves(ctx, engine.ListMovesParams{Source: q.ID, Limit: limit})
	if failure != nil {
		return Result{}, translateMove(failure)
	}
	out := &protocol.ListMessageMoveTasksOutput{}
	for _, t := range tasks {
		out.Results = append(out.Results, moveTaskEntry(t))
	}
	return Result{Output: out}, nil
}

// moveTaskEntry is the wire form of a task. What was not given at its start is
// left out, and only a running task has a handle.
func moveTaskEntry(t engine.MoveTask) protocol.ListMessageMoveTasksResultEntry {
	status, source, started := moveStatuses[t.Status], queueARN(t.Source), t.Started.UnixMilli()
	e := protocol.ListMessageMoveTasksResultEntry{
		Status:                            &status,
		SourceARN:                         &source,
		ApproximateNumberOfMessagesMoved:  &t.Moved,
		ApproximateNumberOfMessagesToMove: &t.ToMove,
		FailureReason:                     optional(moveFailures[t.Failure]),
		StartedTimestamp:                  &started,
	}
	if t.Status == engine.MoveRunning {
		handle := taskHandle(t)
		e.TaskHandle = &handle
	}
	if t.Target != nil {
		target := queueARN(*t.Target)
		e.DestinationARN = &target
	}
	if t.Rate > 0 {
		rate := int32(t.Rate)
		e.MaxNumberOfMessagesPerSecond = &rate
	}
	return e
}
