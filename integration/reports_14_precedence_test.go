package integration

import (
	"testing"
	"time"
)

var reportsOfPrecedence = []report{
	{14, "B127", "TimeoutOfTheQueue", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"VisibilityTimeout": "2"})
		e.send(t, u, "b")
		e.receiveOne(t, u)
		time.Sleep(time.Second)
		e.wantNothing(t, u)
		time.Sleep(2 * time.Second)
		e.receiveOne(t, u)
		time.Sleep(2 * time.Second)
		for range 3 {
			if n := len(e.call(t, "ReceiveMessage", args{"QueueUrl": u, "VisibilityTimeout": 0}).messages(t)); n != 1 {
				t.Errorf("%d messages", n)
			}
		}
		e.receiveOne(t, u)
		e.wantNothing(t, u)
	}, nil},
	{14, "B128", "WaitOfTheQueue", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"ReceiveMessageWaitTimeSeconds": "3"})
		for _, tt := range []struct {
			in   args
			want time.Duration
		}{{args{"QueueUrl": u}, 3 * time.Second}, {args{"QueueUrl": u, "WaitTimeSeconds": 0}, 0}, {args{"QueueUrl": u, "WaitTimeSeconds": 1}, time.Second}} {
			start := time.Now()
			e.call(t, "ReceiveMessage", tt.in).wantOK(t)
			e.took(t, start, tt.want)
		}
	}, nil},
	{14, "B130", "ZeroDelay", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		in := func(id string, delay int) args {
			return args{"Id": id, "MessageBody": id, "MessageGroupId": "g", "MessageDeduplicationId": id, "DelaySeconds": delay}
		}
		single := func(a args) args {
			delete(a, "Id")
			a["QueueUrl"] = u
			return a
		}
		const says = "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type."
		e.call(t, "SendMessage", single(in("1", 0))).wantOK(t)
		e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{in("2", 0)}}).wantOutcome(t, outcome{OK: []string{"2"}})
		e.call(t, "SendMessage", single(in("3", 2))).wantStatus(t, 400).wantCode(t, "InvalidParameterValue").wantMessage(t, says)
		// One such entry refuses the whole of a batch to a FIFO queue.
		e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{in("4", 0), in("5", 2)}}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		wantBodies(t, e.receive(t, u), "1", "2")
	}, nil},
	{14, "B132", "ChangedDelay", func(t *testing.T, e *env) {
		u, fifo := e.create(t, attrs{"DelaySeconds": "10"}), e.createFIFO(t, attrs{"DelaySeconds": "10"})
		start := time.Now()
		e.send(t, u, "b")
		e.put(t, fifo, "g-1")
		e.wantCounts(t, fifo, counts{"0", "0", "1"})
		e.wantNothing(t, fifo)
		e.setAttributes(t, u, attrs{"DelaySeconds": "0"})
		e.setAttributes(t, fifo, attrs{"DelaySeconds": "0"})
		wantBodies(t, e.receive(t, fifo), "g-1")
		e.wantNothing(t, u)
		e.receiveOne(t, u, waitFor(20))
		e.took(t, start, 10*time.Second)
	}, nil},
}
