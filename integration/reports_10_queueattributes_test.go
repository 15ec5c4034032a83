package integration

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wantAttributes checks the values of some attributes of a queue; an empty
// value stands for one that is not there.
func (e *env) wantAttributes(t *testing.T, url string, want attrs) {
	t.Helper()
	all := e.attributes(t, url, "All")
	for name, value := range want {
		if got, there := all[name]; got != value || there != (value != "") {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

var reportsOfQueueAttributes = []report{
	{10, "B089", "EveryAttributeAtOnce", func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		want := attrs{
			"VisibilityTimeout": "69", "DelaySeconds": "5", "ReceiveMessageWaitTimeSeconds": "1", "MessageRetentionPeriod": "604800", "MaximumMessageSize": "2048",
			"KmsMasterKeyId": "k", "KmsDataKeyReusePeriodSeconds": "60", "RedrivePolicy": redriveTo(e.arn(t, dlq), 7), "RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`,
		}
		e.wantAttributes(t, e.create(t, want), want)
		other := attrs{"FifoQueue": "true", "ContentBasedDeduplication": "true", "DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId"}
		e.wantAttributes(t, e.createFIFO(t, other), other)
	}, nil},
	{10, "B090", "EncryptionSettings", func(t *testing.T, e *env) {
		e.wantAttributes(t, e.create(t, nil), attrs{"SqsManagedSseEnabled": "true"})
		u := e.create(t, attrs{"SqsManagedSseEnabled": "false"})
		e.wantAttributes(t, u, attrs{"SqsManagedSseEnabled": "false"})
		e.setAttributes(t, u, attrs{"SqsManagedSseEnabled": "true"})
		e.wantAttributes(t, u, attrs{"SqsManagedSseEnabled": "true"})
		kms := attrs{"KmsMasterKeyId": "testKey", "KmsDataKeyReusePeriodSeconds": "6000", "SqsManagedSseEnabled": "false"}
		e.setAttributes(t, u, attrs{"KmsMasterKeyId": "testKey", "KmsDataKeyReusePeriodSeconds": "6000"})
		e.wantAttributes(t, u, kms)
		e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"KmsMasterKeyId": "k", "SqsManagedSseEnabled": "true"}}).wantStatus(t, 400).
			wantCode(t, "InvalidAttributeName").wantText(t, "You can use one type of server-side encryption (SSE) at one time.")
		e.wantAttributes(t, u, kms)
	}, nil},
	{10, "B092", "RedrivePolicyIsNormalised", func(t *testing.T, e *env) {
		arn := e.arn(t, e.create(t, nil))
		u := e.create(t, attrs{"RedrivePolicy": "{\n \"maxReceiveCount\": \"3\",\n \"deadLetterTargetArn\": \"" + arn + "\" }"})
		e.wantAttributes(t, u, attrs{"RedrivePolicy": `{"deadLetterTargetArn":"` + arn + `","maxReceiveCount":3}`})
	}, nil},
	{10, "B094", "PeriodWithoutKey", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"KmsDataKeyReusePeriodSeconds": "60"})
		if diff := cmp.Diff(standardAttributes, names(e.attributes(t, u, "All"))); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
		if got := e.attributes(t, u, "KmsDataKeyReusePeriodSeconds"); len(got) != 0 {
			t.Errorf("%v", got)
		}
		e.wantAttributes(t, e.create(t, attrs{"KmsDataKeyReusePeriodSeconds": "60", "KmsMasterKeyId": "k"}), attrs{"KmsDataKeyReusePeriodSeconds": "60"})
		e.wantAttributes(t, e.create(t, attrs{"KmsMasterKeyId": "k"}), attrs{"KmsDataKeyReusePeriodSeconds": "300"})
		for _, v := range []string{"59", "86401"} {
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"KmsDataKeyReusePeriodSeconds": v}}).wantStatus(t, 400).wantCode(t, "InvalidAttributeValue")
			e.call(t, "CreateQueue", args{"QueueName": "q", "Attributes": attrs{"KmsDataKeyReusePeriodSeconds": v}}).wantStatus(t, 400).wantCode(t, "InvalidAttributeValue")
		}
	}, nil},
	{10, "B095", "FifoAttributesOfStandardQueues", func(t *testing.T, e *env) {
		for _, tt := range []struct{ name, value, says string }{
			{"FifoQueue", "false", "Unknown Attribute FifoQueue."},
			{"ContentBasedDeduplication", "false", "Unknown Attribute ContentBasedDeduplication."},
			{"DeduplicationScope", "queue", "You can specify the DeduplicationScope only when FifoQueue is set to true."},
			{"FifoThroughputLimit", "perQueue", "You can specify the FifoThroughputLimit only when FifoQueue is set to true."},
		} {
			e.call(t, "CreateQueue", args{"QueueName": "q", "Attributes": attrs{tt.name: tt.value}}).wantStatus(t, 400).wantCode(t, "InvalidAttributeName").
				wantShape(t, sqsShape+"InvalidAttributeName").wantMessage(t, tt.says)
		}
		e.wantAttributes(t, e.createNamed(t, "x.fifo", attrs{"FifoQueue": "True"}), attrs{"FifoQueue": "true"})
	}, nil},
	{10, "B097", "AllOrNothing", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		set := attrs{
			"DelaySeconds": "1", "MaximumMessageSize": "2048", "MessageRetentionPeriod": "70", "ReceiveMessageWaitTimeSeconds": "2", "VisibilityTimeout": "3",
			"Policy": `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"sqs:*","Resource":"*"}]}`,
		}
		e.setAttributes(t, u, set)
		before := e.attributes(t, u, "All")
		for name, value := range set {
			if !sameValue(before[name], value) {
				t.Errorf("%s is %s, want %s", name, before[name], value)
			}
		}
		e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{
			"DelaySeconds": "901", "MaximumMessageSize": "4096", "MessageRetentionPeriod": "90", "ReceiveMessageWaitTimeSeconds": "4", "VisibilityTimeout": "9", "Policy": "",
		}}).wantStatus(t, 400).wantCode(t, "InvalidAttributeValue")
		if diff := cmp.Diff(before, e.attributes(t, u, "All")); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	}, nil},
	{10, "B099", "TheSetOfAll", func(t *testing.T, e *env) {
		if diff := cmp.Diff(standardAttributes, names(e.attributes(t, e.create(t, nil), "All"))); diff != "" {
			t.Errorf("standard (-want +got):\n%s", diff)
		}
		more := attrs{"FifoQueue": "true", "ContentBasedDeduplication": "false", "DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue"}
		u := e.createFIFO(t, nil)
		want := append(names(more), standardAttributes...)
		slices.Sort(want)
		if diff := cmp.Diff(want, names(e.attributes(t, u, "All"))); diff != "" {
			t.Errorf("FIFO (-want +got):\n%s", diff)
		}
		e.wantAttributes(t, u, more)
	}, nil},
	{10, "B100", "FifoQueueOnAnExistingQueue", func(t *testing.T, e *env) {
		set := func(u string, a attrs) *reply {
			t.Helper()
			return e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": a})
		}
		u, fifo := e.create(t, nil), e.createFIFO(t, nil)
		set(u, attrs{"FifoQueue": "true"}).wantStatus(t, 400).wantCode(t, "InvalidAttributeName").wantMessage(t, "Unknown Attribute FifoQueue.")
		set(u, attrs{"FifoQueue": "false"}).wantStatus(t, 400).wantCode(t, "InvalidAttributeName").wantMessage(t, "Unknown Attribute FifoQueue.")
		set(fifo, attrs{"FifoQueue": "false"}).wantStatus(t, 400).wantCode(t, "InvalidAttributeValue").
			wantMessage(t, "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.")
		set(fifo, attrs{"FifoQueue": "true", "VisibilityTimeout": "5"}).wantOK(t)
		e.wantAttributes(t, fifo, attrs{"VisibilityTimeout": "5", "FifoQueue": "true"})
		for _, url := range []string{u, fifo} {
			set(url, attrs{"Bogus": "1"}).wantStatus(t, 400).wantCode(t, "InvalidAttributeName").wantMessage(t, "Unknown Attribute Bogus.")
		}
		if !strings.HasSuffix(e.arn(t, fifo), ".fifo") {
			t.Error("the queue changed its name")
		}
	}, nil},
}
