package integration

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// texts are bodies that must come back as they went in. Their digests, where
// given, are those that clients computed.
var texts = map[string]struct{ body, digest string }{
	"Plain":             {"hello", "5d41402abc4b2a76b9719d911017c592"},
	"OneBlank":          {" ", ""},
	"BlanksAround":      {"  in the middle \n", ""},
	"EnDash":            {"Toolbox – reset", "47eabceba6e365fa68b699c79d3c4584"},
	"Unicode":           {"héllo – 世界 🚀", "0ad8b7968ab46ae1fe60656ff1e9fcc6"},
	"CarriageReturn":    {"a\r\nb", "65d5f03c46e62e3f2babbe712d2ce464"},
	"AllWhiteSpace":     {"\t\n\r \r\n\t", ""},
	"Markup":            {`<a>&"'</a>`, "d272f11d37883acbe615a88510a14bc0"},
	"EndOfCData":        {"]]><![CDATA[", ""},
	"XMLDocument":       {`<?xml version="1.0"?><x y="1">&amp;&#13;</x>`, ""},
	"JSONDocument":      {`{"a":[1,2,"\u00e9"],"b":"c\\d\/"}`, ""},
	"CutJSON":           {`{"a":`, ""},
	"Form":              {"a+b c%20d&e=f", "ae26cd911ea767c7cf6a5bdc4ded1eaa"},
	"DeleteAndC1":       {"\u007f\u0080\u009f", "fcd82c11e3ccf6d09b20b7a8099f4cc9"},
	"DeleteC1AndLetter": {"\u007f\u0080\u009f Ã", ""},
	"ByteOrderMark":     {"\ufeffx", ""},
	"ReplacementChar":   {"\ufffd", ""},
	"LastOfPlane":       {"\ud7ff\ue000\ufffd\U00010000\U0010ffff", ""},
	"LineSeparators":    {"a\u2028b\u2029c\u0085d", ""},
	"Combining":         {"e\u0301 \u200d\U0001F468\u200d\U0001F469", ""},
	"HTML":              {"&lt;&#xD;&nbsp;<script>", ""},
	"Null":              {"null", ""},
	"Number":            {"1e400", ""},
}

func TestBodiesComeBackExactly(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for name, tt := range texts {
			sent := e.send(t, url, tt.body)
			got := e.receiveOne(t, url)
			if *got.Body != tt.body {
				t.Errorf("%s: the body is %q, want %q", name, *got.Body, tt.body)
			}
			digest := bodyDigest(tt.body)
			if tt.digest != "" && tt.digest != digest {
				t.Errorf("%s: the table says %s, MD5 is %s", name, tt.digest, digest)
			}
			if *sent.MD5OfMessageBody != digest || *got.MD5OfBody != digest {
				t.Errorf("%s: digests are %s and %s, want %s", name, *sent.MD5OfMessageBody, *got.MD5OfBody, digest)
			}
			if *sent.MessageId != *got.MessageId {
				t.Errorf("%s: sent as %s, received as %s", name, *sent.MessageId, *got.MessageId)
			}
			if sent.MD5OfMessageAttributes != nil || got.MD5OfMessageAttributes != nil || got.MessageAttributes != nil {
				t.Errorf("%s: attributes came of nothing: %v", name, got.MessageAttributes)
			}
			e.delete(t, url, got)
		}
	})
}

