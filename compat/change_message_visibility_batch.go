package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// changeEntry is the name of the entries of ChangeMessageVisibilityBatch.
const changeEntry = "ChangeMessageVisibilityBatchRequestEntry"

// changeMessageVisibilityBatch gives messages new timeouts and reports each by
// its id.
func (s *Service) changeMessageVisibilityBatch(ctx context.Context, c Caller, in *protocol.ChangeMessageVisibilityBatchInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if err := checkBatch(changeEntry, in.Entries, func(e *protocol.ChangeMessageVisibilityBatchRequestEntry) *string { return e.ID }); err != nil {
		return Result{}, err
	}
	failures := make([]*protocol.Error, len(in.Entries))
	var at []int
	var list []hiding
	for i, e := range in.Entries {
		if failures[i] = checkChange(i, e); failures[i] == nil {
			at, list = append(at, i), append(list, hiding{*e.ReceiptHandle, *e.VisibilityTimeout})
		}
	}
	if len(list) > 0 {
		outcomes, err := s.hide(ctx, q, list)
		if err != nil {
			return Result{}, err
		}
		for k, i := range at {
			failures[i] = inBatch(outcomes[k])
		}
	}
	out := &protocol.ChangeMessageVisibilityBatchOutput{}
	for i, e := range in.Entries {
		if failures[i] != nil {
			out.Failed = append(out.Failed, failedEntry(e.ID, failures[i]))
			continue
		}
		out.Successful = append(out.Successful, protocol.ChangeMessageVisibilityBatchResultEntry{ID: e.ID})
	}
	return Result{Output: out}, nil
}

// inBatch gives the failure of an entry for that of a single call. They differ
// for a message that is no longer there to hide: gocloud.dev's recording of AWS
// (pubsub/awssnssqs, TestDoubleAck) has another code and a shorter text, and its
// driver goes by that code.
func inBatch(err *protocol.Error) *protocol.Error {
	if err == nil {
		return nil
	}
	switch engine.ErrorCode(err.Cause) {
	case engine.MessageGone, engine.StaleReceipt, engine.ExpiredReceipt:
		gone := protocol.ReceiptHandleIsInvalid.New("Message does not exist or is not available for visibility timeout change")
		gone.Cause = err.Cause
		return gone
	}
	return err
}

// checkChange refuses the entry at an index by its form.
func checkChange(i int, e protocol.ChangeMessageVisibilityBatchRequestEntry) *protocol.Error {
	err := checkHandle(e.ReceiptHandle)
	switch {
	case err != nil && err.Kind == protocol.MissingParameter:
		return err
	case e.VisibilityTimeout == nil:
		return missing(entryMember(changeEntry, i, "VisibilityTimeout"))
	case !rangeVisibilityTimeout.holds(int64(*e.VisibilityTimeout)):
		return invalid(*e.VisibilityTimeout, "VisibilityTimeout", "VisibilityTimeout must be an integer between 0 and 43200.")
	}
	return err
}
