package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

const (
	badQueueName     = "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"
	badFIFOName      = "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
	noQueueName      = "Value for parameter QueueName is invalid. Reason: Must specify a queue name."
	otherValue       = "A queue already exists with the same name and a different value for attribute "
	deletedRecently  = "You must wait 60 seconds after deleting a queue before you can create another with the same name."
	alreadyThere     = "QueueAlreadyExists"
	noEmptyQueueName = "Queue name cannot be empty"
)

func TestFactsOfQueueNames(t *testing.T) {
	const action = "CreateQueue"
	long, fifo := strings.Repeat("n", 80), attrs{"FifoQueue": "true"}
	named := func(name string, a attrs) args {
		in := args{"QueueName": name}
		if a != nil {
			in["Attributes"] = a
		}
		return in
	}
	runFacts(t, []fact{
		accepted(action, "AllLegalCharacters", named("az_AZ-09", nil)),
		accepted(action, "OneCharacter", named("a", nil)),
		accepted(action, "EightyCharacters", named(long, nil)),
		accepted(action, "FIFOEightyWithTheSuffix", named(long[:75]+".fifo", fifo)),
		refused(action, "EightyOneCharacters", named(long+"n", nil), badParam, badQueueName),
		refused(action, "ABlankInTheName", named("a b", nil), badParam, badQueueName),
		refused(action, "ASlashInTheName", named("a/b", nil), badParam, badQueueName),
		refused(action, "ADotInTheName", named("a.b", nil), badParam, badQueueName),
		refused(action, "AnExclamationMarkInTheName", named("a!", nil), badParam, badQueueName),
		refused(action, "AnAccentedLetter", named("é", nil), badParam, badQueueName),
		refused(action, "AnEmptyName", named("", nil), badParam, noEmptyQueueName),
		refused(action, "WithoutAName", args{}, badParam, noQueueName),
		refused(action, "FIFONameWithoutTheAttribute", named("x.fifo", nil), badParam, badQueueName),
		refused(action, "FIFOAttributeWithoutTheName", named("x", fifo), badParam, badFIFOName),
		refused(action, "FIFOEightyOneWithTheSuffix", named(long[:76]+".fifo", fifo), badParam, badFIFOName),
		refused(action, "FIFOOnlyTheSuffix", named(".fifo", fifo), badParam, badFIFOName),
		refused(action, "FIFOTwoDots", named("a.b.fifo", fifo), badParam, badFIFOName),
		{action, "NamesAreCaseSensitive", "", func(t *testing.T, e *env) {
			lower, upper := e.createNamed(t, "orders", attrs{"DelaySeconds": "1"}), e.createNamed(t, "Orders", attrs{"DelaySeconds": "2"})
			if lower == upper {
				t.Errorf("both are %s", lower)
			}
			e.call(t, "SendMessage", args{"QueueUrl": strings.Replace(lower, "orders", "ORDERS", 1), "MessageBody": "b"}).wantRefusal(t, e, noQueue, "")
		}},
	})
}

