package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// listQueues gives the URLs of the caller's queues in the order of their
// names. Only a request that sets MaxResults gets a token for the rest.
func (s *Service) listQueues(ctx context.Context, c Caller, in *protocol.ListQueuesInput) (Result, *protocol.Error) {
	limit, paged, err := pageSize(in.MaxResults)
	if err != nil {
		return Result{}, err
	}
	p := engine.ListQueuesParams{
		Namespace: engine.Namespace{Account: c.Account, Region: c.Region},
		Prefix:    deref(in.QueueNamePrefix),
		Limit:     limit,
	}
	pages := listing{protocol.ListQueues, p.Namespace, p.Prefix}
	if p.After, err = pages.open(in.NextToken); err != nil {
		return Result{}, err
	}
	out := &protocol.ListQueuesOutput{}
	if p.Prefix != "" && !possiblePrefix(p.Prefix) {
		return Result{Output: out}, nil
	}
	res, failure := s.engine.ListQueues(ctx, p)
	if failure != nil {
		return Result{}, translate(failure, about{})
	}
	out.QueueURLs, out.NextToken = pages.page(c, res, paged)
	return Result{Output: out}, nil
}

// possiblePrefix reports whether some queue's name could begin like this.
func possiblePrefix(prefix string) bool {
	for cut := 0; cut < len(fifoSuffix) && cut < len(prefix); cut++ {
		stem := prefix[:len(prefix)-cut]
		if prefix[len(stem):] == fifoSuffix[:cut] && plainName(stem) {
			return len(prefix) <= maxQueueName
		}
	}
	return possibleName(prefix)
}
