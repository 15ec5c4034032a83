package integration

import "testing"

// DIFFERENCES 4: FIFO queues cannot be created yet.
func TestDiff04FifoQueuesAreNotSupported(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		r := e.call(t, "CreateQueue", args{"QueueName": "orders.fifo", "Attributes": attrs{"FifoQueue": "true", "ContentBasedDeduplication": "true"}})
		r.wantCode(t, "AWS.SimpleQueueService.UnsupportedOperation")
		e.call(t, "GetQueueUrl", args{"QueueName": "orders.fifo"}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
	})
}
