package engine

import (
	"context"
	"time"
)

// Store keeps queues and messages. Every call is one atomic operation: it
// happens whole or not at all, and a nil error means that it is as durable as
// the store promises. Implementations prove themselves with engine/storetest.
//
// Calls are safe for concurrent use. Besides the codes documented with each
// call, every call may return:
//
//   - Overloaded, Unavailable, Closed: nothing happened;
//   - OutcomeUnknown: the context ended, or the store failed, after the work
//     had been handed over; it may or may not have happened;
//   - the context's own error (context.Canceled, DeadlineExceeded), wrapped or
//     not: it ended before anything was handed over; nothing happened;
//   - Internal.
//
// Time is the store's clock, read once per commit and never smaller than any
// time stored before. Deadlines count from there, not from when the call was
// made.
//
// Spans are half open: at exactly its deadline a message is visible, at exactly
// the end of its retention it is gone. While the clock is not to be trusted no
// retention ends: what should be over is still received, still holds back its
// group while it is in flight, and still moves.
//
// A call that takes a QueueID returns QueueNotFound when that queue is
// deleted, even if its name has a new owner.
type Store interface {
	// CreateQueue makes a queue, or finds the one that has the name. It returns
	// QueueDeletedRecently for a name that nobody has, within its cooldown, and
	// TooManyQueues at the bound.
	CreateQueue(ctx context.Context, p CreateQueueParams) (CreateQueueResult, error)
	// FindQueue gives the queue that has the name, or QueueNotFound. It sees
	// every change whose call has returned, and costs no disk access.
	FindQueue(ctx context.Context, name QueueName) (*Queue, error)
	// ListQueues gives one page of a namespace's queues, ordered by name.
	ListQueues(ctx context.Context, p ListQueuesParams) (ListQueuesResult, error)
	// UpdateQueue changes settings and tags, all or nothing.
	UpdateQueue(ctx context.Context, p UpdateQueueParams) (*Queue, error)
	// DeleteQueue removes the queue and all its messages at once for every
	// caller; storage is reclaimed by Sweep.
	DeleteQueue(ctx context.Context, p DeleteQueueParams) error
	// PurgeQueue removes all messages sent before it, whatever their state, at
	// once for every caller; storage is reclaimed by Sweep. It returns
	// PurgeInProgress within the cooldown of the last purge.
	PurgeQueue(ctx context.Context, p PurgeQueueParams) error
	// Counts gives the sizes of a queue, exact when the queue is quiet. It
	// first does a bounded amount of due promotion and expiry.
	Counts(ctx context.Context, queue QueueID) (Counts, error)

	// Send stores messages, in their order, under the ids they come with. The
	// result has one entry for each. A FIFO queue does not store duplicates (see
	// Sent); a purge forgets what was sent.
	Send(ctx context.Context, p SendParams) ([]Sent, error)
	// Receive claims up to Max visible messages, oldest send first. On a
	// standard queue a message keeps its place for its first two returns; once
	// it was received three times it ranks behind all others. No message whose retention is
	// over is returned, and none appears twice in one result.
	//
	// On a FIFO queue a receive takes from a group the longest run, from its
	// oldest live message on, of visible messages; the first hidden one, in
	// flight or delayed, ends the run. It takes as much of the run as fits, then
	// goes on with the next group. Groups stand in line in the order in which
	// they became available; being served, also in part or with a timeout of
	// zero, and becoming available again put a group at the end. The delay of a
	// FIFO queue is the current one for all its messages, whenever they were
	// sent. With an AttemptID, a receive within AttemptWindow of one with the
	// same id gives the same messages again under the same references, with
	// their deadlines counted anew and no receive counted, as long as all of
	// them are still in flight and untouched; else it is a new receive.
	//
	// On a standard queue that was sent messages with a group, messages of quiet
	// groups go before those of noisy ones, each side oldest first. A group is
	// noisy while it has at least 30 messages in flight and more than a tenth of
	// the queue's. Messages without a group are never noisy.
	//
	// A message that was received Redrive.MaxReceives times in this queue is not
	// returned but moves to the redrive's target in the same transaction, if
	// there is a queue of that name and kind; if not it is returned as any
	// other. It keeps its id, content, group, first receive and number of
	// receives in all; in the target it is visible at once whatever the delay, its
	// receives start at zero, its source is this queue, and its rank is that of its
	// arrival there: behind what the target has, however old it is. On
	// a standard queue its send time, and so its retention, goes on from the
	// first send; on a FIFO queue it starts at the move, and the message's id
	// becomes its deduplication id without being looked up. With the queue
	// itself as target it starts over, and is not looked at again in that
	// receive.
	//
	// One receive moves a bounded number of messages, the oldest first. What it
	// does not move it passes by, as if it were not there: neither it nor a later
	// receive returns it, and what stands behind it is received in its order. On a
	// FIFO queue it holds back its group, and only that; a group that was passed
	// by stands at the end of the line once its first messages have moved. Later
	// receives and Sweep go on with the moves, Sweep with all visible messages
	// that are to move and, on a FIFO queue, are the first of their group.
	//
	// An empty result is not an error; it means that nothing could be received,
	// or, with More, that the receive gave up before it had looked at everything.
	// A receive does a bounded amount of work, which is too little only where very
	// much has expired or fallen due at once or, on a FIFO queue, where very many
	// groups are passed by. What it has done counts for the next, so that repeated
	// receives get through; the store reports the queue as ready.
	//
	// When the context ends after the work was handed over, the
	// store undoes the claim itself, as Release would.
	Receive(ctx context.Context, p ReceiveParams) (ReceiveResult, error)
	// Release undoes receives that never reached their receiver: a delivery
	// whose reference is still the latest and in flight becomes visible again
	// in its old place, with the receive count and first receive it had before.
	// All others are left alone. What earlier references may do to it is open
	// until its next receive, which makes them stale.
	Release(ctx context.Context, queue QueueID, refs []Ref) error
	// Acknowledge removes received messages. The result has one entry for each
	// reference: nil when the message was removed by this call or, under
	// StaleIgnored, left to its newer holder; else an *Error with
	// InvalidReceipt (another queue's or malformed), MessageGone, StaleReceipt,
	// or ExpiredReceipt.
	Acknowledge(ctx context.Context, p AcknowledgeParams) ([]error, error)
	// ChangeVisibility sets new deadlines: the timeout counts from this commit;
	// zero makes the message visible at once. A message that is visible again
	// is hidden again. It never counts as a receive. Result entries as for
	// Acknowledge, and VisibilityLimit.
	ChangeVisibility(ctx context.Context, p ChangeVisibilityParams) ([]error, error)

	// ListSources gives one page of the queues whose redrive names the target,
	// in its namespace, ordered by name.
	ListSources(ctx context.Context, p ListSourcesParams) (ListQueuesResult, error)
	// StartMove starts a task that moves the messages which the source has now
	// to another queue, or each to the queue that it came from. It returns
	// MoveInProgress while another task of the source is active, and
	// QueueNotFound for a source or a target that does not exist.
	StartMove(ctx context.Context, p StartMoveParams) (MoveTask, error)
	// CancelMove makes a running task stop. It returns the task as it is now, or
	// MoveNotFound, or MoveEnded for one that is not running.
	CancelMove(ctx context.Context, p CancelMoveParams) (MoveTask, error)
	// ListMoves gives the source's newest tasks, newest first, at most Limit.
	// Up to 10 are kept for each source.
	ListMoves(ctx context.Context, p ListMovesParams) ([]MoveTask, error)
	// Move does one bounded step of the active tasks. Each message moves whole:
	// it is in exactly one of the two queues after every commit. The task's
	// counter commits with it. Only visible messages move, oldest first, and
	// none that arrived after the start. On a FIFO queue the order across groups
	// may be another, and within one it never is: a message moves only when all
	// before it in its group have left, so one behind a hidden message stays. A
	// moved message is a new one: new id, sequence and send time, no receives,
	// no source, hidden for the delay of its new queue; on a FIFO queue it keeps
	// its group and has its new id as deduplication id. A task ends when no
	// message from before its start is left that may move.
	Move(ctx context.Context) (SweepResult, error)

	// Sweep does one bounded step of background work: promotes due messages,
	// removes expired ones, moves the dead letters that receives have left, and
	// reclaims what purges and deletions left.
	Sweep(ctx context.Context) (SweepResult, error)
	// Secret gives 32 random bytes made when the store was created: the same
	// on every node and after every restart.
	Secret() [32]byte
	// Health is nil while the store can be written.
	Health(ctx context.Context) error
	// Close finishes what was handed over, refuses everything else with Closed
	// and releases the data. It may be called more than once.
	Close() error
}

