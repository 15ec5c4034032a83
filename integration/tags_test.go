package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

// tags reads the tags of a queue.
func (e *env) tags(t *testing.T, url string) attrs {
	t.Helper()
	out, err := e.sqs.ListQueueTags(t.Context(), &sqs.ListQueueTagsInput{QueueUrl: &url})
	if err != nil {
		t.Fatal(err)
	}
	return out.Tags
}

// wantTags checks the tags of a queue.
func (e *env) wantTags(t *testing.T, url string, want attrs) {
	t.Helper()
	if diff := cmp.Diff(want, e.tags(t, url)); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}

func TestTagsAreSetChangedAndRemoved(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		created, err := e.sqs.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name, Tags: attrs{"k1": "v1", "k2": "v2"}})
		if err != nil {
			t.Fatal(err)
		}
		url := *created.QueueUrl
		e.wantTags(t, url, attrs{"k1": "v1", "k2": "v2"})

		odd, value := "a b_.:/=+-@é", "ü 世 _.:/=+-@"
		given := attrs{"k2": "new", "K1": "other case", "empty": "", odd: value}
		if _, err := e.sqs.TagQueue(t.Context(), &sqs.TagQueueInput{QueueUrl: &url, Tags: given}); err != nil {
			t.Fatal(err)
		}
		e.wantTags(t, url, attrs{"k1": "v1", "k2": "new", "K1": "other case", "empty": "", odd: value})

		if _, err := e.sqs.UntagQueue(t.Context(), &sqs.UntagQueueInput{QueueUrl: &url, TagKeys: []string{"k1", odd, "unknown"}}); err != nil {
			t.Fatal(err)
		}
		e.wantTags(t, url, attrs{"k2": "new", "K1": "other case", "empty": ""})
		e.createNamed(t, name, nil)
		e.wantTags(t, url, attrs{"k2": "new", "K1": "other case", "empty": ""})
	})
}

// The JSON protocol spells this one member in lower case; programs write both.
func TestCreateQueueTakesTagsInBothSpellings(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		for _, spelling := range []string{"tags", "Tags"} {
			name := freshName()
			e.call(t, "CreateQueue", args{"QueueName": name, spelling: attrs{"k1": "v1", "k2": "v2"}}).wantOK(t)
			e.wantTags(t, e.createNamed(t, name, nil), attrs{"k1": "v1", "k2": "v2"})
		}
	})
}
