package integration

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
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
