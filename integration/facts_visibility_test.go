package integration

import (
	"strings"
	"testing"
	"time"
)

// The words that changes of visibility and deletes are refused in.
const (
	goneText    = "Message does not exist or is not available for visibility timeout change."
	expiredText = "The receipt handle has expired."
	totalText   = "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"
)

// hold receives the one message of a queue for so many seconds, and gives its
// handle.
func (e *env) hold(t *testing.T, url string, seconds int) string {
	t.Helper()
	return e.pullOne(t, url, args{"VisibilityTimeout": seconds}).ReceiptHandle
}

// change changes the visibility of a message.
func (e *env) change(t *testing.T, url, handle string, seconds any) *reply {
	t.Helper()
	return e.call(t, "ChangeMessageVisibility", args{"QueueUrl": url, "ReceiptHandle": handle, "VisibilityTimeout": seconds})
}

// remove deletes a message by a handle.
func (e *env) remove(t *testing.T, url, handle string) *reply {
	t.Helper()
	return e.call(t, "DeleteMessage", args{"QueueUrl": url, "ReceiptHandle": handle})
}

// wantHandleRefused checks that a handle is refused with a reason.
func (r *reply) wantHandleRefused(t *testing.T, handle, reason string) {
	t.Helper()
	r.wantExactly(t, 400, "InvalidParameterValue", "Value "+handle+" for parameter ReceiptHandle is invalid. Reason: "+reason)
}

func TestFactsOfVisibility(t *testing.T) {
	const change = "ChangeMessageVisibility"
	runFacts(t, []fact{
		{change, "HandleTooLong", "", func(t *testing.T, e *env) {
			r := e.call(t, change, args{"QueueUrl": e.create(t, nil), "ReceiptHandle": strings.Repeat("A", 1025), "VisibilityTimeout": 1})
			if r.Status != 404 || r.Code != "ReceiptHandleIsInvalid" {
				t.Errorf("%d %s", r.Status, r.Code)
			}
		}},
		{change, "FreedByZeroItsHandleStillDeletes", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			handle := e.hold(t, url, 100)
			e.change(t, url, handle, 0).wantOK(t)
			e.wantCounts(t, url, counts{"1", "0", "0"})
			// Its handle still deletes it.
			e.remove(t, url, handle).wantOK(t)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{change, "ReceivedForTwelveHours", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			e.hold(t, url, 43200)
			time.Sleep(43199 * time.Second)
			e.wantNothing(t, url)
			time.Sleep(time.Second)
			e.receiveOne(t, url)
		}},
		{change, "RecordedOlderHandleFreesANewerReceive", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			first := e.hold(t, url, 0)
			e.hold(t, url, 3)
			e.wantNothing(t, url)
			e.change(t, url, first, 0).wantOK(t)
			e.receiveOne(t, url)
		}},
		{change, "Expired", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MessageRetentionPeriod": "60"})
			e.send(t, url, "b")
			handle := e.hold(t, url, 90)
			time.Sleep(61 * time.Second)
			e.change(t, url, handle, 1).wantHandleRefused(t, handle, goneText)
		}},
		{change, "DeadLettered", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			e.send(t, url, "b")
			handle := e.hold(t, url, 0)
			e.wantNothing(t, url)
			e.change(t, url, handle, 1).wantHandleRefused(t, handle, goneText)
			e.remove(t, url, handle).wantVoid(t, "DeleteMessage")
			e.wantCounts(t, dlq, counts{"1", "0", "0"})
		}},
		{change, "OlderHandleOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			first := e.hold(t, url, 0)
			second := e.hold(t, url, 30)
			e.change(t, url, first, 0).wantCode(t, "InvalidParameterValue")
			e.wantNothing(t, url)
			e.change(t, url, second, 0).wantOK(t)
			e.receiveOne(t, url)
		}},
		{"ReceiveMessage", "TimeoutOfTheQueue", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "2"})
			e.send(t, url, "b")
			e.receiveOne(t, url)
			e.wantCounts(t, url, counts{"0", "1", "0"})
			time.Sleep(1999 * time.Millisecond)
			e.wantNothing(t, url)
			time.Sleep(time.Millisecond)
			e.receiveOne(t, url)
		}},
		{"ReceiveMessage", "TimeoutOfTheRequestFirst", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "100"})
			e.send(t, url, "b")
			e.hold(t, url, 5)
			time.Sleep(4999 * time.Millisecond)
			e.wantNothing(t, url)
			time.Sleep(time.Millisecond)
			e.receiveOne(t, url)
			// Only for that receive.
			time.Sleep(99 * time.Second)
			e.wantNothing(t, url)
			time.Sleep(time.Second)
			e.receiveOne(t, url)
		}},
		{"ReceiveMessage", "NoTimeoutLeavesItVisible", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			first := e.pullOne(t, url, args{"VisibilityTimeout": 0})
			e.wantCounts(t, url, counts{"1", "0", "0"})
			again := e.pullOne(t, url, args{"VisibilityTimeout": 0, "AttributeNames": list{"All"}})
			if again.ReceiptHandle == first.ReceiptHandle || again.MessageId != first.MessageId || again.Attributes["ApproximateReceiveCount"] != "2" {
				t.Errorf("first %+v, then %+v", first, again)
			}
		}},
	})
}
