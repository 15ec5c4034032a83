package compat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

// attributeFaults are messages whose attributes cannot be.
func attributeFaults() map[string]sendFault {
	const (
		prefixes = "The type of message (user) attribute 'n' is invalid. You must use only the following supported type prefixes: Binary, Number, String."
		chars    = "Message (user) attribute name can only include letters, digits, underscores, hyphens and periods."
		reserved = "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for internal use."
		dots     = "Message (user) attribute name must not have successive '.' characters."
		notANum  = "Can't cast the value of message (user) attribute 'n' to a number."
		empty    = "Message (user) attribute 'n' must contain a non-empty value of type '%s'."
	)
	faults := map[string]sendFault{}
	add := func(name string, a attrs, text string) {
		faults[name] = sendFault{in: protocol.SendMessageInput{MessageBody: new("b"), MessageAttributes: a}, code: badValue, text: text}
	}
	eleven := attrs{}
	for i := range 11 {
		eleven[fmt.Sprint("n", i)] = text("x")
	}
	add("Eleven", eleven, "Number of message attributes [11] exceeds the allowed maximum [10].")
	for name, test := range map[string]struct{ name, text string }{
		"LongName":      {strings.Repeat("n", 257), "Message (user) attribute name must be shorter than 256 bytes."},
		"EmptyName":     {"", "The request must contain non-empty message (user) attribute names."},
		"AWSName":       {"AWS.x", reserved},
		"AwsName":       {"aws.x", reserved},
		"AmazonName":    {"Amazon.x", reserved},
		"AMAZONName":    {"AMAZON.x", reserved},
		"DotFirst":      {".n", "Message (user) attribute name must not begin with character '.'."},
		"DotLast":       {"n.", "Message (user) attribute name must not end with character '.'."},
		"OnlyDot":       {".", "Message (user) attribute name must not begin with character '.'."},
		"TwoDots":       {"a..b", dots},
		"Exclamation":   {"a!", chars},
		"Quote":         {`a"`, chars},
		"Paren":         {"a(", chars},
		"Question":      {"a?", chars},
		"Section":       {"a§", chars},
		"Blank":         {"a b", chars},
		"NUL":           {"a\x00", chars},
		"InvalidUTF8":   {"a\xff", chars},
		"Noncharacters": {"a\uffff", chars},
	} {
		add(name, attrs{test.name: text("x")}, test.text)
	}
	for name, test := range map[string]struct {
		value protocol.MessageAttributeValue
		text  string
	}{
		"EmptyObject":   {protocol.MessageAttributeValue{}, "The message (user) attribute 'n' must contain a non-empty message attribute value."},
		"NoType":        {protocol.MessageAttributeValue{StringValue: new("x")}, "The message (user) attribute 'n' must contain a non-empty message attribute type."},
		"EmptyType":     {protocol.MessageAttributeValue{DataType: new(""), StringValue: new("x")}, "The message (user) attribute 'n' must contain a non-empty message attribute type."},
		"OtherType":     {protocol.MessageAttributeValue{DataType: new("Boolean"), StringValue: new("x")}, prefixes},
		"LowerCaseType": {protocol.MessageAttributeValue{DataType: new("string"), StringValue: new("x")}, prefixes},
		"LongerWord":    {protocol.MessageAttributeValue{DataType: new("Strings"), StringValue: new("x")}, prefixes},
		"ControlInType": {protocol.MessageAttributeValue{DataType: new("String.\x01"), StringValue: new("x")}, prefixes},
		"LongType":      {protocol.MessageAttributeValue{DataType: new("Number." + strings.Repeat("x", 256)), StringValue: new("1")}, "Message (user) attribute type must be shorter than 256 bytes."},
		"EmptyText":     {text(""), fmt.Sprintf(empty, "String")},
		"NoText":        {protocol.MessageAttributeValue{DataType: new("String")}, fmt.Sprintf(empty, "String")},
		"EmptyNumber":   {number(""), fmt.Sprintf(empty, "Number")},
		"EmptyBinary":   {protocol.MessageAttributeValue{DataType: new("Binary"), BinaryValue: []byte{}}, fmt.Sprintf(empty, "Binary")},
		"EmptyLabelled": {protocol.MessageAttributeValue{DataType: new("String.x"), StringValue: new("")}, fmt.Sprintf(empty, "String.x")},
		"TwoValues":     {protocol.MessageAttributeValue{DataType: new("String"), StringValue: new("x"), BinaryValue: []byte("x")}, "Message (user) attribute 'n' must have a single value."},
		"TextAsBinary":  {protocol.MessageAttributeValue{DataType: new("String"), BinaryValue: []byte("x")}, "Message (user) attribute 'n' with type 'String' must use field 'String'."},
		"NumAsBinary":   {protocol.MessageAttributeValue{DataType: new("Number"), BinaryValue: []byte("1")}, "Message (user) attribute 'n' with type 'Number' must use field 'String'."},
		"BinaryAsText":  {protocol.MessageAttributeValue{DataType: new("Binary"), StringValue: new("x")}, "Message (user) attribute 'n' with type 'Binary' must use field 'Binary'."},
		"BadCharacters": {text("\b\v"), "Message (user) attribute 'n' contains invalid characters. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"},
	} {
		add(name, attrs{"n": test.value}, test.text)
	}
	for name, value := range map[string]string{
		"Letters": "abc", "Blank": " 1", "Comma": "1,5", "TwoPoints": "1.2.3", "Point": ".", "Sign": "-", "OnlyExponent": "e5", "NoExponent": "1e",
		"Hex": "0x10", "Infinity": "Infinity", "NaN": "NaN", "Underscore": "1_000", "Arabic": "٣", "Plus": "1e+", "Absurd": "1e999999999999",
		"39Digits": strings.Repeat("1", 39), "39DigitsPoint": "1." + strings.Repeat("1", 38), "TooLarge": "1e127", "JustTooLarge": "1.1e126", "TooSmall": "-1e129",
		"LongRun": strings.Repeat("9", 100_000), "ManyZeros": "1" + strings.Repeat("0", 127),
	} {
		add("Number"+name, attrs{"n": number(value)}, notANum)
	}
	for name, value := range map[string]protocol.MessageAttributeValue{
		"TextList":   {DataType: new("String"), StringListValues: []string{"x"}},
		"BinaryList": {DataType: new("Binary"), BinaryListValues: [][]byte{{1}}},
		"ListBeside": {DataType: new("String"), StringValue: new("x"), StringListValues: []string{"x"}},
	} {
		faults[name] = sendFault{
			in:        protocol.SendMessageInput{MessageBody: new("b"), MessageAttributes: attrs{"n": value, "": text("x")}},
			code:      "AWS.SimpleQueueService.UnsupportedOperation",
			text:      "Message attribute list values in SendMessage operation are not supported.",
			batchText: "Message attribute list values in SendMessageBatch operation are not supported.",
		}
	}
	return faults
}

