package compat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

const (
	badContents  = "InvalidMessageContents"
	textContents = "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"
	traceHeader  = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"
)

// text, number and binary are message attributes.
func text(value string) protocol.MessageAttributeValue {
	return protocol.MessageAttributeValue{DataType: new("String"), StringValue: &value}
}

func number(value string) protocol.MessageAttributeValue {
	return protocol.MessageAttributeValue{DataType: new("Number"), StringValue: &value}
}

func binary(value string) protocol.MessageAttributeValue {
	return protocol.MessageAttributeValue{DataType: new("Binary"), BinaryValue: []byte(value)}
}

// attrs is a shorter name for a set of message attributes.
type attrs = map[string]protocol.MessageAttributeValue

func TestSendMessage(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	timestamp := attrs{"timestamp": number("1493147359900")}
	trace := attrs{"AWSTraceHeader": text(traceHeader)}
	tests := map[string]struct {
		in                    protocol.SendMessageInput
		body, attrs, sysattrs string
	}{
		"Body":     {protocol.SendMessageInput{MessageBody: new("hello")}, "5d41402abc4b2a76b9719d911017c592", "", ""},
		"Umlauts":  {protocol.SendMessageInput{MessageBody: new("Zażółć")}, "f1607cd9abc293d131af748f41dc9556", "", ""},
		"EmptyMap": {protocol.SendMessageInput{MessageBody: new("hello"), MessageAttributes: attrs{}}, "5d41402abc4b2a76b9719d911017c592", "", ""},
		"Both": {
			protocol.SendMessageInput{MessageBody: new("a1"), MessageAttributes: timestamp, MessageSystemAttributes: trace},
			"8a8bb7cd343aa2ad99b7d762030857a2", "235c5c510d26fb653d073faed50ae77c", "5ae4d5d7636402d80f4eb6d213245a88",
		},
		"Mixed": {
			protocol.SendMessageInput{MessageBody: new("a1"), MessageAttributes: attrs{"color": text("blue"), "count": number("3"), "blob": binary("\x01\x02\x03")}},
			"8a8bb7cd343aa2ad99b7d762030857a2", "d838729972a4b70e2d2acd9d59ac847c", "",
		},
	}
	for name, test := range tests {
		test.in.QueueURL = url
		out := do[*protocol.SendMessageOutput](e, protocol.SendMessage, &test.in)
		if len(*out.MessageID) != 36 || out.SequenceNumber != nil {
			t.Errorf("%s: id %q and number %v, want a UUID and none", name, *out.MessageID, out.SequenceNumber)
		}
		want := &protocol.SendMessageOutput{MessageID: out.MessageID, MD5OfMessageBody: &test.body}
		if test.attrs != "" {
			want.MD5OfMessageAttributes = &test.attrs
		}
		if test.sysattrs != "" {
			want.MD5OfMessageSystemAttributes = &test.sysattrs
		}
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("%s: unlike the answer wanted (-want +got):\n%s", name, diff)
		}
		got := e.one(url)
		if *got.MessageID != *out.MessageID || *got.Body != *test.in.MessageBody || *got.MD5OfBody != test.body {
			t.Errorf("%s: received %q with id %s", name, *got.Body, *got.MessageID)
		}
	}
}

// sendFault is a bad message and the error that a single send gives; an entry
// of a batch may word it otherwise.
type sendFault struct {
	in         protocol.SendMessageInput
	code, text string
	// batchText is the text in a batch, where it is another.
	batchText string
}

