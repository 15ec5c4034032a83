package engine

import (
	"time"

	"github.com/google/uuid"
)

// MoveID is the identity of one move task.
type MoveID uuid.UUID

// String gives the canonical form, 36 characters.
func (id MoveID) String() string { return uuid.UUID(id).String() }

// MoveStatus is where a move task stands.
type MoveStatus uint8

// The statuses. A task is active in the first two.
const (
	MoveRunning MoveStatus = iota
	MoveCancelling
	MoveCompleted
	MoveFailed
	MoveCancelled
)

// MoveFailure says why a task failed.
type MoveFailure uint8

// The failures.
const (
	// NoFailure: the task has not failed.
	NoFailure MoveFailure = iota
	// TargetGone: the target does not exist any more, or not as a queue of the
	// source's kind.
	TargetGone
	// SourceUnknown: a message is to go where it came from, and did not come
	// from any queue.
	SourceUnknown
)

// MoveTask is a snapshot of a task that moves messages between queues.
type MoveTask struct {
	ID     MoveID
	Source QueueName
	// Target is where all messages go; nil to send each where it came from.
	Target *QueueName
	// Rate bounds the messages moved in a second; zero for no bound.
	Rate    int
	Status  MoveStatus
	Failure MoveFailure
	// Moved counts the messages moved so far, ToMove those that were visible at
	// the start.
	Moved, ToMove int64
	Started       time.Time
}

// ListSourcesParams choose a page of the queues that redrive to a target.
type ListSourcesParams struct {
	Target QueueName
	// After is the last name of the page before; empty for the first page.
	After string
	// Limit is the size of the page, at least 1.
	Limit int
}

// StartMoveParams describe a new move task.
type StartMoveParams struct {
	Source QueueID
	// Target as in [MoveTask].
	Target *QueueName
	// Rate as in [MoveTask].
	Rate int
}

// CancelMoveParams name a move task.
type CancelMoveParams struct {
	Source QueueID
	Task   MoveID
}

// ListMovesParams choose move tasks.
type ListMovesParams struct {
	Source QueueID
	// Limit is at least 1.
	Limit int
}