// What is taken is given back verbatim: names, whole types and values.
func TestMessageAttributesRoundTrip(t *testing.T) {
	t.Parallel()
	ten := attrs{}
	for i := range 10 {
		ten[fmt.Sprintf("A.b-c_%d", i)] = []protocol.MessageAttributeValue{text("x"), number("1"), binary("\x00\xff")}[i%3]
	}
	tests := map[string]attrs{
		"Ten":         ten,
		"LongestName": {strings.Repeat("n", 256): text("x")},
		"LongestType": {"n": {DataType: new("Number." + strings.Repeat("x", 249)), StringValue: new("1")}},
		"Accents":     {"attr.1øßä": text("x")},
		"NearReserve": {"AWSx": text("x"), "Amazing": text("x")},
		"Labels":      {"n": {DataType: new("Number.java.lang.Long"), StringValue: new("1")}, "b": {DataType: new("Binary.png"), BinaryValue: []byte{0, 1}}, "s": {DataType: new("String."), StringValue: new("x")}},
		"EmptyBeside": {"n": {DataType: new("String"), StringValue: new("x"), BinaryValue: []byte{}}},
		"EmptyList":   {"n": {DataType: new("String"), StringValue: new("x"), StringListValues: []string{}}},
		"Text":        {"n": text("\t\r\n <&> Zażółć 😀")},
		"Numbers": {
			"a": number("12345678901234567890123456789012345678"), "b": number("230.000000000000000001"), "c": number("1e3"), "d": number("007"), "e": number("-0"),
			"f": number("+.5E-7"), "g": number("1" + strings.Repeat("0", 126)), "h": number("-1e128"), "i": number("0." + strings.Repeat("0", 200) + "1"), "j": number("5."),
		},
		"Zeros": {"n": number(strings.Repeat("0", 1000)), "m": number("0e9999"), "o": number("000123000.000")},
	}
	for name, sent := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.create("q")
			out := do[*protocol.SendMessageOutput](e, protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b"), MessageAttributes: sent})
			got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MessageAttributeNames: []string{"All"}})[0]
			want := attrs{}
			for name, v := range sent {
				v.StringListValues = nil
				if len(v.BinaryValue) == 0 {
					v.BinaryValue = nil
				}
				want[name] = v
			}
			if diff := cmp.Diff(want, got.MessageAttributes); diff != "" {
				t.Errorf("the attributes changed (-sent +received):\n%s", diff)
			}
			if digest := protocol.MD5OfAttributes(sent); *out.MD5OfMessageAttributes != digest || *got.MD5OfMessageAttributes != digest {
				t.Errorf("digests %s on send and %s on receive, want %s", *out.MD5OfMessageAttributes, *got.MD5OfMessageAttributes, digest)
			}
		})
	}
}
