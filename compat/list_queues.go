package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// textMaxResults is the whole text of a bad page size.
const textMaxResults = "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000."

// listQueues gives the URLs of the caller's queues in the order of their
// names. Only a request that sets MaxResults gets a token for the rest.
func (s *Service) listQueues(ctx context.Context, c Caller, in *protocol.ListQueuesInput) (Result, *protocol.Error) {
	limit, paged := maxListedQueues, false
	if n := in.MaxResults; n != nil && *n != 0 {
		if !rangeMaxResults.holds(int64(*n)) {
			return Result{}, protocol.InvalidParameterValue.New(textMaxResults)
		}
		limit, paged = int(*n), true
	}
	p := engine.ListQueuesParams{
		Namespace: engine.Namespace{Account: c.Account, Region: c.Region},
		Prefix:    deref(in.QueueNamePrefix),
		Limit:     limit,
	}
	if token := deref(in.NextToken); token != "" {
		after, err := openToken(p.Namespace, p.Prefix, token)
		if err != nil {
			return Result{}, err
		}
		p.After = after
	}
	out := &protocol.ListQueuesOutput{}
	if p.Prefix != "" && !possiblePrefix(p.Prefix) {
		return Result{Output: out}, nil
	}
	res, err := s.engine.ListQueues(ctx, p)
	if err != nil {
		return Result{}, translate(err, about{})
	}
	for _, q := range res.Queues {
		out.QueueURLs = append(out.QueueURLs, queueURL(c, q.Name))
	}
	if paged && res.More && len(res.Queues) > 0 {
		token := makeToken(p.Namespace, p.Prefix, res.Queues[len(res.Queues)-1].Name.Name)
		out.NextToken = &token
	}
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
