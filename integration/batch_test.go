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
