package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

func TestReportsOfLimitsAndBatches(t *testing.T) {
	const prefix = "AWS.SimpleQueueService."
	send := func(id, body string) args { return args{"Id": id, "MessageBody": body} }
	runReports(t, []report{
		{"B071", "EmptyBodies", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, in := range []args{{"QueueUrl": u}, {"QueueUrl": u, "MessageBody": ""}} {
				e.call(t, "SendMessage", in).wantCode(t, "MissingParameter").wantText(t, "The request must contain the parameter MessageBody.")
			}
			e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{send("a", ""), send("b", " ")}}).wantOK(t)
			wantBodies(t, e.receive(t, u), " ")
		}},
		{"B072", "SizeOfTheQueue", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"MaximumMessageSize": "1024"})
			k := map[string]args{"k": {"DataType": "String", "StringValue": "x"}}
			for _, tt := range []struct {
				body string
				with map[string]args
				code string
			}{
				{strings.Repeat("x", 1024), nil, ""},
				{strings.Repeat("x", 1025), nil, "InvalidParameterValue"},
				{strings.Repeat("x", 1017), k, "InvalidParameterValue"},
				{strings.Repeat("x", 1016), k, ""},
				{strings.Repeat("é", 512), nil, ""},
				{strings.Repeat("é", 513), nil, "InvalidParameterValue"},
			} {
				if r := e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": tt.body, "MessageAttributes": tt.with}); r.Code != tt.code {
					t.Errorf("%d bytes with %v: %q", len(tt.body), tt.with, r.Code)
				}
			}
			e.wantCounts(t, u, counts{"3", "0", "0"})
		}},
		{"B074", "NumberOfMessages", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.sendBatch(t, u, "1", "2")
			for _, n := range []int{0, -1, 11, 1000} {
				e.call(t, "ReceiveMessage", args{"QueueUrl": u, "MaxNumberOfMessages": n}).
					wantCode(t, "InvalidParameterValue").wantText(t, fmt.Sprintf("Value %d for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.", n))
			}
			if n := len(e.call(t, "ReceiveMessage", args{"QueueUrl": u}).messages(t)); n != 1 {
				t.Errorf("%d messages", n)
			}
		}},
		{"B076", "HugeTimeouts", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, v := range []string{"43201", "9223372036854775807", "1e9", "", " 5", "5.0"} {
				e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"VisibilityTimeout": v}}).wantCode(t, "InvalidAttributeValue")
				e.call(t, "CreateQueue", args{"QueueName": "new", "Attributes": attrs{"VisibilityTimeout": v}}).wantCode(t, "InvalidAttributeValue")
			}
			e.send(t, u, "b")
			wantBodies(t, e.receive(t, u), "b")
		}},
		{"B077", "Names", func(t *testing.T, e *env) {
			e.createNamed(t, strings.Repeat("n", 80), nil)
			for _, name := range []string{strings.Repeat("n", 81), "a b", "a/b", "a.b", "x.fifo", ""} {
				e.call(t, "CreateQueue", args{"QueueName": name}).wantCode(t, "InvalidParameterValue")
			}
			for _, name := range []string{"x", strings.Repeat("n", 76) + ".fifo"} {
				e.call(t, "CreateQueue", args{"QueueName": name, "Attributes": attrs{"FifoQueue": "true"}}).wantCode(t, "InvalidParameterValue")
			}
		}},
		{"B079", "WholeBatches", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			h := *e.receiveOne(t, u).ReceiptHandle
			for action, entry := range batches {
				eleven := list{}
				for i := range 11 {
					eleven = append(eleven, entry(fmt.Sprint(i), h))
				}
				for code, entries := range map[string]list{
					"EmptyBatchRequest": {}, "TooManyEntriesInBatchRequest": eleven, "BatchEntryIdsNotDistinct": {entry("a", h), entry("a", h)},
					"InvalidBatchEntryId": {entry("bad!id", h)},
				} {
					e.call(t, action, args{"QueueUrl": u, "Entries": entries}).wantCode(t, prefix+code)
				}
				e.call(t, action, args{"QueueUrl": u, "Entries": list{entry("", h)}}).wantCode(t, prefix+"InvalidBatchEntryId")
			}
			e.wantCounts(t, u, counts{"0", "1", "0"})
		}},
		{"B081", "SameIdDeletesNothing", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.sendBatch(t, u, "1", "2")
			ms := e.receive(t, u)
			e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": list{
				args{"Id": "x", "ReceiptHandle": *ms[0].ReceiptHandle}, args{"Id": "x", "ReceiptHandle": *ms[1].ReceiptHandle},
			}}).wantCode(t, prefix+"BatchEntryIdsNotDistinct")
			time.Sleep(30 * time.Second)
			wantBodies(t, e.receive(t, u), "1", "2")
		}},
		{"B082", "OneBadHandle", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, action := range []string{"ChangeMessageVisibilityBatch", "DeleteMessageBatch"} {
				e.send(t, u, action)
				h := *e.receiveOne(t, u).ReceiptHandle
				r := e.call(t, action, args{"QueueUrl": u, "Entries": list{batches[action]("a", h), batches[action]("b", "garbage")}}).wantOK(t)
				if strings.Count(r.Body, "ReceiptHandleIsInvalid") != 1 {
					t.Errorf("%s: %s", action, r.Body)
				}
				if action == "ChangeMessageVisibilityBatch" {
					e.delete(t, u, e.receiveOne(t, u))
				}
			}
			e.wantCounts(t, u, counts{"0", "0", "0"})
		}},
		{"B084", "SizeOfBatches", func(t *testing.T, e *env) {
			u, half := e.create(t, nil), strings.Repeat("x", 1<<19)
			e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{send("a", half), send("b", half+"x")}}).
				wantCode(t, prefix+"BatchRequestTooLong").wantText(t, "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.")
			e.wantCounts(t, u, counts{"0", "0", "0"})
			e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{send("a", half), send("b", half)}}).wantOK(t)
			small := e.create(t, attrs{"MaximumMessageSize": "2048"})
			e.call(t, "SendMessageBatch", args{"QueueUrl": small, "Entries": list{send("a", half[:2048]), send("b", "x")}}).wantOK(t)
			e.wantCounts(t, small, counts{"2", "0", "0"})
		}},
		{"B086", "IdsVerbatim", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.sendBatch(t, u, "1", "2", "3")
			entries := list{}
			for i, m := range e.receive(t, u) {
				entries = append(entries, args{"Id": []string{"msg-id-1", "_", "0"}[i], "ReceiptHandle": *m.ReceiptHandle})
			}
			r := e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": entries}).wantOK(t)
			for _, id := range []string{"msg-id-1", "_", "0"} {
				if strings.Count(r.Body, ">"+id+"<")+strings.Count(r.Body, `"`+id+`"`) != 1 {
					t.Errorf("%s: %s", id, r.Body)
				}
			}
		}},
		{"B087", "NumbersOutOfOrder", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.sendBatch(t, u, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
			form := "Action=DeleteMessageBatch&QueueUrl=" + u
			for i, m := range e.receive(t, u) {
				n := (i*7)%10 + 1
				form += fmt.Sprintf("&DeleteMessageBatchRequestEntry.%d.ReceiptHandle=%s&DeleteMessageBatchRequestEntry.%d.Id=id%d", n, *m.ReceiptHandle, n, n)
			}
			r := e.query(t, form).wantOK(t)
			at := -1
			for n := 1; n <= 10; n++ {
				next := strings.Index(r.Body, fmt.Sprintf("<Id>id%d</Id>", n))
				if next <= at {
					t.Errorf("id%d is not in its place: %s", n, r.Body)
				}
				at = next
			}
			e.wantCounts(t, u, counts{"0", "0", "0"})
		}},
		{"B088", "EntriesOneByOne", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"MaximumMessageSize": "1024"})
			r := e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
				send("good1", "1"),
				args{"Id": "empty", "MessageBody": "b", "MessageAttributes": map[string]args{"k": {"DataType": "String", "StringValue": ""}}},
				args{"Id": "late", "MessageBody": "b", "DelaySeconds": 901},
				send("big", strings.Repeat("x", 1025)), send("good2", "2"),
			}}).wantOK(t)
			if n := strings.Count(r.Body, "SenderFault\":true") + strings.Count(r.Body, "<SenderFault>true</SenderFault>"); n != 3 {
				t.Errorf("%d failed: %s", n, r.Body)
			}
			wantBodies(t, e.receive(t, u), "1", "2")
		}},
	})
}

