package compat_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/engine"
	"queues/engine/storetest"
	"queues/protocol"
)

// env is a service over an engine over a store in memory, with a clock that the
// test moves.
type env struct {
	t       *testing.T
	clock   *storetest.ManualClock
	service *compat.Service
	caller  compat.Caller
}

// home is the caller of tests that do not care who calls.
var home = compat.Caller{
	Account: "000000000000", Region: "us-east-1", Principal: "AIDATESTUSER", BaseURL: "http://localhost:9324",
}

func newEnv(t *testing.T, o compat.Options) *env {
	t.Helper()
	clock := storetest.NewManualClock(time.Time{})
	wakeups := engine.NewWakeups(clock)
	store := storetest.NewModel(clock, wakeups.Report)
	return &env{t: t, clock: clock, service: newService(t, store, clock, wakeups, o), caller: home}
}

// newService gives a service over any store. The sweeper is not started: the
// stores settle what they are asked about.
func newService(t *testing.T, store engine.Store, clock engine.Clock, wakeups *engine.Wakeups, o compat.Options) *compat.Service {
	t.Helper()
	e := engine.New(store, engine.Options{Clock: clock, Log: slog.New(slog.DiscardHandler), Wakeups: wakeups})
	t.Cleanup(e.Drain)
	return compat.New(e, o)
}

// run performs a call that must succeed.
func (e *env) run(op protocol.Operation, input any) compat.Result {
	e.t.Helper()
	res, err := e.service.Do(e.t.Context(), e.caller, protocol.Call{Operation: op, Input: input})
	if err != nil {
		e.t.Fatalf("%s: %v", op, err)
	}
	return res
}

// do performs a call that must succeed and gives its output.
func do[O any](e *env, op protocol.Operation, input any) O {
	e.t.Helper()
	out, ok := e.run(op, input).Output.(O)
	if !ok {
		e.t.Fatalf("%s: the output is no %T", op, out)
	}
	return out
}

// refused performs a call that must fail and checks how: the code of the Query
// protocol and the text. An empty text is not compared.
func (e *env) refused(op protocol.Operation, input any, code, text string) {
	e.t.Helper()
	res, err := e.service.Do(e.t.Context(), e.caller, protocol.Call{Operation: op, Input: input})
	if err == nil {
		e.t.Fatalf("%s succeeded with %+v, want %s %q", op, res.Output, code, text)
	}
	if diff := cmp.Diff(fault{code, text}, faultOf(err, text)); diff != "" {
		e.t.Errorf("%s: unlike the error wanted (-want +got):\n%s", op, diff)
	}
	if !reflect.ValueOf(res).IsZero() {
		e.t.Errorf("%s: an output besides the error: %+v", op, res)
	}
}

// fault is an error as a test compares it.
type fault struct{ Code, Text string }

func faultOf(err *protocol.Error, wanted string) fault {
	f := fault{err.Kind.QueryCode, err.Message}
	if f.Text == "" {
		f.Text = err.Kind.Message
	}
	if wanted == "" {
		f.Text = ""
	}
	return f
}

// create makes a queue with attributes, given as name and value in turn, and
// gives its URL.
func (e *env) create(name string, attributes ...string) *string {
	e.t.Helper()
	return do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, &protocol.CreateQueueInput{QueueName: &name, Attributes: pairs(attributes...)}).QueueURL
}

// pairs is a map from names and values in turn; nil for none.
func pairs(list ...string) map[string]string {
	var m map[string]string
	for i := 0; i+1 < len(list); i += 2 {
		if m == nil {
			m = make(map[string]string)
		}
		m[list[i]] = list[i+1]
	}
	return m
}

// send sends a message with a body.
func (e *env) send(url *string, body string) *protocol.SendMessageOutput {
	e.t.Helper()
	return do[*protocol.SendMessageOutput](e, protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: &body})
}

// receive makes one receive of up to 10 messages.
func (e *env) receive(url *string) []protocol.Message {
	e.t.Helper()
	return e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MaxNumberOfMessages: new(int32(10))})
}

func (e *env) receiveAs(in *protocol.ReceiveMessageInput) []protocol.Message {
	e.t.Helper()
	return do[*protocol.ReceiveMessageOutput](e, protocol.ReceiveMessage, in).Messages
}

// one receives exactly one message.
func (e *env) one(url *string) protocol.Message {
	e.t.Helper()
	got := e.receive(url)
	if len(got) != 1 {
		e.t.Fatalf("received %d messages, want 1", len(got))
	}
	return got[0]
}

// attributes gives the named attributes of a queue.
func (e *env) attributes(url *string, names ...string) map[string]string {
	e.t.Helper()
	return do[*protocol.GetQueueAttributesOutput](e, protocol.GetQueueAttributes, &protocol.GetQueueAttributesInput{QueueURL: url, AttributeNames: names}).Attributes
}

// wantCounts checks how many messages are visible, in flight and delayed.
func (e *env) wantCounts(url *string, want string) {
	e.t.Helper()
	a := e.attributes(url, "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed")
	got := a["ApproximateNumberOfMessages"] + " " + a["ApproximateNumberOfMessagesNotVisible"] + " " + a["ApproximateNumberOfMessagesDelayed"]
	if got != want {
		e.t.Errorf("visible, in flight and delayed: %s, want %s", got, want)
	}
}

// bodies are the bodies of messages, parted by blanks.
func bodies(messages []protocol.Message) string {
	var list []string
	for _, m := range messages {
		list = append(list, *m.Body)
	}
	return strings.Join(list, " ")
}

const (
	noQueue     = "AWS.SimpleQueueService.NonExistentQueue"
	noQueueText = "The specified queue does not exist."
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

func TestNotOffered(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	inputs := map[protocol.Operation]any{
		protocol.AddPermission:              &protocol.AddPermissionInput{QueueURL: url},
		protocol.RemovePermission:           &protocol.RemovePermissionInput{QueueURL: url},
		protocol.ListDeadLetterSourceQueues: &protocol.ListDeadLetterSourceQueuesInput{QueueURL: url},
		protocol.StartMessageMoveTask:       &protocol.StartMessageMoveTaskInput{},
		protocol.CancelMessageMoveTask:      &protocol.CancelMessageMoveTaskInput{},
		protocol.ListMessageMoveTasks:       &protocol.ListMessageMoveTasksInput{},
	}
	for op, in := range inputs {
		e.refused(op, in, "AWS.SimpleQueueService.UnsupportedOperation", fmt.Sprintf("The action %s is not supported by this server.", op))
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
