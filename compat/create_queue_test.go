package compat_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

const (
	badValue      = "InvalidParameterValue"
	badAttrName   = "InvalidAttributeName"
	badAttrValue  = "InvalidAttributeValue"
	missingMember = "MissingParameter"
	textName      = "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"
	textFIFOName  = "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
)

func TestCreateQueueNames(t *testing.T) {
	t.Parallel()
	fifo := pairs("FifoQueue", "true")
	tests := map[string]struct {
		name       *string
		attributes map[string]string
		code, text string
	}{
		"OneCharacter":     {new("q"), nil, "", ""},
		"EightyCharacters": {new(strings.Repeat("a", 80)), nil, "", ""},
		"WholeAlphabet":    {new("azAZ09-_"), nil, "", ""},
		"TwelveDigits":     {new("123456789012"), nil, "", ""},
		"Absent":           {nil, nil, badValue, "Value for parameter QueueName is invalid. Reason: Must specify a queue name."},
		"Empty":            {new(""), nil, badValue, "Queue name cannot be empty"},
		"TooLong":          {new(strings.Repeat("a", 81)), nil, badValue, textName},
		"Blank":            {new("a b"), nil, badValue, textName},
		"Slash":            {new("a/b"), nil, badValue, textName},
		"Dot":              {new("a.b"), nil, badValue, textName},
		"Umlaut":           {new("ä"), nil, badValue, textName},
		"LineFeed":         {new("a\n"), nil, badValue, textName},
		"FIFOUndeclared":   {new("x.fifo"), nil, badValue, textName},
		"FIFODeniedOnFIFO": {new("x.fifo"), pairs("FifoQueue", "false"), badValue, textName},
		"FIFOPlainName":    {new("x"), fifo, badValue, textFIFOName},
		"FIFOTooLong":      {new(strings.Repeat("a", 76) + ".fifo"), fifo, badValue, textFIFOName},
		"FIFOOnlySuffix":   {new(".fifo"), fifo, badValue, textFIFOName},
		"FIFOBadName":      {new("a b.fifo"), fifo, badValue, textFIFOName},
		"FIFOLongest":      {new(strings.Repeat("a", 75) + ".fifo"), fifo, "", ""},
		"FIFOCapital":      {new("x.fifo"), pairs("FifoQueue", "True"), "", ""},
		"NameFirst":        {new("a b"), pairs("Bogus", "1"), badValue, textName},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			in := &protocol.CreateQueueInput{QueueName: test.name, Attributes: test.attributes}
			if test.code == "" {
				want := "http://localhost:9324/000000000000/" + *test.name
				if got := do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, in); *got.QueueURL != want {
					t.Errorf("the URL is %q, want %q", *got.QueueURL, want)
				}
				return
			}
			e.refused(protocol.CreateQueue, in, test.code, test.text)
			if got := do[*protocol.ListQueuesOutput](e, protocol.ListQueues, &protocol.ListQueuesInput{}); len(got.QueueURLs) != 0 {
				t.Errorf("queues were made: %v", got.QueueURLs)
			}
		})
	}
}

func TestCreateQueueAgain(t *testing.T) {
	t.Parallel()
	const exists = "QueueAlreadyExists"
	differs := func(name string) string {
		return "A queue already exists with the same name and a different value for attribute " + name
	}
	target := "arn:aws:sqs:us-east-1:000000000000:dlq"
	tests := map[string]struct {
		first, set, again []string
		code, text        string
	}{
		"Plain":                  {[]string{"DelaySeconds", "5"}, nil, nil, "", ""},
		"Same":                   {[]string{"DelaySeconds", "5"}, nil, []string{"DelaySeconds", "5"}, "", ""},
		"Subset":                 {[]string{"DelaySeconds", "5", "VisibilityTimeout", "7"}, nil, []string{"VisibilityTimeout", "7"}, "", ""},
		"DefaultGiven":           {[]string{"DelaySeconds", "5"}, nil, []string{"VisibilityTimeout", "30", "MaximumMessageSize", "1048576", "SqsManagedSseEnabled", "True"}, "", ""},
		"LeadingZeros":           {[]string{"DelaySeconds", "5"}, nil, []string{"DelaySeconds", "005"}, "", ""},
		"UnsetGivenEmpty":        {nil, nil, []string{"Policy", "", "RedrivePolicy", "", "KmsMasterKeyId", ""}, "", ""},
		"SameRedriveOtherForm":   {[]string{"RedrivePolicy", redrive(target, "3")}, nil, []string{"RedrivePolicy", ` { "maxReceiveCount" : "3" , "deadLetterTargetArn":"` + target + `"}`}, "", ""},
		"SamePolicyOtherOrder":   {[]string{"Policy", goodPolicy}, nil, []string{"Policy", goodPolicyReordered}, "", ""},
		"KeyPeriodWithoutKey":    {[]string{"KmsMasterKeyId", "k"}, nil, []string{"KmsDataKeyReusePeriodSeconds", "300"}, "", ""},
		"Differs":                {[]string{"DelaySeconds", "5"}, nil, []string{"DelaySeconds", "6"}, exists, differs("DelaySeconds")},
		"DiffersFromDefault":     {nil, nil, []string{"VisibilityTimeout", "31"}, exists, differs("VisibilityTimeout")},
		"SeveralDiffer":          {nil, nil, []string{"VisibilityTimeout", "31", "DelaySeconds", "1"}, exists, differs("DelaySeconds")},
		"ChangedSince":           {[]string{"DelaySeconds", "5"}, []string{"DelaySeconds", "6"}, []string{"DelaySeconds", "5"}, exists, differs("DelaySeconds")},
		"ChangedSinceCurrent":    {[]string{"DelaySeconds", "5"}, []string{"DelaySeconds", "6"}, []string{"DelaySeconds", "6"}, "", ""},
		"RedriveDiffers":         {[]string{"RedrivePolicy", redrive(target, "3")}, nil, []string{"RedrivePolicy", redrive(target, "4")}, exists, differs("RedrivePolicy")},
		"RedriveRemoved":         {[]string{"RedrivePolicy", redrive(target, "3")}, nil, []string{"RedrivePolicy", ""}, exists, differs("RedrivePolicy")},
		"OtherEncryption":        {[]string{"KmsMasterKeyId", "k"}, nil, []string{"SqsManagedSseEnabled", "true"}, exists, differs("SqsManagedSseEnabled")},
		"BadValueBeforeExisting": {[]string{"DelaySeconds", "5"}, nil, []string{"DelaySeconds", "901"}, badAttrValue, "Invalid value for the parameter DelaySeconds."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			e.create("dlq")
			url := e.create("q", test.first...)
			if test.set != nil {
				e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs(test.set...)})
			}
			before := e.attributes(url, "All")
			e.clock.Advance(5 * time.Second)
			in := &protocol.CreateQueueInput{QueueName: new("q"), Attributes: pairs(test.again...)}
			if test.code != "" {
				e.refused(protocol.CreateQueue, in, test.code, test.text)
			} else if got := do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, in); *got.QueueURL != *url {
				t.Errorf("the URL is %q, want %q", *got.QueueURL, *url)
			}
			if diff := cmp.Diff(before, e.attributes(url, "All")); diff != "" {
				t.Errorf("the queue changed (-before +after):\n%s", diff)
			}
		})
	}
}