func sendFaults() map[string]sendFault {
	body := new("b")
	group := func(g string) sendFault {
		const reason = "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length"
		return sendFault{protocol.SendMessageInput{MessageBody: body, MessageGroupID: &g}, badValue, "Value " + g + " for parameter MessageGroupId is invalid. Reason: " + reason + ".", reason}
	}
	dedup := func(d string) sendFault {
		const reason = "The request include parameter that is not valid for this queue type"
		return sendFault{protocol.SendMessageInput{MessageBody: body, MessageDeduplicationID: &d}, badValue, "Value " + d + " for parameter MessageDeduplicationId is invalid. Reason: " + reason + ".", reason}
	}
	delay := func(n int32) sendFault {
		return sendFault{in: protocol.SendMessageInput{MessageBody: body, DelaySeconds: &n}, code: badValue, text: fmt.Sprintf("Value %d for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.", n)}
	}
	contents := func(b string) sendFault {
		return sendFault{in: protocol.SendMessageInput{MessageBody: &b}, code: badContents, text: textContents}
	}
	system := func(a attrs, text string) sendFault {
		return sendFault{in: protocol.SendMessageInput{MessageBody: body, MessageSystemAttributes: a}, code: badValue, text: text}
	}
	missing := sendFault{code: missingMember, text: "The request must contain the parameter MessageBody.", batchText: "The request must contain the parameter SendMessageBatchRequestEntry.2.MessageBody."}
	emptyBody := missing
	emptyBody.in.MessageBody = new("")
	faults := map[string]sendFault{
		"NoBody": missing, "EmptyBody": emptyBody,
		"NUL": contents("a\x00"), "Backspace": contents("\b"), "DC3": contents("\x13"), "Noncharacter": contents("\uffff"), "FFFE": contents("\ufffe"),
		"NotUTF8": contents("a\xff"), "Surrogate": contents("\xed\xa0\x80"), "AllFour": contents("\x00\b\x13\uffff"),
		"EmptyGroup": group(""), "BlankInGroup": group("a b"), "LongGroup": group(strings.Repeat("g", 129)), "UmlautGroup": group("ä"), "ControlGroup": group("a\x7f"),
		"Dedup": dedup("d"), "EmptyDedup": dedup(""),
		"DelayNegative": delay(-1), "DelayTooLong": delay(901), "DelayHuge": delay(2147483647),
		"OtherSystemAttribute": system(attrs{"SenderId": text("x")}, "Message system attribute name 'SenderId' is invalid."),
		"TraceNumber":          system(attrs{"AWSTraceHeader": number("1")}, "The type of message (system) attribute 'AWSTraceHeader' is invalid. You must use only the following supported type prefixes: String."),
		"TraceEmpty":           system(attrs{"AWSTraceHeader": text("")}, "Message (system) attribute 'AWSTraceHeader' must contain a non-empty value of type 'String'."),
		"TraceNothing":         system(attrs{"AWSTraceHeader": {}}, "The message (system) attribute 'AWSTraceHeader' must contain a non-empty message attribute value."),
		"TraceLong":            system(attrs{"AWSTraceHeader": text(strings.Repeat("t", 1025))}, "Message (system) attribute 'AWSTraceHeader' must be at most 1024 bytes long."),
		// The order of checks.
		"BodyFirst":      {protocol.SendMessageInput{MessageDeduplicationID: new("d"), DelaySeconds: new(int32(-1))}, missingMember, missing.text, missing.batchText},
		"GroupThenDedup": {protocol.SendMessageInput{MessageBody: body, MessageGroupID: new(""), MessageDeduplicationID: new("d")}, badValue, group("").text, group("").batchText},
		"DedupThenDelay": {protocol.SendMessageInput{MessageBody: body, DelaySeconds: new(int32(-1)), MessageDeduplicationID: new("d")}, badValue, dedup("d").text, dedup("d").batchText},
		"DelayThenAttrs": {protocol.SendMessageInput{MessageBody: body, DelaySeconds: new(int32(-1)), MessageAttributes: attrs{"": text("x")}}, badValue, delay(-1).text, ""},
	}
	for name, f := range attributeFaults() {
		faults["Attribute"+name] = f
	}
	return faults
}

func TestSendMessageFaults(t *testing.T) {
	t.Parallel()
	for name, test := range sendFaults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			test.in.QueueURL = e.create("q")
			e.refused(protocol.SendMessage, &test.in, test.code, test.text)
			e.wantCounts(test.in.QueueURL, "0 0 0")
		})
	}
}

func TestSendMessageBodies(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for _, body := range []string{
		" ", "\t\n\r", "a\r\nb\rc", " not trimmed ", `{"cut":`, "<a>&\"'</a>", "\u007f\u0085\ufeff\ufffd", "\ud7ff\ue000", "\U00010000\U0010ffff", "Zażółć gęślą 😀", "%2B+%20",
	} {
		e.send(url, body)
		got := e.one(url)
		if *got.Body != body || *got.MD5OfBody != protocol.MD5OfBody(body) {
			t.Errorf("sent %q, received %q", body, *got.Body)
		}
	}
}

