package compat

import (
	"context"
	"slices"
	"time"

	"queues/engine"
	"queues/protocol"
)

// receiveMessage claims messages, waiting for a first one if asked to. What the
// request leaves out is the queue's to say; a zero is not left out.
func (s *Service) receiveMessage(ctx context.Context, c Caller, in *protocol.ReceiveMessageInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	p, err := s.receiveParams(q, in)
	if err != nil {
		return Result{}, err
	}
	p.Room = c.Room
	res, failure := s.engine.Receive(ctx, p)
	if failure != nil && q.Kind == engine.FIFO && engine.ErrorCode(failure) == engine.InFlightLimit {
		failure = nil // a full FIFO queue has nothing to give
	}
	if failure != nil {
		return Result{}, translate(failure, about{Queue: q.Name.Name})
	}
	if len(res.Messages) == 0 {
		return Result{Output: &protocol.ReceiveMessageOutput{}}, nil
	}
	system := selectNames(slices.Concat(in.AttributeNames, in.MessageSystemAttributeNames))
	user := selectNames(in.MessageAttributeNames)
	out := &protocol.ReceiveMessageOutput{Messages: make([]protocol.Message, len(res.Messages))}
	for i := range res.Messages {
		out.Messages[i] = received(q, &res.Messages[i], system, user)
	}
	return Result{Output: out, Undo: func(ctx context.Context) {
		// A message that cannot be given back comes back when its timeout ends.
		_ = s.engine.Release(ctx, q.ID, res.Messages)
	}}, nil
}

// receiveParams checks the members of a receive and fills in the queue's.
func (s *Service) receiveParams(q *engine.Queue, in *protocol.ReceiveMessageInput) (engine.ReceiveParams, *protocol.Error) {
	p := engine.ReceiveParams{Queue: q.ID, Max: 1, Wait: q.ReceiveWait, InFlightLimit: s.options.InFlightLimit}
	if n := in.MaxNumberOfMessages; n != nil {
		if !rangeMaxNumberOfMessages.holds(int64(*n)) {
			return p, invalid(*n, "MaxNumberOfMessages", "Must be between 1 and 10, if provided.")
		}
		p.Max = int(*n)
	}
	if n := in.WaitTimeSeconds; n != nil {
		if !rangeReceiveMessageWaitTimeSeconds.holds(int64(*n)) {
			return p, invalid(*n, "WaitTimeSeconds", "Must be >= 0 and <= 20, if provided.")
		}
		p.Wait = time.Duration(*n) * time.Second
	}
	if n := in.VisibilityTimeout; n != nil {
		if !rangeVisibilityTimeout.holds(int64(*n)) {
			return p, invalid(*n, "VisibilityTimeout", "Must be >= 0 and <= 43200, if provided.")
		}
		hide := time.Duration(*n) * time.Second
		p.Visibility = &hide
	}
	if id := in.ReceiveRequestAttemptID; id != nil {
		const member = "ReceiveRequestAttemptId"
		switch {
		case q.Kind != engine.FIFO:
			return p, invalid(*id, member, textNotThisKind+".")
		case !isID(*id):
			return p, invalid(*id, member, member+textBadID+".")
		}
		p.AttemptID = *id
	}
	return p, nil
}

// received is the wire form of one delivery.
func received(q *engine.Queue, d *engine.Delivery, system, user selection) protocol.Message {
	id, sum := d.ID.String(), protocol.MD5OfBody(d.Body)
	m := protocol.Message{
		MessageID:     &id,
		ReceiptHandle: &d.Handle,
		MD5OfBody:     &sum,
		Body:          &d.Body,
		Attributes:    systemAttributes(q, d, system),
	}
	for _, a := range d.Attributes {
		if !user.has(a.Name) {
			continue
		}
		if m.MessageAttributes == nil {
			m.MessageAttributes = make(map[string]protocol.MessageAttributeValue, len(d.Attributes))
		}
		m.MessageAttributes[a.Name] = attributeValue(a)
	}
	m.MD5OfMessageAttributes = optional(protocol.MD5OfAttributes(m.MessageAttributes))
	return m
}
