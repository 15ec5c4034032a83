package integration

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// DIFFERENCES 7: everything is consistent at once. AWS may serve a deleted
// queue for up to 60 seconds, and take as long to list a new one or to apply a
// changed attribute.
func TestDiff07ChangesAreSeenAtOnce(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		other := e.speaking(t, e.other())
		url := e.create(t, nil)
		if got := other.listed(t, &sqs.ListQueuesInput{}); len(got) != 1 {
			t.Errorf("a new queue is not listed: %q", got)
		}
		e.setAttributes(t, url, attrs{"MaximumMessageSize": "1024"})
		other.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": strings.Repeat("x", 1025)}).wantCode(t, "InvalidParameterValue")
		e.send(t, url, "b")
		other.wantCounts(t, url, counts{"1", "0", "0"})
		e.deleteQueue(t, url)
		_, err := other.sqs.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url})
		if !typed[*types.QueueDoesNotExist](err) {
			t.Errorf("a deleted queue is served: %v", err)
		}
	})
}
