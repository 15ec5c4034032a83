package engine

import "errors"

// Code is the kind of a domain error. Callers branch on it, never on text.
type Code uint8

// The codes. What each call may return is in its own documentation.
const (
	// Internal is a fault of ours; every error without a code counts as it.
	Internal Code = iota
	// QueueNotFound: no queue has that name, or the queue is deleted.
	QueueNotFound
	// QueueDeletedRecently: the name is blocked for a while after a deletion.
	QueueDeletedRecently
	// TooManyQueues: there are as many queues as there may be.
	TooManyQueues
	// PurgeInProgress: the last purge of the queue is too recent.
	PurgeInProgress
	// InvalidReceipt: a handle that this system never issued, or that belongs
	// to another queue.
	InvalidReceipt
	// MessageGone: the receipt's message is acknowledged, expired or purged.
	MessageGone
	// StaleReceipt: the message was received again since.
	StaleReceipt
	// ExpiredReceipt: the receipt's deadline has passed.
	ExpiredReceipt
	// VisibilityLimit: the message would be hidden longer than allowed since
	// its receive.
	VisibilityLimit
	// InFlightLimit: too many messages of the queue are in flight.
	InFlightLimit
	// MoveInProgress: a move task of that source is running or being cancelled.
	MoveInProgress
	// MoveNotFound: the source has no move task of that id.
	MoveNotFound
	// MoveEnded: the move task is over.
	MoveEnded
	// Overloaded: too much work is waiting; nothing was done, try again.
	Overloaded
	// Unavailable: the store could not do it just now, for example because the
	// disk is full; nothing was done, try again.
	Unavailable
	// OutcomeUnknown: the caller gave up, or the store failed, after the work
	// was handed over: it may have happened.
	OutcomeUnknown
	// Closed: the engine or the store is shutting down; nothing was done.
	Closed
	// DataInUse: another process owns the data folder.
	DataInUse
	// DataNewer: the data was written by a newer version of the program.
	DataNewer
	// DataUnusable: the data folder or file cannot be opened, read or written.
	DataUnusable
)

// Error is a domain error.
type Error struct {
	Code Code
	// Text says what happened and, where someone can act, what to do. It is
	// for logs and operators; wires have their own words.
	Text string
	// Err is the cause, nil for none.
	Err error
}

// Error gives the text and the cause.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Text
	}
	return e.Text + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrorCode finds the code of err: [Internal] for an error without one. It
// must not be called with nil.
func ErrorCode(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return Internal
}
