package compat

import (
	"fmt"
	"strings"
	"time"

	"queues/engine"
	"queues/protocol"
)

// outgoing is a message to be sent, as SendMessage and an entry of
// SendMessageBatch give it alike.
type outgoing struct {
	Body             *string
	DelaySeconds     *int32
	Attributes       map[string]protocol.MessageAttributeValue
	SystemAttributes map[string]protocol.MessageAttributeValue
	DedupID          *string
	GroupID          *string
}

// sendWords are the texts in which the single and the batch form differ.
type sendWords struct {
	Operation protocol.Operation
	// Body names the member of the message body.
	Body string
	// Group and Dedup refuse a bad group id and an id that needs a FIFO queue;
	// %s stands for the value.
	Group, Dedup func(value string) *protocol.Error
	// TooLong is the beginning of the text that refuses a message by its size.
	TooLong string
}

// The texts of message contents that cannot be.
const (
	textValidCharacters = "Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"
	textBadBody         = "Invalid characters found. " + textValidCharacters
	textBadGroup        = "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length"
	textNotThisKind     = "The request include parameter that is not valid for this queue type"
)

// newMessage checks a message for a standard queue and builds it. The checks
// come in AWS's order.
func newMessage(c Caller, q *engine.Queue, m outgoing, w sendWords) (engine.NewMessage, *protocol.Error) {
	var none engine.NewMessage
	switch {
	case deref(m.Body) == "":
		return none, missing(w.Body)
	case !protocol.ValidText(*m.Body):
		return none, protocol.InvalidMessageContents.New(textBadBody)
	case m.GroupID != nil && !isGroupID(*m.GroupID):
		return none, w.Group(*m.GroupID)
	case m.DedupID != nil:
		return none, w.Dedup(*m.DedupID)
	case m.DelaySeconds != nil && !rangeDelaySeconds.holds(int64(*m.DelaySeconds)):
		return none, invalid(*m.DelaySeconds, "DelaySeconds", "DelaySeconds must be >= 0 and <= 900.")
	}
	attributes, err := checkMessageAttributes(m.Attributes, w.Operation)
	if err != nil {
		return none, err
	}
	if len(*m.Body)+attributes.size > q.MaxMessageBytes {
		return none, protocol.InvalidParameterValue.New(fmt.Sprintf("%s. Reason: Message must be shorter than %d bytes.", w.TooLong, q.MaxMessageBytes))
	}
	trace, err := traceHeader(c, m.SystemAttributes)
	if err != nil {
		return none, err
	}
	msg := engine.NewMessage{Message: engine.Message{
		Body:       *m.Body,
		Attributes: attributes.list,
		Sender:     c.Principal,
		Trace:      trace,
		Group:      deref(m.GroupID),
	}}
	if m.DelaySeconds != nil {
		delay := time.Duration(*m.DelaySeconds) * time.Second
		msg.Delay = &delay
	}
	return msg, nil
}

// isGroupID reports whether s is 1 to 128 printable ASCII characters without
// blanks.
func isGroupID(s string) bool {
	return s != "" && len(s) <= maxGroupID && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// digests are the digests of what a request sent; nil where there is nothing
// to digest.
func (m outgoing) digests() (body, attributes, system *string) {
	sum := protocol.MD5OfBody(*m.Body)
	return &sum, optional(protocol.MD5OfAttributes(m.Attributes)), optional(protocol.MD5OfAttributes(m.SystemAttributes))
}

// optional is a member that is left out when it is empty.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// sequenceNumber is the wire form of a message's number, which only FIFO queues
// show: 20 digits.
func sequenceNumber(q *engine.Queue, n uint64) *string {
	if q.Kind != engine.FIFO {
		return nil
	}
	s := fmt.Sprintf("%020d", n)
	return &s
}
