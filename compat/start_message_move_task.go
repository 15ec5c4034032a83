package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// The texts of move tasks that cannot be started.
const (
	textNoDeadLetters = "Source queue must be configured as a Dead Letter Queue."
	textSameQueue     = "Source queue arn and destination queue arn cannot be the same."
	textOtherKind     = "The source queue and destination queue must be of the same queue type."
	textMoveRate      = "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and 500."
)

// startMessageMoveTask starts moving the messages of a dead-letter queue to
// another queue, or each to the queue that it came from.
func (s *Service) startMessageMoveTask(ctx context.Context, c Caller, in *protocol.StartMessageMoveTaskInput) (Result, *protocol.Error) {
	if deref(in.SourceARN) == "" {
		return Result{}, missing(memberSourceARN)
	}
	source, err := s.queueByARN(ctx, c, *in.SourceARN, memberSourceARN)
	if err != nil {
		return Result{}, err
	}
	sources, failure := s.engine.ListSources(ctx, engine.ListSourcesParams{Target: source.Name, Limit: 1})
	switch {
	case failure != nil:
		return Result{}, translateMove(failure)
	case len(sources.Queues) == 0:
		return Result{}, protocol.InvalidParameterValue.New(textNoDeadLetters)
	}
	p := engine.StartMoveParams{Source: source.ID}
	if in.DestinationARN != nil {
		target, err := s.moveTarget(ctx, c, source, *in.DestinationARN)
		if err != nil {
			return Result{}, err
		}
		p.Target = &target.Name
	}
	if rate := in.MaxNumberOfMessagesPerSecond; rate != nil {
		if !rangeMoveRate.holds(int64(*rate)) {
			return Result{}, protocol.InvalidParameterValue.New(textMoveRate)
		}
		p.Rate = int(*rate)
	}
	task, failure := s.engine.StartMove(ctx, p)
	if failure != nil {
		return Result{}, translateMove(failure)
	}
	handle := taskHandle(task)
	return Result{Output: &protocol.StartMessageMoveTaskOutput{TaskHandle: &handle}}, nil
}

// moveTarget finds the queue that a task is to move messages to, which must be
// another one of the same kind.
func (s *Service) moveTarget(ctx context.Context, c Caller, source *engine.Queue, text string) (*engine.Queue, *protocol.Error) {
	if text == queueARN(source.Name) {
		return nil, protocol.InvalidParameterValue.New(textSameQueue)
	}
	target, err := s.queueByARN(ctx, c, text, memberDestinationARN)
	switch {
	case err != nil:
		return nil, err
	case target.Kind != source.Kind:
		return nil, protocol.InvalidParameterValue.New(textOtherKind)
	}
	return target, nil
}
