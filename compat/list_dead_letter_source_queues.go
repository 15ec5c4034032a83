package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// listDeadLetterSourceQueues gives the URLs of the queues whose redrive policy
// names the queue, in the order of their names. Only a request that sets
// MaxResults gets a token for the rest.
func (s *Service) listDeadLetterSourceQueues(ctx context.Context, c Caller, in *protocol.ListDeadLetterSourceQueuesInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	limit, paged, err := pageSize(in.MaxResults)
	if err != nil {
		return Result{}, err
	}
	pages := listing{protocol.ListDeadLetterSourceQueues, q.Name.Namespace, q.Name.Name}
	after, err := pages.open(in.NextToken)
	if err != nil {
		return Result{}, err
	}
	res, failure := s.engine.ListSources(ctx, engine.ListSourcesParams{Target: q.Name, After: after, Limit: limit})
	if failure != nil {
		return Result{}, translate(failure, about{Queue: q.Name.Name})
	}
	out := &protocol.ListDeadLetterSourceQueuesOutput{}
	out.QueueURLs, out.NextToken = pages.page(c, res, paged)
	return Result{Output: out}, nil
}