func TestMessageAttributesComeBackExactly(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		attributes map[string]messageAttribute
		digest     string
	}{
		"String":         {map[string]messageAttribute{"content-encoding": text("String", "lz4")}, "d5b1c8868f6406a7a6a8f4cebc4fcc94"},
		"CustomNumber":   {map[string]messageAttribute{"ts": text("Number.java.lang.Long", "1")}, "c87e5c97ccd59d6b9bd1aaeaf34b4aa6"},
		"Binary":         {map[string]messageAttribute{"bin": blob("Binary", 0, 0xff, 0x10, 0x80)}, "c2a29fcd5ed53b78fd5ce1def3de9b6a"},
		"NumbersAsSent":  {map[string]messageAttribute{"big": text("Number", "12345678901234567890123456789012345678"), "f": text("Number", "230.000000000000000001")}, "b7cb2c225008d7c7bc15e3e7cf649919"},
		"OddNumbers":     {map[string]messageAttribute{"a": text("Number", "1e3"), "b": text("Number", "007"), "c": text("Number", "-0"), "d": text("Number", "0.50")}, ""},
		"CustomBinary":   {map[string]messageAttribute{"img": blob("Binary.png", []byte{0x89, 'P', 'N', 'G', '\r', '\n'}...)}, ""},
		"TextWithMarkup": {map[string]messageAttribute{"x": text("String", "<&>\"'\r\n\t 世 🚀"), "y": text("String.json", `{"a":"b"}`)}, ""},
		"TenOfAllKinds": {map[string]messageAttribute{
			"A.b-c_1": text("String", "1"), "a2": text("Number", "2"), "a3": blob("Binary", 3), "a4": text("String.x", "4"),
			"a5": text("Number.int", "5"), "a6": blob("Binary.y", 6), "a7": text("String", " "), "a8": text("Number", "-8.8E-8"),
			"Z": text("String", "9"), "a": text("String", "10"),
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				url := e.create(t, nil)
				sent := e.send(t, url, "b", func(in *sqs.SendMessageInput) { in.MessageAttributes = tt.attributes })
				got := e.receiveOne(t, url)
				if diff := cmp.Diff(tt.attributes, got.MessageAttributes, cmpopts.IgnoreUnexported(messageAttribute{})); diff != "" {
					t.Errorf("attributes (-want +got):\n%s", diff)
				}
				want := attributeDigest(tt.attributes)
				if tt.digest != "" && tt.digest != want {
					t.Errorf("the digest of the report is %s, ours %s", tt.digest, want)
				}
				if aws.ToString(sent.MD5OfMessageAttributes) != want || aws.ToString(got.MD5OfMessageAttributes) != want {
					t.Errorf("digests are %s and %s, want %s", aws.ToString(sent.MD5OfMessageAttributes), aws.ToString(got.MD5OfMessageAttributes), want)
				}
			})
		})
	}
}

func TestOnlySelectedMessageAttributesAreReturned(t *testing.T) {
	t.Parallel()
	given := map[string]messageAttribute{"Hello": text("String", "There"), "Help.Me": text("String", "Me"), "General": text("String", "Kenobi")}
	for name, tt := range map[string]struct{ ask, want []string }{
		"Nothing":         {nil, nil},
		"All":             {[]string{"All"}, []string{"General", "Hello", "Help.Me"}},
		"DotStar":         {[]string{".*"}, []string{"General", "Hello", "Help.Me"}},
		"Star":            {[]string{"*"}, []string{"General", "Hello", "Help.Me"}},
		"Prefix":          {[]string{"Hel.*"}, []string{"Hello", "Help.Me"}},
		"LongerPrefix":    {[]string{"Help.*"}, []string{"Help.Me"}},
		"Exact":           {[]string{"Hello"}, []string{"Hello"}},
		"OtherCase":       {[]string{"hello"}, nil},
		"Union":           {[]string{"General", "Hel.*"}, []string{"General", "Hello", "Help.Me"}},
		"UnknownAndKnown": {[]string{"AWS.", "..foo", "General"}, []string{"General"}},
		"OnlyUnknown":     {[]string{"Foo"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				url := e.create(t, nil)
				e.send(t, url, "b", func(in *sqs.SendMessageInput) { in.MessageAttributes = given })
				m := e.receiveOne(t, url, func(in *sqs.ReceiveMessageInput) { in.MessageAttributeNames = tt.ask })
				want := maps.Clone(given)
				for k := range given {
					if !slices.Contains(tt.want, k) {
						delete(want, k)
					}
				}
				if diff := cmp.Diff(tt.want, names(m.MessageAttributes)); diff != "" {
					t.Errorf("attributes (-want +got):\n%s", diff)
				}
				digest := ""
				if len(want) > 0 {
					digest = attributeDigest(want)
				}
				if got := aws.ToString(m.MD5OfMessageAttributes); got != digest {
					t.Errorf("the digest is %q, want %q: that of what was returned", got, digest)
				}
			})
		})
	}
}

