package compat_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"queues/compat"
	"queues/protocol"
)

// queueInputs has an input for each operation that names a queue by its URL,
// with nothing else in it.
func queueInputs(url *string) map[protocol.Operation]any {
	return map[protocol.Operation]any{
		protocol.AddPermission:                &protocol.AddPermissionInput{QueueURL: url},
		protocol.ChangeMessageVisibility:      &protocol.ChangeMessageVisibilityInput{QueueURL: url},
		protocol.ChangeMessageVisibilityBatch: &protocol.ChangeMessageVisibilityBatchInput{QueueURL: url},
		protocol.DeleteMessage:                &protocol.DeleteMessageInput{QueueURL: url},
		protocol.DeleteMessageBatch:           &protocol.DeleteMessageBatchInput{QueueURL: url},
		protocol.DeleteQueue:                  &protocol.DeleteQueueInput{QueueURL: url},
		protocol.GetQueueAttributes:           &protocol.GetQueueAttributesInput{QueueURL: url},
		protocol.ListDeadLetterSourceQueues:   &protocol.ListDeadLetterSourceQueuesInput{QueueURL: url},
		protocol.ListQueueTags:                &protocol.ListQueueTagsInput{QueueURL: url},
		protocol.PurgeQueue:                   &protocol.PurgeQueueInput{QueueURL: url},
		protocol.ReceiveMessage:               &protocol.ReceiveMessageInput{QueueURL: url},
		protocol.RemovePermission:             &protocol.RemovePermissionInput{QueueURL: url},
		protocol.SendMessage:                  &protocol.SendMessageInput{QueueURL: url},
		protocol.SendMessageBatch:             &protocol.SendMessageBatchInput{QueueURL: url},
		protocol.SetQueueAttributes:           &protocol.SetQueueAttributesInput{QueueURL: url},
		protocol.TagQueue:                     &protocol.TagQueueInput{QueueURL: url},
		protocol.UntagQueue:                   &protocol.UntagQueueInput{QueueURL: url},
	}
}

// The queue is looked up before required members, so that even an empty request
// says that there is no queue.
func TestQueueBeforeMembers(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	e.create("there")
	urls := map[string]*string{
		"Absent":       nil,
		"Empty":        new(""),
		"UnknownName":  new("http://localhost:9324/000000000000/none"),
		"HostOnly":     new("http://localhost:9324"),
		"OtherAccount": new("http://localhost:9324/111111111111/there"),
		"OtherCase":    new("http://localhost:9324/000000000000/There"),
		"Escapes":      new("http://localhost:9324/000000000000/the%72e"),
		"NUL":          new("http://localhost:9324/000000000000/there\x00"),
		"Megabyte":     new("http://localhost:9324/000000000000/" + strings.Repeat("a", 1<<20)),
	}
	for name, url := range urls {
		for op, in := range queueInputs(url) {
			t.Run(name+string(op), func(t *testing.T) {
				e := *e
				e.t = t
				e.refused(op, in, noQueue, noQueueText)
			})
		}
	}
}

func TestQueueURLForms(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	if got, want := *e.create("q"), "http://localhost:9324/000000000000/q"; got != want {
		t.Fatalf("the queue's URL is %q, want %q", got, want)
	}
	for _, url := range []string{
		"http://localhost:9324/000000000000/q",
		"https://sqs.us-east-1.amazonaws.com/000000000000/q",
		"http://other:1/000000000000/q",
		"http://localhost:9324/000000000000/q/",
		"http://localhost:9324/000000000000/q?Action=x&a=b/c",
		"http://localhost:9324/queue/q",
		"http://localhost:9324/queue/us-east-1/000000000000/q",
		"http://localhost:9324/q",
		"localhost:9324/000000000000/q",
		"/http://localhost:9324/000000000000/q",
		"/000000000000/q",
		"/q",
		"q",
	} {
		t.Run(url, func(t *testing.T) {
			e := *e
			e.t = t
			e.send(&url, "found")
			if got := e.one(&url); *got.Body != "found" {
				t.Errorf("received %q", *got.Body)
			}
		})
	}
}

// Regions never see each other's queues; accounts do unless they are kept apart.
func TestNamespaces(t *testing.T) {
	t.Parallel()
	for name, separate := range map[string]bool{"Open": false, "Separate": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{SeparateAccounts: separate})
			url := e.create("q")
			e.caller.Region = "eu-west-1"
			e.refused(protocol.PurgeQueue, &protocol.PurgeQueueInput{QueueURL: url}, noQueue, noQueueText)
			e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: new("q")}, noQueue, noQueueText)
			e.caller = home
			e.caller.Account = "111111111111"
			owner := &protocol.GetQueueURLInput{QueueName: new("q"), QueueOwnerAWSAccountID: new("000000000000")}
			none := &protocol.PurgeQueueInput{QueueURL: new("/000000000000/none")}
			if separate {
				const text = "The specified queue does not exist or you do not have access to it."
				e.refused(protocol.PurgeQueue, &protocol.PurgeQueueInput{QueueURL: url}, noQueue, text)
				e.refused(protocol.PurgeQueue, none, noQueue, text)
				e.refused(protocol.GetQueueURL, owner, noQueue, text)
				return
			}
			e.refused(protocol.PurgeQueue, none, noQueue, noQueueText)
			if got := do[*protocol.GetQueueURLOutput](e, protocol.GetQueueURL, owner); *got.QueueURL != *url {
				t.Errorf("the URL of another account's queue is %q, want %q", *got.QueueURL, *url)
			}
		})
	}
}

func TestImpossibleCalls(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	e.refused("MakeCoffee", nil, "InvalidAction", "The action MakeCoffee is not valid for this endpoint.")
	for name, in := range map[string]any{"Nil": nil, "TypedNil": (*protocol.PurgeQueueInput)(nil), "OtherType": &protocol.DeleteQueueInput{}} {
		_, err := e.service.Do(t.Context(), e.caller, protocol.Call{Operation: protocol.PurgeQueue, Input: in})
		if err == nil || err.Kind != protocol.InternalFailure || err.Cause == nil || err.Message != "" {
			t.Errorf("%s: %+v, want InternalFailure with a cause and without a text of its own", name, err)
		}
	}
}

// A caller that has gone is nobody's fault.
func TestEndedContext(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.service.Do(ctx, e.caller, protocol.Call{
		Operation: protocol.SendMessage, Input: &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b")},
	})
	if err == nil || err.Kind != protocol.ServiceUnavailable || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, want ServiceUnavailable caused by context.Canceled", err)
	}
	e.wantCounts(url, "0 0 0")
}
