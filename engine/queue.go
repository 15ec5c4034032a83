package engine

import (
	"time"

	"github.com/google/uuid"
)

// QueueID is the identity of one queue from its creation to its deletion. A
// queue that is deleted and created again under the same name is another
// queue with another id.
type QueueID uuid.UUID

// String gives the canonical form, 36 characters.
func (id QueueID) String() string { return uuid.UUID(id).String() }

// Namespace is where a queue's name is unique. Namespaces never see each
// other's queues.
type Namespace struct {
	// Account is a 12-digit account number.
	Account string
	// Region is a region name such as "us-east-1".
	Region string
}

// QueueName names a queue that may or may not exist.
type QueueName struct {
	Namespace
	// Name is 1 to 80 characters; which ones is the caller's rule.
	Name string
}

// Kind tells the two types of queue apart. It is fixed at creation.
type Kind uint8

// The kinds of queue.
const (
	// Standard delivers at least once, oldest send first as far as it can.
	Standard Kind = iota
	// FIFO keeps the order within each message group.
	FIFO
)

// Settings are the properties of a queue that can change after its creation.
// Ranges are the caller's to check; a store takes what it is given.
type Settings struct {
	// Delay hides a new message for this long when the message names no delay
	// of its own.
	Delay time.Duration
	// MaxMessageBytes bounds a message; the caller enforces it.
	MaxMessageBytes int
	// Retention is how long after its send a message is kept. A change applies
	// to messages that are already there.
	Retention time.Duration
	// ReceiveWait is how long a receive waits when it does not say.
	ReceiveWait time.Duration
	// VisibilityTimeout is how long a received message is hidden when the
	// receive does not say.
	VisibilityTimeout time.Duration
	// Redrive says where messages go that were received too often; nil for
	// nowhere.
	Redrive *Redrive
	// Extra holds settings that mean nothing to the engine and are kept for
	// the wire that set them, by that wire's own names.
	Extra map[string]string
}

// Redrive is a queue's rule for messages that were received too often.
type Redrive struct {
	// Target names the dead-letter queue. It is resolved when it is used, so a
	// target deleted and created again works again.
	Target QueueName
	// MaxReceives is how often a message is received before it moves.
	MaxReceives int
}

// Queue is a snapshot of one queue. Snapshots are shared: nobody may change
// what one points to.
type Queue struct {
	ID QueueID
	// Slug is "que_" and 12 characters of a-z and 0-9, unique like the id.
	Slug string
	Name QueueName
	Kind Kind
	// DedupPerGroup narrows the deduplication of a FIFO queue to each group. It
	// is fixed at creation.
	DedupPerGroup bool
	Settings
	Tags map[string]string
	// Created and Modified are when the queue was made and when its settings
	// last changed, to the millisecond.
	Created, Modified time.Time
}

// Counts are the sizes of a queue. The three numbers partition its messages.
type Counts struct {
	// Visible messages can be received now.
	Visible int64
	// InFlight messages are held by a receive.
	InFlight int64
	// Delayed messages have not become visible yet.
	Delayed int64
	// Oldest is when the oldest message was sent; zero when there is none.
	Oldest time.Time
}
