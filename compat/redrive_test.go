package compat_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/engine/storetest"
	"queues/protocol"
)

// arnOf is the resource name of a queue in the caller's namespace.
func arnOf(name string) string { return "arn:aws:sqs:us-east-1:000000000000:" + name }

// A message is received as often as the policy says; the next receive finds it
// gone, and the dead-letter queue has it with all that it came with.
func TestRedriveMoves(t *testing.T) {
	t.Parallel()
	for _, times := range []int{1, 3} {
		t.Run(strconv.Itoa(times), func(t *testing.T) {
			t.Parallel()
			e := newStoredEnv(t, compat.Options{})
			dlq := e.create("dlq", "DelaySeconds", "900")
			url := e.create("q", "VisibilityTimeout", "0", "RedrivePolicy", redrive(arnOf("dlq"), strconv.Itoa(times)))
			sent := do[*protocol.SendMessageOutput](e, protocol.SendMessage, &protocol.SendMessageInput{
				QueueURL: url, MessageBody: new("b"), MessageAttributes: attrs{"color": text("blue")}, MessageSystemAttributes: attrs{"AWSTraceHeader": text(traceHeader)},
			})
			e.clock.Advance(time.Second)
			for range times {
				e.one(url)
			}
			e.wantCounts(url, "1 0 0")
			if got := e.receive(url); len(got) != 0 {
				t.Fatalf("receive %d gave %q", times+1, bodies(got))
			}
			e.wantCounts(url, "0 0 0")
			e.wantCounts(dlq, "1 0 0")
			e.clock.Advance(time.Second)
			got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: dlq, AttributeNames: []string{"All"}, MessageAttributeNames: []string{"All"}})[0]
			at := storetest.Epoch.UnixMilli()
			want := pairs(
				"ApproximateReceiveCount", strconv.Itoa(times+1), "ApproximateFirstReceiveTimestamp", strconv.FormatInt(at+1000, 10),
				"SentTimestamp", strconv.FormatInt(at, 10), "SenderId", "AIDATESTUSER", "AWSTraceHeader", traceHeader, "DeadLetterQueueSourceArn", ownARN,
			)
			if diff := cmp.Diff(want, got.Attributes); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
			if *got.MessageID != *sent.MessageID || *got.Body != "b" || *got.MD5OfMessageAttributes != "da1b33cc3cbfe8b1630921e78e6b9880" {
				t.Errorf("received %+v for the message sent as %s", got, *sent.MessageID)
			}
		})
	}
}

// Without a target the message stays and goes on being delivered; a target of
// the same name works again.
func TestRedriveTargetGoneAndBack(t *testing.T) {
	t.Parallel()
	e := newStoredEnv(t, compat.Options{})
	dlq := e.create("dlq")
	url := e.create("q", "VisibilityTimeout", "0", "RedrivePolicy", redrive(arnOf("dlq"), "1"))
	e.send(url, "b")
	e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: dlq})
	for range 4 {
		e.one(url)
	}
	e.create("dlq")
	if got := e.receive(url); len(got) != 0 {
		t.Errorf("received %q", bodies(got))
	}
	e.wantCounts(dlq, "1 0 0")
}

// On a FIFO queue a moved message keeps its group, its id becomes its
// deduplication id, and its retention begins anew.
func TestRedriveFIFO(t *testing.T) {
	t.Parallel()
	e := newStoredEnv(t, compat.Options{})
	dlq := e.createFIFO("dlq")
	url := e.createFIFO("q", "ContentBasedDeduplication", "true", "VisibilityTimeout", "0", "RedrivePolicy", redrive(arnOf("dlq.fifo"), "1"))
	first, second := e.put(url, "same", "g", "1"), e.put(url, "same", "g", "2")
	e.receive(url)
	e.clock.Advance(time.Hour)
	if got := e.receive(url); len(got) != 0 {
		t.Fatalf("received %q", bodies(got))
	}
	got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: dlq, MaxNumberOfMessages: new(int32(10)), AttributeNames: []string{"All"}})
	if len(got) != 2 {
		t.Fatalf("received %d, want 2", len(got))
	}
	for i, sent := range []*protocol.SendMessageOutput{first, second} {
		want := pairs(
			"ApproximateReceiveCount", "2", "ApproximateFirstReceiveTimestamp", strconv.FormatInt(storetest.Epoch.UnixMilli(), 10),
			"SentTimestamp", strconv.FormatInt(storetest.Epoch.Add(time.Hour).UnixMilli(), 10), "SenderId", "AIDATESTUSER", "MessageGroupId", "g",
			"MessageDeduplicationId", *sent.MessageID, "SequenceNumber", got[i].Attributes["SequenceNumber"], "DeadLetterQueueSourceArn", ownARN+".fifo",
		)
		if diff := cmp.Diff(want, got[i].Attributes); diff != "" {
			t.Errorf("message %d: attributes (-want +got):\n%s", i, diff)
		}
		if *got[i].MessageID != *sent.MessageID {
			t.Errorf("message %d has id %s, want %s", i, *got[i].MessageID, *sent.MessageID)
		}
	}
	if got[0].Attributes["SequenceNumber"] >= got[1].Attributes["SequenceNumber"] {
		t.Error("the numbers do not grow")
	}
}

