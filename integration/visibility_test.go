package integration

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A received message is hidden for the queue's timeout, to the millisecond.
func TestVisibilityTimeoutOfTheQueue(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "2"})
		e.send(t, url, "b")
		e.receiveOne(t, url)
		e.wantCounts(t, url, counts{"0", "1", "0"})
		time.Sleep(1999 * time.Millisecond)
		e.wantNothing(t, url)
		time.Sleep(time.Millisecond)
		e.wantCounts(t, url, counts{"1", "0", "0"})
		m := e.receiveOne(t, url)
		if receiveCount(m) != "2" {
			t.Errorf("receive count %s, want 2", receiveCount(m))
		}
	})
}

// The value of a request counts before that of the queue, zero included.
func TestVisibilityTimeoutOfTheRequest(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "100"})
		e.send(t, url, "b")
		for range 3 {
			got := e.call(t, "ReceiveMessage", args{"QueueUrl": url, "VisibilityTimeout": 0}).messages(t)
			if len(got) != 1 {
				t.Fatalf("with timeout 0 %d messages came, want 1", len(got))
			}
			e.wantCounts(t, url, counts{"1", "0", "0"})
		}
		e.receiveOne(t, url, hideFor(5))
		time.Sleep(4 * time.Second)
		e.wantNothing(t, url)
		time.Sleep(time.Second)
		m := e.receiveOne(t, url)
		if receiveCount(m) != "5" {
			t.Errorf("receive count %s, want 5", receiveCount(m))
		}
		time.Sleep(99 * time.Second)
		e.wantNothing(t, url)
		time.Sleep(time.Second)
		e.receiveOne(t, url)
	})
}

func TestExpiredTimeoutsGiveMessagesBackOldestFirst(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "1"})
		e.sendBatch(t, url, "1", "2", "3")
		wantBodies(t, e.receive(t, url), "1", "2", "3")
		e.send(t, url, "4")
		var got []types.Message
		for deadline := time.Now().Add(20 * time.Second); len(got) < 4 && time.Now().Before(deadline); {
			got = append(got, e.receive(t, url, waitFor(5), hideFor(60))...)
		}
		// "4" was there at once; the others come back in the order they were sent.
		wantBodies(t, got, "4", "1", "2", "3")
	})
}

// With timeout 0 a message stands once in an answer, however many are asked for.
func TestNoMessageStandsTwiceInAnAnswer(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "0"})
		e.send(t, url, "only")
		for range 20 {
			wantBodies(t, e.receive(t, url), "only")
		}
		e.wantCounts(t, url, counts{"1", "0", "0"})
		if m := e.receiveOne(t, url); receiveCount(m) != "21" {
			t.Errorf("receive count %s, want 21", receiveCount(m))
		}
	})
}

// A heartbeat counts from its own call, as often as it comes.
func TestExtensionsCountFromTheCall(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		m := e.receiveOne(t, url, hideFor(2))
		for range 8 {
			time.Sleep(time.Second)
			e.changeVisibility(t, url, m, 2)
			e.wantNothing(t, url)
		}
		start := time.Now()
		again := e.receiveOne(t, url, waitFor(20))
		e.took(t, start, 2*time.Second)
		if receiveCount(again) != "2" {
			t.Errorf("receive count %s, want 2: extensions are no receives", receiveCount(again))
		}
	})
}

// A change holds for this receive only.
func TestChangedTimeoutIsNotRemembered(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "2"})
		e.send(t, url, "b")
		e.changeVisibility(t, url, e.receiveOne(t, url), 50)
		time.Sleep(50 * time.Second)
		e.receiveOne(t, url)
		start := time.Now()
		e.receiveOne(t, url, waitFor(20))
		e.took(t, start, 2*time.Second)
	})
}

func TestTwelveHoursAreTheMost(t *testing.T) {
	const limit = "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		m := e.receiveOne(t, url)
		change := func(seconds int) *reply {
			return e.call(t, "ChangeMessageVisibility", args{"QueueUrl": url, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": seconds})
		}
		for _, bad := range []int{-1, 43201, 1 << 30} {
			change(bad).wantCode(t, "InvalidParameterValue").wantText(t, "VisibilityTimeout")
		}
		time.Sleep(2 * time.Second)
		change(43200).wantCode(t, "InvalidParameterValue").wantText(t, limit)
		change(43190).wantOK(t)
		time.Sleep(43189 * time.Second)
		change(10).wantCode(t, "InvalidParameterValue").wantText(t, limit)
		e.wantNothing(t, url)
		time.Sleep(time.Second)
		// A new receive has 12 hours of its own.
		m = e.receiveOne(t, url)
		change(43190).wantOK(t)
	})
}

