package compat_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/engine/storetest"
	"queues/protocol"
)

const ownARN = "arn:aws:sqs:us-east-1:000000000000:q"

// fresh is what a queue named q shows that was created without attributes.
func fresh() map[string]string {
	created := strconv.FormatInt(storetest.Epoch.Unix(), 10)
	return pairs(
		"ApproximateNumberOfMessages", "0",
		"ApproximateNumberOfMessagesDelayed", "0",
		"ApproximateNumberOfMessagesNotVisible", "0",
		"CreatedTimestamp", created,
		"DelaySeconds", "0",
		"LastModifiedTimestamp", created,
		"MaximumMessageSize", "1048576",
		"MessageRetentionPeriod", "345600",
		"QueueArn", ownARN,
		"ReceiveMessageWaitTimeSeconds", "0",
		"SqsManagedSseEnabled", "true",
		"VisibilityTimeout", "30",
	)
}

// with is a copy of m with further values; an empty one removes.
func with(m map[string]string, more ...string) map[string]string {
	for name, value := range pairs(more...) {
		m[name] = value
		if value == "" {
			delete(m, name)
		}
	}
	return m
}

func TestGetQueueAttributes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		names []string
		want  map[string]string
	}{
		"NoNames":      {nil, nil},
		"EmptyList":    {[]string{}, nil},
		"All":          {[]string{"All"}, fresh()},
		"AllAndOne":    {[]string{"DelaySeconds", "All"}, fresh()},
		"Named":        {[]string{"QueueArn", "VisibilityTimeout", "QueueArn"}, pairs("QueueArn", ownARN, "VisibilityTimeout", "30")},
		"Count":        {[]string{"ApproximateNumberOfMessages"}, pairs("ApproximateNumberOfMessages", "0")},
		"WithoutValue": {[]string{"Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds"}, nil},
		"OnlyOnFIFO":   {[]string{"FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"}, nil},
	}
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			e := *e
			e.t = t
			got := e.attributes(url, test.names...)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unlike the attributes wanted (-want +got):\n%s", diff)
			}
		})
	}
	for name, names := range map[string][]string{"Foobar": {"Foobar"}, "": {""}, "all": {"All", "all"}, "queuearn": {"queuearn", "All"}} {
		e.refused(protocol.GetQueueAttributes, &protocol.GetQueueAttributesInput{QueueURL: url, AttributeNames: names}, badAttrName, "Unknown Attribute "+name+".")
	}
}

func TestGetQueueAttributesCounts(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for _, body := range []string{"a", "b", "c"} {
		e.send(url, body)
	}
	e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url})
	e.run(protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("d"), DelaySeconds: new(int32(5))})
	e.wantCounts(url, "2 1 1")
}

// attributeCase is one value of one attribute, and what becomes of it both on
// creation and on a change.
type attributeCase struct {
	name, value string
	want        string // what reads back; empty for nothing
	code, text  string
}

func integerCases() map[string]attributeCase {
	cases := map[string]attributeCase{}
	for name, limits := range map[string][2]int{
		"DelaySeconds":                  {0, 900},
		"MaximumMessageSize":            {1024, 1048576},
		"MessageRetentionPeriod":        {60, 1209600},
		"ReceiveMessageWaitTimeSeconds": {0, 20},
		"VisibilityTimeout":             {0, 43200},
	} {
		text := "Invalid value for the parameter " + name + "."
		least, most := strconv.Itoa(limits[0]), strconv.Itoa(limits[1])
		cases[name+"Least"] = attributeCase{name: name, value: least, want: least}
		cases[name+"Most"] = attributeCase{name: name, value: most, want: most}
		cases[name+"LeadingZeros"] = attributeCase{name: name, value: "000" + most, want: most}
		for what, value := range map[string]string{
			"TooSmall": strconv.Itoa(limits[0] - 1), "TooLarge": strconv.Itoa(limits[1] + 1), "Empty": "", "Blank": " ", "BlankFirst": " " + most,
			"Letters": "abc", "Decimals": most + ".0", "Sign": "+" + most, "Exponent": "1e3", "Hex": "0x10", "Null": "null",
			"Overflow": "9223372036854775807", "Wrap": "18446744073709551616", "Arabic": "٣", "Absurd": strings.Repeat("9", 100_000),
		} {
			cases[name+what] = attributeCase{name: name, value: value, code: badAttrValue, text: text}
		}
	}
	return cases
}

