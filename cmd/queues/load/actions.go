package load

import (
	"errors"
	"fmt"
)

// Action is one of the actions that the generator makes.
type Action int

// The actions.
const (
	SendMessage Action = iota
	SendMessageBatch
	ReceiveMessage
	DeleteMessage
	DeleteMessageBatch
	ChangeMessageVisibility
	ChangeMessageVisibilityBatch
	GetQueueAttributes
	CreateQueue
	DeleteQueue
	ListQueues
	GetQueueURL
	SetQueueAttributes
	PurgeQueue
	AddPermission
	RemovePermission
	TagQueue
	UntagQueue
	ListQueueTags
	ListDeadLetterSourceQueues
	StartMessageMoveTask
	CancelMessageMoveTask
	ListMessageMoveTasks
	actionCount
)

var actionNames = [actionCount]string{
	"SendMessage", "SendMessageBatch", "ReceiveMessage", "DeleteMessage", "DeleteMessageBatch", "ChangeMessageVisibility",
	"ChangeMessageVisibilityBatch", "GetQueueAttributes", "CreateQueue", "DeleteQueue", "ListQueues", "GetQueueUrl", "SetQueueAttributes",
	"PurgeQueue", "AddPermission", "RemovePermission", "TagQueue", "UntagQueue", "ListQueueTags", "ListDeadLetterSourceQueues",
	"StartMessageMoveTask", "CancelMessageMoveTask", "ListMessageMoveTasks",
}

// String is the name on the wire.
func (a Action) String() string { return actionNames[a] }

// Errors of answers 200 that are not what was asked for: one has nothing of it,
// the other something else.
var (
	ErrEmpty = errors.New("an answer without messages")
	ErrWrong = errors.New("an answer that is not what was asked for")
)

// StatusError is an answer with another status than 200.
type StatusError struct {
	Status int
	// Code is the error code in the body, as QueueDoesNotExist; empty for none.
	Code string
	// Body is the beginning of the body.
	Body string
}

func (e *StatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Body) }

// EntryError is a batch of which not all entries succeeded.
type EntryError struct {
	Done, Of int
	// Code is the error code of the first that failed; empty for none.
	Code string
	Body string
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("%d of %d entries succeeded: %s", e.Done, e.Of, e.Body)
}

// kindOf names a failure in a count of failures. fatal is true where the
// connection is of no more use.
func kindOf(err error) (kind string, fatal bool) {
	var status *StatusError
	var entry *EntryError
	switch {
	case errors.As(err, &status) && status.Code != "":
		return status.Code, false
	case errors.As(err, &status):
		return fmt.Sprintf("status %d", status.Status), false
	case errors.As(err, &entry) && entry.Code != "":
		return entry.Code, false
	case errors.As(err, &entry):
		return "answers that lack entries", false
	case errors.Is(err, ErrWrong):
		return ErrWrong.Error(), false
	default:
		return string(clip([]byte(err.Error()))), true
	}
}