var standardSystemAttributes = []string{"ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "SenderId", "SentTimestamp"}

func TestOnlySelectedSystemAttributesAreReturned(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		system []types.MessageSystemAttributeName
		older  []types.QueueAttributeName
		want   []string
	}{
		"Nothing":      {nil, nil, nil},
		"One":          {[]types.MessageSystemAttributeName{"SenderId"}, nil, []string{"SenderId"}},
		"All":          {[]types.MessageSystemAttributeName{"All"}, nil, standardSystemAttributes},
		"OlderList":    {nil, []types.QueueAttributeName{"SentTimestamp"}, []string{"SentTimestamp"}},
		"OlderAll":     {nil, []types.QueueAttributeName{"All"}, standardSystemAttributes},
		"NotHere":      {[]types.MessageSystemAttributeName{"SequenceNumber", "DeadLetterQueueSourceArn", "MessageGroupId"}, nil, nil},
		"UnknownNames": {[]types.MessageSystemAttributeName{"not-a-real-name"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				url := e.create(t, nil)
				e.send(t, url, "b")
				m := e.receiveOne(t, url, func(in *sqs.ReceiveMessageInput) {
					in.MessageSystemAttributeNames, in.AttributeNames = tt.system, tt.older //nolint:staticcheck // old clients send it
				})
				if diff := cmp.Diff(tt.want, names(m.Attributes)); diff != "" {
					t.Errorf("system attributes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// In the JSON protocol the two lists are two members, and both count. In Query
// they were one parameter once, so clients differ; each by itself works.
func TestBothListsOfSystemAttributesCount(t *testing.T) {
	eachWire(t, places(), []wire{wireJSON}, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		m := e.receiveOne(t, url, func(in *sqs.ReceiveMessageInput) {
			in.MessageSystemAttributeNames = []types.MessageSystemAttributeName{"SenderId"}
			in.AttributeNames = []types.QueueAttributeName{"SentTimestamp"} //nolint:staticcheck // old clients send it
		})
		if diff := cmp.Diff([]string{"SenderId", "SentTimestamp"}, names(m.Attributes)); diff != "" {
			t.Errorf("system attributes (-want +got):\n%s", diff)
		}
	})
}

func TestTimestampsAndCountsOfMessages(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		time.Sleep(2 * time.Second)
		for i, want := range []string{"1", "2", "3"} {
			m := e.receiveOne(t, url, hideFor(5))
			a := m.Attributes
			if a["SentTimestamp"] != "946684800000" || a["ApproximateFirstReceiveTimestamp"] != "946684802000" || a["ApproximateReceiveCount"] != want {
				t.Errorf("receive %d: %v", i+1, a)
			}
			time.Sleep(5 * time.Second)
		}
	})
}

func TestTimestampsAreMilliseconds(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		a := e.receiveOne(t, url).Attributes
		for _, name := range []string{"SentTimestamp", "ApproximateFirstReceiveTimestamp"} {
			if !regexp.MustCompile(`^[0-9]{12,13}$`).MatchString(a[name]) {
				t.Errorf("%s is %q, want milliseconds", name, a[name])
			}
		}
		if strings.Compare(a["SentTimestamp"], a["ApproximateFirstReceiveTimestamp"]) > 0 {
			t.Errorf("received before it was sent: %v", a)
		}
	})
}
