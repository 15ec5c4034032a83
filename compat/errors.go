package compat

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"queues/engine"
	"queues/protocol"
)

// about is what a domain error is said of, for the texts that name it.
type about struct {
	// Queue is the name of the queue.
	Queue string
	// Handle is the receipt handle, as given.
	Handle string
	// Hiding is true for a change of visibility.
	Hiding bool
	// Timeout is the visibility timeout asked for, in seconds.
	Timeout int32
}

// translation is how one code of the engine looks on the wire.
type translation struct {
	Kind *protocol.Kind
	// Text is nil where the kind's own text serves.
	Text func(about) string
}

// text is a translation's constant text.
func text(s string) func(about) string { return func(about) string { return s } }

// translations has a row for each code that a caller can do something about.
// A code without one is a fault of ours.
var translations = map[engine.Code]translation{
	engine.QueueNotFound:        {protocol.QueueDoesNotExist, nil},
	engine.QueueDeletedRecently: {protocol.QueueDeletedRecently, text("You must wait 60 seconds after deleting a queue before you can create another with the same name.")},
	engine.TooManyQueues:        {protocol.OverLimit, text("The server has as many queues as it may have. Delete queues that are not used, or raise its limit.")},
	engine.PurgeInProgress: {protocol.PurgeQueueInProgress, func(a about) string {
		return fmt.Sprintf("Only one PurgeQueue operation on %s is allowed every 60 seconds.", a.Queue)
	}},
	engine.InvalidReceipt: {protocol.ReceiptHandleIsInvalid, func(a about) string {
		return `The input receipt handle "` + clip(a.Handle) + `" is not a valid receipt handle.`
	}},
	engine.MessageGone:    {protocol.InvalidParameterValue, notAvailable},
	engine.StaleReceipt:   {protocol.InvalidParameterValue, handleExpired},
	engine.ExpiredReceipt: {protocol.InvalidParameterValue, handleExpired},
	engine.VisibilityLimit: {protocol.InvalidParameterValue, func(a about) string {
		return badValue(a.Timeout, "VisibilityTimeout", "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]")
	}},
	engine.InFlightLimit:  {protocol.OverLimit, text("Too many messages have been received without being deleted.\nPlease delete your received messages or let them timeout before receiving more.")},
	engine.MoveInProgress: {protocol.InvalidParameterValue, text("There is already a task running. Only one active task is allowed for a source queue arn at a given time.")},
	engine.MoveNotFound:   {protocol.ResourceNotFound, text("Task does not exist.")},
	engine.MoveEnded:      {protocol.InvalidParameterValue, text("Only active tasks can be cancelled.")},
	engine.Overloaded:     {protocol.RequestThrottled, text("The server has too much work waiting. Wait a short while and then retry the operation.")},
	engine.Unavailable:    {protocol.ServiceUnavailable, text("The server cannot do this at the moment. Retry later.")},
	engine.OutcomeUnknown: {protocol.ServiceUnavailable, text("The server cannot tell whether this was done. Retry later.")},
	engine.Closed:         {protocol.ServiceUnavailable, text("The server is shutting down.")},
}

// notAvailable is the text of a handle whose message cannot be hidden or freed.
func notAvailable(a about) string {
	return badValue(a.Handle, "ReceiptHandle", "Message does not exist or is not available for visibility timeout change.")
}

// handleExpired is the text of a handle whose time is over.
func handleExpired(a about) string {
	if a.Hiding {
		return notAvailable(a)
	}
	return badValue(a.Handle, "ReceiptHandle", "The receipt handle has expired.")
}

// translate turns an error of the engine into the wire's words. An error that
// is one of the wire's already stays itself.
func translate(err error, a about) *protocol.Error {
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		return e
	}
	t, ok := translations[engine.ErrorCode(err)]
	if !ok && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		t, ok = translations[engine.Unavailable], true
	}
	if !ok {
		return internal(err)
	}
	e := &protocol.Error{Kind: t.Kind, Cause: err}
	if t.Text != nil {
		e.Message = t.Text(a)
	}
	return e
}

// internal is a fault of ours. Its text stays inside.
func internal(cause error) *protocol.Error {
	return &protocol.Error{Kind: protocol.InternalFailure, Cause: cause}
}

// missing is the error of a required member that was not given.
func missing(member string) *protocol.Error {
	return protocol.MissingParameter.New(fmt.Sprintf("The request must contain the parameter %s.", member))
}

// badValue is the text of a member's unacceptable value. The reason brings its
// own full stop.
func badValue(value any, member, reason string) string {
	return fmt.Sprintf("Value %s for parameter %s is invalid. Reason: %s", clip(fmt.Sprint(value)), member, reason)
}

// invalid is the error of a member's unacceptable value.
func invalid(value any, member, reason string) *protocol.Error {
	return protocol.InvalidParameterValue.New(badValue(value, member, reason))
}

// clip bounds a caller's text that an error repeats.
func clip(s string) string {
	if len(s) <= maxEchoed {
		return s
	}
	cut := maxEchoed
	for cut > maxEchoed-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
