package protocol

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
)

func TestJSONDecode(t *testing.T) {
	t.Parallel()
	type attribute = MessageAttributeValue
	for name, tc := range map[string]struct {
		action, body string
		want         any
	}{
		"EmptyBodyHasNoMembers":  {"ListQueues", ``, &ListQueuesInput{}},
		"BlankBodyHasNoMembers":  {"ListQueues", " \r\n\t", &ListQueuesInput{}},
		"EmptyObject":            {"ListQueues", ` { } `, &ListQueuesInput{}},
		"UnknownMembersSkipped":  {"ListQueues", `{"a":[1,{"b":null}],"QueueNamePrefix":"q","z":{"y":[[]]}}`, &ListQueuesInput{QueueNamePrefix: new("q")}},
		"NamesAreCaseSensitive":  {"ListQueues", `{"queueNamePrefix":"q","QUEUENAMEPREFIX":"q"}`, &ListQueuesInput{}},
		"NullIsAbsent":           {"ReceiveMessage", `{"QueueUrl":null,"VisibilityTimeout":null,"AttributeNames":null}`, &ReceiveMessageInput{}},
		"LastDuplicateWins":      {"ListQueues", `{"QueueNamePrefix":"a","QueueNamePrefix":"b"}`, &ListQueuesInput{QueueNamePrefix: new("b")}},
		"LastDuplicateMayBeNull": {"ListQueues", `{"QueueNamePrefix":"a","QueueNamePrefix":null}`, &ListQueuesInput{}},
		"DuplicateMapReplaces":   {"TagQueue", `{"Tags":{"a":"1"},"Tags":{"b":"2"}}`, &TagQueueInput{Tags: map[string]string{"b": "2"}}},
		"DuplicateKeyReplaces": {
			"SendMessage", `{"MessageAttributes":{"a":{"StringValue":"x"},"a":{"DataType":"String"}}}`,
			&SendMessageInput{MessageAttributes: map[string]attribute{"a": {DataType: new("String")}}},
		},
		"EscapedNames":      {"ListQueues", `{"Queue\u004eamePrefix":"q"}`, &ListQueuesInput{QueueNamePrefix: new("q")}},
		"EmptyListIsGiven":  {"ReceiveMessage", `{"AttributeNames":[]}`, &ReceiveMessageInput{AttributeNames: []string{}}},
		"EmptyMapIsGiven":   {"TagQueue", `{"Tags":{}}`, &TagQueueInput{Tags: map[string]string{}}},
		"NullItemsLeftOut":  {"ReceiveMessage", `{"AttributeNames":[null,"All",null]}`, &ReceiveMessageInput{AttributeNames: []string{"All"}}},
		"NullValuesLeftOut": {"TagQueue", `{"Tags":{"a":null,"b":"","c":"1","c":null}}`, &TagQueueInput{Tags: map[string]string{"b": ""}}},
		"EmptyEntry":        {"DeleteMessageBatch", `{"Entries":[{}]}`, &DeleteMessageBatchInput{Entries: []DeleteMessageBatchRequestEntry{{}}}},
		"TagsInLowerCase":   {"CreateQueue", `{"tags":{"a":"1"}}`, &CreateQueueInput{Tags: map[string]string{"a": "1"}}},
		"TagsInUpperCase":   {"CreateQueue", `{"Tags":{"a":"1"}}`, &CreateQueueInput{Tags: map[string]string{"a": "1"}}},
		"NumberAsBody":      {"SendMessage", `{"MessageBody":-1.50e+03}`, &SendMessageInput{MessageBody: new("-1.50e+03")}},
		"BooleanAsBody":     {"SendMessage", `{"MessageBody":true}`, &SendMessageInput{MessageBody: new("true")}},
		"NumberAsEntryId":   {"DeleteMessageBatch", `{"Entries":[{"Id":1}]}`, &DeleteMessageBatchInput{Entries: []DeleteMessageBatchRequestEntry{{ID: new("1")}}}},
		"ScalarsAsAttributeValues": {
			"CreateQueue", `{"Attributes":{"VisibilityTimeout":20,"FifoQueue":true,"Big":123456789012345678901}}`,
			&CreateQueueInput{Attributes: map[string]string{"VisibilityTimeout": "20", "FifoQueue": "true", "Big": "123456789012345678901"}},
		},
		"NumericStringAsInt":    {"ReceiveMessage", `{"MaxNumberOfMessages":"5","WaitTimeSeconds":"0"}`, &ReceiveMessageInput{MaxNumberOfMessages: new(int32(5)), WaitTimeSeconds: new(int32(0))}},
		"IntLimits":             {"ReceiveMessage", `{"MaxNumberOfMessages":2147483647,"WaitTimeSeconds":-2147483648}`, &ReceiveMessageInput{MaxNumberOfMessages: new(int32(1<<31 - 1)), WaitTimeSeconds: new(int32(-1 << 31))}},
		"WholeNumberWithPoint":  {"ReceiveMessage", `{"MaxNumberOfMessages":5.0,"WaitTimeSeconds":2e1}`, &ReceiveMessageInput{MaxNumberOfMessages: new(int32(5)), WaitTimeSeconds: new(int32(20))}},
		"EmptyBlobIsGiven":      {"SendMessage", `{"MessageAttributes":{"a":{"BinaryValue":""}}}`, &SendMessageInput{MessageAttributes: map[string]attribute{"a": {BinaryValue: []byte{}}}}},
		"EscapesAndRawUTF8":     {"SendMessage", `{"MessageBody":"\"\\\/\b\f\n\r\t\u00e9é\ud83d\ude80🚀\u0000\uffff"}`, &SendMessageInput{MessageBody: new("\"\\/\b\f\n\r\téé🚀🚀\x00\uffff")}},
		"LoneHighSurrogate":     {"SendMessage", `{"MessageBody":"a\ud800"}`, &SendMessageInput{MessageBody: new("a\uffff")}},
		"LoneLowSurrogate":      {"SendMessage", `{"MessageBody":"\udc00x"}`, &SendMessageInput{MessageBody: new("\uffffx")}},
		"TwoHighSurrogates":     {"SendMessage", `{"MessageBody":"\ud800\ud83d\ude80"}`, &SendMessageInput{MessageBody: new("\uffff🚀")}},
		"SurrogateThenLetter":   {"SendMessage", `{"MessageBody":"\uD800\u0041\n"}`, &SendMessageInput{MessageBody: new("\uffffA\n")}},
		"SurrogateThenEscape":   {"SendMessage", `{"MessageBody":"\udfff\n\udbff"}`, &SendMessageInput{MessageBody: new("\uffff\n\uffff")}},
		"HalfInUnknownMember":   {"SendMessage", `{"\ud800":"\ud800","MessageBody":"b"}`, &SendMessageInput{MessageBody: new("b")}},
		"ReplacementCharIsKept": {"SendMessage", "{\"MessageBody\":\"\ufffd\\ufffd\"}", &SendMessageInput{MessageBody: new("\ufffd\ufffd")}},
		"DELAndC1AreKept":       {"SendMessage", `{"MessageBody":"\u007f\u0080\u009f"}`, &SendMessageInput{MessageBody: new("\u007f\u0080\u009f")}},
		"DeepUnknownMember":     {"ListQueues", `{"x":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}`, &ListQueuesInput{}},
		"EscapesAcrossScratch":  {"UntagQueue", `{"TagKeys":["a\n","longer\tthan before","\r"]}`, &UntagQueueInput{TagKeys: []string{"a\n", "longer\tthan before", "\r"}}},
		"LongTextsWithEscapes": {
			"SendMessage", `{"MessageBody":"` + strings.Repeat("m", 1000) + `\n","MessageGroupId":"g\t","MessageDeduplicationId":"` + strings.Repeat("d", 200) + `\r","QueueUrl":"\/q"}`,
			&SendMessageInput{MessageBody: new(strings.Repeat("m", 1000) + "\n"), MessageGroupID: new("g\t"), MessageDeduplicationID: new(strings.Repeat("d", 200) + "\r"), QueueURL: new("/q")},
		},
		"EscapedKeyPlainValue":   {"TagQueue", `{"Tags":{"\u006b":"\u0076","\u006b2":"v2"}}`, &TagQueueInput{Tags: map[string]string{"k": "v", "k2": "v2"}}},
		"SlashEscapesOfPHP":      {"DeleteQueue", `{"QueueUrl":"http:\/\/x\/1\/q"}`, &DeleteQueueInput{QueueURL: new("http://x/1/q")}},
		"BodyIsOpaque":           {"SendMessage", `{"MessageBody":" {\"a\": "}`, &SendMessageInput{MessageBody: new(` {"a": `)}},
		"LeadingZerosInText":     {"ReceiveMessage", `{"MaxNumberOfMessages":"007"}`, &ReceiveMessageInput{MaxNumberOfMessages: new(int32(7))}},
		"NumbersInStringLists":   {"UntagQueue", `{"TagKeys":[1,true]}`, &UntagQueueInput{TagKeys: []string{"1", "true"}}},
		"ListItemsStartFromZero": {"DeleteMessageBatch", `{"Entries":[{"Id":"a","ReceiptHandle":"h"},{"Id":"b"}]}`, &DeleteMessageBatchInput{Entries: []DeleteMessageBatchRequestEntry{{ID: new("a"), ReceiptHandle: new("h")}, {ID: new("b")}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call, err := JSON.Decode(jsonRequest(tc.action, tc.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, call.Input); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestJSONRefused holds the texts of values of the wrong type, word for word,
// and the code of everything malformed.
func TestJSONRefused(t *testing.T) {
	t.Parallel()
	const malformed = "The request body is not valid JSON: "
	for name, tc := range map[string]struct{ action, body, text string }{
		"CutOff":               {"SendMessage", `{"QueueUrl":`, malformed + "unexpected end at byte 12."},
		"CutOffString":         {"SendMessage", `{"QueueUrl":"a`, malformed + "unexpected end at byte 14."},
		"CutOffEscape":         {"SendMessage", `{"QueueUrl":"\`, malformed + "unexpected end at byte 14."},
		"NotJSON":              {"SendMessage", `Action=SendMessage`, malformed + "unexpected character at byte 0."},
		"BodyIsAList":          {"SendMessage", `[]`, "Start of list found where not expected"},
		"BodyIsAString":        {"SendMessage", `"x"`, "STRING_VALUE can not be converted to a structure"},
		"BodyIsNull":           {"SendMessage", `null`, "NULL_VALUE can not be converted to a structure"},
		"TextAfterTheObject":   {"SendMessage", `{} x`, malformed + "unexpected character after the value at byte 3."},
		"TrailingComma":        {"SendMessage", `{"a":1,}`, malformed + "unexpected character at byte 7."},
		"TrailingCommaInList":  {"SendMessage", `{"a":[1,]}`, malformed + "unexpected character at byte 8."},
		"MissingComma":         {"SendMessage", `{"a":1 "b":2}`, malformed + "unexpected character at byte 7."},
		"MissingColon":         {"SendMessage", `{"a" 1}`, malformed + "unexpected character at byte 5."},
		"UnquotedName":         {"SendMessage", `{a:1}`, malformed + "unexpected character at byte 1."},
		"WrongBracket":         {"SendMessage", `{"a":[1}}`, malformed + "unexpected character at byte 7."},
		"LeadingZero":          {"SendMessage", `{"a":01}`, malformed + "unexpected character at byte 6."},
		"BareMinus":            {"SendMessage", `{"a":-}`, malformed + "unexpected character at byte 6."},
		"BarePoint":            {"SendMessage", `{"a":1.}`, malformed + "unexpected character at byte 7."},
		"BareExponent":         {"SendMessage", `{"a":1e+}`, malformed + "unexpected character at byte 8."},
		"MisspeltWord":         {"SendMessage", `{"a":nul}`, malformed + "unexpected character at byte 8."},
		"UnknownEscape":        {"SendMessage", `{"a":"\x"}`, malformed + "unknown escape at byte 6."},
		"ShortEscape":          {"SendMessage", `{"a":"\u12"}`, malformed + "malformed \\u escape at byte 6."},
		"RawLineFeed":          {"SendMessage", "{\"a\":\"\n\"}", malformed + "unescaped control character at byte 6."},
		"BrokenUTF8":           {"SendMessage", "{\"MessageBody\":\"\xff\"}", malformed + "invalid UTF-8 in the string at byte 16."},
		"BrokenUTF8AfterEsc":   {"SendMessage", "{\"MessageBody\":\"\\n\xc3\"}", malformed + "invalid UTF-8 in the string at byte 16."},
		"SurrogateInUTF8":      {"SendMessage", "{\"MessageBody\":\"\xed\xa0\x80\"}", malformed + "invalid UTF-8 in the string at byte 16."},
		"SurrogateThenCutOff":  {"SendMessage", `{"MessageBody":"\ud800\u12`, malformed + "malformed \\u escape at byte 16."},
		"TooDeep":              {"SendMessage", `{"x":` + strings.Repeat("[", 100), malformed + "nesting too deep at byte 68."},
		"ListForString":        {"SendMessage", `{"MessageBody":[]}`, "Start of list found where not expected"},
		"ObjectForString":      {"SendMessage", `{"MessageBody":{}}`, "Start of structure or map found where not expected."},
		"ListForInt":           {"SendMessage", `{"DelaySeconds":[]}`, "Start of list found where not expected"},
		"ObjectForInt":         {"SendMessage", `{"DelaySeconds":{}}`, "Start of structure or map found where not expected."},
		"ListInStringMap":      {"TagQueue", `{"Tags":{"a":[]}}`, "Unrecognized collection type class java.lang.String"},
		"ObjectInStringMap":    {"TagQueue", `{"Tags":{"a":{}}}`, "Start of structure or map found where not expected."},
		"TextForInt":           {"SendMessage", `{"DelaySeconds":"abc"}`, "STRING_VALUE can not be converted to an Integer"},
		"EmptyTextForInt":      {"SendMessage", `{"DelaySeconds":""}`, "STRING_VALUE can not be converted to an Integer"},
		"TrueForInt":           {"SendMessage", `{"DelaySeconds":true}`, "TRUE_VALUE can not be converted to an Integer"},
		"FalseForInt":          {"SendMessage", `{"DelaySeconds":false}`, "FALSE_VALUE can not be converted to an Integer"},
		"FractionForInt":       {"SendMessage", `{"DelaySeconds":1.5}`, "NUMBER_VALUE can not be converted to an Integer"},
		"IntTooLarge":          {"SendMessage", `{"DelaySeconds":2147483648}`, "NUMBER_VALUE can not be converted to an Integer"},
		"IntTextTooLarge":      {"SendMessage", `{"DelaySeconds":"2147483648"}`, "STRING_VALUE can not be converted to an Integer"},
		"EndlessInt":           {"SendMessage", `{"DelaySeconds":` + "0." + strings.Repeat("0", 100) + `}`, "NUMBER_VALUE can not be converted to an Integer"},
		"HugeExponent":         {"SendMessage", `{"DelaySeconds":1e999999999}`, "NUMBER_VALUE can not be converted to an Integer"},
		"NumberInAttribute":    {"SendMessage", `{"MessageAttributes":{"a":{"StringValue":1}}}`, "NUMBER_VALUE can not be converted to a String"},
		"TrueInAttribute":      {"SendMessage", `{"MessageAttributes":{"a":{"DataType":true}}}`, "TRUE_VALUE can not be converted to a String"},
		"NumberInAttrList":     {"SendMessage", `{"MessageAttributes":{"a":{"StringListValues":[1]}}}`, "NUMBER_VALUE can not be converted to a String"},
		"TextForAttribute":     {"SendMessage", `{"MessageAttributes":{"a":"b"}}`, "STRING_VALUE can not be converted to a structure"},
		"ListForAttributes":    {"SendMessage", `{"MessageAttributes":[]}`, "Start of list found where not expected"},
		"TextForMap":           {"TagQueue", `{"Tags":"a"}`, "STRING_VALUE can not be converted to a map"},
		"TextForList":          {"UntagQueue", `{"TagKeys":"a"}`, "STRING_VALUE can not be converted to a list"},
		"ObjectForList":        {"UntagQueue", `{"TagKeys":{}}`, "Start of structure or map found where not expected."},
		"TextForEntry":         {"DeleteMessageBatch", `{"Entries":["a"]}`, "STRING_VALUE can not be converted to a structure"},
		"BadBase64":            {"SendMessage", `{"MessageAttributes":{"a":{"BinaryValue":"A"}}}`, "A binary value is not valid base64."},
		"UnpaddedBase64":       {"SendMessage", `{"MessageAttributes":{"a":{"BinaryValue":"AQ"}}}`, "A binary value is not valid base64."},
		"NumberForBlob":        {"SendMessage", `{"MessageAttributes":{"a":{"BinaryValue":1}}}`, "NUMBER_VALUE can not be converted to a Blob"},
		"TooManyEntries":       {"DeleteMessageBatch", `{"Entries":[` + strings.Repeat(`{},`, 10_000) + `{}]}`, "The request has more than 10000 list items and map entries."},
		"TooManyEntriesInAll":  {"CreateQueue", `{"tags":{"k":"v"` + strings.Repeat(`,"k":"v"`, 6000) + `},"Attributes":{"k":"v"` + strings.Repeat(`,"k":"v"`, 6000) + `}}`, "The request has more than 10000 list items and map entries."},
		"ByteOrderMark":        {"ListQueues", "\ufeff{}", malformed + "unexpected character at byte 0."},
		"NulByteAfterTheWhole": {"ListQueues", "{}\x00", malformed + "unexpected character after the value at byte 2."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call, err := JSON.Decode(jsonRequest(tc.action, tc.body))
			if diff := cmp.Diff(Serialization.New(tc.text), err); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(Call{Operation: Operation(tc.action)}, call); diff != "" {
				t.Errorf("call (-want +got):\n%s", diff)
			}
		})
	}
}

// A batch has more texts than are kept at one place, and each stays its own.
func TestManyTexts(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	var want DeleteMessageBatchInput
	for i := range 200 {
		id, handle := strconv.Itoa(i), strings.Repeat("h\n", i)
		fmt.Fprintf(&body, `,{"Id":%q,"ReceiptHandle":%q}`, id, handle)
		want.Entries = append(want.Entries, DeleteMessageBatchRequestEntry{ID: &id, ReceiptHandle: &handle})
	}
	call, err := JSON.Decode(jsonRequest("DeleteMessageBatch", `{"Entries":[`+body.String()[1:]+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, call.Input); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is kept of a request does not keep its whole body in memory.
func TestSmallTextKeepsNoBody(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"Plain": "/000000000000/q", "Escaped": `\/000000000000\/q`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := jsonRequest("DeleteQueue", `{"ignored":"`+strings.Repeat("x", 1<<20)+`","QueueUrl":"`+text+`"}`)
			body := weak.Make(&r.Body[0])
			call, err := JSON.Decode(r)
			if err != nil {
				t.Fatal(err)
			}
			r = nil
			runtime.GC()
			if body.Value() != nil {
				t.Error("the body is still there")
			}
			if got := *call.Input.(*DeleteQueueInput).QueueURL; got != "/000000000000/q" {
				t.Errorf("the URL is %q", got)
			}
		})
	}
}