// runAttributeCases sets each value on a new queue and on an old one.
func runAttributeCases(t *testing.T, cases map[string]attributeCase) {
	t.Helper()
	for name, test := range cases {
		t.Run("Create"+name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			e.create("dlq")
			in := &protocol.CreateQueueInput{QueueName: new("q"), Attributes: pairs(test.name, test.value)}
			if test.code != "" {
				e.refused(protocol.CreateQueue, in, test.code, test.text)
				e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: new("q")}, noQueue, "")
				return
			}
			url := do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, in).QueueURL
			if got := e.attributes(url, test.name)[test.name]; got != test.want {
				t.Errorf("%s reads back as %q, want %q", test.name, got, test.want)
			}
		})
		t.Run("Set"+name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			e.create("dlq")
			url := e.create("q")
			before := e.attributes(url, "All")
			e.clock.Advance(5 * time.Second)
			in := &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs(test.name, test.value)}
			if test.code != "" {
				e.refused(protocol.SetQueueAttributes, in, test.code, test.text)
				if diff := cmp.Diff(before, e.attributes(url, "All")); diff != "" {
					t.Errorf("the queue changed (-before +after):\n%s", diff)
				}
				return
			}
			if out := e.run(protocol.SetQueueAttributes, in).Output; out != nil {
				t.Errorf("the output is %v, want none", out)
			}
			if got := e.attributes(url, test.name)[test.name]; got != test.want {
				t.Errorf("%s reads back as %q, want %q", test.name, got, test.want)
			}
			modified := strconv.FormatInt(storetest.Epoch.Add(5*time.Second).Unix(), 10)
			if got := e.attributes(url, "LastModifiedTimestamp")["LastModifiedTimestamp"]; got != modified {
				t.Errorf("LastModifiedTimestamp is %s, want %s", got, modified)
			}
		})
	}
}

func TestIntegerAttributes(t *testing.T) {
	t.Parallel()
	runAttributeCases(t, integerCases())
}

func TestNamesOfAttributes(t *testing.T) {
	t.Parallel()
	cases := map[string]attributeCase{}
	for name, value := range map[string]string{
		"Bogus": "1", "": "1", "All": "1", "delayseconds": "1", "QueueArn": ownARN, "CreatedTimestamp": "1", "LastModifiedTimestamp": "1",
		"ApproximateNumberOfMessages": "1", "ApproximateNumberOfMessagesDelayed": "1", "ApproximateNumberOfMessagesNotVisible": "1",
		"FifoQueue": "false", "ContentBasedDeduplication": "false", "SenderId": "1",
	} {
		cases["Refuse"+name] = attributeCase{name: name, value: value, code: badAttrName, text: "Unknown Attribute " + name + "."}
	}
	for name, value := range map[string]string{"DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue"} {
		cases["Refuse"+name] = attributeCase{name: name, value: value, code: badAttrName, text: "You can specify the " + name + " only when FifoQueue is set to true."}
	}
	runAttributeCases(t, cases)
}

func TestSetQueueAttributes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for _, given := range []map[string]string{nil, {}} {
		e.refused(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: given}, missingMember, "The request must contain the parameter Attribute.Name.")
	}
	e.refused(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("FifoQueue", "true")}, badAttrName, "Unknown Attribute FifoQueue.")

	values := []string{"DelaySeconds", "5", "MaximumMessageSize", "2048", "MessageRetentionPeriod", "604800", "ReceiveMessageWaitTimeSeconds", "1", "VisibilityTimeout", "69"}
	policy := []string{"Policy", goodPolicy}
	bad := pairs(append(append([]string{}, values...), "VisibilityTimeout", "43201")...)
	e.refused(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: bad}, badAttrValue, "Invalid value for the parameter VisibilityTimeout.")
	if diff := cmp.Diff(fresh(), e.attributes(url, "All")); diff != "" {
		t.Errorf("a refused change changed something (-want +got):\n%s", diff)
	}
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs(append(values, policy...)...)})
	if diff := cmp.Diff(with(with(fresh(), values...), policy...), e.attributes(url, "All")); diff != "" {
		t.Errorf("unlike the attributes wanted (-want +got):\n%s", diff)
	}
	// A name that cannot be is told before a value that cannot be.
	both := pairs("DelaySeconds", "-1", "Zzz", "1")
	e.refused(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: both}, badAttrName, "Unknown Attribute Zzz.")
}

// On a standard queue a new delay is for new messages only; a new retention is
// for all.
func TestSetQueueAttributesOnMessages(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q", "DelaySeconds", "10")
	e.send(url, "m")
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("DelaySeconds", "0")})
	e.wantCounts(url, "0 0 1")
	e.clock.Advance(10 * time.Second)
	e.wantCounts(url, "1 0 0")
	e.clock.Advance(60 * time.Second)
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("MessageRetentionPeriod", "60")})
	e.wantCounts(url, "0 0 0")
}

