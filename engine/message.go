package engine

import (
	"time"

	"github.com/google/uuid"
)

// MessageID is the identity of one message, assigned when it is sent.
type MessageID uuid.UUID

// String gives the canonical form, 36 characters.
func (id MessageID) String() string { return uuid.UUID(id).String() }

// Attribute is one named, typed value beside a message's body.
type Attribute struct {
	Name string
	// Type is kept as given, label and all, for example "Number.int".
	Type string
	// Value is text or bytes, as given.
	Value []byte
}

// Message is what a sender gives and a receiver gets back unchanged.
type Message struct {
	ID   MessageID
	Body string
	// Attributes are in the order they were given.
	Attributes []Attribute
	// Sender names the principal that sent the message.
	Sender string
	// Trace is an opaque trace header; empty for none.
	Trace string
	// Group is the message group; empty for none. A FIFO queue keeps the order
	// within it, so every message there has one. On a standard queue it names
	// who the message is for, and shares receives out fairly (see Receive).
	Group string
	// Dedup is the deduplication id; empty for none. On a FIFO queue every
	// message has one.
	Dedup string
}

// NewMessage is a message to be sent.
type NewMessage struct {
	Message
	// Delay hides the message for this long; nil means the queue's delay. A
	// zero delay is not nil: it overrides the queue's.
	Delay *time.Duration
}

// Sent is what became of one sent message.
type Sent struct {
	ID MessageID
	// Sequence grows within a queue, and on a FIFO queue within a group in the
	// order of delivery. It is never zero.
	Sequence uint64
	// Duplicate is true when a FIFO queue did not store the message, because one
	// with its deduplication id was sent less than [DedupWindow] ago. ID and
	// Sequence are then those of that one.
	Duplicate bool
}

// DedupWindow is how long a FIFO queue remembers a deduplication id, from the
// send that was stored. Neither receiving nor deleting its message, nor a
// further send of the id, changes it.
const DedupWindow = 5 * time.Minute

// AttemptWindow is how long a receive can be repeated by its attempt id.
const AttemptWindow = 5 * time.Minute

// Ref is a store's own reference to one delivery of one message: opaque to
// the engine, at most [MaxRefBytes] long, valid after a restart and on any
// node of the store. It tells apart the queue, the purge epoch, the message
// and the receive.
type Ref string

// MaxRefBytes bounds a [Ref].
const MaxRefBytes = 64

// Delivery is one received message.
type Delivery struct {
	Message
	// Ref is the store's reference to this delivery.
	Ref Ref
	// Handle is the sealed form of Ref that callers hold. The engine sets it;
	// a store leaves it empty.
	Handle string
	// Sequence is the number that its send returned.
	Sequence uint64
	// Sent is when the message was sent.
	Sent time.Time
	// FirstReceived is when it was first received; this receive's time if that
	// was now.
	FirstReceived time.Time
	// Receives counts the receives of the message in all queues that it was in,
	// this one included. At least 1.
	Receives int
	// Source is the queue whose redrive brought the message here, as it was
	// named then; zero for none.
	Source QueueName
	// Deadline is when the message becomes visible again.
	Deadline time.Time
}
