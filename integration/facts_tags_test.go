package integration

import (
	"fmt"
	"strings"
	"testing"
)

func TestFactsOfListQueueTags(t *testing.T) {
	const action = "ListQueueTags"
	runFacts(t, []fact{
		answers(action, "WithoutTags", args{}, "{}", "<ListQueueTagsResult/>"),
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{})
			e.call(t, "TagQueue", args{"QueueUrl": "q", "Tags": attrs{"k": "v"}}).wantOK(t)
			e.call(t, action, in).wantOK(t).wantAnswer(t, e, action, `{"Tags":{"k":"v"}}`, "<ListQueueTagsResult><Tag><Key>k</Key><Value>v</Value></Tag></ListQueueTagsResult>")
		}},
	})
}

func TestFactsOfTagQueue(t *testing.T) {
	const action = "TagQueue"
	const symbols = " may only contain unicode letters, digits, whitespace, or one of these symbols: _ . : / = + - @"
	fifty, odd, long := attrs{strings.Repeat("k", 128): strings.Repeat("v", 256)}, "a b_.:/=+-@é", "ü 世 _.:/=+-@"
	for i := range 49 {
		fifty[fmt.Sprint("key", i)] = ""
	}
	more := attrs{"one more": ""}
	for k, v := range fifty {
		more[k] = v
	}
	// tagged is the fact of the tags that one call leaves on a queue with the
	// tag k=v.
	tagged := func(name string, given, want attrs) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			e.call(t, action, args{"QueueUrl": "q", "Tags": attrs{"k": "v"}}).wantOK(t)
			e.call(t, action, args{"QueueUrl": "q", "Tags": given}).wantOK(t)
			e.wantTags(t, "q", want)
		}}
	}
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", args{"Tags": attrs{"k": "v"}}, "", ""),
		tagged("AnExistingKeyIsOverwritten", attrs{"k": "w"}, attrs{"k": "w"}),
		tagged("KeysAreCaseSensitive", attrs{"K": "w"}, attrs{"k": "v", "K": "w"}),
		tagged("AnEmptyValue", attrs{"k": "", "e": ""}, attrs{"k": "", "e": ""}),
		tagged("AllLegalCharacters", attrs{odd: long}, attrs{"k": "v", odd: long}),
		{action, "FiftyAtTheLimitsOfTheirLengths", "", func(t *testing.T, e *env) {
			e.call(t, action, e.world(t, action, args{"Tags": fifty})).wantOK(t)
			e.wantTags(t, "q", fifty)
		}},
		refused(action, "WithoutTags", args{}, noParam, "The request must contain the parameter Tags."),
		refused(action, "AnEmptyKey", args{"Tags": attrs{"": "v"}}, badParam, "Tag keys must be between 1 and 128 characters in length."),
		refused(action, "AKeyOf129", args{"Tags": attrs{strings.Repeat("k", 129): "v"}}, badParam, "Tag keys must be between 1 and 128 characters in length."),
		refused(action, "AValueOf257", args{"Tags": attrs{"k": strings.Repeat("v", 257)}}, badParam, anyText),
		refused(action, "AnIllegalKey", args{"Tags": attrs{"k!": "v"}}, badParam, "Tag keys"+symbols),
		refused(action, "AnIllegalValue", args{"Tags": attrs{"k": "v!"}}, badParam, "Tag values"+symbols),
		refused(action, "OneIllegalKeyOfTwo", args{"Tags": attrs{"good": "v", "k#": "v"}}, badParam, "Tag keys"+symbols),
		refused(action, "TheReservedPrefix", args{"Tags": attrs{"aws:k": "v"}}, badParam, anyText),
		refused(action, "FiftyOne", args{"Tags": more}, badParam, "Too many tags added for queue q."),
		{action, "RefusedTagsAreNotThere", "", func(t *testing.T, e *env) {
			e.call(t, action, e.world(t, action, args{"Tags": attrs{"good": "v", "k#": "v"}})).wantCode(t, badParam)
			e.wantTags(t, "q", nil)
		}},
	})
}

func TestFactsOfUntagQueue(t *testing.T) {
	const action = "UntagQueue"
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", args{"TagKeys": list{"k"}}, "", ""),
		refused(action, "WithoutKeys", args{}, noParam, "The request must contain the parameter TagKeys."),
		{action, "OnlyTheNamedKeys", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			e.call(t, "TagQueue", args{"QueueUrl": "q", "Tags": attrs{"a": "1", "b": "2", "B": "3", "c d": "4"}}).wantOK(t)
			e.call(t, action, args{"QueueUrl": "q", "TagKeys": list{"b", "c d", "unknown"}}).wantOK(t)
			e.wantTags(t, "q", attrs{"a": "1", "B": "3"})
		}},
		accepted(action, "OnlyUnknownKeys", args{"TagKeys": list{"x", "y"}}),
	})
}
