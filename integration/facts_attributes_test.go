package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// standardAttributes is what All gives for a fresh standard queue.
var standardAttributes = []string{
	"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesDelayed", "ApproximateNumberOfMessagesNotVisible",
	"CreatedTimestamp", "DelaySeconds", "LastModifiedTimestamp", "MaximumMessageSize", "MessageRetentionPeriod",
	"QueueArn", "ReceiveMessageWaitTimeSeconds", "SqsManagedSseEnabled", "VisibilityTimeout",
}

// badValue is the text about a bad value of a queue attribute.
func badValue(name string) string { return "Invalid value for the parameter " + name + "." }

// deniedBoth are the facts that attributes are refused, when a queue is created
// and when they are set. The queue is a FIFO queue if they are to be FIFO's.
func deniedBoth(name string, fifo bool, given attrs, code, text string) []fact {
	created, set := attrs{}, "q"
	queue := "new"
	if fifo {
		created["FifoQueue"], set, queue = "true", "q.fifo", "new.fifo"
	}
	for k, v := range given {
		created[k] = v
	}
	return []fact{
		refused("CreateQueue", name, args{"QueueName": queue, "Attributes": created}, code, text),
		refused("SetQueueAttributes", name, args{"QueueUrl": set, "Attributes": given}, code, text),
	}
}

// keptBoth are the facts that attributes read back as wanted, from a queue
// created with them and from one that they were set on. An empty value wanted
// means that the attribute is not there.
func keptBoth(name string, fifo bool, given, want attrs) []fact {
	if want == nil {
		want = given
	}
	check := func(t *testing.T, e *env, url string) {
		t.Helper()
		known := strings.NewReplacer("%ARN", "arn:aws:sqs:us-east-1:"+e.account+":q")
		all := e.attributes(t, url, "All")
		for k, v := range want {
			if got := all[k]; !sameValue(got, known.Replace(v)) {
				t.Errorf("%s is %q, want %q", k, got, known.Replace(v))
			}
		}
	}
	return []fact{
		{"CreateQueue", name, "", func(t *testing.T, e *env) {
			given := e.world(t, "CreateQueue", args{"a": given})["a"].(attrs)
			queue := "new"
			if fifo {
				queue, given["FifoQueue"] = "new.fifo", "true"
			}
			url := e.createNamed(t, queue, given)
			check(t, e, url)
			if again := e.createNamed(t, queue, given); again != url {
				t.Errorf("created again it is %s, it was %s", again, url)
			}
		}},
		{"SetQueueAttributes", name, "", func(t *testing.T, e *env) {
			given := e.world(t, "SetQueueAttributes", args{"a": given})["a"].(attrs)
			url := "q"
			if fifo {
				url = "q.fifo"
			}
			e.setAttributes(t, url, given)
			check(t, e, url)
		}},
	}
}

// flat joins lists of facts.
func flat(lists ...[]fact) (all []fact) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func TestFactsOfIntegerAttributes(t *testing.T) {
	var facts []fact
	for name, r := range map[string]struct{ least, most, below, above string }{
		"DelaySeconds":                  {"0", "900", "-1", "901"},
		"MaximumMessageSize":            {"1024", "1048576", "1023", "1048577"},
		"MessageRetentionPeriod":        {"60", "1209600", "59", "1209601"},
		"ReceiveMessageWaitTimeSeconds": {"0", "20", "-1", "21"},
		"VisibilityTimeout":             {"0", "43200", "-1", "43201"},
		"KmsDataKeyReusePeriodSeconds":  {"60", "86400", "59", "86401"},
	} {
		given := func(v string) attrs {
			a := attrs{name: v}
			if strings.HasPrefix(name, "Kms") {
				a["KmsMasterKeyId"] = "k"
			}
			return a
		}
		facts = append(facts, flat(
			keptBoth(name+"AtLeast", false, given(r.least), nil), keptBoth(name+"AtMost", false, given(r.most), nil),
			deniedBoth(name+"TooSmall", false, given(r.below), badAttr, badValue(name)), deniedBoth(name+"TooLarge", false, given(r.above), badAttr, badValue(name)),
			deniedBoth(name+"Empty", false, given(""), badAttr, badValue(name)), deniedBoth(name+"InLetters", false, given("abc"), badAttr, badValue(name)),
		)...)
	}
	for name, v := range map[string]string{
		"BlankBefore": " 5", "BlankAfter": "5 ", "Decimal": "5.0", "Exponent": "1e3", "Blank": " ", "BeyondInt64": "92233720368547758070", "Hexadecimal": "0x5", "OtherDigits": "٣",
	} {
		facts = append(facts, deniedBoth("VisibilityTimeout"+name, false, attrs{"VisibilityTimeout": v}, badAttr, badValue("VisibilityTimeout"))...)
	}
	facts = append(facts, keptBoth("LeadingZerosGoAway", false, attrs{"DelaySeconds": "007"}, attrs{"DelaySeconds": "7"})...)
	facts = append(facts, keptBoth("SeveralAtOnce", false, attrs{"VisibilityTimeout": "69", "DelaySeconds": "5", "ReceiveMessageWaitTimeSeconds": "1", "MessageRetentionPeriod": "604800", "MaximumMessageSize": "2048"}, nil)...)
	runFacts(t, facts)
}

