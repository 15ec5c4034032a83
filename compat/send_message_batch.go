package compat

import (
	"context"
	"fmt"

	"queues/engine"
	"queues/protocol"
)

// sendEntry is the name of the entries of SendMessageBatch.
const sendEntry = "SendMessageBatchRequestEntry"

// batchWords are the texts of the entry at an index.
func batchWords(i int) sendWords {
	return sendWords{
		Operation: protocol.SendMessageBatch,
		Body:      entryMember(sendEntry, i, "MessageBody"),
		BadID: func(_, member string) *protocol.Error {
			return protocol.InvalidParameterValue.New(member + textBadID)
		},
		NotThisKind: func(string, string) *protocol.Error {
			return protocol.InvalidParameterValue.New(textNotThisKind)
		},
		TooLong: "One or more parameters cannot be validated",
	}
}

// sendMessageBatch stores the good entries in their order and reports the bad
// ones. On a FIFO queue, whose order a missing entry would break, one bad entry
// fails them all.
func (s *Service) sendMessageBatch(ctx context.Context, c Caller, in *protocol.SendMessageBatchInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if err := checkBatch(sendEntry, in.Entries, func(e *protocol.SendMessageBatchRequestEntry) *string { return e.ID }); err != nil {
		return Result{}, err
	}
	size := 0
	for _, e := range in.Entries {
		size += messageSize(e.MessageBody, e.MessageAttributes)
	}
	if size > maxBatchBytes {
		return Result{}, protocol.BatchRequestTooLong.New(fmt.Sprintf("Batch requests cannot be longer than %d bytes. You have sent %d bytes.", maxBatchBytes, size))
	}
	out := &protocol.SendMessageBatchOutput{}
	messages := make([]engine.NewMessage, 0, len(in.Entries))
	for i, e := range in.Entries {
		m := outgoing{e.MessageBody, e.DelaySeconds, e.MessageAttributes, e.MessageSystemAttributes, e.MessageDeduplicationID, e.MessageGroupID}
		msg, err := newMessage(c, q, m, batchWords(i))
		if err != nil && q.Kind == engine.FIFO {
			return Result{}, wholeBatch(err)
		}
		if err != nil {
			out.Failed = append(out.Failed, failedEntry(e.ID, err))
			continue
		}
		messages = append(messages, msg)
		result := protocol.SendMessageBatchResultEntry{ID: e.ID}
		result.MD5OfMessageBody, result.MD5OfMessageAttributes, result.MD5OfMessageSystemAttributes = m.digests()
		out.Successful = append(out.Successful, result)
	}
	if len(messages) == 0 {
		return Result{Output: out}, nil
	}
	sent, failure := s.engine.Send(ctx, engine.SendParams{Queue: q.ID, Messages: messages})
	if failure != nil {
		return Result{}, translate(failure, about{Queue: q.Name.Name})
	}
	for i := range out.Successful {
		id := sent[i].ID.String()
		out.Successful[i].MessageID = &id
		out.Successful[i].SequenceNumber = sequenceNumber(q, sent[i].Sequence)
	}
	return Result{Output: out}, nil
}

// wholeBatch is the error of a batch for a FIFO queue of which one entry is
// bad: what an entry lacks counts as a bad value of the batch.
func wholeBatch(err *protocol.Error) *protocol.Error {
	if err.Kind == protocol.MissingParameter {
		return protocol.InvalidParameterValue.New(err.Message)
	}
	return err
}
