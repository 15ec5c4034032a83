package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

// withDeadLetters makes a queue whose messages are visible again at once and
// move to the dead-letter queue after so many receives.
func (e *env) withDeadLetters(t *testing.T, dlq string, times int) string {
	t.Helper()
	return e.create(t, attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), times)})
}

// A dead-lettered message is the same message, with its source beside it.
func TestDeadLetter(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		url := e.withDeadLetters(t, dlq, 2)
		e.call(t, "SendMessage", args{
			"QueueUrl": url, "MessageBody": "b", "MessageAttributes": map[string]args{"color": {"DataType": "String", "StringValue": "blue"}},
			"MessageSystemAttributes": map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": "Root=1"}},
		}).wantOK(t)
		e.receiveOne(t, url)
		last := e.receiveOne(t, url)
		e.wantNothing(t, url)
		got := e.receiveOne(t, dlq)
		want := last.Attributes
		want["ApproximateReceiveCount"], want["DeadLetterQueueSourceArn"] = "3", e.arn(t, url)
		if diff := cmp.Diff(want, got.Attributes); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
		if *got.MessageId != *last.MessageId || *got.Body != "b" || *got.MD5OfMessageAttributes != "da1b33cc3cbfe8b1630921e78e6b9880" {
			t.Errorf("it came as %+v", got)
		}
		e.delete(t, dlq, got)
		e.wantCounts(t, dlq, counts{"0", "0", "0"})
	})
}

// The sources of a dead-letter queue are listed at once, and by pages.
func TestDeadLetterSources(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		list := func(in *sqs.ListDeadLetterSourceQueuesInput) *sqs.ListDeadLetterSourceQueuesOutput {
			t.Helper()
			in.QueueUrl = &dlq
			out, err := e.sqs.ListDeadLetterSourceQueues(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		if out := list(&sqs.ListDeadLetterSourceQueuesInput{}); len(out.QueueUrls) != 0 || out.NextToken != nil {
			t.Errorf("without sources: %v", out)
		}
		want := map[string]bool{}
		for range 5 {
			want[e.withDeadLetters(t, dlq, 1)] = true
		}
		got := map[string]bool{}
		pages := sqs.NewListDeadLetterSourceQueuesPaginator(e.sqs, &sqs.ListDeadLetterSourceQueuesInput{QueueUrl: &dlq}, func(o *sqs.ListDeadLetterSourceQueuesPaginatorOptions) { o.Limit = 2 })
		n := 0
		for ; pages.HasMorePages(); n++ {
			out, err := pages.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range out.QueueUrls {
				got[u] = true
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || n != 3 {
			t.Errorf("%d pages, sources (-want +got):\n%s", n, diff)
		}
		if out := list(&sqs.ListDeadLetterSourceQueuesInput{}); len(out.QueueUrls) != 5 || out.NextToken != nil {
			t.Errorf("in one page: %v", out)
		}
	})
}
