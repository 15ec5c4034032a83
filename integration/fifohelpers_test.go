package integration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// createFIFO makes a fresh FIFO queue and gives its URL.
func (e *env) createFIFO(t *testing.T, a attrs) string {
	t.Helper()
	all := attrs{"FifoQueue": "true"}
	for name, value := range a {
		all[name] = value
	}
	return e.createNamed(t, freshName()+".fifo", all)
}

// inGroup puts a message into a group.
func inGroup(group string) func(*sqs.SendMessageInput) {
	return func(in *sqs.SendMessageInput) { in.MessageGroupId = &group }
}

// as gives a message a deduplication id.
func as(dedup string) func(*sqs.SendMessageInput) {
	return func(in *sqs.SendMessageInput) { in.MessageDeduplicationId = &dedup }
}

// put sends messages to a FIFO queue, in their order: "g1-m2" goes into group
// g1, with itself as its deduplication id.
func (e *env) put(t *testing.T, url string, list ...string) {
	t.Helper()
	for _, body := range list {
		group, _, _ := strings.Cut(body, "-")
		e.send(t, url, body, inGroup(group), as(body))
	}
}

// peek receives up to so many messages that stay visible.
func (e *env) peek(t *testing.T, url string, most int) []string {
	t.Helper()
	var list []string
	for _, m := range e.call(t, "ReceiveMessage", args{"QueueUrl": url, "MaxNumberOfMessages": most, "VisibilityTimeout": 0}).messages(t) {
		list = append(list, m.Body)
	}
	return list
}

// wantList checks a list of words against one text.
func wantList(t *testing.T, got []string, want string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(strings.Fields(want)) {
		t.Errorf("received %v, want [%s]", got, want)
	}
}

// arn gives a queue's resource name.
func (e *env) arn(t *testing.T, url string) string {
	t.Helper()
	return e.attributes(t, url, types.QueueAttributeNameQueueArn)["QueueArn"]
}

// redriveTo is a redrive policy.
func redriveTo(arn string, times int) string {
	return fmt.Sprintf(`{"deadLetterTargetArn":"%s","maxReceiveCount":%d}`, arn, times)
}

// sendQuietly is send for other goroutines than the test's own: it gives the id
// of the message, nil for a failure.
func (e *env) sendQuietly(t *testing.T, url, body, dedup string) *string {
	group := "g"
	out, err := e.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body, MessageGroupId: &group, MessageDeduplicationId: &dedup})
	if err != nil {
		t.Errorf("SendMessage: %v", err)
		return nil
	}
	return out.MessageId
}

// flood sends a number of messages of one group to a standard queue.
func (e *env) flood(t *testing.T, url, group string, n int) {
	t.Helper()
	for from := 0; from < n; from += 10 {
		entries := list{}
		for i := from; i < min(from+10, n); i++ {
			entries = append(entries, args{"Id": fmt.Sprint(i), "MessageBody": fmt.Sprint(group, i), "MessageGroupId": group})
		}
		e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": entries}).wantOK(t)
	}
}
