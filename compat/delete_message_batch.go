package compat

import (
	"context"

	"queues/protocol"
)

// deleteEntry is the name of the entries of DeleteMessageBatch.
const deleteEntry = "DeleteMessageBatchRequestEntry"

// deleteMessageBatch acknowledges messages and reports each by its id.
func (s *Service) deleteMessageBatch(ctx context.Context, c Caller, in *protocol.DeleteMessageBatchInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if err := checkBatch(deleteEntry, in.Entries, func(e *protocol.DeleteMessageBatchRequestEntry) *string { return e.ID }); err != nil {
		return Result{}, err
	}
	failures := make([]*protocol.Error, len(in.Entries))
	var at []int
	var handles []string
	for i, e := range in.Entries {
		if failures[i] = checkHandle(e.ReceiptHandle); failures[i] == nil {
			at, handles = append(at, i), append(handles, *e.ReceiptHandle)
		}
	}
	if len(handles) > 0 {
		outcomes, err := s.acknowledge(ctx, q, handles)
		if err != nil {
			return Result{}, err
		}
		for k, i := range at {
			failures[i] = outcomes[k]
		}
	}
	out := &protocol.DeleteMessageBatchOutput{}
	for i, e := range in.Entries {
		if failures[i] != nil {
			out.Failed = append(out.Failed, failedEntry(e.ID, failures[i]))
			continue
		}
		out.Successful = append(out.Successful, protocol.DeleteMessageBatchResultEntry{ID: e.ID})
	}
	return Result{Output: out}, nil
}
