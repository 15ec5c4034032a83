package integration

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"
)

// A FIFO queue through the SDK: made, sent to, received in order, deleted.
func TestFIFO(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		var numbers []string
		for _, body := range []string{"g-1", "g-2", "g-3"} {
			out := e.send(t, url, body, inGroup("g"), as(body))
			numbers = append(numbers, aws.ToString(out.SequenceNumber))
		}
		if !slices.IsSorted(numbers) || len(numbers[0]) != 20 || numbers[0] == numbers[1] {
			t.Errorf("the numbers are %v, want 20 digits that grow", numbers)
		}
		e.wantCounts(t, url, counts{"3", "0", "0"})
		got := e.receive(t, url)
		wantBodies(t, got, "g-1", "g-2", "g-3")
		want := []string{
			"ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "MessageDeduplicationId", "MessageGroupId",
			"SenderId", "SentTimestamp", "SequenceNumber",
		}
		for i, m := range got {
			if diff := cmp.Diff(want, names(m.Attributes)); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
			if m.Attributes["SequenceNumber"] != numbers[i] || m.Attributes["MessageGroupId"] != "g" || m.Attributes["MessageDeduplicationId"] != *m.Body {
				t.Errorf("message %d has %v", i, m.Attributes)
			}
			e.delete(t, url, m)
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

// All of a fresh FIFO queue: what a standard queue has, and four more.
func TestFIFOAttributes(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		standard, fifo := e.attributes(t, e.create(t, nil), "All"), e.attributes(t, e.createFIFO(t, nil), "All")
		want := append(names(standard), "ContentBasedDeduplication", "DeduplicationScope", "FifoQueue", "FifoThroughputLimit")
		slices.Sort(want)
		if diff := cmp.Diff(want, names(fifo)); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
		defaults := attrs{"ContentBasedDeduplication": "false", "DeduplicationScope": "queue", "FifoQueue": "true", "FifoThroughputLimit": "perQueue"}
		for name, value := range defaults {
			if fifo[name] != value {
				t.Errorf("%s is %q, want %q", name, fifo[name], value)
			}
		}
		high := attrs{"DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId"}
		url := e.createFIFO(t, high)
		if diff := cmp.Diff(high, e.attributes(t, url, "DeduplicationScope", "FifoThroughputLimit")); diff != "" {
			t.Errorf("high throughput (-want +got):\n%s", diff)
		}
		e.call(t, "SetQueueAttributes", args{"QueueUrl": url, "Attributes": attrs{"DeduplicationScope": "queue"}}).wantCode(t, "InvalidAttributeValue")
		e.call(t, "SetQueueAttributes", args{"QueueUrl": url, "Attributes": attrs{"FifoQueue": "false"}}).
			wantCode(t, "InvalidAttributeValue").wantText(t, "Modifying queue type is not supported.")
	})
}

// Being served puts a group at the end of the line, also when it was served in
// part, and with a timeout of zero.
func TestFIFOGroupsTakeTurns(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		e.put(t, url, "g1-m1", "g2-m1", "g2-m2", "g3-m1", "g1-m2")
		wantList(t, e.peek(t, url, 3), "g1-m1 g1-m2 g2-m1")
		wantList(t, e.peek(t, url, 10), "g3-m1 g1-m1 g1-m2 g2-m1 g2-m2")
	})
}