func TestSendMessageSize(t *testing.T) {
	t.Parallel()
	const tooLong = "One or more parameters are invalid. Reason: Message must be shorter than %s bytes."
	tests := map[string]struct {
		limit string
		body  string
		attrs attrs
		ok    bool
	}{
		"Exact":             {"1024", strings.Repeat("a", 1024), nil, true},
		"OneOver":           {"1024", strings.Repeat("a", 1025), nil, false},
		"AttributeOver":     {"1024", strings.Repeat("a", 1017), attrs{"k": text("x")}, false},
		"AttributeExact":    {"1024", strings.Repeat("a", 1016), attrs{"k": text("x")}, true},
		"BytesNotRunes":     {"1024", strings.Repeat("é", 513), nil, false},
		"BytesExact":        {"1024", strings.Repeat("é", 512), nil, true},
		"RawBinary":         {"1024", strings.Repeat("a", 1014), attrs{"k": binary("\x00\x01\x02")}, true},
		"RawBinaryOver":     {"1024", strings.Repeat("a", 1015), attrs{"k": binary("\x00\x01\x02")}, false},
		"LabelCounts":       {"1024", strings.Repeat("a", 1014), attrs{"k": {DataType: new("String.xy"), StringValue: new("x")}}, false},
		"DefaultExact":      {"", strings.Repeat("a", 1<<20), nil, true},
		"DefaultOneOver":    {"", strings.Repeat("a", 1<<20+1), nil, false},
		"SystemNotCounted":  {"1024", strings.Repeat("a", 1024), nil, true},
		"GroupIDNotCounted": {"1024", strings.Repeat("a", 1024), nil, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			var given []string
			limit := "1048576"
			if test.limit != "" {
				limit, given = test.limit, []string{"MaximumMessageSize", test.limit}
			}
			url := e.create("q", given...)
			in := &protocol.SendMessageInput{
				QueueURL: url, MessageBody: &test.body, MessageAttributes: test.attrs, MessageGroupID: new("group"),
				MessageSystemAttributes: attrs{"AWSTraceHeader": text(traceHeader)},
			}
			if !test.ok {
				e.refused(protocol.SendMessage, in, badValue, fmt.Sprintf(tooLong, limit))
				e.wantCounts(url, "0 0 0")
				return
			}
			e.run(protocol.SendMessage, in)
			e.wantCounts(url, "1 0 0")
		})
	}
}

// A message's own delay, zero included, goes before the queue's.
func TestSendMessageDelay(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		queue string
		delay *int32
		after time.Duration
	}{
		"QueueDelay":    {"5", nil, 5 * time.Second},
		"OwnDelay":      {"5", new(int32(9)), 9 * time.Second},
		"OwnZero":       {"5", new(int32(0)), 0},
		"NoDelay":       {"0", nil, 0},
		"LongestDelay":  {"0", new(int32(900)), 900 * time.Second},
		"ShorterOfBoth": {"9", new(int32(5)), 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.create("q", "DelaySeconds", test.queue)
			e.run(protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b"), DelaySeconds: test.delay})
			if test.after > 0 {
				e.clock.Advance(test.after - time.Millisecond)
				e.wantCounts(url, "0 0 1")
				e.clock.Advance(time.Millisecond)
			}
			e.wantCounts(url, "1 0 0")
		})
	}
}

// The trace header comes from the system attribute or else from the request.
func TestSendMessageTrace(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for name, test := range map[string]struct{ request, attribute, want string }{
		"None":      {"", "", ""},
		"Request":   {"Root=1-request", "", "Root=1-request"},
		"Attribute": {"", traceHeader, traceHeader},
		"Both":      {"Root=1-request", traceHeader, traceHeader},
		"Garbage":   {"a\x01", "", ""},
		"TooLong":   {strings.Repeat("t", 1025), "", ""},
	} {
		e.caller.TraceID = test.request
		in := &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b")}
		if test.attribute != "" {
			in.MessageSystemAttributes = attrs{"AWSTraceHeader": text(test.attribute)}
		}
		out := do[*protocol.SendMessageOutput](e, protocol.SendMessage, in)
		if (out.MD5OfMessageSystemAttributes != nil) != (test.attribute != "") {
			t.Errorf("%s: the digest of system attributes is %v", name, out.MD5OfMessageSystemAttributes)
		}
		got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MessageSystemAttributeNames: []string{"AWSTraceHeader"}})
		var want map[string]string
		if test.want != "" {
			want = pairs("AWSTraceHeader", test.want)
		}
		if diff := cmp.Diff(want, got[0].Attributes); diff != "" {
			t.Errorf("%s: system attributes (-want +got):\n%s", name, diff)
		}
	}
}