func TestFactsOfCreateQueue(t *testing.T) {
	const action = "CreateQueue"
	// again is the fact about creating a queue of some attributes once more.
	again := func(name string, first, second attrs, differs ...string) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			url := e.createNamed(t, "again", first)
			in := args{"QueueName": "again"}
			if second != nil {
				in["Attributes"] = second
			}
			r := e.call(t, action, in)
			if differs == nil {
				r.wantOK(t).wantAnswer(t, e, action, `{"QueueUrl":"`+url+`"}`, "<CreateQueueResult><QueueUrl>"+url+"</QueueUrl></CreateQueueResult>")
				return
			}
			r.wantRefusal(t, e, alreadyThere, anyText)
			for _, name := range differs {
				if r.Message == otherValue+name {
					return
				}
			}
			t.Errorf("the text is %q, want one that names %v", r.Message, differs)
		}}
	}
	facts := []fact{
		again("AgainWithoutAttributes", attrs{"DelaySeconds": "5"}, nil),
		again("AgainWithASubset", attrs{"DelaySeconds": "5", "VisibilityTimeout": "31"}, attrs{"DelaySeconds": "5"}),
		again("AgainWithTheSame", attrs{"DelaySeconds": "5"}, attrs{"DelaySeconds": "5"}),
		again("AgainWithTheDefaults", nil, attrs{"DelaySeconds": "0", "VisibilityTimeout": "30", "MaximumMessageSize": "1048576", "MessageRetentionPeriod": "345600", "ReceiveMessageWaitTimeSeconds": "0", "SqsManagedSseEnabled": "true"}),
		again("AgainWithAnotherValue", attrs{"DelaySeconds": "5"}, attrs{"DelaySeconds": "6"}, "DelaySeconds"),
		again("AgainWithTheDefaultInPlaceOfAValue", attrs{"DelaySeconds": "5"}, attrs{"DelaySeconds": "0"}, "DelaySeconds"),
		again("AgainWithAValueInPlaceOfTheDefault", nil, attrs{"VisibilityTimeout": "31"}, "VisibilityTimeout"),
		again("AgainWithOneOfTwoDifferent", attrs{"DelaySeconds": "5"}, attrs{"DelaySeconds": "5", "VisibilityTimeout": "31"}, "VisibilityTimeout"),
		again("AgainWithTwoDifferent", attrs{"DelaySeconds": "5"}, attrs{"DelaySeconds": "6", "VisibilityTimeout": "31"}, "DelaySeconds", "VisibilityTimeout"),
		again("AgainWithBooleansInCapitals", attrs{"SqsManagedSseEnabled": "False"}, attrs{"SqsManagedSseEnabled": "false"}),
		{action, "AgainComparesWithTheValuesInForce", "", func(t *testing.T, e *env) {
			url := e.createNamed(t, "again", attrs{"VisibilityTimeout": "40"})
			e.setAttributes(t, url, attrs{"VisibilityTimeout": "41"})
			e.createNamed(t, "again", attrs{"VisibilityTimeout": "41"})
			e.call(t, action, args{"QueueName": "again", "Attributes": attrs{"VisibilityTimeout": "40"}}).wantRefusal(t, e, alreadyThere, otherValue+"VisibilityTimeout")
		}},
		{action, "AgainOfAFIFOQueue", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			in := args{"QueueName": "q.fifo", "Attributes": attrs{"FifoQueue": "true"}}
			e.call(t, action, in).wantOK(t)
			in["Attributes"] = attrs{"FifoQueue": "true", "ContentBasedDeduplication": "true"}
			e.call(t, action, in).wantRefusal(t, e, alreadyThere, otherValue+"ContentBasedDeduplication")
		}},
		{action, "AgainTouchesNoMessage", "", func(t *testing.T, e *env) {
			url := e.createNamed(t, "again", nil)
			e.sendBatch(t, url, "0", "1", "2", "3", "4")
			e.send(t, url, "later", delayed(600))
			held := e.receive(t, url, upTo(2))
			e.createNamed(t, "again", nil)
			e.wantCounts(t, url, counts{"3", "2", "1"})
			e.delete(t, url, held[0])
			e.wantCounts(t, url, counts{"3", "1", "1"})
		}},
		{action, "AgainWithOtherTagsKeepsTheTags", "", func(t *testing.T, e *env) {
			e.call(t, action, args{"QueueName": "again", "tags": attrs{"k": "v"}}).wantOK(t)
			e.call(t, action, args{"QueueName": "again", "tags": attrs{"k": "w", "l": "m"}}).wantOK(t)
			e.wantTags(t, "again", attrs{"k": "v"})
		}},
		{action, "ADeletedNameRestsForAMinute", "", func(t *testing.T, e *env) {
			url := e.createNamed(t, "rests", nil)
			e.deleteQueue(t, url)
			time.Sleep(59 * time.Second)
			e.call(t, action, args{"QueueName": "rests"}).wantRefusal(t, e, batchPrefix+"QueueDeletedRecently", deletedRecently)
			e.createNamed(t, "other", nil)
			time.Sleep(time.Second)
			e.createNamed(t, "rests", nil)
		}},
		{action, "ARecreatedQueueIsNew", "", recreated},
		{action, "TheURLEndsWithTheName", "", func(t *testing.T, e *env) {
			if got, want := e.createNamed(t, "q", nil), e.url+"/"+e.account+"/q"; got != want {
				t.Errorf("the URL is %s, want %s", got, want)
			}
		}},
		{action, "TagsInLowerCase", "", func(t *testing.T, e *env) {
			e.call(t, action, args{"QueueName": "tagged", "tags": attrs{"k1": "v1", "k2": ""}}).wantOK(t)
			e.wantTags(t, "tagged", attrs{"k1": "v1", "k2": ""})
		}},
		// Programs write this spelling too.
		{action, "TagsInUpperCase", "", func(t *testing.T, e *env) {
			e.call(t, action, args{"QueueName": "tagged", "Tags": attrs{"k1": "v1", "k2": ""}}).wantOK(t)
			e.wantTags(t, "tagged", attrs{"k1": "v1", "k2": ""})
		}},
		refused(action, "BadTags", args{"QueueName": "tagged", "tags": attrs{"aws:k": "v"}}, badParam, anyText),
	}
	for i, given := range []string{"True", "true"} {
		facts = append(facts, fact{action, fmt.Sprint("ABooleanInSpelling", i+1), "", func(t *testing.T, e *env) {
			url := e.createNamed(t, "b.fifo", attrs{"FifoQueue": given, "ContentBasedDeduplication": given})
			if a := e.attributes(t, url, "All"); a["FifoQueue"] != "true" || a["ContentBasedDeduplication"] != "true" {
				t.Errorf("attributes are %v", a)
			}
		}})
	}
	runFacts(t, facts)
}

// recreated shows that nothing of a deleted queue is in the next of its name.
func recreated(t *testing.T, e *env) {
	url := e.createNamed(t, "old", attrs{"VisibilityTimeout": "600", "ReceiveMessageWaitTimeSeconds": "1"})
	e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{"k": "v"}}).wantOK(t)
	e.sendBatch(t, url, "1", "2", "3")
	old := e.receiveOne(t, url, upTo(1))
	e.deleteQueue(t, url)
	time.Sleep(61 * time.Second)
	if again := e.createNamed(t, "old", nil); again != url {
		t.Errorf("the URL is %s, it was %s", again, url)
	}
	e.wantTags(t, url, nil)
	e.wantCounts(t, url, counts{"0", "0", "0"})
	if got := e.attributes(t, url, "All"); got["VisibilityTimeout"] != "30" || got["ReceiveMessageWaitTimeSeconds"] != "0" {
		t.Errorf("old attributes are there: %v", got)
	}
	e.send(t, url, "new")
	if _, err := e.sqs.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: old.ReceiptHandle}); err != nil {
		e.wantError(t, err, badHandle, 404)
	}
	e.wantCounts(t, url, counts{"1", "0", "0"})
	wantBodies(t, e.receive(t, url), "new")
}
