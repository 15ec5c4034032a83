package integration

import (
	"fmt"
	"testing"
	"time"
)

var reportsOfVisibility = []report{
	{13, "B114", "HeartbeatsCountFromTheCall", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b")
		m := e.receiveOne(t, u, hideFor(2))
		start := time.Now()
		other := e.poll(t, u, waitFor(20))
		for range 8 {
			time.Sleep(time.Second)
			e.changeVisibility(t, u, m, 2)
			e.wantNothing(t, u)
		}
		got := <-other
		e.took(t, start, 10*time.Second)
		wantBodies(t, got.messages, "b")
	}, nil},
	{13, "B115", "ChangeWithAnExpiredHandle", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b")
		m := e.receiveOne(t, u, hideFor(1))
		time.Sleep(2 * time.Second)
		e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 30}).wantOK(t)
		start := time.Now()
		e.wantNothing(t, u)
		time.Sleep(15 * time.Second)
		e.receiveOne(t, u, waitFor(20))
		e.took(t, start, 30*time.Second)
	}, nil},
	{13, "B117", "TwelveHoursInAll", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b")
		m := e.receiveOne(t, u)
		time.Sleep(2 * time.Second)
		change := func(seconds int) *reply {
			t.Helper()
			return e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": seconds})
		}
		change(43200).wantStatus(t, 400).wantCode(t, "InvalidParameterValue").
			wantMessage(t, "Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]")
		change(43190).wantOK(t)
		change(43201).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		time.Sleep(43189 * time.Second)
		e.wantNothing(t, u)
		time.Sleep(time.Second)
		e.receiveOne(t, u)
	}, nil},
	{13, "B118", "LateDelete", func(t *testing.T, e *env) {
		u, fifo := e.create(t, nil), e.createFIFO(t, nil)
		e.send(t, u, "b")
		e.put(t, fifo, "g-1")
		m, f := e.receiveOne(t, u, hideFor(1)), e.receiveOne(t, fifo, hideFor(1))
		time.Sleep(2 * time.Second)
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle}).wantOK(t)
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.call(t, "DeleteMessage", args{"QueueUrl": fifo, "ReceiptHandle": *f.ReceiptHandle}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue").
			wantShape(t, coralShape+"InvalidParameterValueException").
			wantMessage(t, "Value "+*f.ReceiptHandle+" for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.")
		e.wantCounts(t, fifo, counts{"1", "0", "0"})
		e.delete(t, fifo, e.receiveOne(t, fifo))
	}, nil},
	{13, "B120", "ReleaseThenDelete", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b")
		m := e.receiveOne(t, u)
		e.changeVisibility(t, u, m, 0)
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle}).wantOK(t)
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, nil},
	{13, "B122", "DeleteThreeTimes", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b")
		m := e.receiveOne(t, u)
		for range 3 {
			e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle}).wantOK(t)
		}
		e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 1}).wantStatus(t, 400).
			wantCode(t, "InvalidParameterValue").wantShape(t, coralShape+"InvalidParameterValueException").
			wantMessage(t, "Value "+*m.ReceiptHandle+" for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.")
	}, nil},
	{13, "B124", "NoTimeout", func(t *testing.T, e *env) {
		u := e.createFIFO(t, attrs{"VisibilityTimeout": "0"})
		e.put(t, u, "g-1")
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *e.receiveOne(t, u).ReceiptHandle}).wantStatus(t, 400).
			wantCode(t, "InvalidParameterValue").wantText(t, "Reason: The receipt handle has expired.")
		e.wantCounts(t, u, counts{"1", "0", "0"})
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *e.receiveOne(t, u, hideFor(30)).ReceiptHandle}).wantOK(t)
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, nil},
	{13, "B125", "OnceInAnAnswer", func(t *testing.T, e *env) {
		for _, want := range []int{1, 3} {
			u := e.create(t, attrs{"VisibilityTimeout": "0"})
			for i := range want {
				e.send(t, u, fmt.Sprint(i))
			}
			for round := range 20 {
				seen := map[string]bool{}
				ms := e.receive(t, u)
				for _, m := range ms {
					seen[*m.MessageId] = true
					if got := receiveCount(m); got != fmt.Sprint(round+1) {
						t.Errorf("round %d: receive count %s", round, got)
					}
				}
				if len(ms) != want || len(seen) != want {
					t.Errorf("%d messages, %d different, want %d", len(ms), len(seen), want)
				}
			}
			e.wantCounts(t, u, counts{fmt.Sprint(want), "0", "0"})
			if n := len(e.call(t, "ReceiveMessage", args{"QueueUrl": u, "MaxNumberOfMessages": 10, "VisibilityTimeout": 0}).messages(t)); n != want {
				t.Errorf("%d messages by the request's own timeout", n)
			}
		}
	}, nil},
}
