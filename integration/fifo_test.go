package integration

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
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

// A receive takes from one group as much as fits, then goes on with the next.
func TestFIFOFillsFromOneGroup(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		e.put(t, url, "g1-m1", "g2-m1", "g1-m2", "g3-m1", "g1-m3", "g2-m2")
		wantBodies(t, e.receive(t, url, upTo(4)), "g1-m1", "g1-m2", "g1-m3", "g2-m1")
		wantBodies(t, e.receive(t, url), "g3-m1")
		e.wantNothing(t, url)
		e.wantCounts(t, url, counts{"1", "5", "0"})
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

// A message that is freed while a later one of its group is still held comes
// back alone, behind the groups that wait.
func TestFIFOFreedMessage(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		for name, free := range map[string]func(url string, m types.Message){
			"AtOnce": func(url string, m types.Message) { e.changeVisibility(t, url, m, 0) },
			"Later": func(url string, m types.Message) {
				e.changeVisibility(t, url, m, 1)
				time.Sleep(time.Second)
			},
		} {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g1-m1", "g1-m2", "g2-m1")
			held := e.receive(t, url, upTo(2))
			wantBodies(t, held, "g1-m1", "g1-m2")
			free(url, held[0])
			if got := e.receive(t, url, upTo(3)); strings.Join(bodies(got), " ") != "g2-m1 g1-m1" {
				t.Errorf("%s: received %q", name, bodies(got))
			}
			e.wantNothing(t, url)
		}
	})
}

// A held message keeps back those behind it and nobody in front of it.
func TestFIFOHeldInTheMiddle(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, attrs{"VisibilityTimeout": "2"})
		e.put(t, url, "g-1", "g-2", "g-3", "g-4")
		held := e.receive(t, url)
		e.changeVisibility(t, url, held[2], 60)
		time.Sleep(2 * time.Second)
		again := e.receive(t, url, hideFor(30))
		wantBodies(t, again, "g-1", "g-2")
		e.delete(t, url, again[0])
		e.delete(t, url, again[1])
		e.wantNothing(t, url)
		e.delete(t, url, held[2])
		wantBodies(t, e.receive(t, url), "g-4")
	})
}

// What is left of a group comes back from its first message on, whatever stood
// in between; the order of the groups is loose.
func TestFIFOOrderAfterTimeouts(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, attrs{"VisibilityTimeout": "1"})
		e.put(t, url, "g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1", "g3-m1")
		wantBodies(t, e.receive(t, url, upTo(2)), "g1-m1", "g1-m2")
		wantBodies(t, e.receive(t, url, upTo(1)), "g2-m1")
		time.Sleep(time.Second)
		got := bodies(e.receive(t, url))
		ofFirst := slices.DeleteFunc(slices.Clone(got), func(b string) bool { return !strings.HasPrefix(b, "g1") })
		wantList(t, ofFirst, "g1-m1 g1-m2 g1-m3 g1-m4")
		if len(got) != 6 || got[0] != "g3-m1" {
			t.Errorf("received %q, want the group first that was not served", got)
		}
	})
}

// A group goes on where its deletes left it.
func TestFIFOAfterDeletes(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		e.put(t, url, "g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1", "g2-m2", "g3-m1")
		for _, m := range e.receive(t, url, upTo(2)) {
			e.delete(t, url, m)
		}
		got := strings.Join(bodies(e.receive(t, url)), " ")
		if got != "g2-m1 g2-m2 g1-m3 g1-m4 g3-m1" && got != "g2-m1 g2-m2 g3-m1 g1-m3 g1-m4" {
			t.Errorf("received %q", got)
		}
	})
}

// Three receives wait and one message comes: one gets it. The next of its group
// waits for the delete, which wakes one of the others.
func TestFIFOWaitingReceives(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		start := time.Now()
		type result struct {
			got  []types.Message
			took time.Duration
		}
		results := make(chan result)
		for range 3 {
			go func() {
				out, err := e.sqs.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, WaitTimeSeconds: 10, MaxNumberOfMessages: 10})
				if err != nil {
					t.Error(err)
					out = &sqs.ReceiveMessageOutput{}
				}
				results <- result{out.Messages, time.Since(start)}
			}()
		}
		time.Sleep(time.Second)
		e.put(t, url, "g-1")
		first := <-results
		wantBodies(t, first.got, "g-1")
		time.Sleep(time.Second)
		e.put(t, url, "g-2")
		time.Sleep(2 * time.Second)
		e.delete(t, url, first.got[0])
		second := <-results
		wantBodies(t, second.got, "g-2")
		if want := 4 * time.Second; second.took < want || second.took > want+100*time.Millisecond {
			t.Errorf("the second came after %v, want %v", second.took, want)
		}
		third := <-results
		wantBodies(t, third.got)
		if want := 10 * time.Second; third.took < want || third.took > want+100*time.Millisecond {
			t.Errorf("the third ended after %v, want %v", third.took, want)
		}
	})
}

// A receive repeated by its attempt id gives the same again, its timeout counted
// from the repetition; after a change of one of its messages it does not.
func TestFIFOReceiveAttempt(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		e.put(t, url, "g-1", "g-2", "g-3")
		attempt := func(in *sqs.ReceiveMessageInput) {
			in.ReceiveRequestAttemptId, in.MaxNumberOfMessages = aws.String("a"), 2
		}
		first := e.receive(t, url, attempt)
		time.Sleep(29 * time.Second)
		again := e.receive(t, url, attempt)
		if len(again) != 2 || *again[0].ReceiptHandle != *first[0].ReceiptHandle || receiveCount(again[1]) != "1" {
			t.Fatalf("repeated: %q", bodies(again))
		}
		time.Sleep(29 * time.Second)
		e.wantNothing(t, url)
		e.delete(t, url, first[0])
		wantBodies(t, e.receive(t, url, attempt))
		e.call(t, "ReceiveMessage", args{"QueueUrl": url, "ReceiveRequestAttemptId": "a b"}).wantCode(t, "InvalidParameterValue")
	})
}

// The delay of a FIFO queue is for all its messages, and no message has its own.
func TestFIFODelay(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, attrs{"DelaySeconds": "10"})
		e.put(t, url, "g-1")
		e.wantCounts(t, url, counts{"0", "0", "1"})
		time.Sleep(9 * time.Second)
		e.wantNothing(t, url)
		time.Sleep(time.Second)
		e.put(t, url, "g-2")
		wantBodies(t, e.receive(t, url), "g-1")
		e.setAttributes(t, url, attrs{"DelaySeconds": "0"})
		e.wantCounts(t, url, counts{"1", "1", "0"})
	})
}

// A control character in an id is refused in words that every parser can read.
func TestFIFOControlCharacterInIDs(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		for _, member := range []string{"MessageGroupId", "MessageDeduplicationId"} {
			in := args{"QueueUrl": url, "MessageBody": "b", "MessageGroupId": "g", "MessageDeduplicationId": "d"}
			in[member] = "a\bb"
			e.call(t, "SendMessage", in).wantCode(t, "InvalidParameterValue").wantText(t, member+" can only include alphanumeric and punctuation characters.")
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}
