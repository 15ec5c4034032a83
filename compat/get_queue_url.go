package compat

import (
	"cmp"
	"context"

	"queues/engine"
	"queues/protocol"
)

// getQueueURL finds a queue by its name, which is looked up and not judged.
func (s *Service) getQueueURL(ctx context.Context, c Caller, in *protocol.GetQueueURLInput) (Result, *protocol.Error) {
	if deref(in.QueueName) == "" {
		return Result{}, protocol.InvalidParameterValue.New(textNoQueueName)
	}
	account := cmp.Or(deref(in.QueueOwnerAWSAccountID), c.Account)
	name := engine.QueueName{Namespace: engine.Namespace{Account: account, Region: c.Region}, Name: *in.QueueName}
	if !isAccount(account) {
		return Result{}, protocol.QueueDoesNotExist.New("")
	}
	q, err := s.find(ctx, c, name)
	if err != nil {
		return Result{}, err
	}
	url := queueURL(c, q.Name)
	return Result{Output: &protocol.GetQueueURLOutput{QueueURL: &url}}, nil
}
