package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// listed gives the queue URLs of one ListQueues call.
func (e *env) listed(t *testing.T, in *sqs.ListQueuesInput) []string {
	t.Helper()
	out, err := e.sqs.ListQueues(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out.QueueUrls
}

// query posts a form.
func (e *env) query(t *testing.T, form string) *reply {
	t.Helper()
	return e.post(t, "/", formHeader, form)
}

// deleteQueue deletes a queue.
func (e *env) deleteQueue(t *testing.T, url string) {
	t.Helper()
	if _, err := e.sqs.DeleteQueue(t.Context(), &sqs.DeleteQueueInput{QueueUrl: &url}); err != nil {
		t.Fatal(err)
	}
}

// purge purges a queue.
func (e *env) purge(t *testing.T, url string) {
	t.Helper()
	if _, err := e.sqs.PurgeQueue(t.Context(), &sqs.PurgeQueueInput{QueueUrl: &url}); err != nil {
		t.Fatal(err)
	}
}
