package integration

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wantExactly checks an error whole: status, code and message.
func (r *reply) wantExactly(t *testing.T, status int, code, text string) {
	t.Helper()
	if r.Status != status || r.Code != code || r.Message != text {
		t.Errorf("answer is %d %s %q\nwant      %d %s %q", r.Status, r.Code, r.Message, status, code, text)
	}
}

// wantVoid checks the answer of an action that answers nothing: no body at all
// on JSON, metadata alone on Query.
func (r *reply) wantVoid(t *testing.T, action string) {
	t.Helper()
	r.wantOK(t)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/xml") {
		if !strings.HasPrefix(r.Body, `<?xml version="1.0"?><`+action+`Response xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><ResponseMetadata><RequestId>`) {
			t.Errorf("the body is %s", r.Body)
		}
		return
	}
	if r.Body != "" || r.Header.Get("Content-Length") != "0" || r.Header.Get("Content-Type") != "application/x-amz-json-1.0" {
		t.Errorf("the body is %q with %v", r.Body, r.Header)
	}
}

// received is a message of an answer, with all that stands in it.
type received struct {
	message
	Attributes        map[string]string
	MessageAttributes map[string]receivedValue
}

// receivedValue is the value of a message attribute.
type receivedValue struct{ DataType, StringValue, BinaryValue string }

// received reads the messages of an answer whole.
func (r *reply) received(t *testing.T) []received {
	t.Helper()
	r.wantOK(t)
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/xml") {
		var j struct{ Messages []received }
		if err := json.Unmarshal([]byte(r.Body), &j); err != nil {
			t.Fatalf("%v\n%s", err, r.Body)
		}
		return j.Messages
	}
	var x struct {
		Messages []struct {
			message
			Attribute        []struct{ Name, Value string }
			MessageAttribute []struct {
				Name  string
				Value receivedValue
			}
		} `xml:"ReceiveMessageResult>Message"`
	}
	if err := xml.Unmarshal([]byte(r.Body), &x); err != nil {
		t.Fatalf("%v\n%s", err, r.Body)
	}
	var ms []received
	for _, m := range x.Messages {
		got := received{message: m.message}
		for _, a := range m.Attribute {
			if got.Attributes == nil {
				got.Attributes = map[string]string{}
			}
			got.Attributes[a.Name] = a.Value
		}
		for _, a := range m.MessageAttribute {
			if got.MessageAttributes == nil {
				got.MessageAttributes = map[string]receivedValue{}
			}
			got.MessageAttributes[a.Name] = a.Value
		}
		ms = append(ms, got)
	}
	return ms
}

// pull receives with the given members from a queue and reads what comes.
func (e *env) pull(t *testing.T, url string, in args) []received {
	t.Helper()
	all := args{"QueueUrl": url}
	for k, v := range in {
		all[k] = v
	}
	return e.call(t, "ReceiveMessage", all).received(t)
}

// pullOne is pull where exactly one message must come.
func (e *env) pullOne(t *testing.T, url string, in args) received {
	t.Helper()
	got := e.pull(t, url, in)
	if len(got) != 1 {
		t.Fatalf("received %d messages %v, want 1", len(got), got)
	}
	return got[0]
}

// checkDigests recomputes what clients recompute: the MD5 of the body, and that
// of the attributes that came, which is there if and only if some came.
func (m received) checkDigests(t *testing.T) {
	t.Helper()
	if want := bodyDigest(m.Body); m.MD5OfBody != want {
		t.Errorf("MD5OfBody is %q, want %q", m.MD5OfBody, want)
	}
	want := ""
	if len(m.MessageAttributes) > 0 {
		want = attributeDigest(sdkValues(t, m.MessageAttributes))
	}
	if m.MD5OfMessageAttributes != want {
		t.Errorf("MD5OfMessageAttributes is %q, want %q for %v", m.MD5OfMessageAttributes, want, m.MessageAttributes)
	}
}

// sdkValues gives values in the form that attributeDigest takes.
func sdkValues(t *testing.T, values map[string]receivedValue) map[string]messageAttribute {
	t.Helper()
	all := map[string]messageAttribute{}
	for name, v := range values {
		raw, err := base64.StdEncoding.DecodeString(v.BinaryValue)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.HasPrefix(v.DataType, "Binary") {
			all[name] = blob(v.DataType, raw...)
		} else {
			all[name] = text(v.DataType, v.StringValue)
		}
	}
	return all
}

// wantNames checks which names a map has.
func wantNames[V any](t *testing.T, got map[string]V, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, names(got)); diff != "" && len(want)+len(got) > 0 {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// bodiesOf gives the bodies of messages as one text, in their order.
func bodiesOf(ms []received) string {
	var list []string
	for _, m := range ms {
		list = append(list, m.Body)
	}
	return strings.Join(list, " ")
}

// wantTaken checks which messages came, in their order.
func wantTaken(t *testing.T, got []received, want string) {
	t.Helper()
	if bodiesOf(got) != want {
		t.Errorf("received [%s], want [%s]", bodiesOf(got), want)
	}
}

// readFailedXML reads the failed entries of a batch's answer in XML.
func readFailedXML(t *testing.T, body string) []failedEntry {
	t.Helper()
	var x struct {
		Result struct {
			Failed []failedEntry `xml:"BatchResultErrorEntry"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal([]byte(body), &x); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return x.Result.Failed
}
