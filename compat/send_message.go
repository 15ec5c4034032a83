package compat

import (
	"context"

	"queues/engine"
	"queues/protocol"
)

// singleWords are the texts of SendMessage.
var singleWords = sendWords{
	Operation: protocol.SendMessage,
	Body:      "MessageBody",
	BadID: func(value, member string) *protocol.Error {
		return invalid(value, member, member+textBadID+".")
	},
	NotThisKind: func(value, member string) *protocol.Error {
		return invalid(value, member, textNotThisKind+".")
	},
	TooLong: "One or more parameters are invalid",
}

// sendMessage stores one message. A duplicate on a FIFO queue is answered with
// the id and the number of the first, and with the digests of what came now.
func (s *Service) sendMessage(ctx context.Context, c Caller, in *protocol.SendMessageInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	m := outgoing{in.MessageBody, in.DelaySeconds, in.MessageAttributes, in.MessageSystemAttributes, in.MessageDeduplicationID, in.MessageGroupID}
	msg, err := newMessage(c, q, m, singleWords)
	if err != nil {
		return Result{}, err
	}
	sent, failure := s.engine.Send(ctx, engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{msg}})
	if failure != nil {
		return Result{}, translate(failure, about{Queue: q.Name.Name})
	}
	id := sent[0].ID.String()
	out := &protocol.SendMessageOutput{MessageID: &id, SequenceNumber: sequenceNumber(q, sent[0].Sequence)}
	out.MD5OfMessageBody, out.MD5OfMessageAttributes, out.MD5OfMessageSystemAttributes = m.digests()
	return Result{Output: out}, nil
}
