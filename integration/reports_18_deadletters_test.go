package integration

import (
	"fmt"
	"testing"
	"time"
)

var reportsOfDeadLetters = []report{
	{18, "B163", "ExactCount", func(t *testing.T, e *env) {
		for _, times := range []int{1, 3} {
			dlq := e.create(t, nil)
			u := e.withDeadLetters(t, dlq, times)
			e.send(t, u, "m")
			for i := range times {
				if m := e.receiveOne(t, u); receiveCount(m) != fmt.Sprint(i+1) {
					t.Errorf("receive count %s, want %d", receiveCount(m), i+1)
				}
				e.wantCounts(t, u, counts{"1", "0", "0"})
			}
			e.wantNothing(t, u)
			e.wantCounts(t, u, counts{"0", "0", "0"})
			wantBodies(t, e.receive(t, dlq), "m")
		}
	}, nil},
	{18, "B164", "MoveOnTheNextReceive", func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		u := e.create(t, attrs{"VisibilityTimeout": "1", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
		e.send(t, u, "m")
		e.receiveOne(t, u)
		time.Sleep(5 * time.Second)
		e.wantCounts(t, u, counts{"1", "0", "0"})
		e.wantCounts(t, dlq, counts{"0", "0", "0"})
		e.wantNothing(t, u)
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.wantCounts(t, dlq, counts{"1", "0", "0"})
		wantBodies(t, e.receive(t, dlq), "m")
	}, nil},
	{18, "B166", "NoDeadLetterQueue", func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		arn := e.arn(t, dlq)
		u := e.create(t, attrs{"VisibilityTimeout": "0"})
		for _, policy := range []string{
			redriveTo(arn+"-none", 1), redriveTo("not-an-arn", 1), `{"deadLetterTargetArn":"` + arn + `"}`, redriveTo(arn, 0), redriveTo(arn, 1001),
			`{"deadLetterTargetArn":"` + arn + `","maxReceiveCount":"abc"}`, redriveTo(e.arn(t, e.createFIFO(t, nil)), 1),
		} {
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"RedrivePolicy": policy}}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue").
				wantShape(t, coralShape+"InvalidParameterValueException")
			e.wantAttributes(t, u, attrs{"RedrivePolicy": ""})
		}
		e.setAttributes(t, u, attrs{"RedrivePolicy": redriveTo(arn, 1)})
		e.send(t, u, "m")
		e.deleteQueue(t, dlq)
		for range 5 {
			wantBodies(t, e.receive(t, u), "m")
		}
		e.wantCounts(t, u, counts{"1", "0", "0"})
	}, nil},
	// The reports would keep the deduplication ids; AWS documents that a moved
	// message has its own id for one.
	{18, "B168", "EqualBodiesIntoFIFO", func(t *testing.T, e *env) {
		dlq := e.createFIFO(t, nil)
		u := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true", "VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
		e.send(t, u, "same", inGroup("g"), as("d1"))
		e.send(t, u, "same", inGroup("g"), as("d2"))
		// What the dead-letter queue was sent itself drops nothing that is moved.
		e.send(t, dlq, "its own", inGroup("h"), as("d1"))
		e.delete(t, dlq, e.receiveOne(t, dlq))
		sent := e.receive(t, u)
		wantBodies(t, sent, "same", "same")
		e.wantNothing(t, u)
		e.wantCounts(t, u, counts{"0", "0", "0"})
		got := e.receive(t, dlq)
		wantBodies(t, got, "same", "same")
		for i, m := range got {
			if *m.MessageId != *sent[i].MessageId || m.Attributes["MessageGroupId"] != "g" || m.Attributes["MessageDeduplicationId"] != *m.MessageId ||
				m.Attributes["DeadLetterQueueSourceArn"] != e.arn(t, u) {
				t.Errorf("message %d is %s with %v", i, *m.MessageId, m.Attributes)
			}
		}
	}, nil},
	{18, "B170", "OldHandleAfterTheMove", func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		u := e.create(t, attrs{"VisibilityTimeout": "2", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
		e.send(t, u, "m")
		m := e.receiveOne(t, u)
		time.Sleep(4 * time.Second)
		e.wantNothing(t, u)
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle}).wantOK(t)
		e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 0}).wantCode(t, "InvalidParameterValue")
		e.call(t, "DeleteMessage", args{"QueueUrl": dlq, "ReceiptHandle": *m.ReceiptHandle}).wantCode(t, "ReceiptHandleIsInvalid")
		wantBodies(t, e.receive(t, dlq), "m")
	}, nil},
}
