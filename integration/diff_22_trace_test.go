package integration

import (
	"strings"
	"testing"
)

// DIFFERENCES 22: a trace header is text and is not looked into.
func TestDiff22AnyTraceHeader(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for _, trace := range []string{"no trace", "Root=1", strings.Repeat("t", 1024)} {
			e.call(t, "SendMessage", args{
				"QueueUrl": url, "MessageBody": "b",
				"MessageSystemAttributes": map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": trace}},
			}).wantOK(t)
			m := e.receiveOne(t, url)
			if got := m.Attributes["AWSTraceHeader"]; got != trace {
				t.Errorf("the trace header is %q, want %q", got, trace)
			}
			e.delete(t, url, m)
		}
	})
}
