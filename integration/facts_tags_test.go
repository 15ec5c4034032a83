package integration

import (
	"fmt"
	"strings"
	"testing"
)

// The words that tags are refused in.
const (
	tagLengthText = "Tag keys must be between 1 and 128 characters in length."
	tagCharsText  = " may only contain unicode letters, digits, whitespace, or one of these symbols: _ . : / = + - @"
)

// badTag makes a fact of tags that are refused, by TagQueue and by CreateQueue.
// An empty text means that its words are not known.
func badTag(name string, tags attrs, text string) []fact {
	check := func(t *testing.T, r *reply) {
		t.Helper()
		r.wantCode(t, "InvalidParameterValue")
		if text != "" {
			r.wantExactly(t, 400, "InvalidParameterValue", text)
		}
	}
	return []fact{
		{"TagQueue", name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			check(t, e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": tags}))
			e.wantTags(t, url, nil)
		}},
		{"CreateQueue", name, "", func(t *testing.T, e *env) {
			check(t, e.call(t, "CreateQueue", args{"QueueName": "q", "tags": tags}))
			e.call(t, "GetQueueUrl", args{"QueueName": "q"}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
		}},
	}
}

// tagged makes a queue with tags.
func (e *env) tagged(t *testing.T, tags attrs) string {
	t.Helper()
	url := e.create(t, nil)
	e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": tags}).wantVoid(t, "TagQueue")
	return url
}

func TestFactsOfTags(t *testing.T) {
	many := attrs{}
	for i := range 51 {
		many[fmt.Sprintf("key%02d", i)] = "v"
	}
	var facts []fact
	for _, f := range [][]fact{
		badTag("EmptyTagKey", attrs{"": "v"}, tagLengthText),
		badTag("TagKeyOf129", attrs{strings.Repeat("k", 129): "v"}, tagLengthText),
		badTag("TagValueOf257", attrs{"k": strings.Repeat("v", 257)}, ""),
		badTag("TagKeyWithOtherCharacters", attrs{"k!": "v"}, "Tag keys"+tagCharsText),
		badTag("TagValueWithOtherCharacters", attrs{"k": "v*"}, "Tag values"+tagCharsText),
		badTag("ReservedTagKey", attrs{"aws:k": "v"}, ""),
		badTag("51Tags", many, ""),
		badTag("OneBadTagOfTwo", attrs{"good": "v", "bad#": "v"}, "Tag keys"+tagCharsText),
		refusals("TagQueue", nil, refusal{"NoTags", nil, 400, "MissingParameter", "The request must contain the parameter Tags."}),
		refusals("UntagQueue", nil, refusal{"NoTagKeys", nil, 400, "MissingParameter", "The request must contain the parameter TagKeys."}),
	} {
		facts = append(facts, f...)
	}
	for _, x := range []struct {
		action string
		in     args
	}{{"TagQueue", args{"Tags": attrs{"k": "v"}}}, {"UntagQueue", args{"TagKeys": list{"k"}}}, {"ListQueueTags", args{}}} {
		facts = append(facts, fact{x.action, "UnknownQueue", "", func(t *testing.T, e *env) {
			e.call(t, x.action, with("QueueUrl", e.url+"/"+e.account+"/nowhere", x.in)).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
		}})
	}
	runFacts(t, append(facts, []fact{
		{"ListQueueTags", "NoneIsAnEmptyAnswer", "", func(t *testing.T, e *env) {
			r := e.call(t, "ListQueueTags", args{"QueueUrl": e.create(t, nil)}).wantOK(t)
			if !e.wire.query && r.Body != "{}" || e.wire.query && !strings.Contains(r.Body, "<ListQueueTagsResult/>") {
				t.Errorf("the body is %s", r.Body)
			}
		}},
		{"CreateQueue", "WithTags", "", func(t *testing.T, e *env) {
			e.call(t, "CreateQueue", args{"QueueName": "q", "tags": attrs{"k": "v", "l": ""}}).wantOK(t)
			e.wantTags(t, e.url+"/"+e.account+"/q", attrs{"k": "v", "l": ""})
		}},
		{"TagQueue", "EmptyValue", "", func(t *testing.T, e *env) {
			e.wantTags(t, e.tagged(t, attrs{"k": ""}), attrs{"k": ""})
		}},
		{"TagQueue", "EveryCharacter", "", func(t *testing.T, e *env) {
			tags := attrs{"aZ09 _.:/=+-@é世": "ü\u00a0世 _.:/=+-@"}
			e.wantTags(t, e.tagged(t, tags), tags)
		}},
		{"TagQueue", "KeysInAnyCaseAreDifferent", "", func(t *testing.T, e *env) {
			e.wantTags(t, e.tagged(t, attrs{"k": "1", "K": "2"}), attrs{"k": "1", "K": "2"})
		}},
		{"TagQueue", "AnExistingKeyIsOverwritten", "", func(t *testing.T, e *env) {
			url := e.tagged(t, attrs{"k": "1", "l": "1"})
			e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{"k": "2", "m": "2"}}).wantVoid(t, "TagQueue")
			e.wantTags(t, url, attrs{"k": "2", "l": "1", "m": "2"})
		}},
		{"TagQueue", "FiftyOfTheLongest", "", func(t *testing.T, e *env) {
			tags := attrs{}
			for i := range 50 {
				tags[fmt.Sprintf("%0128d", i)] = strings.Repeat("é", 256)
			}
			url := e.tagged(t, tags)
			e.wantTags(t, url, tags)
			e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{"k": "v"}}).wantCode(t, "InvalidParameterValue")
			// One that is there may change.
			e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{fmt.Sprintf("%0128d", 7): ""}}).wantOK(t)
		}},
		{"UntagQueue", "UnknownKeysToo", "", func(t *testing.T, e *env) {
			url := e.tagged(t, attrs{"k": "1", "l": "1"})
			e.call(t, "UntagQueue", args{"QueueUrl": url, "TagKeys": list{"k", "K", "unknown"}}).wantVoid(t, "UntagQueue")
			e.wantTags(t, url, attrs{"l": "1"})
			e.call(t, "UntagQueue", args{"QueueUrl": url, "TagKeys": list{"unknown"}}).wantVoid(t, "UntagQueue")
		}},
	}...))
}
