package compat

import (
	"crypto/sha256"
	"encoding/hex"
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
	// BadID refuses the form of an id: the value of a member. NotThisKind
	// refuses an id that the queue's kind does not take.
	BadID, NotThisKind func(value, member string) *protocol.Error
	// TooLong is the beginning of the text that refuses a message by its size.
	TooLong string
}

// The members of a message's ids.
const (
	memberGroup = "MessageGroupId"
	memberDedup = "MessageDeduplicationId"
)

// The texts of message contents that cannot be.
const (
	textValidCharacters = "Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"
	textBadBody         = "Invalid characters found. " + textValidCharacters
	textBadID           = " can only include alphanumeric and punctuation characters. 1 to 128 in length"
	textNotThisKind     = "The request include parameter that is not valid for this queue type"
	textNoDedup         = "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
)

// newMessage checks a message for a queue and builds it. The checks come in
// AWS's order.
func newMessage(c Caller, q *engine.Queue, m outgoing, w sendWords) (engine.NewMessage, *protocol.Error) {
	var none engine.NewMessage
	switch {
	case deref(m.Body) == "":
		return none, missing(w.Body)
	case !protocol.ValidText(*m.Body):
		return none, protocol.InvalidMessageContents.New(textBadBody)
	}
	if err := checkIDs(q, m, w); err != nil {
		return none, err
	}
	if err := checkDelay(q, m.DelaySeconds); err != nil {
		return none, err
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
		Dedup:      m.dedup(q),
	}}
	// Messages of a FIFO queue have the queue's delay, whatever it is then.
	if m.DelaySeconds != nil && q.Kind != engine.FIFO {
		delay := time.Duration(*m.DelaySeconds) * time.Second
		msg.Delay = &delay
	}
	return msg, nil
}

// checkIDs refuses ids that the queue cannot take, and the lack of those that
// it needs. An empty id counts as given.
func checkIDs(q *engine.Queue, m outgoing, w sendWords) *protocol.Error {
	fifo := q.Kind == engine.FIFO
	switch {
	case fifo && m.GroupID == nil:
		return missing(memberGroup)
	case m.GroupID != nil && !isID(*m.GroupID):
		return w.BadID(*m.GroupID, memberGroup)
	case fifo && m.DedupID == nil && !contentBased(q):
		return protocol.InvalidParameterValue.New(textNoDedup)
	case fifo && m.DedupID != nil && !isID(*m.DedupID):
		return w.BadID(*m.DedupID, memberDedup)
	case !fifo && m.DedupID != nil:
		return w.NotThisKind(*m.DedupID, memberDedup)
	}
	return nil
}

// checkDelay refuses a delay out of range, and on a FIFO queue every delay.
func checkDelay(q *engine.Queue, seconds *int32) *protocol.Error {
	const member = "DelaySeconds"
	switch {
	case seconds == nil:
		return nil
	case q.Kind == engine.FIFO && *seconds > 0:
		return invalid(*seconds, member, textNotThisKind+".")
	case !rangeDelaySeconds.holds(int64(*seconds)):
		return invalid(*seconds, member, "DelaySeconds must be >= 0 and <= 900.")
	}
	return nil
}

// dedup is the deduplication id of a message that passed the checks: the one
// given, else on a FIFO queue the SHA-256 of the body alone.
func (m outgoing) dedup(q *engine.Queue) string {
	if m.DedupID != nil || q.Kind != engine.FIFO {
		return deref(m.DedupID)
	}
	sum := sha256.Sum256([]byte(*m.Body))
	return hex.EncodeToString(sum[:])
}

// isID reports whether s is 1 to 128 printable ASCII characters without
// blanks: the form of group, deduplication and receive attempt ids.
func isID(s string) bool {
	return s != "" && len(s) <= maxID && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
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
	given := s // &s would be allocated for the empty one too
	return &given
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
