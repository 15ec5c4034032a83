package integration

import (
	"strings"
	"testing"
)

// Which message attributes are legal: those that are not leave no message.
func TestMessageAttributeRules(t *testing.T) {
	number := func(v string) map[string]args { return map[string]args{"n": {"DataType": "Number", "StringValue": v}} }
	named := func(n string) map[string]args { return map[string]args{n: {"DataType": "String", "StringValue": "v"}} }
	one := func(a args) map[string]args { return map[string]args{"a": a} }
	legal := map[string]map[string]args{
		"Plus": number("+1"), "LeadingPoint": number(".5"), "LastPoint": number("1."), "Largest": number("1e126"), "Smallest": number("-1e128"),
		"Digits38": number(strings.Repeat("9", 38)), "TrailingZeros": number(strings.Repeat("9", 38) + "00"), "Tiny": number("1e-128"),
		"AccentedName": named("attr.1øßä"), "LongName": named(strings.Repeat("n", 256)),
		"LongType": one(args{"DataType": "Number." + strings.Repeat("x", 249), "StringValue": "1"}),
	}
	illegal := map[string]map[string]args{
		"NaN": number("NaN"), "Infinity": number("Infinity"), "Hex": number("0x1F"), "Underscore": number("1_000"), "BlankBefore": number(" 1"),
		"BlankAfter": number("1 "), "TooLarge": number("1e127"), "TooSmall": number("-1e129"), "Digits39": number(strings.Repeat("9", 39)), "Point": number("."),
		"NoExponent": number("1e"), "TwoSigns": number("--1"), "Comma": number("1,5"), "OtherDigits": number("٣"), "HugeExponent": number("1e99999999999999"),
		"Section": named("§"), "Quote": named(`a"b`), "Bracket": named("x(y"), "Control": named("a\x01"), "EmptyName": named(""), "TwoDots": named("a..b"),
		"ControlInValue": one(args{"DataType": "String", "StringValue": "a\x08"}), "NonCharacter": one(args{"DataType": "String", "StringValue": "\ufffe"}),
		"TextAsBinary": one(args{"DataType": "String", "BinaryValue": "AA=="}), "BinaryAsText": one(args{"DataType": "Binary", "StringValue": "x"}),
		"NoType": one(args{"StringValue": "x"}), "BothValues": one(args{"DataType": "String", "StringValue": "x", "BinaryValue": "AA=="}),
		"EmptyBinary": one(args{"DataType": "Binary", "BinaryValue": ""}), "LongType": one(args{"DataType": "Number." + strings.Repeat("x", 250), "StringValue": "1"}),
	}
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for name, a := range illegal {
			r := e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": "b", "MessageAttributes": a})
			if r.Status != 400 || r.Code != "InvalidParameterValue" {
				t.Errorf("%s: %d %s, want 400 InvalidParameterValue", name, r.Status, r.Code)
			}
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
		for name, a := range legal {
			if r := e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": "b", "MessageAttributes": a}); r.Status != 200 {
				t.Errorf("%s: %d %s %s", name, r.Status, r.Code, r.Message)
			}
		}
	})
}

// A queue may be its own dead-letter queue, and one that denies is nobody's.
func TestDeadLetterTargets(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		self := e.create(t, nil)
		policy := func(url string) attrs {
			return attrs{"RedrivePolicy": `{"deadLetterTargetArn":"` + e.attributes(t, url, "QueueArn")["QueueArn"] + `","maxReceiveCount":1}`}
		}
		e.setAttributes(t, self, policy(self))
		closed := e.create(t, attrs{"RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`})
		e.call(t, "SetQueueAttributes", args{"QueueUrl": self, "Attributes": policy(closed)}).wantCode(t, "InvalidParameterValue")
		e.setAttributes(t, closed, attrs{"RedriveAllowPolicy": ""})
		e.setAttributes(t, self, policy(closed))
	})
}