func TestReportsOfQueues(t *testing.T) {
	standard := func(t *testing.T, e *env, u string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(append(append([]string{}, want...), standardAttributes...), append(append([]string{}, want...), names(e.attributes(t, u, "All"))...)); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
	}
	runReports(t, []report{
		{"B089", "EveryAttributeAtOnce", func(t *testing.T, e *env) {
			want := attrs{"VisibilityTimeout": "69", "DelaySeconds": "5", "ReceiveMessageWaitTimeSeconds": "1", "MessageRetentionPeriod": "604800", "MaximumMessageSize": "2048"}
			got := e.attributes(t, e.create(t, want), "VisibilityTimeout", "DelaySeconds", "ReceiveMessageWaitTimeSeconds", "MessageRetentionPeriod", "MaximumMessageSize")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}},
		{"B090", "EncryptionSettings", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"SqsManagedSseEnabled": "false"})
			sse := func(want string) {
				t.Helper()
				if got := e.attributes(t, u, "SqsManagedSseEnabled")["SqsManagedSseEnabled"]; got != want {
					t.Errorf("SqsManagedSseEnabled is %q, want %q", got, want)
				}
			}
			sse("false")
			e.setAttributes(t, u, attrs{"SqsManagedSseEnabled": "true"})
			sse("true")
			e.setAttributes(t, u, attrs{"KmsMasterKeyId": "testKey", "KmsDataKeyReusePeriodSeconds": "6000"})
			sse("false")
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"KmsMasterKeyId": "k", "SqsManagedSseEnabled": "true"}}).wantCode(t, "InvalidAttributeName")
		}},
		{"B092", "RedrivePolicyIsNormalised", func(t *testing.T, e *env) {
			arn := e.attributes(t, e.create(t, nil), "QueueArn")["QueueArn"]
			u := e.create(t, attrs{"RedrivePolicy": "{\n \"deadLetterTargetArn\": \"" + arn + "\",\n \"maxReceiveCount\": \"3\" }"})
			if got, want := e.attributes(t, u, "RedrivePolicy")["RedrivePolicy"], `{"deadLetterTargetArn":"`+arn+`","maxReceiveCount":3}`; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}},
		{"B094", "PeriodWithoutKey", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"KmsDataKeyReusePeriodSeconds": "60"})
			standard(t, e, u)
			for _, v := range []string{"59", "86401"} {
				e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"KmsDataKeyReusePeriodSeconds": v}}).wantCode(t, "InvalidAttributeValue")
			}
		}},
		{"B095", "FifoAttributesOfStandardQueues", func(t *testing.T, e *env) {
			for k, v := range map[string]string{"FifoQueue": "false", "ContentBasedDeduplication": "false", "DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue"} {
				e.call(t, "CreateQueue", args{"QueueName": "q", "Attributes": attrs{k: v}}).wantCode(t, "InvalidAttributeName").wantText(t, k)
			}
		}},
		{"B097", "AllOrNothing", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			set := attrs{
				"DelaySeconds": "1", "MaximumMessageSize": "2048", "MessageRetentionPeriod": "70", "ReceiveMessageWaitTimeSeconds": "2", "VisibilityTimeout": "3",
				"Policy": `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"sqs:*","Resource":"*"}]}`,
			}
			e.setAttributes(t, u, set)
			before := e.attributes(t, u, "All")
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"DelaySeconds": "901", "VisibilityTimeout": "9", "Policy": ""}}).wantCode(t, "InvalidAttributeValue")
			if diff := cmp.Diff(before, e.attributes(t, u, "All")); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
		}},
		{"B099", "TheSetOfAll", func(t *testing.T, e *env) { standard(t, e, e.create(t, nil)) }},
		{"B100", "FifoQueueOnAnExistingQueue", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, a := range []attrs{{"FifoQueue": "true"}, {"FifoQueue": "false"}, {"Bogus": "1"}} {
				e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": a}).wantCode(t, "InvalidAttributeName")
			}
		}},
		{"B101", "SameAttributesAgain", func(t *testing.T, e *env) {
			arn := e.attributes(t, e.create(t, nil), "QueueArn")["QueueArn"]
			a := attrs{"DelaySeconds": "900", "VisibilityTimeout": "43200", "RedrivePolicy": `{"deadLetterTargetArn":"` + arn + `","maxReceiveCount":100}`}
			if first, second := e.createNamed(t, "q", a), e.createNamed(t, "q", a); first != second {
				t.Errorf("%s and %s", first, second)
			}
		}},
		{"B103", "ExistingQueueAgain", func(t *testing.T, e *env) {
			for _, a := range []attrs{{"DelaySeconds": "5"}, nil, {"DelaySeconds": "5"}, {"DelaySeconds": "5", "VisibilityTimeout": "30"}} {
				e.createNamed(t, "q", a)
			}
			e.call(t, "CreateQueue", args{"QueueName": "q", "Attributes": attrs{"DelaySeconds": "6"}}).wantCode(t, "QueueAlreadyExists").
				wantText(t, "A queue already exists with the same name and a different value for attribute DelaySeconds")
		}},
		{"B105", "CreateKeepsMessages", func(t *testing.T, e *env) {
			u := e.createNamed(t, "q", nil)
			e.sendBatch(t, u, "1", "2", "3", "4")
			e.send(t, u, "5", delayed(60))
			ms := e.receive(t, u, upTo(2))
			e.createNamed(t, "q", nil)
			e.wantCounts(t, u, counts{"2", "2", "1"})
			e.delete(t, u, ms[0])
			e.wantCounts(t, u, counts{"2", "1", "1"})
		}},
		{"B106", "RecreatedIsNew", func(t *testing.T, e *env) {
			u := e.createNamed(t, "q", attrs{"VisibilityTimeout": "1"})
			e.call(t, "TagQueue", args{"QueueUrl": u, "Tags": attrs{"k": "v"}}).wantOK(t)
			e.sendBatch(t, u, "1", "2", "3")
			old := e.receiveOne(t, u, upTo(1))
			e.deleteQueue(t, u)
			time.Sleep(61 * time.Second)
			e.createNamed(t, "q", nil)
			e.wantTags(t, u, nil)
			e.send(t, u, "new")
			_, _ = e.sqs.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &u, ReceiptHandle: old.ReceiptHandle})
			e.wantCounts(t, u, counts{"1", "0", "0"})
		}},
		{"B107", "RestOfANameEndsAfterAMinute", func(t *testing.T, e *env) {
			e.deleteQueue(t, e.createNamed(t, "q", nil))
			time.Sleep(time.Second)
			e.call(t, "CreateQueue", args{"QueueName": "q"}).wantCode(t, "AWS.SimpleQueueService.QueueDeletedRecently")
			time.Sleep(60 * time.Second)
			e.createNamed(t, "q", nil)
		}},
		{"B108", "DeletedIsNotListed", func(t *testing.T, e *env) {
			e.deleteQueue(t, e.createNamed(t, "q", nil))
			if got := e.listed(t, &sqs.ListQueuesInput{}); len(got) != 0 {
				t.Errorf("listed %q", got)
			}
			e.call(t, "GetQueueUrl", args{"QueueName": "q"}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
		}},
		{"B109", "PagesOfAList", func(t *testing.T, e *env) {
			for i := range 10 {
				e.createNamed(t, fmt.Sprint("pre_", i), nil)
			}
			e.createNamed(t, "prefix", nil)
			out, err := e.sqs.ListQueues(t.Context(), &sqs.ListQueuesInput{QueueNamePrefix: aws.String("pre_"), MaxResults: aws.Int32(10)})
			if err != nil || len(out.QueueUrls) != 10 || out.NextToken != nil {
				t.Errorf("%v %v", out, err)
			}
			e.call(t, "ListQueues", args{"MaxResults": 1001}).wantCode(t, "InvalidParameterValue")
			e.call(t, "ListQueues", args{"MaxResults": 2, "NextToken": "garbage"}).wantCode(t, "InvalidParameterValue")
		}},
		{"B113", "PoliciesReadBackEqual", func(t *testing.T, e *env) {
			policy := `{"Statement":[{"Action":["sqs:SendMessage"],"Condition":{"ArnEquals":{"aws:SourceArn":"arn:aws:sns:us-east-1:000000000000:t"}},"Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Resource":"*"}]}`
			u := e.create(t, attrs{"Policy": policy})
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"Policy": "not json"}}).wantCode(t, "InvalidAttributeValue")
			if got := e.attributes(t, u, "Policy")["Policy"]; !sameValue(got, policy) {
				t.Errorf("%s", got)
			}
		}},
	})
}