// Creating a queue that is there leaves its messages, its handles and its tags
// alone, whatever the tags given.
func TestCreateQueueKeepsContents(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	in := &protocol.CreateQueueInput{QueueName: new("q"), Tags: pairs("a", "1")}
	url := do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, in).QueueURL
	e.send(url, "held")
	held := e.one(url)
	e.send(url, "waiting")
	e.run(protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("later"), DelaySeconds: new(int32(9))})
	in.Tags = pairs("a", "2")
	e.run(protocol.CreateQueue, in)
	e.wantCounts(url, "1 1 1")
	tags := do[*protocol.ListQueueTagsOutput](e, protocol.ListQueueTags, &protocol.ListQueueTagsInput{QueueURL: url}).Tags
	if diff := cmp.Diff(pairs("a", "1"), tags); diff != "" {
		t.Errorf("the tags changed (-want +got):\n%s", diff)
	}
	e.run(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: held.ReceiptHandle})
	e.wantCounts(url, "1 0 1")
}

// A name is free again at once, or a minute after the deletion where AWS's rule
// is on. What gets it is another queue.
func TestCreateQueueAfterDeletion(t *testing.T) {
	t.Parallel()
	for name, cooldown := range map[string]time.Duration{"Free": 0, "Blocked": time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{NameCooldown: cooldown})
			url := e.create("q", "DelaySeconds", "0", "VisibilityTimeout", "7")
			e.run(protocol.TagQueue, &protocol.TagQueueInput{QueueURL: url, Tags: pairs("a", "1")})
			e.send(url, "old")
			old := e.one(url)
			e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: url})
			e.refused(protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b")}, noQueue, noQueueText)
			in := &protocol.CreateQueueInput{QueueName: new("q")}
			if cooldown > 0 {
				const text = "You must wait 60 seconds after deleting a queue before you can create another with the same name."
				e.clock.Advance(cooldown - time.Millisecond)
				e.refused(protocol.CreateQueue, in, "AWS.SimpleQueueService.QueueDeletedRecently", text)
				e.clock.Advance(time.Millisecond)
			}
			e.run(protocol.CreateQueue, in)
			e.wantCounts(url, "0 0 0")
			if got := e.attributes(url, "VisibilityTimeout")["VisibilityTimeout"]; got != "30" {
				t.Errorf("the new queue's VisibilityTimeout is %s, want 30", got)
			}
			if got := do[*protocol.ListQueueTagsOutput](e, protocol.ListQueueTags, &protocol.ListQueueTagsInput{QueueURL: url}).Tags; len(got) != 0 {
				t.Errorf("the new queue has tags: %v", got)
			}
			e.refused(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: old.ReceiptHandle}, "ReceiptHandleIsInvalid", "")
		})
	}
}

func TestGetQueueURL(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	const text = "Value for parameter QueueName is invalid. Reason: Must specify a queue name."
	e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{}, badValue, text)
	e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: new("")}, badValue, text)
	for _, name := range []string{"none", "a b", "a/b", "a.b", strings.Repeat("a", 1<<20), "\x00"} {
		e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: &name}, noQueue, noQueueText)
	}
	e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: new("q"), QueueOwnerAWSAccountID: new("owner")}, noQueue, noQueueText)
	for _, owner := range []*string{nil, new(""), new("000000000000")} {
		in := &protocol.GetQueueURLInput{QueueName: new("q"), QueueOwnerAWSAccountID: owner}
		if got := do[*protocol.GetQueueURLOutput](e, protocol.GetQueueURL, in); *got.QueueURL != *url {
			t.Errorf("the URL is %q, want %q", *got.QueueURL, *url)
		}
	}
	e.caller.BaseURL = "http://mq.internal:18080"
	if got := do[*protocol.GetQueueURLOutput](e, protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: new("q")}); *got.QueueURL != "http://mq.internal:18080/000000000000/q" {
		t.Errorf("the URL under another host is %q", *got.QueueURL)
	}
}
