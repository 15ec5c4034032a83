package integration

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

var reportsOfLifecycle = []report{
	{11, "B101", "SameAttributesAgain", func(t *testing.T, e *env) {
		a := attrs{
			"DelaySeconds": "900", "VisibilityTimeout": "43200", "MaximumMessageSize": "1024", "MessageRetentionPeriod": "1209600", "ReceiveMessageWaitTimeSeconds": "20",
			"RedrivePolicy": redriveTo(e.arn(t, e.create(t, nil)), 100),
		}
		if first, second := e.createNamed(t, "q", a), e.createNamed(t, "q", a); first != second {
			t.Errorf("%s and %s", first, second)
		}
	}, nil},
	{11, "B103", "ExistingQueueAgain", func(t *testing.T, e *env) {
		urls := map[string]bool{}
		for _, a := range []attrs{{"DelaySeconds": "5"}, nil, {"DelaySeconds": "5"}, {"DelaySeconds": "5", "VisibilityTimeout": "30"}} {
			urls[e.createNamed(t, "q", a)] = true
		}
		e.call(t, "CreateQueue", args{"QueueName": "q", "tags": attrs{"k": "v"}}).wantOK(t)
		if len(urls) != 1 {
			t.Errorf("%v", urls)
		}
		e.call(t, "CreateQueue", args{"QueueName": "q", "Attributes": attrs{"DelaySeconds": "6"}}).wantStatus(t, 400).wantCode(t, "QueueAlreadyExists").
			wantShape(t, sqsShape+"QueueNameExists").wantMessage(t, "A queue already exists with the same name and a different value for attribute DelaySeconds")
		e.wantAttributes(t, "q", attrs{"DelaySeconds": "5"})
	}, nil},
	{11, "B105", "CreateKeepsMessages", func(t *testing.T, e *env) {
		u := e.createNamed(t, "q", nil)
		e.sendBatch(t, u, "1", "2", "3", "4")
		e.send(t, u, "5", delayed(60))
		ms := e.receive(t, u, upTo(2))
		e.createNamed(t, "q", nil)
		e.wantCounts(t, u, counts{"2", "2", "1"})
		e.delete(t, u, ms[0])
		e.wantCounts(t, u, counts{"2", "1", "1"})
		time.Sleep(60 * time.Second)
		wantBodies(t, e.receive(t, u), "2", "3", "4", "5")
	}, nil},
	{11, "B106", "RecreatedIsNew", func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		u := e.createNamed(t, "q", attrs{"VisibilityTimeout": "1", "RedrivePolicy": redriveTo(e.arn(t, dlq), 5)})
		e.call(t, "TagQueue", args{"QueueUrl": u, "Tags": attrs{"k": "v"}}).wantOK(t)
		e.sendBatch(t, u, "1", "2", "3")
		old := e.receiveOne(t, u, upTo(1))
		fifo := e.createNamed(t, "q.fifo", attrs{"FifoQueue": "true"})
		first := e.send(t, fifo, "old", inGroup("g"), as("d"))
		e.deleteQueue(t, u)
		e.deleteQueue(t, fifo)
		time.Sleep(61 * time.Second)
		e.createNamed(t, "q", nil)
		e.createNamed(t, "q.fifo", attrs{"FifoQueue": "true"})
		e.wantTags(t, u, nil)
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.wantAttributes(t, u, attrs{"VisibilityTimeout": "30", "RedrivePolicy": ""})
		e.send(t, u, "new")
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *old.ReceiptHandle}).wantCode(t, "ReceiptHandleIsInvalid")
		e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *old.ReceiptHandle, "VisibilityTimeout": 60}).wantCode(t, "ReceiptHandleIsInvalid")
		wantBodies(t, e.receive(t, u), "new")
		if again := e.send(t, fifo, "new", inGroup("g"), as("d")); *again.MessageId == *first.MessageId {
			t.Error("the new queue knows what the old one was sent")
		}
		wantBodies(t, e.receive(t, fifo), "new")
	}, nil},
	{11, "B107", "RestOfANameEndsAfterAMinute", func(t *testing.T, e *env) {
		e.deleteQueue(t, e.createNamed(t, "q", nil))
		time.Sleep(time.Second)
		e.call(t, "CreateQueue", args{"QueueName": "q"}).wantStatus(t, 400).wantCode(t, "AWS.SimpleQueueService.QueueDeletedRecently").wantShape(t, sqsShape+"QueueDeletedRecently").
			wantMessage(t, "You must wait 60 seconds after deleting a queue before you can create another with the same name.")
		time.Sleep(60 * time.Second)
		e.createNamed(t, "q", nil)
	}, func(t *testing.T, w wire) { // the server of development has the rule off
		e := newEnv(t, shared.get(t), w)
		e.deleteQueue(t, e.createNamed(t, "q", nil))
		e.createNamed(t, "q", nil)
	}},
	{11, "B108", "DeletedIsNotListed", func(t *testing.T, e *env) {
		dlq := e.createNamed(t, "dlq", nil)
		u := e.createNamed(t, "q", attrs{"RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
		e.deleteQueue(t, u)
		if got := e.listed(t, &sqs.ListQueuesInput{}); len(got) != 1 || got[0] != dlq {
			t.Errorf("listed %q", got)
		}
		e.call(t, "GetQueueUrl", args{"QueueName": "q"}).wantStatus(t, 400).wantCode(t, noQueue)
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b"}).wantStatus(t, 400).wantCode(t, noQueue)
		out, err := e.sqs.ListDeadLetterSourceQueues(t.Context(), &sqs.ListDeadLetterSourceQueuesInput{QueueUrl: &dlq})
		if err != nil || len(out.QueueUrls) != 0 {
			t.Errorf("sources %v %v", out, err)
		}
	}, nil},
	{11, "B109", "PagesOfAList", func(t *testing.T, e *env) {
		const queues = 1050
		var want []string
		for i := range queues {
			name := fmt.Sprintf("pre_%04d", i)
			if i >= 10 {
				name = fmt.Sprintf("prefix%04d", i)
			}
			want = append(want, e.createNamed(t, name, nil))
		}
		list := func(prefix string, most int, token *string) ([]string, *string) {
			t.Helper()
			in := &sqs.ListQueuesInput{NextToken: token}
			if prefix != "" {
				in.QueueNamePrefix = &prefix
			}
			if most > 0 {
				in.MaxResults = aws.Int32(int32(most)) //nolint:gosec // small
			}
			out, err := e.sqs.ListQueues(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			return out.QueueUrls, out.NextToken
		}
		if all, token := list("", 0, nil); len(all) != 1000 || token != nil {
			t.Errorf("without MaxResults: %d queues, token %v", len(all), token)
		}
		all, token := list("", 100, nil)
		for pages := 1; token != nil && pages < 20; pages++ {
			var more []string
			more, token = list("", 100, token)
			all = append(all, more...)
		}
		slices.Sort(all)
		if diff := cmp.Diff(want, all); diff != "" {
			t.Errorf("all pages (-want +got):\n%s", diff)
		}
		for prefix, n := range map[string]int{"pre_": 10, "Pre_": 0, "pre%": 0, "pre.": 0, "pre": 1000} {
			most := 10
			if n > 10 {
				most = 0
			}
			if some, token := list(prefix, most, nil); len(some) != n || token != nil {
				t.Errorf("%s: %d queues, token %v", prefix, len(some), token)
			}
		}
		// Zero is no number that a client means: it is as if it were absent.
		if n := len(e.call(t, "ListQueues", args{"MaxResults": 0}).wantOK(t).Body); n < 1000*len(want[0]) {
			t.Errorf("MaxResults=0 gave %d bytes", n)
		}
		e.call(t, "ListQueues", args{"MaxResults": 1001}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		e.call(t, "ListQueues", args{"MaxResults": 2, "NextToken": "garbage"}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
	}, nil},
}
