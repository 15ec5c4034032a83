package compat_test

import (
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
	store   engine.Store
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
	return &env{t: t, clock: clock, store: store, service: newService(t, store, clock, wakeups, o), caller: home}
}

// newStoredEnv is newEnv over a SQLite store.
func newStoredEnv(t *testing.T, o compat.Options) *env {
	t.Helper()
	clock := storetest.NewManualClock(time.Time{})
	wakeups := engine.NewWakeups(clock)
	store := stores["SQLite"](t, t.TempDir(), clock, wakeups.Report)
	t.Cleanup(func() { _ = store.Close() })
	return &env{t: t, clock: clock, store: store, service: newService(t, store, clock, wakeups, o), caller: home}
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