func TestVisibilityZeroGivesAMessageBack(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		m := e.receiveOne(t, url)
		e.changeVisibility(t, url, m, 0)
		e.wantCounts(t, url, counts{"1", "0", "0"})
		e.delete(t, url, m)
		e.wantCounts(t, url, counts{"0", "0", "0"})
		e.wantNothing(t, url)
	})
}

// A late consumer may still delete what it was given, as long as nobody else
// was given it since.
func TestHandlesAfterTheirTimeout(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "1"})
		e.send(t, url, "deleted late")
		m := e.receiveOne(t, url)
		time.Sleep(2 * time.Second)
		e.delete(t, url, m)
		e.wantCounts(t, url, counts{"0", "0", "0"})

		e.send(t, url, "hidden again")
		m = e.receiveOne(t, url)
		time.Sleep(2 * time.Second)
		e.changeVisibility(t, url, m, 30)
		e.wantNothing(t, url)
		e.wantCounts(t, url, counts{"0", "1", "0"})
		time.Sleep(30 * time.Second)
		e.receiveOne(t, url)
	})
}

func TestHandlesOfEarlierReceives(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		first := e.receiveOne(t, url)
		e.changeVisibility(t, url, first, 0)
		second := e.receiveOne(t, url)
		if *first.ReceiptHandle == *second.ReceiptHandle {
			t.Error("two receives gave one handle")
		}
		e.delete(t, url, first)
		e.wantCounts(t, url, counts{"0", "1", "0"})
		e.changeVisibility(t, url, first, 0)
		third := e.receiveOne(t, url)
		if receiveCount(third) != "3" {
			t.Errorf("receive count %s, want 3", receiveCount(third))
		}
		e.delete(t, url, third)
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

func TestHandlesOfDeletedMessages(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		m := e.receiveOne(t, url)
		for range 3 {
			e.delete(t, url, m)
		}
		_, err := e.sqs.ChangeMessageVisibility(t.Context(), &sqs.ChangeMessageVisibilityInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: 1})
		e.wantError(t, err, "InvalidParameterValue", 400)
		e.call(t, "ChangeMessageVisibility", args{"QueueUrl": url, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 1}).
			wantText(t, "Message does not exist or is not available for visibility timeout change.")
		// In a batch AWS has another code for it, which gocloud.dev's driver
		// takes for a nack that came too late.
		out, err := e.sqs.ChangeMessageVisibilityBatch(t.Context(), &sqs.ChangeMessageVisibilityBatchInput{
			QueueUrl: &url, Entries: []types.ChangeMessageVisibilityBatchRequestEntry{{Id: aws.String("0"), ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []types.BatchResultErrorEntry{{
			Id: aws.String("0"), Code: aws.String("ReceiptHandleIsInvalid"), SenderFault: true,
			Message: aws.String("Message does not exist or is not available for visibility timeout change"),
		}}
		if diff := cmp.Diff(want, out.Failed, cmpopts.IgnoreUnexported(types.BatchResultErrorEntry{})); diff != "" || len(out.Successful) != 0 {
			t.Errorf("failed entries (-want +got):\n%s", diff)
		}
	})
}

// Handles need no URL escaping and stay below the length that AWS promises.
func TestHandlesAreShortAndPlain(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "0"})
		e.send(t, url, "b")
		seen := map[string]bool{}
		for range 50 {
			h := aws.ToString(e.receiveOne(t, url).ReceiptHandle)
			if len(h) == 0 || len(h) > 1024 || seen[h] {
				t.Fatalf("handle %q, seen before: %v", h, seen[h])
			}
			seen[h] = true
			for _, c := range []byte(h) {
				plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
				if !plain {
					t.Fatalf("handle %q has %q in it", h, c)
				}
			}
		}
	})
}
