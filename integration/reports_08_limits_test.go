package integration

import (
	"fmt"
	"strings"
	"testing"
)

var reportsOfLimits = []report{
	{8, "B071", "EmptyBodies", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, in := range []args{{"QueueUrl": u}, {"QueueUrl": u, "MessageBody": ""}} {
			e.call(t, "SendMessage", in).wantStatus(t, 400).wantCode(t, "MissingParameter").wantShape(t, coralShape+"MissingRequiredParameterException").
				wantMessage(t, "The request must contain the parameter MessageBody.")
		}
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": " "}).wantOK(t)
		e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{args{"Id": "a", "MessageBody": ""}, args{"Id": "b", "MessageBody": "\t"}}}).
			wantOutcome(t, outcome{OK: []string{"b"}, Failed: []string{"a MissingParameter"}})
		wantBodies(t, e.receive(t, u), " ", "\t")
	}, nil},
	{8, "B072", "SizeOfTheQueue", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"MaximumMessageSize": "1024"})
		k := map[string]args{"k": {"DataType": "String", "StringValue": "x"}}
		for _, tt := range []struct {
			body string
			with map[string]args
			ok   bool
		}{
			{strings.Repeat("x", 1024), nil, true},
			{strings.Repeat("x", 1025), nil, false},
			{strings.Repeat("x", 1017), k, false},
			{strings.Repeat("x", 1016), k, true},
			{strings.Repeat("é", 512), nil, true},
			{strings.Repeat("é", 513), nil, false},
		} {
			r := e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": tt.body, "MessageAttributes": tt.with})
			if tt.ok {
				r.wantOK(t)
				continue
			}
			r.wantStatus(t, 400).wantCode(t, "InvalidParameterValue").wantMessage(t, "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.")
		}
		e.call(t, "SendMessage", args{
			"QueueUrl": u, "MessageBody": strings.Repeat("x", 1024), "MessageSystemAttributes": map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": trace}},
		}).wantOK(t)
		e.wantCounts(t, u, counts{"4", "0", "0"})
	}, nil},
	{8, "B074", "NumberOfMessages", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.sendBatch(t, u, "1", "2")
		for _, n := range []int{0, -1, 11, 1000} {
			e.call(t, "ReceiveMessage", args{"QueueUrl": u, "MaxNumberOfMessages": n}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue").
				wantMessage(t, fmt.Sprintf("Value %d for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.", n))
		}
		e.wantCounts(t, u, counts{"2", "0", "0"})
		if n := len(e.call(t, "ReceiveMessage", args{"QueueUrl": u}).messages(t)); n != 1 {
			t.Errorf("%d messages", n)
		}
	}, nil},
	{8, "B076", "HugeTimeouts", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"VisibilityTimeout": "77"})
		for _, v := range []string{"43201", "9223372036854775807", "9223372036854775808", "1e9", "", " 5", "5.0", "-1"} {
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"VisibilityTimeout": v}}).wantStatus(t, 400).wantCode(t, "InvalidAttributeValue")
			e.call(t, "CreateQueue", args{"QueueName": "new", "Attributes": attrs{"VisibilityTimeout": v}}).wantStatus(t, 400).wantCode(t, "InvalidAttributeValue")
		}
		if got := e.attributes(t, u, "VisibilityTimeout")["VisibilityTimeout"]; got != "77" {
			t.Errorf("the timeout is %s", got)
		}
		e.call(t, "GetQueueUrl", args{"QueueName": "new"}).wantCode(t, noQueue)
		e.send(t, u, "b")
		wantBodies(t, e.receive(t, u), "b")
	}, nil},
	{8, "B077", "Names", func(t *testing.T, e *env) {
		e.createNamed(t, strings.Repeat("n", 80), nil)
		longest := strings.Repeat("n", 75) + ".fifo"
		for _, name := range []string{strings.Repeat("n", 81), "a b", "a/b", "a.b", "x.fifo", "", longest} {
			e.call(t, "CreateQueue", args{"QueueName": name}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		}
		for _, name := range []string{"x", strings.Repeat("n", 76) + ".fifo"} {
			e.call(t, "CreateQueue", args{"QueueName": name, "Attributes": attrs{"FifoQueue": "true"}}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		}
		e.createNamed(t, longest, attrs{"FifoQueue": "true"})
	}, nil},
}
