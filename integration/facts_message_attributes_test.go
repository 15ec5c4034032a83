package integration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// carrying is a message with some attributes.
func carrying(a map[string]args) args { return args{"MessageBody": "b", "MessageAttributes": a} }

// value is an attribute of a type with a text.
func value(dataType, text string) args { return args{"DataType": dataType, "StringValue": text} }

func TestFactsOfMessageAttributes(t *testing.T) {
	const action = "SendMessage"
	named := func(n string) args { return carrying(map[string]args{n: value("String", "v")}) }
	one := func(a args) args { return carrying(map[string]args{"a": a}) }
	refusedName := func(name, n, text string) fact {
		return refused(action, "AttributeName"+name, named(n), badParam, text)
	}
	refusedOne := func(name string, a args, text string) fact {
		return refused(action, "Attribute"+name, one(a), badParam, text)
	}
	some := func(n int) map[string]args {
		m := map[string]args{}
		for i := range n {
			m[fmt.Sprint("a", i)] = value("String", "v")
		}
		return m
	}
	const reserved = "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for internal use."
	const longName = "Message (user) attribute name must be shorter than 256 bytes."
	const longType = "Message (user) attribute type must be shorter than 256 bytes."
	const badType = "The type of message (user) attribute 'a' is invalid. You must use only the following supported type prefixes: Binary, Number, String."
	const noType = "The message (user) attribute 'a' must contain a non-empty message attribute type."
	empty := func(of string) string {
		return "Message (user) attribute 'a' must contain a non-empty value of type '" + of + "'."
	}
	const notCast = "Can't cast the value of message (user) attribute 'a' to a number."
	facts := []fact{
		accepted(action, "AttributesTen", carrying(some(10))),
		refused(action, "AttributesEleven", carrying(some(11)), badParam, "Number of message attributes [11] exceeds the allowed maximum [10]."),
		accepted(action, "AttributeNameOf256", named(strings.Repeat("n", 256))),
		refusedName("Of257", strings.Repeat("n", 257), longName),
		refusedName("Empty", "", "The request must contain non-empty message (user) attribute names."),
		refusedName("AWSDot", "AWS.x", reserved), refusedName("AWSDotInLowerCase", "aws.x", reserved), refusedName("AmazonDot", "Amazon.x", reserved), refusedName("AmazonDotInCapitals", "AMAZON.x", reserved),
		accepted(action, "AttributeNameThatBeginsWithAWSAlone", named("AWSx")),
		refusedName("DotFirst", ".a", "Message (user) attribute name must not begin with character '.'."),
		refusedName("DotLast", "a.", "Message (user) attribute name must not end with character '.'."),
		refusedName("TwoDots", "a..b", "Message (user) attribute name must not have successive '.' characters."),
		accepted(action, "AttributeNameOfAllLegalCharacters", named("azAZ09_-.x")), accepted(action, "AttributeNameWithAccents", named("attr.1øßä")),
		refusedOne("EmptyValueObject", args{}, "The message (user) attribute 'a' must contain a non-empty message attribute value."),
		refusedOne("WithoutAType", args{"StringValue": "x"}, noType), refusedOne("AnEmptyType", value("", "x"), noType),
		refusedOne("AnUnknownType", value("Text", "x"), badType), refusedOne("ATypeInLowerCase", value("string", "x"), badType), refusedOne("ATypeThatGoesOn", value("Strings", "x"), badType),
		accepted(action, "AttributeTypeOf256", one(value("Number."+strings.Repeat("x", 249), "1"))),
		refusedOne("ATypeOf257", value("Number."+strings.Repeat("x", 250), "1"), longType),
		refusedOne("ATypeOf263", value("Number."+strings.Repeat("x", 256), "1"), longType),
		refusedOne("AnEmptyString", value("String", ""), empty("String")), refusedOne("AnEmptyNumber", value("Number", ""), empty("Number")),
		refusedOne("EmptyBinary", args{"DataType": "Binary", "BinaryValue": ""}, empty("Binary")), refusedOne("WithoutAValue", args{"DataType": "String"}, empty("String")),
		refusedOne("TwoValues", args{"DataType": "String", "StringValue": "x", "BinaryValue": "AA=="}, "Message (user) attribute 'a' must have a single value."),
		refusedOne("BytesForAString", args{"DataType": "String", "BinaryValue": "AA=="}, "Message (user) attribute 'a' with type 'String' must use field 'String'."),
		refusedOne("ATextForBinary", value("Binary", "x"), "Message (user) attribute 'a' with type 'Binary' must use field 'Binary'."),
		refusedOne("ControlCharactersInAValue", value("String", "a\x08b\x0bc"), anyText), refusedOne("ANonCharacterInAValue", value("String", "\ufffe"), anyText),
	}
	for name, c := range map[string]string{"Exclamation": "!", "Quote": `"`, "Bracket": "(", "QuestionMark": "?", "SectionSign": "§", "Blank": " ", "Control": "\x01"} {
		facts = append(facts, refusedName("With"+name, "x"+c+"y", anyText))
	}
	for name, v := range map[string]string{
		"NaN": "NaN", "Infinity": "Infinity", "Hexadecimal": "0x1F", "Underscore": "1_000", "BlankBefore": " 1", "BlankAfter": "1 ", "Letters": "abc",
		"Point": ".", "NoExponent": "1e", "TwoSigns": "--1", "Comma": "1,5", "OtherDigits": "٣",
	} {
		facts = append(facts, refusedOne("Number"+name, value("Number", v), notCast))
	}
	for name, v := range map[string]string{"TooLarge": "1e127", "TooSmall": "-1e129", "Of39Digits": strings.Repeat("9", 39), "HugeExponent": "1e99999999999999"} {
		facts = append(facts, refusedOne("Number"+name, value("Number", v), anyText))
	}
	for name, v := range map[string]string{
		"Plus": "+1", "LeadingPoint": ".5", "LastPoint": "1.", "Largest": "1e126", "Smallest": "-1e128", "Of38Digits": strings.Repeat("9", 38),
		"TrailingZeros": strings.Repeat("9", 38) + "00", "LeadingZeros": "007", "Tiny": "1e-128", "MinusZero": "-0", "Fraction": "230.000000000000000001",
	} {
		facts = append(facts, comesBack("Number"+name, map[string]messageAttribute{"a": text("Number", v)}))
	}
	facts = append(
		facts,
		comesBack("String", map[string]messageAttribute{"a": text("String", "v")}),
		comesBack("StringWithALabel", map[string]messageAttribute{"a": text("String.json", `{"a":"b"}`)}),
		comesBack("StringWithMarkup", map[string]messageAttribute{"x": text("String", "<&>\"'\r\n\t 世 🚀")}),
		comesBack("NumberWithALabel", map[string]messageAttribute{"a": text("Number.java.lang.Long", "1")}),
		comesBack("Binary", map[string]messageAttribute{"a": blob("Binary", 0, 0xff, 0x10, 0x80)}),
		comesBack("BinaryWithALabel", map[string]messageAttribute{"a": blob("Binary.png", []byte{0x89, 'P', 'N', 'G', '\r', '\n'}...)}),
		comesBack("TenOfAllKinds", map[string]messageAttribute{
			"A.b-c_1": text("String", "1"), "a2": text("Number", "2"), "a3": blob("Binary", 3), "a4": text("String.x", "4"), "a5": text("Number.int", "5"),
			"a6": blob("Binary.y", 6), "a7": text("String", " "), "a8": text("Number", "-8.8E-8"), "Z": text("String", "9"), "a": text("String", "10"),
		}),
		fact{"ReceiveMessage", "AttributesHaveOnlyTheirValuesMember", "", func(t *testing.T, e *env) {
			e.call(t, action, e.world(t, action, one(value("String", "v")))).wantOK(t)
			r := e.call(t, "ReceiveMessage", args{"QueueUrl": "q", "MessageAttributeNames": list{"a"}}).wantOK(t)
			if strings.Contains(r.Body, "Binary") || strings.Contains(r.Body, "List") {
				t.Errorf("the answer is %s", r.Body)
			}
		}},
	)
	runFacts(t, facts)
}

