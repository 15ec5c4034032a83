package integration

import "testing"

// needsQueue are the actions that name a queue by its URL, with arguments that
// want nothing else.
var needsQueue = map[string]args{
	"AddPermission":                permission(nil),
	"ChangeMessageVisibility":      {"ReceiptHandle": "h", "VisibilityTimeout": 1},
	"ChangeMessageVisibilityBatch": {"Entries": list{args{"Id": "a", "ReceiptHandle": "h", "VisibilityTimeout": 1}}},
	"DeleteMessage":                {"ReceiptHandle": "h"},
	"DeleteMessageBatch":           {"Entries": list{args{"Id": "a", "ReceiptHandle": "h"}}},
	"DeleteQueue":                  {},
	"GetQueueAttributes":           {"AttributeNames": list{"All"}},
	"ListDeadLetterSourceQueues":   {},
	"ListQueueTags":                {},
	"PurgeQueue":                   {},
	"ReceiveMessage":               {"WaitTimeSeconds": 20},
	"RemovePermission":             {"Label": "l"},
	"SendMessage":                  {"MessageBody": "b"},
	"SendMessageBatch":             {"Entries": list{args{"Id": "a", "MessageBody": "b"}}},
	"SetQueueAttributes":           {"Attributes": attrs{"DelaySeconds": "1"}},
	"TagQueue":                     {"Tags": attrs{"k": "v"}},
	"UntagQueue":                   {"TagKeys": list{"k"}},
}

// What every action does about its queue, before anything else.
func TestFactsOfTheQueueOfARequest(t *testing.T) {
	var facts []fact
	for action, rest := range needsQueue {
		at := func(url any) args {
			in := args{"QueueUrl": url}
			for k, v := range rest {
				in[k] = v
			}
			return in
		}
		facts = append(
			facts,
			refused(action, "AnUnknownQueue", at("http://%HOST/%ACCOUNT/nowhere"), noQueue, ""),
			refused(action, "WithoutAQueueURL", at(nil), noQueue, ""),
			refused(action, "AnEmptyQueueURL", at(""), noQueue, ""),
			refused(action, "AURLOfNoQueue", at("http://%HOST"), noQueue, ""),
			refused(action, "TheQueueBeforeOtherMembers", args{"QueueUrl": "nowhere"}, noQueue, ""),
			refused(action, "TypesBeforeTheQueue", args{"QueueUrl": list{"nowhere"}}, malformed, anyText).only(onlyJSON),
			fact{action, "OfADeletedQueue", "", func(t *testing.T, e *env) {
				url := e.create(t, nil)
				e.deleteQueue(t, url)
				e.call(t, action, at(url)).wantRefusal(t, e, noQueue, "")
			}},
		)
	}
	runFacts(t, facts)
}