func TestFactsOfAttributeNames(t *testing.T) {
	const scopeText = "You can specify the DeduplicationScope only when FifoQueue is set to true."
	const limitText = "You can specify the FifoThroughputLimit only when FifoQueue is set to true."
	var facts []fact
	for name, v := range map[string]string{
		"Bogus": "1", "delayseconds": "1", "QueueArn": "arn:aws:sqs:us-east-1:000000000000:x", "CreatedTimestamp": "1", "LastModifiedTimestamp": "1",
		"ApproximateNumberOfMessages": "0", "ApproximateNumberOfMessagesDelayed": "0", "ApproximateNumberOfMessagesNotVisible": "0",
		"ContentBasedDeduplication": "false",
	} {
		facts = append(facts, deniedBoth("NotToBeSet"+name, false, attrs{name: v}, badName, "Unknown Attribute "+name+".")...)
	}
	all := deniedBoth("NotToBeSetAll", false, attrs{"All": "1"}, badName, anyText)
	runFacts(t, flat(
		facts, all,
		deniedBoth("FIFOQueueFalseOnAStandardName", false, attrs{"FifoQueue": "false"}, badName, "Unknown Attribute FifoQueue."),
		deniedBoth("DeduplicationScopeOnAStandardQueue", false, attrs{"DeduplicationScope": "queue"}, badName, scopeText),
		deniedBoth("FifoThroughputLimitOnAStandardQueue", false, attrs{"FifoThroughputLimit": "perQueue"}, badName, limitText),
	))
}

// fresh is the fact of all that a fresh queue has.
func fresh(name, queue string, want attrs) fact {
	return fact{"GetQueueAttributes", name, "", func(t *testing.T, e *env) {
		e.world(t, "GetQueueAttributes", args{})
		got := e.attributes(t, queue, "All")
		all := attrs{
			"ApproximateNumberOfMessages": "0", "ApproximateNumberOfMessagesDelayed": "0", "ApproximateNumberOfMessagesNotVisible": "0",
			"CreatedTimestamp": "946684800", "LastModifiedTimestamp": "946684800", "QueueArn": "arn:aws:sqs:us-east-1:" + e.account + ":" + queue,
			"DelaySeconds": "0", "MaximumMessageSize": "1048576", "MessageRetentionPeriod": "345600", "ReceiveMessageWaitTimeSeconds": "0",
			"SqsManagedSseEnabled": "true", "VisibilityTimeout": "30",
		}
		for k, v := range want {
			all[k] = v
		}
		if diff := cmp.Diff(all, got); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
	}}
}

func TestFactsOfAttributeDefaults(t *testing.T) {
	runFacts(t, []fact{
		fresh("AllOfAFreshStandardQueue", "q", nil),
		fresh("AllOfAFreshFIFOQueue", "q.fifo", attrs{"FifoQueue": "true", "ContentBasedDeduplication": "false", "DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue"}),
	})
}

func TestFactsOfBooleansAndChoices(t *testing.T) {
	const limit = "FifoThroughputLimit"
	const both = "Invalid value for the parameter FifoThroughputLimit. Reason: To set FifoThroughputLimit to perMessageGroupId, the DeduplicationScope must be messageGroup."
	high := attrs{"DeduplicationScope": "messageGroup", limit: "perMessageGroupId"}
	facts := flat(
		keptBoth("SqsManagedSseEnabledFalse", false, attrs{"SqsManagedSseEnabled": "false"}, nil),
		keptBoth("SqsManagedSseEnabledInCapitals", false, attrs{"SqsManagedSseEnabled": "False"}, attrs{"SqsManagedSseEnabled": "false"}),
		keptBoth("ContentBasedDeduplicationInCapitals", true, attrs{"ContentBasedDeduplication": "True"}, attrs{"ContentBasedDeduplication": "true"}),
		deniedBoth("SqsManagedSseEnabledOther", false, attrs{"SqsManagedSseEnabled": "yes"}, badAttr, badValue("SqsManagedSseEnabled")),
		deniedBoth("SqsManagedSseEnabledEmpty", false, attrs{"SqsManagedSseEnabled": ""}, badAttr, badValue("SqsManagedSseEnabled")),
		deniedBoth("ContentBasedDeduplicationOther", true, attrs{"ContentBasedDeduplication": "maybe"}, badAttr, badValue("ContentBasedDeduplication")),
		deniedBoth("DeduplicationScopeOther", true, attrs{"DeduplicationScope": "group"}, badAttr, badValue("DeduplicationScope")),
		deniedBoth("FifoThroughputLimitOther", true, attrs{limit: "perGroup"}, badAttr, badValue(limit)),
		deniedBoth("LimitPerGroupWithoutTheScope", true, attrs{limit: "perMessageGroupId"}, badAttr, both),
		deniedBoth("LimitPerGroupWithTheScopeQueue", true, attrs{limit: "perMessageGroupId", "DeduplicationScope": "queue"}, badAttr, both),
		keptBoth("HighThroughput", true, high, nil),
		keptBoth("ScopeMessageGroupWithLimitPerQueue", true, attrs{"DeduplicationScope": "messageGroup", limit: "perQueue"}, nil),
	)
	runFacts(t, append(facts, fact{"SetQueueAttributes", "ScopeBackToQueueUnderHighThroughput", "", func(t *testing.T, e *env) {
		url := e.createFIFO(t, high)
		e.call(t, "SetQueueAttributes", args{"QueueUrl": url, "Attributes": attrs{"DeduplicationScope": "queue"}}).wantRefusal(t, e, badAttr, both)
		e.setAttributes(t, url, attrs{"DeduplicationScope": "queue", limit: "perQueue"})
	}}))
}

