package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// While one group holds most of what is in flight, the messages of others are
// received before its own, and then it is served again.
func TestQuietGroupsGoFirst(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.flood(t, url, "noisy", 60)
		for range 4 {
			for _, m := range e.receive(t, url) {
				if m.Attributes["MessageGroupId"] != "noisy" {
					t.Errorf("%s of group %s", *m.Body, m.Attributes["MessageGroupId"])
				}
			}
		}
		e.wantCounts(t, url, counts{"20", "40", "0"})
		e.flood(t, url, "quiet", 2)
		e.send(t, url, "of nobody")
		wantBodies(t, e.receive(t, url, upTo(3)), "quiet0", "quiet1", "of nobody")
		wantBodies(t, e.receive(t, url, upTo(2)), "noisy40", "noisy41")
	})
}

// A group is not noisy with few messages in flight, and holds nobody back.
func TestGroupsOfStandardQueues(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.flood(t, url, "a", 3)
		e.flood(t, url, "b", 1)
		wantBodies(t, e.receive(t, url, upTo(2)), "a0", "a1")
		got := e.receive(t, url)
		wantBodies(t, got, "a2", "b0")
		if _, ok := got[0].Attributes["SequenceNumber"]; ok {
			t.Errorf("attributes of a standard queue's message: %v", got[0].Attributes)
		}
		group, dedup := "a", "d"
		_, err := e.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &group, MessageGroupId: &group, MessageDeduplicationId: &dedup})
		if err == nil {
			t.Error("a deduplication id was taken")
		}
	})
}
