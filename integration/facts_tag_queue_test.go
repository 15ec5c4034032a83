package integration

import "testing"

// The rules of tags themselves are elsewhere; these are the three actions.
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
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", args{"Tags": attrs{"k": "v"}}, "", ""),
		refused(action, "WithoutTags", args{}, noParam, "The request must contain the parameter Tags."),
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
