package compat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"queues/engine"
	"queues/protocol"
)

// Every code of the engine has its form on the wire, and what is ours keeps its
// text inside.
func TestTranslate(t *testing.T) {
	t.Parallel()
	a := about{Queue: "q", Handle: "h", Timeout: 7}
	tests := map[engine.Code]struct {
		kind *protocol.Kind
		text string
	}{
		engine.Internal:             {protocol.InternalFailure, ""},
		engine.QueueNotFound:        {protocol.QueueDoesNotExist, ""},
		engine.TooManyQueues:        {protocol.OverLimit, "The server has as many queues as it may have. Delete queues that are not used, or raise its limit."},
		engine.QueueDeletedRecently: {protocol.QueueDeletedRecently, "You must wait 60 seconds after deleting a queue before you can create another with the same name."},
		engine.PurgeInProgress:      {protocol.PurgeQueueInProgress, "Only one PurgeQueue operation on q is allowed every 60 seconds."},
		engine.InvalidReceipt:       {protocol.ReceiptHandleIsInvalid, `The input receipt handle "h" is not a valid receipt handle.`},
		engine.MessageGone:          {protocol.InvalidParameterValue, "Value h for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change."},
		engine.StaleReceipt:         {protocol.InvalidParameterValue, "Value h for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."},
		engine.ExpiredReceipt:       {protocol.InvalidParameterValue, "Value h for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."},
		engine.VisibilityLimit:      {protocol.InvalidParameterValue, "Value 7 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"},
		engine.InFlightLimit:        {protocol.OverLimit, "Too many messages have been received without being deleted.\nPlease delete your received messages or let them timeout before receiving more."},
		engine.MoveInProgress:       {protocol.InvalidParameterValue, "There is already a task running. Only one active task is allowed for a source queue arn at a given time."},
		engine.MoveNotFound:         {protocol.ResourceNotFound, "Task does not exist."},
		engine.MoveEnded:            {protocol.InvalidParameterValue, "Only active tasks can be cancelled."},
		engine.Overloaded:           {protocol.RequestThrottled, "The server has too much work waiting. Wait a short while and then retry the operation."},
		engine.Unavailable:          {protocol.ServiceUnavailable, "The server cannot do this at the moment. Retry later."},
		engine.OutcomeUnknown:       {protocol.ServiceUnavailable, "The server cannot tell whether this was done. Retry later."},
		engine.Closed:               {protocol.ServiceUnavailable, "The server is shutting down."},
		engine.DataInUse:            {protocol.InternalFailure, ""},
		engine.DataNewer:            {protocol.InternalFailure, ""},
		engine.DataUnusable:         {protocol.InternalFailure, ""},
	}
	for code := range engine.DataUnusable + 1 {
		want, ok := tests[code]
		if !ok {
			t.Errorf("code %d has no row", code)
			continue
		}
		cause := fmt.Errorf("wrapped: %w", &engine.Error{Code: code, Text: "secret path", Err: context.Canceled})
		if code == engine.Internal || want.kind == protocol.InternalFailure {
			cause = &engine.Error{Code: code, Text: "secret path"}
		}
		got := translate(cause, a)
		if got.Kind != want.kind || got.Message != want.text || !errors.Is(got, cause) {
			t.Errorf("code %d: %+v, want %s %q with its cause", code, got, want.kind.Shape, want.text)
		}
		if strings.Contains(got.Error(), "secret") {
			t.Errorf("code %d: the text gives away the cause: %v", code, got)
		}
	}
	if got := translate(errors.New("no code"), a); got.Kind != protocol.InternalFailure {
		t.Errorf("an error without a code: %v", got)
	}
	if got := translate(context.DeadlineExceeded, a); got.Kind != protocol.ServiceUnavailable {
		t.Errorf("a deadline: %v", got)
	}
	own := missing("X")
	if got := translate(own, a); got != own {
		t.Errorf("an error of the wire became %v", got)
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, want string }{
		"Short":    {"abc", "abc"},
		"Exact":    {strings.Repeat("a", maxEchoed), strings.Repeat("a", maxEchoed)},
		"Long":     {strings.Repeat("a", maxEchoed+1), strings.Repeat("a", maxEchoed) + "..."},
		"WholeRun": {strings.Repeat("a", maxEchoed-1) + "éé", strings.Repeat("a", maxEchoed-1) + "..."},
	} {
		if got := clip(test.in); got != test.want {
			t.Errorf("%s: %d bytes ending in %q", name, len(got), got[len(got)-8:])
		}
	}
}

// The table has every action of the API.
func TestOperationTable(t *testing.T) {
	t.Parallel()
	if len(operations) != 23 {
		t.Errorf("%d operations, want 23", len(operations))
	}
}
