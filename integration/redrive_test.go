package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

// withDeadLetters makes a queue whose messages are visible again at once and
// move to the dead-letter queue after so many receives.
func (e *env) withDeadLetters(t *testing.T, dlq string, times int) string {
	t.Helper()
	return e.create(t, attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), times)})
}

// n messages are all in the dead-letter queue after 2n single receives, without
// anybody receiving there.
func TestRedriveByReceives(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		for _, n := range []int{2, 4, 10} {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			for i := range n {
				e.send(t, url, fmt.Sprint(i))
			}
			for range 2 * n {
				e.peek(t, url, 1)
			}
			e.wantCounts(t, dlq, counts{fmt.Sprint(n), "0", "0"})
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}
	})
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

// A receive that waits at the dead-letter queue gets what is moved there.
func TestDeadLetterWakes(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		url := e.withDeadLetters(t, dlq, 1)
		e.send(t, url, "b")
		e.receiveOne(t, url)
		start := time.Now()
		moved := make(chan struct{})
		time.AfterFunc(3*time.Second, func() {
			defer close(moved)
			if out, err := e.sqs.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url}); err != nil || len(out.Messages) != 0 {
				t.Errorf("the source gave %v, %v", out, err)
			}
		})
		wantBodies(t, e.receive(t, dlq, waitFor(20)), "b")
		e.took(t, start, 3*time.Second)
		<-moved
	})
}

// On a standard queue the retention of a dead letter goes on from its first
// send; on a FIFO queue it begins with the move.
func TestRetentionOfDeadLetters(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		short := attrs{"MessageRetentionPeriod": "100"}
		dlq, fifoDLQ := e.create(t, short), e.createFIFO(t, short)
		url := e.withDeadLetters(t, dlq, 1)
		fifo := e.createFIFO(t, attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, fifoDLQ), 1)})
		e.send(t, url, "s")
		e.put(t, fifo, "f-1")
		time.Sleep(60 * time.Second)
		for range 2 {
			e.receive(t, url)
			e.receive(t, fifo)
		}
		time.Sleep(50 * time.Second)
		e.wantCounts(t, dlq, counts{"0", "0", "0"})
		e.wantCounts(t, fifoDLQ, counts{"1", "0", "0"})
		time.Sleep(50 * time.Second)
		e.wantCounts(t, fifoDLQ, counts{"0", "0", "0"})
	})
}

// Once the head of a group is in the dead-letter queue the group goes on.
func TestFIFODeadLetterFreesItsGroup(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		dlq := e.createFIFO(t, nil)
		url := e.createFIFO(t, attrs{"RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
		e.put(t, url, "g-1", "g-2")
		e.changeVisibility(t, url, e.receiveOne(t, url, upTo(1)), 0)
		wantBodies(t, e.receive(t, url), "g-2")
		got := e.receiveOne(t, dlq)
		if got.Attributes["MessageDeduplicationId"] != *got.MessageId || got.Attributes["MessageGroupId"] != "g" {
			t.Errorf("it came with %v", got.Attributes)
		}
	})
}

// A queue can be its own dead-letter queue: the message starts over.
func TestRedriveToItself(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "0"})
		e.setAttributes(t, url, attrs{"RedrivePolicy": redriveTo(e.arn(t, url), 1)})
		e.send(t, url, "b")
		e.receiveOne(t, url)
		e.wantNothing(t, url)
		if got := e.receiveOne(t, url); receiveCount(got) != "2" || got.Attributes["DeadLetterQueueSourceArn"] != e.arn(t, url) {
			t.Errorf("it came with %v", got.Attributes)
		}
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