// Report tells of one queue touched by a commit. A store hands the reports of
// every commit to the function it was given at its opening, after the commit
// and before the calls return. That function must not block or call the store.
type Report struct {
	Queue QueueID
	// Ready is how many messages the commit may have made receivable, 0 for
	// none. Too many is allowed, too few is not. Room freed under an in-flight
	// limit, by whatever, counts as at least one, and so does a group of a FIFO
	// queue that became available: it can be served to one receive at a time.
	Ready int
	// Due is the earliest deadline that the commit set, zero for none.
	Due time.Time
	// Deleted is true when the commit deleted the queue.
	Deleted bool
}

// ReportFunc receives the reports of a commit.
type ReportFunc func([]Report)

// CreateQueueParams describe a new queue.
type CreateQueueParams struct {
	Name QueueName
	Kind Kind
	// DedupPerGroup is for FIFO queues only.
	DedupPerGroup bool
	Settings      Settings
	Tags          map[string]string
	// Cooldown refuses a name whose queue was deleted less than this ago.
	// Zero for no such rule.
	Cooldown time.Duration
	// MaxQueues refuses a new queue with TooManyQueues while there are so many,
	// in all namespaces together. Zero for no bound.
	MaxQueues int
}

// CreateQueueResult is the queue that has the name now.
type CreateQueueResult struct {
	Queue *Queue
	// Created is false when the queue was there before and is unchanged.
	Created bool
}

