package integration

import (
	"strings"
	"testing"
)

func TestTheLargestMessage(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		const limit = 1 << 20
		for name, body := range map[string]string{
			"ASCII":  strings.Repeat("x", limit),
			"Quotes": strings.Repeat(`"`, limit),
			"Emoji":  strings.Repeat("🚀", limit/4),
		} {
			e.send(t, url, body)
			m := e.receiveOne(t, url)
			if *m.Body != body {
				t.Errorf("%s: the body came back changed, %d bytes", name, len(*m.Body))
			}
			e.delete(t, url, m)
		}
		e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": strings.Repeat("x", limit+1)}).
			wantCode(t, "InvalidParameterValue").wantText(t, "Message must be shorter than 1048576 bytes.")
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

// Size is counted in bytes of body and attributes, against the queue's limit.
func TestMessageSize(t *testing.T) {
	attribute := func(value string) map[string]args {
		return map[string]args{"k": {"DataType": "String", "StringValue": value}}
	}
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"MaximumMessageSize": "1024"})
		for name, tt := range map[string]struct {
			body string
			with map[string]args
			ok   bool
		}{
			"Exact":              {strings.Repeat("x", 1024), nil, true},
			"OneMore":            {strings.Repeat("x", 1025), nil, false},
			"AttributeFits":      {strings.Repeat("x", 1016), attribute("x"), true},
			"AttributeTooMuch":   {strings.Repeat("x", 1017), attribute("x"), false},
			"TwoByteCharacters":  {strings.Repeat("é", 512), nil, true},
			"OneCharacterTooBig": {strings.Repeat("é", 513), nil, false},
			"BinaryIsRawBytes":   {strings.Repeat("x", 1014), map[string]args{"k": {"DataType": "Binary", "BinaryValue": "AAEC"}}, true},
			"BinaryTooMuch":      {strings.Repeat("x", 1015), map[string]args{"k": {"DataType": "Binary", "BinaryValue": "AAEC"}}, false},
		} {
			in := args{"QueueUrl": url, "MessageBody": tt.body}
			if tt.with != nil {
				in["MessageAttributes"] = tt.with
			}
			r := e.call(t, "SendMessage", in)
			if ok := r.Status == 200; ok != tt.ok {
				t.Errorf("%s: status %d %s, accepted should be %v", name, r.Status, r.Message, tt.ok)
			}
			if !tt.ok {
				r.wantCode(t, "InvalidParameterValue").wantText(t, "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.")
			}
		}
		// The trace header is not counted.
		e.call(t, "SendMessage", args{
			"QueueUrl": url, "MessageBody": strings.Repeat("x", 1024),
			"MessageSystemAttributes": map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": trace}},
		}).wantOK(t)
	})
}

// A batch has a limit of its own for all its entries together.
func TestBatchSize(t *testing.T) {
	half := strings.Repeat("x", 1<<19)
	entry := func(id, body string) args { return args{"Id": id, "MessageBody": body} }
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": list{entry("a", half), entry("b", half+"x")}}).
			wantCode(t, "AWS.SimpleQueueService.BatchRequestTooLong").
			wantText(t, "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.")
		e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": list{entry("a", half+half+"x")}}).
			wantCode(t, "AWS.SimpleQueueService.BatchRequestTooLong")
		e.wantCounts(t, url, counts{"0", "0", "0"})
		e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": list{entry("a", half), entry("b", half)}}).wantOK(t)
		e.wantCounts(t, url, counts{"2", "0", "0"})

		small := e.create(t, attrs{"MaximumMessageSize": "2048"})
		e.call(t, "SendMessageBatch", args{"QueueUrl": small, "Entries": list{entry("a", half[:2048]), entry("b", "x")}}).wantOK(t)
		e.wantCounts(t, small, counts{"2", "0", "0"})
	})
}

// Several large messages, which grow when they are escaped, come back in one
// answer.
func TestTheLargestAnswer(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		want := []string{}
		for range 3 {
			body := strings.Repeat("<\r&é", 1<<18/5*4/4)
			e.send(t, url, body)
			want = append(want, body)
		}
		got := e.receive(t, url)
		if len(got) != 3 {
			t.Fatalf("received %d", len(got))
		}
		for i, m := range got {
			if *m.Body != want[i] {
				t.Errorf("message %d came back changed", i)
			}
		}
	})
}