func TestFactsOfEncryption(t *testing.T) {
	const key, period, sse = "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "SqsManagedSseEnabled"
	// after is the fact of what a change makes of a queue created in some way.
	after := func(name string, first, second, want attrs) fact {
		return fact{"SetQueueAttributes", name, "", func(t *testing.T, e *env) {
			url := e.create(t, first)
			e.setAttributes(t, url, second)
			got := e.attributes(t, url, key, period, sse)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
		}}
	}
	runFacts(t, append(
		flat(
			keptBoth("AKeyTurnsManagedSseOff", false, attrs{key: "testKeyId"}, attrs{key: "testKeyId", period: "300", sse: "false"}),
			keptBoth("AKeyAndItsPeriod", false, attrs{key: "k", period: "6000"}, attrs{key: "k", period: "6000", sse: "false"}),
			keptBoth("AKeyWithManagedSseOff", false, attrs{key: "k", sse: "false"}, nil),
			keptBoth("APeriodWithoutAKeyIsNotShown", false, attrs{period: "60"}, attrs{period: "", sse: "true"}),
			keptBoth("KeyARN", false, attrs{key: "arn:aws:kms:us-east-1:111111111111:key/x"}, nil),
			deniedBoth("AKeyWithManagedSseOn", false, attrs{key: "k", sse: "true"}, badName, "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE."),
		),
		after("TheKeyRemovedLeavesManagedSseOff", attrs{key: "k", period: "6000"}, attrs{key: "", period: "300"}, attrs{sse: "false"}),
		after("ManagedSseOnRemovesTheKey", attrs{key: "k"}, attrs{sse: "true"}, attrs{sse: "true"}),
		after("APeriodGivenBeforeItsKey", attrs{period: "60"}, attrs{key: "k"}, attrs{key: "k", period: "60", sse: "false"}),
		after("ManagedSseOn", attrs{sse: "false"}, attrs{sse: "true"}, attrs{sse: "true"}),
	))
}

// What changes of attributes do to messages.
func TestFactsOfChangedAttributes(t *testing.T) {
	const action = "SetQueueAttributes"
	runFacts(t, []fact{
		{action, "DelaySecondsIsForNewMessages", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"DelaySeconds": "10"})
			e.send(t, url, "old")
			e.setAttributes(t, url, attrs{"DelaySeconds": "0"})
			e.send(t, url, "new")
			start := time.Now()
			wantBodies(t, e.receive(t, url), "new")
			wantBodies(t, e.receive(t, url, waitFor(20)), "old")
			e.took(t, start, 10*time.Second)
		}},
		{action, "FIFODelaySecondsIsForMessagesThatWaitToo", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"DelaySeconds": "10"})
			e.put(t, url, "g-1")
			e.setAttributes(t, url, attrs{"DelaySeconds": "0"})
			wantBodies(t, e.receive(t, url), "g-1")
		}},
		{action, "VisibilityTimeoutIsForLaterReceives", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "5"})
			e.send(t, url, "b")
			e.receiveOne(t, url)
			e.setAttributes(t, url, attrs{"VisibilityTimeout": "50"})
			start := time.Now()
			e.receiveOne(t, url, waitFor(20))
			e.took(t, start, 5*time.Second)
			time.Sleep(49 * time.Second)
			e.wantNothing(t, url)
		}},
		{action, "MessageRetentionPeriodIsForStoredMessagesToo", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			time.Sleep(61 * time.Second)
			e.setAttributes(t, url, attrs{"MessageRetentionPeriod": "60"})
			e.wantNothing(t, url)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{action, "MaximumMessageSizeIsForLaterSends", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			body := strings.Repeat("x", 2000)
			e.send(t, url, body)
			e.setAttributes(t, url, attrs{"MaximumMessageSize": "1024"})
			e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": body}).wantRefusal(t, e, badParam, "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.")
			wantBodies(t, e.receive(t, url), body)
		}},
	})
}