// ListQueuesParams choose a page of queues.
type ListQueuesParams struct {
	Namespace
	// Prefix is literal and case-sensitive; empty for all.
	Prefix string
	// After is the last name of the page before; empty for the first page.
	After string
	// Limit is the size of the page, at least 1.
	Limit int
}

// ListQueuesResult is a page of queues.
type ListQueuesResult struct {
	Queues []*Queue
	// More is true when queues follow.
	More bool
}

// UpdateQueueParams change a queue.
type UpdateQueueParams struct {
	Queue QueueID
	// Change edits a deep copy of the queue inside the transaction; only
	// Settings and Tags count. It must be quick and must not call the store,
	// and may run more than once. When it fails nothing changes and its error
	// is the call's, unwrapped.
	Change func(*Queue) error
	// Touch sets Modified to the time of the commit.
	Touch bool
}

// DeleteQueueParams name the queue to delete.
type DeleteQueueParams struct {
	Queue QueueID
}

// PurgeQueueParams name the queue to purge.
type PurgeQueueParams struct {
	Queue QueueID
	// Cooldown refuses a purge less than this after the last. Zero for no such
	// rule.
	Cooldown time.Duration
}

// SendParams are messages for one queue.
type SendParams struct {
	Queue    QueueID
	Messages []NewMessage
}

// ReceiveParams describe one receive.
type ReceiveParams struct {
	Queue QueueID
	// Max is the most messages to return, at least 1.
	Max int
	// Visibility hides the messages for this long; nil means the queue's
	// timeout. Zero leaves them visible, though received.
	Visibility *time.Duration
	// InFlightLimit bounds the messages of the queue in flight; at most as many
	// are returned as there is room for. Zero for no limit.
	InFlightLimit int64
	// AttemptID makes the receive repeatable, on FIFO queues only; empty for
	// none.
	AttemptID string
	// Room is asked for memory before the claimed messages are read, with their
	// size in bytes. When it refuses, the claim is undone and the receive fails
	// with Overloaded. A store that holds messages in memory need not ask, and
	// one may still ask after the call has returned because its context ended.
	// Nil for no bound.
	Room func(bytes int64) bool
	// Wait is how long the engine waits for a first message; stores ignore it.
	Wait time.Duration
}

// ReceiveResult is what a receive claimed.
type ReceiveResult struct {
	Messages []Delivery
	// More is true when further messages could be received right now, and when
	// the receive gave up before it had looked at everything.
	More bool
	// Limited is true when messages were there but the in-flight limit left no
	// room for any.
	Limited bool
	// Sweep is true when the receive has left work that a Sweep could do at once.
	Sweep bool
	// NextDue is a lower bound of when the next delayed or in-flight message of
	// the queue falls due, later than the receive itself; zero when there is
	// none. It is set when fewer than Max messages were returned.
	NextDue time.Time
}

// StaleRule says what a reference may do whose message was received again
// since.
type StaleRule uint8

// The stale rules.
const (
	// StaleFails refuses with StaleReceipt.
	StaleFails StaleRule = iota
	// StaleIgnored does nothing and succeeds.
	StaleIgnored
	// StaleActs treats the message as if the reference were the latest.
	StaleActs
)

// AcknowledgeParams name deliveries to remove.
type AcknowledgeParams struct {
	Queue QueueID
	Refs  []Ref
	Stale StaleRule
	// RefuseExpired refuses with ExpiredReceipt once the deadline has passed,
	// the current one if it was changed.
	RefuseExpired bool
}

// Change is a new deadline for one delivery.
type Change struct {
	Ref Ref
	// Timeout counts from the commit; zero frees the message.
	Timeout time.Duration
}

// ChangeVisibilityParams are new deadlines for deliveries of one queue.
type ChangeVisibilityParams struct {
	Queue   QueueID
	Changes []Change
	Stale   StaleRule
	// RefuseExpired as for AcknowledgeParams.
	RefuseExpired bool
	// MaxTotal refuses with VisibilityLimit a deadline later than this after
	// the message's last receive. Zero for no limit.
	MaxTotal time.Duration
}

// SweepResult tells when to sweep again.
type SweepResult struct {
	// More is true when a further step has something to do at once.
	More bool
	// Next is when something falls due; zero for never, until a commit.
	Next time.Time
}