// The types of source and target must be the same.
func TestRedriveOtherKind(t *testing.T) {
	t.Parallel()
	e := newStoredEnv(t, compat.Options{})
	url := e.create("standard")
	e.createFIFO("fifo")
	const reason = "Dead-letter queue must be same type of queue as the source.."
	policy := redrive(arnOf("fifo.fifo"), "3")
	e.refused(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("RedrivePolicy", policy)}, badValue, "Value "+policy+" for parameter RedrivePolicy is invalid. Reason: "+reason)
	policy = redrive(arnOf("standard"), "3")
	in := &protocol.CreateQueueInput{QueueName: new("other.fifo"), Attributes: pairs("FifoQueue", "true", "RedrivePolicy", policy)}
	e.refused(protocol.CreateQueue, in, badValue, "Value "+policy+" for parameter RedrivePolicy is invalid. Reason: "+reason)
}

// sources lists the sources of a dead-letter queue.
func (e *env) sources(in *protocol.ListDeadLetterSourceQueuesInput) *protocol.ListDeadLetterSourceQueuesOutput {
	e.t.Helper()
	return do[*protocol.ListDeadLetterSourceQueuesOutput](e, protocol.ListDeadLetterSourceQueues, in)
}

func TestListDeadLetterSourceQueues(t *testing.T) {
	t.Parallel()
	type in = protocol.ListDeadLetterSourceQueuesInput
	e := newStoredEnv(t, compat.Options{})
	dlq, other := e.create("dlq"), e.create("other")
	if out := e.sources(&in{QueueURL: dlq}); out.QueueURLs != nil || out.NextToken != nil {
		t.Errorf("without sources: %+v", out)
	}
	policy := redrive(arnOf("dlq"), "3")
	for i := range 5 {
		e.create(fmt.Sprintf("q-%d", i), "RedrivePolicy", policy)
	}
	e.create("elsewhere", "RedrivePolicy", redrive(arnOf("other"), "3"))
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: dlq, Attributes: pairs("RedrivePolicy", policy)})
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: new("q-3"), Attributes: pairs("RedrivePolicy", "")})
	e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: new("q-4")})
	for name, max := range map[string]*int32{"Absent": nil, "Zero": new(int32(0)), "Exact": new(int32(4)), "Most": new(int32(1000))} {
		if out := e.sources(&in{QueueURL: dlq, MaxResults: max}); names(out.QueueURLs) != "dlq q-0 q-1 q-2" || out.NextToken != nil {
			t.Errorf("%s: %q with token %v", name, names(out.QueueURLs), out.NextToken)
		}
	}
	first := e.sources(&in{QueueURL: dlq, MaxResults: new(int32(3))})
	if names(first.QueueURLs) != "dlq q-0 q-1" || first.NextToken == nil {
		t.Fatalf("the first page is %q with token %v", names(first.QueueURLs), first.NextToken)
	}
	if out := e.sources(&in{QueueURL: dlq, MaxResults: new(int32(3)), NextToken: first.NextToken}); names(out.QueueURLs) != "q-2" || out.NextToken != nil {
		t.Errorf("the second page is %q with token %v", names(out.QueueURLs), out.NextToken)
	}

	const bad = "Invalid or expired next token."
	e.refused(protocol.ListDeadLetterSourceQueues, &in{QueueURL: other, NextToken: first.NextToken}, badValue, "Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters.")
	e.refused(protocol.ListQueues, &protocol.ListQueuesInput{QueueNamePrefix: new("dlq"), NextToken: first.NextToken}, badValue, bad)
	for _, token := range []string{"x", *first.NextToken + "A", strings.Repeat("A", 1<<20)} {
		e.refused(protocol.ListDeadLetterSourceQueues, &in{QueueURL: dlq, NextToken: &token}, badValue, bad)
	}
	for _, n := range []int32{-1, 1001} {
		e.refused(protocol.ListDeadLetterSourceQueues, &in{QueueURL: dlq, MaxResults: &n}, badValue, "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000.")
	}
}
