package integration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
)

// sendBatch sends bodies as one batch with the ids "0", "1" and so on.
func (e *env) sendBatch(t *testing.T, url string, bodies ...string) *sqs.SendMessageBatchOutput {
	t.Helper()
	in := &sqs.SendMessageBatchInput{QueueUrl: &url}
	for i, b := range bodies {
		in.Entries = append(in.Entries, types.SendMessageBatchRequestEntry{Id: aws.String(fmt.Sprint(i)), MessageBody: aws.String(b)})
	}
	out, err := e.sqs.SendMessageBatch(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// outcome is how a batch went: the ids that succeeded and those that failed
// with their codes, in the order of the answer.
type outcome struct{ OK, Failed []string }

// failures writes failed entries as "id code", and checks what all must have.
func failures(t *testing.T, failed []types.BatchResultErrorEntry) []string {
	t.Helper()
	var got []string
	for _, f := range failed {
		got = append(got, aws.ToString(f.Id)+" "+aws.ToString(f.Code))
		if !f.SenderFault || aws.ToString(f.Message) == "" {
			t.Errorf("failed entry %s: fault of the sender %v, message %q", aws.ToString(f.Id), f.SenderFault, aws.ToString(f.Message))
		}
	}
	return got
}

func TestSendMessageBatch(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		var want []string
		for i := range 10 {
			want = append(want, fmt.Sprintf("body %d 世", i))
		}
		out := e.sendBatch(t, url, want...)
		if len(out.Successful) != 10 || len(out.Failed) != 0 {
			t.Fatalf("%d succeeded, %d failed", len(out.Successful), len(out.Failed))
		}
		sent := map[string]string{}
		for i, s := range out.Successful {
			if *s.Id != fmt.Sprint(i) || *s.MD5OfMessageBody != bodyDigest(want[i]) || s.SequenceNumber != nil {
				t.Errorf("entry %d: %s %s %v", i, *s.Id, *s.MD5OfMessageBody, s.SequenceNumber)
			}
			sent[*s.MessageId] = want[i]
		}
		got := e.receive(t, url)
		wantBodies(t, got, want...)
		for _, m := range got {
			if sent[*m.MessageId] != *m.Body {
				t.Errorf("message %s is %q, sent as %q", *m.MessageId, *m.Body, sent[*m.MessageId])
			}
		}
	})
}

// Entries stand and fall alone.
func TestSendMessageBatchFailsInPart(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"MaximumMessageSize": "1024"})
		entry := func(id, body string, change func(*types.SendMessageBatchRequestEntry)) types.SendMessageBatchRequestEntry {
			x := types.SendMessageBatchRequestEntry{Id: &id, MessageBody: &body}
			if change != nil {
				change(&x)
			}
			return x
		}
		with := func(a map[string]messageAttribute) func(*types.SendMessageBatchRequestEntry) {
			return func(x *types.SendMessageBatchRequestEntry) { x.MessageAttributes = a }
		}
		out, err := e.sqs.SendMessageBatch(t.Context(), &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: []types.SendMessageBatchRequestEntry{
			entry("first", "1", nil),
			entry("empty-value", "b", with(map[string]messageAttribute{"piyo": text("String", "")})),
			entry("late", "b", func(x *types.SendMessageBatchRequestEntry) { x.DelaySeconds = 901 }),
			entry("big", strings.Repeat("x", 1025), nil),
			entry("bad-type", "b", with(map[string]messageAttribute{"x": text("Text", "v")})),
			entry("control", "a\x01b", nil),
			entry("empty", "", nil),
			entry("dedup", "b", func(x *types.SendMessageBatchRequestEntry) { x.MessageDeduplicationId = aws.String("d") }),
			entry("last", "2", nil),
		}})
		if err != nil {
			t.Fatal(err)
		}
		var ok []string
		for _, s := range out.Successful {
			ok = append(ok, *s.Id)
		}
		got := outcome{ok, failures(t, out.Failed)}
		want := outcome{[]string{"first", "last"}, []string{
			"empty-value InvalidParameterValue", "late InvalidParameterValue", "big InvalidParameterValue", "bad-type InvalidParameterValue",
			"control InvalidMessageContents", "empty MissingParameter", "dedup InvalidParameterValue",
		}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("outcome (-want +got):\n%s", diff)
		}
		wantBodies(t, e.receive(t, url), "1", "2")
		e.wantCounts(t, url, counts{"0", "2", "0"})
	})
}

func TestDeleteMessageBatchFailsInPart(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url, elsewhere := e.create(t, nil), e.create(t, nil)
		e.sendBatch(t, url, "1", "2", "3")
		e.send(t, elsewhere, "4")
		ms, foreign := e.receive(t, url), e.receiveOne(t, elsewhere)
		out, err := e.sqs.DeleteMessageBatch(t.Context(), &sqs.DeleteMessageBatchInput{QueueUrl: &url, Entries: []types.DeleteMessageBatchRequestEntry{
			{Id: aws.String("msg-id-1"), ReceiptHandle: ms[0].ReceiptHandle},
			{Id: aws.String("bad"), ReceiptHandle: aws.String("garbage")},
			{Id: aws.String("_"), ReceiptHandle: ms[1].ReceiptHandle},
			{Id: aws.String("foreign"), ReceiptHandle: foreign.ReceiptHandle},
			{Id: aws.String("0"), ReceiptHandle: ms[1].ReceiptHandle},
		}})
		if err != nil {
			t.Fatal(err)
		}
		var ok []string
		for _, s := range out.Successful {
			ok = append(ok, *s.Id)
		}
		want := outcome{[]string{"msg-id-1", "_", "0"}, []string{"bad ReceiptHandleIsInvalid", "foreign ReceiptHandleIsInvalid"}}
		if diff := cmp.Diff(want, outcome{ok, failures(t, out.Failed)}); diff != "" {
			t.Errorf("outcome (-want +got):\n%s", diff)
		}
		e.wantCounts(t, url, counts{"0", "1", "0"})
		e.wantCounts(t, elsewhere, counts{"0", "1", "0"})
	})
}

func TestChangeMessageVisibilityBatchFailsInPart(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.sendBatch(t, url, "1", "2", "3")
		ms := e.receive(t, url)
		e.delete(t, url, ms[2])
		out, err := e.sqs.ChangeMessageVisibilityBatch(t.Context(), &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: &url, Entries: []types.ChangeMessageVisibilityBatchRequestEntry{
			{Id: aws.String("free"), ReceiptHandle: ms[0].ReceiptHandle, VisibilityTimeout: 0},
			{Id: aws.String("bad"), ReceiptHandle: aws.String("garbage"), VisibilityTimeout: 0},
			{Id: aws.String("long"), ReceiptHandle: ms[1].ReceiptHandle, VisibilityTimeout: 43201},
			{Id: aws.String("gone"), ReceiptHandle: ms[2].ReceiptHandle, VisibilityTimeout: 10},
			{Id: aws.String("keep"), ReceiptHandle: ms[1].ReceiptHandle, VisibilityTimeout: 600},
		}})
		if err != nil {
			t.Fatal(err)
		}
		var ok []string
		for _, s := range out.Successful {
			ok = append(ok, *s.Id)
		}
		want := outcome{[]string{"free", "keep"}, []string{"bad ReceiptHandleIsInvalid", "long InvalidParameterValue", "gone ReceiptHandleIsInvalid"}}
		if diff := cmp.Diff(want, outcome{ok, failures(t, out.Failed)}); diff != "" {
			t.Errorf("outcome (-want +got):\n%s", diff)
		}
		wantBodies(t, e.receive(t, url), "1")
	})
}
