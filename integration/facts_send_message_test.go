package integration

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

const (
	badIDText  = " can only include alphanumeric and punctuation characters. 1 to 128 in length."
	noDedup    = "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
	notForFIFO = "The request include parameter that is not valid for this queue type."
	tooLong    = "One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes."
	badBody    = "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"
	listValues = "Message attribute list values in SendMessage operation are not supported."
	// punctuation is every legal character of group and deduplication ids that
	// is neither a letter nor a digit.
	punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
)

// badID is the text about a bad group or deduplication id.
func badID(value, member string) string {
	return "Value " + value + " for parameter " + member + " is invalid. Reason: " + member + badIDText
}

// toFIFO is a message for "q.fifo", with some members replaced.
func toFIFO(with args) args {
	in := args{"QueueUrl": "q.fifo", "MessageBody": "b", "MessageGroupId": "g", "MessageDeduplicationId": "d"}
	for k, v := range with {
		in[k] = v
		if v == nil {
			delete(in, k)
		}
	}
	return in
}

func TestFactsOfSendMessage(t *testing.T) {
	const action = "SendMessage"
	const noGroup, noBody = "The request must contain the parameter MessageGroupId.", "The request must contain the parameter MessageBody."
	const delay = " for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900."
	long := strings.Repeat("i", 129)
	body := func(with args) args { with["MessageBody"] = "b"; return with }
	// shows is the fact of the optional members that an answer has.
	shows := func(name string, in args, members ...string) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			r := e.call(t, action, e.world(t, action, in)).wantOK(t)
			for _, m := range append([]string{"MessageId", "MD5OfMessageBody"}, members...) {
				if !strings.Contains(r.Body, m) {
					t.Errorf("no %s in %s", m, r.Body)
				}
			}
			for _, m := range []string{"MD5OfMessageAttributes", "MD5OfMessageSystemAttributes", "SequenceNumber"} {
				if strings.Contains(r.Body, m) != strings.Contains(strings.Join(members, " "), m) {
					t.Errorf("%s is wrongly there, or not there, in %s", m, r.Body)
				}
			}
		}}
	}
	facts := []fact{
		shows("TheLeastAnswer", body(args{})),
		shows("WithAttributes", body(args{"MessageAttributes": map[string]args{"a": {"DataType": "String", "StringValue": "v"}}}), "MD5OfMessageAttributes"),
		shows("WithSystemAttributes", body(args{"MessageSystemAttributes": map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": trace}}}), "MD5OfMessageSystemAttributes"),
		shows("NoSequenceNumberForGroupsOnAStandardQueue", body(args{"MessageGroupId": "g"})),
		shows("FIFOWithASequenceNumber", toFIFO(nil), "SequenceNumber"),
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			r := e.call(t, action, e.world(t, action, body(args{})))
			id := *e.receiveOne(t, "q").MessageId
			r.wantAnswer(t, e, action, `{"MD5OfMessageBody":"92eb5ffee6ae2fec3ad71c777531578f","MessageId":"`+id+`"}`,
				"<SendMessageResult><MD5OfMessageBody>92eb5ffee6ae2fec3ad71c777531578f</MD5OfMessageBody><MessageId>"+id+"</MessageId></SendMessageResult>")
		}},
		refused(action, "WithoutABody", args{}, noParam, noBody),
		refused(action, "AnEmptyBody", args{"MessageBody": ""}, noParam, noBody),
		refused(action, "FIFOWithoutABody", toFIFO(args{"MessageBody": nil}), noParam, noBody),
		refused(action, "AnIllegalCharacterInTheBody", args{"MessageBody": "a\x01b"}, "InvalidMessageContents", badBody),
		refused(action, "FIFOWithoutAGroup", toFIFO(args{"MessageGroupId": nil}), noParam, noGroup),
		refused(action, "FIFOWithoutGroupAndId", toFIFO(args{"MessageGroupId": nil, "MessageDeduplicationId": nil}), noParam, noGroup),
		refused(action, "FIFOAnEmptyGroup", toFIFO(args{"MessageGroupId": ""}), badParam, badID("", "MessageGroupId")),
		refused(action, "FIFOAGroupWithABlank", toFIFO(args{"MessageGroupId": "a b"}), badParam, badID("a b", "MessageGroupId")),
		refused(action, "FIFOAGroupOf129", toFIFO(args{"MessageGroupId": long}), badParam, badID(long, "MessageGroupId")),
		accepted(action, "FIFOAGroupOf128", toFIFO(args{"MessageGroupId": long[1:]})),
		accepted(action, "FIFOAllPunctuation", toFIFO(args{"MessageGroupId": punctuation, "MessageDeduplicationId": punctuation})),
		refused(action, "AnEmptyGroupOnAStandardQueue", body(args{"MessageGroupId": ""}), badParam, badID("", "MessageGroupId")),
		refused(action, "ABlankInAGroupOnAStandardQueue", body(args{"MessageGroupId": "a b"}), badParam, badID("a b", "MessageGroupId")),
		refused(action, "AGroupOf129OnAStandardQueue", body(args{"MessageGroupId": long}), badParam, badID(long, "MessageGroupId")),
		{action, "AGroupOnAStandardQueueIsALabel", "", func(t *testing.T, e *env) {
			in := e.world(t, action, body(args{"MessageGroupId": "tenant-1"}))
			for range 2 {
				e.call(t, action, in).wantOK(t)
			}
			for range 2 {
				m := e.receiveOne(t, "q", upTo(1))
				if m.Attributes["MessageGroupId"] != "tenant-1" || m.Attributes["SequenceNumber"] != "" {
					t.Errorf("attributes %v", m.Attributes)
				}
			}
		}},
		refused(action, "FIFOWithoutAnId", toFIFO(args{"MessageDeduplicationId": nil}), badParam, noDedup),
		{action, "FIFOWithoutAnIdByContent", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true"})
			e.call(t, action, toFIFO(args{"QueueUrl": url, "MessageDeduplicationId": nil})).wantOK(t)
			e.call(t, action, toFIFO(args{"QueueUrl": url, "MessageDeduplicationId": ""})).wantRefusal(t, e, badParam, badID("", "MessageDeduplicationId"))
		}},
		refused(action, "FIFOAnEmptyId", toFIFO(args{"MessageDeduplicationId": ""}), badParam, badID("", "MessageDeduplicationId")),
		refused(action, "FIFOAnIdWithABlank", toFIFO(args{"MessageDeduplicationId": "a b"}), badParam, badID("a b", "MessageDeduplicationId")),
		refused(action, "FIFOAnIdOf129", toFIFO(args{"MessageDeduplicationId": long}), badParam, badID(long, "MessageDeduplicationId")),
		refused(action, "AnIdOnAStandardQueue", body(args{"MessageDeduplicationId": "d"}), badParam, "Value d for parameter MessageDeduplicationId is invalid. Reason: "+notForFIFO),
		refused(action, "FIFOADelay", toFIFO(args{"DelaySeconds": 2}), badParam, "Value 2 for parameter DelaySeconds is invalid. Reason: "+notForFIFO),
		{action, "FIFOADelayOfZeroIsTheQueues", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"DelaySeconds": "5"})
			e.call(t, action, toFIFO(args{"QueueUrl": url, "DelaySeconds": 0})).wantOK(t)
			e.wantCounts(t, url, counts{"0", "0", "1"})
		}},
		refused(action, "ADelayOf901", body(args{"DelaySeconds": 901}), badParam, "Value 901"+delay),
		refused(action, "ANegativeDelay", body(args{"DelaySeconds": -1}), badParam, "Value -1"+delay),
		accepted(action, "ADelayOf900", body(args{"DelaySeconds": 900})),
		{action, "ADelayOfZeroInPlaceOfTheQueues", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"DelaySeconds": "10"})
			e.call(t, action, body(args{"QueueUrl": url, "DelaySeconds": 0})).wantOK(t)
			e.send(t, url, "queue's")
			e.wantCounts(t, url, counts{"1", "0", "1"})
		}},
		refused(action, "AListOfTexts", body(args{"MessageAttributes": map[string]args{"a": {"DataType": "String", "StringListValues": list{"x"}}}}), unsupported, listValues).only(onlyJSON),
		refused(action, "AListOfBytes", body(args{"MessageAttributes": map[string]args{"a": {"DataType": "Binary", "BinaryListValues": list{"AA=="}}}}), unsupported, listValues).only(onlyJSON),
		{action, "AListInAForm", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, action, args{})
			const form = "Action=SendMessage&QueueUrl=q&MessageBody=b&MessageAttribute.1.Name=a&MessageAttribute.1.Value.DataType=String&MessageAttribute.1.Value."
			e.query(t, form+"StringListValue.1=x").wantRefusal(t, e, unsupported, listValues)
			e.query(t, form+"BinaryListValue.1=AA==").wantRefusal(t, e, unsupported, listValues)
		}},
		refused(action, "OneByteTooMany", args{"MessageBody": strings.Repeat("x", 1<<20+1)}, badParam, tooLong),
		accepted(action, "ExactlyTheMost", args{"MessageBody": strings.Repeat("x", 1<<20)}),
		{action, "TheQueuesOwnMost", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MaximumMessageSize": "1024"})
			e.call(t, action, args{"QueueUrl": url, "MessageBody": strings.Repeat("x", 1024)}).wantOK(t)
			e.call(t, action, args{"QueueUrl": url, "MessageBody": strings.Repeat("x", 1025)}).
				wantRefusal(t, e, badParam, "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.")
		}},
		{action, "TheTraceOfTheRequestBecomesTheMessages", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			header, text := jsonHeader(action), `{"QueueUrl":"q","MessageBody":"b"}`
			if e.wire.query {
				header, text = formHeader.Clone(), "Action=SendMessage&QueueUrl=q&MessageBody=b"
			}
			header.Set("X-Amzn-Trace-Id", trace)
			e.post(t, "/", header, text).wantOK(t)
			if got := e.receiveOne(t, "q").Attributes["AWSTraceHeader"]; got != trace {
				t.Errorf("AWSTraceHeader is %q, want %q", got, trace)
			}
		}},
		{action, "MD5OfTheSentIsThatOfTheReceived", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			sent := e.send(t, "q", "b", func(in *sqs.SendMessageInput) {
				in.MessageAttributes = map[string]messageAttribute{"a": text("String", "v")}
			})
			got := e.receiveOne(t, "q")
			if *sent.MD5OfMessageBody != *got.MD5OfBody || *sent.MD5OfMessageAttributes != *got.MD5OfMessageAttributes || *sent.MessageId != *got.MessageId {
				t.Errorf("sent %v, received %v", sent, got)
			}
		}},
	}
	runFacts(t, facts)
}
