package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// getQueueAttributes shows the attributes asked for that have a value. Without
// names it shows none.
func (s *Service) getQueueAttributes(ctx context.Context, c Caller, in *protocol.GetQueueAttributesInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	asked := make(map[string]attribute)
	for _, name := range in.AttributeNames {
		a, ok := attributes[name]
		switch {
		case name == attrAll:
			for name, a := range attributes {
				asked[name] = a
			}
		case !ok:
			return Result{}, protocol.InvalidAttributeName.New(unknownAttribute(name))
		default:
			asked[name] = a
		}
	}
	var counts engine.Counts
	for _, a := range asked {
		if !a.Counted {
			continue
		}
		n, err := s.engine.Counts(ctx, q.ID)
		if err != nil {
			return Result{}, translate(err, about{Queue: q.Name.Name})
		}
		counts = n
		break
	}
	out := &protocol.GetQueueAttributesOutput{}
	for name, a := range asked {
		value, ok := a.Get(q, counts)
		if !ok {
			continue
		}
		if out.Attributes == nil {
			out.Attributes = make(map[string]string, len(asked))
		}
		out.Attributes[name] = value
	}
	return Result{Output: out}, nil
}
