package integration

import (
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
)

// patience is how long a test waits for what must happen, on a machine that has
// much else to do.
const patience = 3 * time.Minute

// queueNumber makes queue names unique within a run.
var queueNumber atomic.Int64

// freshName gives a queue name that no other test has.
func freshName() string { return "queue-" + strconv.FormatInt(queueNumber.Add(1), 10) }

// attrs are queue attributes by name.
type attrs = map[string]string

// create makes a fresh queue and gives its URL.
func (e *env) create(t *testing.T, a attrs) string {
	t.Helper()
	return e.createNamed(t, freshName(), a)
}

// createNamed makes, or finds, the queue of a name.
func (e *env) createNamed(t *testing.T, name string, a attrs) string {
	t.Helper()
	out, err := e.sqs.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name, Attributes: a})
	if err != nil {
		t.Fatalf("CreateQueue %s %v: %v", name, a, err)
	}
	return *out.QueueUrl
}

// send sends one message.
func (e *env) send(t *testing.T, url, body string, opts ...func(*sqs.SendMessageInput)) *sqs.SendMessageOutput {
	t.Helper()
	in := &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body}
	for _, o := range opts {
		o(in)
	}
	out, err := e.sqs.SendMessage(t.Context(), in)
	if err != nil {
		t.Fatalf("SendMessage: %v", err)
	}
	return out
}

// receive receives once: everything about up to 10 messages, without waiting,
// unless told otherwise.
func (e *env) receive(t *testing.T, url string, opts ...func(*sqs.ReceiveMessageInput)) []types.Message {
	t.Helper()
	in := &sqs.ReceiveMessageInput{
		QueueUrl:                    &url,
		MaxNumberOfMessages:         10,
		MessageAttributeNames:       []string{"All"},
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
	}
	for _, o := range opts {
		o(in)
	}
	out, err := e.sqs.ReceiveMessage(t.Context(), in)
	if err != nil {
		t.Fatalf("ReceiveMessage: %v", err)
	}
	return out.Messages
}

// receiveOne is receive where exactly one message must come.
func (e *env) receiveOne(t *testing.T, url string, opts ...func(*sqs.ReceiveMessageInput)) types.Message {
	t.Helper()
	got := e.receive(t, url, opts...)
	if len(got) != 1 {
		t.Fatalf("received %d messages %q, want 1", len(got), bodies(got))
	}
	return got[0]
}

// waitFor makes a receive wait for so many seconds.
func waitFor(seconds int32) func(*sqs.ReceiveMessageInput) {
	return func(in *sqs.ReceiveMessageInput) { in.WaitTimeSeconds = seconds }
}

// hideFor hides what a receive returns for so many seconds, at least 1.
func hideFor(seconds int32) func(*sqs.ReceiveMessageInput) {
	return func(in *sqs.ReceiveMessageInput) { in.VisibilityTimeout = seconds }
}

// upTo bounds what a receive returns.
func upTo(n int32) func(*sqs.ReceiveMessageInput) {
	return func(in *sqs.ReceiveMessageInput) { in.MaxNumberOfMessages = n }
}

// delayed delays a send by so many seconds, at least 1.
func delayed(seconds int32) func(*sqs.SendMessageInput) {
	return func(in *sqs.SendMessageInput) { in.DelaySeconds = seconds }
}

// delete deletes a message.
func (e *env) delete(t *testing.T, url string, m types.Message) {
	t.Helper()
	if _, err := e.sqs.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle}); err != nil {
		t.Fatalf("DeleteMessage: %v", err)
	}
}

// changeVisibility sets a new timeout for a message.
func (e *env) changeVisibility(t *testing.T, url string, m types.Message, seconds int32) {
	t.Helper()
	in := &sqs.ChangeMessageVisibilityInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: seconds}
	if _, err := e.sqs.ChangeMessageVisibility(t.Context(), in); err != nil {
		t.Fatalf("ChangeMessageVisibility to %d: %v", seconds, err)
	}
}

// attributes reads queue attributes.
func (e *env) attributes(t *testing.T, url string, names ...types.QueueAttributeName) attrs {
	t.Helper()
	out, err := e.sqs.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: names})
	if err != nil {
		t.Fatalf("GetQueueAttributes %v: %v", names, err)
	}
	return out.Attributes
}

// setAttributes changes queue attributes.
func (e *env) setAttributes(t *testing.T, url string, a attrs) {
	t.Helper()
	if _, err := e.sqs.SetQueueAttributes(t.Context(), &sqs.SetQueueAttributesInput{QueueUrl: &url, Attributes: a}); err != nil {
		t.Fatalf("SetQueueAttributes %v: %v", a, err)
	}
}

// counts are the three counters of a queue, which partition its messages.
type counts struct{ Visible, InFlight, Delayed string }

// wantCounts checks the counters of a queue.
func (e *env) wantCounts(t *testing.T, url string, want counts) {
	t.Helper()
	a := e.attributes(t, url, "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed")
	got := counts{a["ApproximateNumberOfMessages"], a["ApproximateNumberOfMessagesNotVisible"], a["ApproximateNumberOfMessagesDelayed"]}
	if got != want {
		t.Errorf("counters are %+v, want %+v", got, want)
	}
}

// bodies gives the bodies of messages, in their order.
func bodies(ms []types.Message) []string {
	b := make([]string, len(ms))
	for i, m := range ms {
		b[i] = aws.ToString(m.Body)
	}
	return b
}

// wantBodies checks which messages came, in their order.
func wantBodies(t *testing.T, got []types.Message, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, bodies(got)); diff != "" && len(want)+len(got) > 0 {
		t.Errorf("received bodies (-want +got):\n%s", diff)
	}
}

// wantNothing checks that a queue has nothing to give right now.
func (e *env) wantNothing(t *testing.T, url string) {
	t.Helper()
	if got := e.receive(t, url); len(got) != 0 {
		t.Errorf("received %q, want nothing", bodies(got))
	}
}

// receiveCount gives a message's ApproximateReceiveCount.
func receiveCount(m types.Message) string { return m.Attributes["ApproximateReceiveCount"] }

// took checks how long something took: exactly want in a bubble, where nothing
// but waiting takes time; elsewhere at least want, and how much more is left to
// the machine.
func (e *env) took(t *testing.T, since time.Time, want time.Duration) {
	t.Helper()
	slack := 50 * time.Millisecond
	early := time.Duration(0)
	if !e.bubble {
		// Two clocks that count milliseconds may differ by one or two.
		slack, early = patience, 5*time.Millisecond
	}
	if got := time.Since(since); got < want-early || got > want+slack {
		t.Errorf("it took %v, want %v", got, want)
	}
}

// names gives the keys of a map, sorted.
func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// sqsMessage is short for the SDK's name of it.
type sqsMessage = types.Message