// comesBack is the fact that attributes come back as they were sent.
func comesBack(name string, a map[string]messageAttribute) fact {
	return fact{"ReceiveMessage", "AttributeComesBack" + name, "", func(t *testing.T, e *env) {
		url := e.create(t, nil)
		sent := e.send(t, url, "b", func(in *sqs.SendMessageInput) { in.MessageAttributes = a })
		got := e.receiveOne(t, url)
		if diff := cmp.Diff(a, got.MessageAttributes, cmpopts.IgnoreUnexported(messageAttribute{})); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
		want := attributeDigest(a)
		if aws.ToString(sent.MD5OfMessageAttributes) != want || aws.ToString(got.MD5OfMessageAttributes) != want {
			t.Errorf("digests are %s and %s, want %s", aws.ToString(sent.MD5OfMessageAttributes), aws.ToString(got.MD5OfMessageAttributes), want)
		}
	}}
}

func TestFactsOfMessageSystemAttributes(t *testing.T) {
	const action = "SendMessage"
	system := func(name string, a args) args {
		return args{"MessageBody": "b", "MessageSystemAttributes": map[string]args{name: a}}
	}
	runFacts(t, []fact{
		refused(action, "SystemAttributeOfAnotherName", system("SenderId", value("String", "x")), badParam, "Message system attribute name 'SenderId' is invalid."),
		refused(action, "SystemAttributeOfAnotherType", system("AWSTraceHeader", value("Number", "1")), badParam, anyText),
		refused(action, "SystemAttributeWithoutAValue", system("AWSTraceHeader", value("String", "")), badParam, "Message (system) attribute 'AWSTraceHeader' must contain a non-empty value of type 'String'."),
		accepted(action, "SystemAttributeIsAnyText", system("AWSTraceHeader", value("String", "no trace at all"))),
		{action, "SystemAttributesAreNotPartOfTheSize", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MaximumMessageSize": "1024"})
			in := system("AWSTraceHeader", value("String", trace))
			in["QueueUrl"], in["MessageBody"] = url, strings.Repeat("x", 1024)
			e.call(t, action, in).wantOK(t)
		}},
		{"ReceiveMessage", "TheTraceComesBack", "", func(t *testing.T, e *env) {
			e.call(t, action, e.world(t, action, system("AWSTraceHeader", value("String", trace)))).wantOK(t)
			if got := e.receiveOne(t, "q"); got.Attributes["AWSTraceHeader"] != trace || got.MD5OfMessageAttributes != nil {
				t.Errorf("received %v, digest %v", got.Attributes, got.MD5OfMessageAttributes)
			}
		}},
	})
}