func TestEncryptionAttributes(t *testing.T) {
	t.Parallel()
	const sse, key, period = "SqsManagedSseEnabled", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds"
	names := []string{sse, key, period}
	tests := map[string]struct {
		create []string
		set    [][]string
		want   map[string]string
	}{
		"Fresh":                {nil, nil, pairs(sse, "true")},
		"Off":                  {[]string{sse, "False"}, nil, pairs(sse, "false")},
		"OffAndOn":             {[]string{sse, "false"}, [][]string{{sse, "True"}}, pairs(sse, "true")},
		"Key":                  {[]string{key, "testKeyId"}, nil, pairs(sse, "false", key, "testKeyId", period, "300")},
		"KeyAndPeriod":         {nil, [][]string{{key, "testKeyId", period, "6000"}}, pairs(sse, "false", key, "testKeyId", period, "6000")},
		"KeyAndOff":            {[]string{key, "k", sse, "false"}, nil, pairs(sse, "false", key, "k", period, "300")},
		"PeriodAlone":          {[]string{period, "60"}, nil, pairs(sse, "true")},
		"PeriodThenKey":        {[]string{period, "60"}, [][]string{{key, "k"}}, pairs(sse, "false", key, "k", period, "60")},
		"KeyRemoved":           {[]string{key, "k", period, "60"}, [][]string{{key, "", period, "300"}}, pairs(sse, "false")},
		"ManagedAfterKey":      {[]string{key, "k"}, [][]string{{sse, "true"}}, pairs(sse, "true")},
		"ManagedWithEmptyKey":  {[]string{key, "k"}, [][]string{{key, "", sse, "true"}}, pairs(sse, "true")},
		"KeyAfterManaged":      {[]string{sse, "true"}, [][]string{{key, "k"}}, pairs(sse, "false", key, "k", period, "300")},
		"EmptyKeyWhenNoneIs":   {nil, [][]string{{key, ""}}, pairs(sse, "true")},
		"LongestPeriod":        {[]string{key, "k", period, "86400"}, nil, pairs(sse, "false", key, "k", period, "86400")},
		"KeyChangedKeepPeriod": {[]string{key, "k", period, "70"}, [][]string{{key, "arn:aws:kms:us-east-1:0:key/x"}}, pairs(sse, "false", key, "arn:aws:kms:us-east-1:0:key/x", period, "70")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.create("q", test.create...)
			for _, set := range test.set {
				e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs(set...)})
			}
			if diff := cmp.Diff(test.want, e.attributes(url, names...)); diff != "" {
				t.Errorf("asked for by name (-want +got):\n%s", diff)
			}
			all := e.attributes(url, "All")
			for _, name := range names {
				if all[name] != test.want[name] {
					t.Errorf("All has %s %q, want %q", name, all[name], test.want[name])
				}
			}
		})
	}
	runAttributeCases(t, map[string]attributeCase{
		"SseYes":      {name: sse, value: "yes", code: badAttrValue, text: "Invalid value for the parameter SqsManagedSseEnabled."},
		"SseEmpty":    {name: sse, value: "", code: badAttrValue, text: "Invalid value for the parameter SqsManagedSseEnabled."},
		"SseCapitals": {name: sse, value: "TRUE", code: badAttrValue, text: "Invalid value for the parameter SqsManagedSseEnabled."},
		"PeriodShort": {name: period, value: "59", code: badAttrValue, text: "Invalid value for the parameter KmsDataKeyReusePeriodSeconds."},
		"PeriodLong":  {name: period, value: "86401", code: badAttrValue, text: "Invalid value for the parameter KmsDataKeyReusePeriodSeconds."},
		"KeyTooLong":  {name: key, value: strings.Repeat("k", 2049), code: badAttrValue, text: "Invalid value for the parameter KmsMasterKeyId."},
		"KeyControl":  {name: key, value: "k\x01", code: badAttrValue, text: "Invalid value for the parameter KmsMasterKeyId."},
	})
	const text = "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE."
	e := newEnv(t, compat.Options{})
	both := pairs(key, "k", sse, "true")
	e.refused(protocol.CreateQueue, &protocol.CreateQueueInput{QueueName: new("q"), Attributes: both}, badAttrName, text)
	url := e.create("q")
	e.refused(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: both}, badAttrName, text)
	if diff := cmp.Diff(pairs(sse, "true"), e.attributes(url, names...)); diff != "" {
		t.Errorf("a refused change changed something (-want +got):\n%s", diff)
	}
}
