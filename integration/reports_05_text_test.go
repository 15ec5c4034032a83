package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// roundTrip sends a body and reads it back in both protocols. An empty digest
// is that of the body as UTF-8.
func (e *env) roundTrip(t *testing.T, body, digest string, attributes map[string]messageAttribute, attributesDigest string) {
	t.Helper()
	if digest == "" {
		digest = bodyDigest(body)
	}
	u := e.create(t, nil)
	sent := e.send(t, u, body, func(in *sqs.SendMessageInput) { in.MessageAttributes = attributes })
	for _, w := range wires {
		m := e.speaking(t, w).receiveOneAgain(t, u)
		if *m.Body != body || *m.MD5OfBody != digest || *sent.MD5OfMessageBody != digest {
			t.Errorf("%s: %q as %s, want %q as %s", w.name, *m.Body, *m.MD5OfBody, body, digest)
		}
		for k, v := range attributes {
			if got := m.MessageAttributes[k]; aws.ToString(got.StringValue) != aws.ToString(v.StringValue) || string(got.BinaryValue) != string(v.BinaryValue) || aws.ToString(got.DataType) != *v.DataType {
				t.Errorf("%s: attribute %s is %+v", w.name, k, got)
			}
		}
		if got := aws.ToString(m.MD5OfMessageAttributes); got != attributesDigest || got != aws.ToString(sent.MD5OfMessageAttributes) {
			t.Errorf("%s: digest %s, want %s", w.name, got, attributesDigest)
		}
	}
}

var reportsOfText = []report{
	{5, "B041", "NonAsciiBodies", func(t *testing.T, e *env) {
		e.roundTrip(t, "Toolbox – reset", "47eabceba6e365fa68b699c79d3c4584", nil, "")
		e.roundTrip(t, "héllo – 世界 🚀", "0ad8b7968ab46ae1fe60656ff1e9fcc6", nil, "")
	}, nil},
	{5, "B043", "CarriageReturns", func(t *testing.T, e *env) {
		crlf := map[string]messageAttribute{"x": text("String", "a\r\nb")}
		e.roundTrip(t, "a\r\nb", "65d5f03c46e62e3f2babbe712d2ce464", crlf, attributeDigest(crlf))
	}, nil},
	{5, "B044", "Markup", func(t *testing.T, e *env) {
		markup := map[string]messageAttribute{"x": text("String", "<&>")}
		e.roundTrip(t, `<a>&"'</a>`, "d272f11d37883acbe615a88510a14bc0", markup, attributeDigest(markup))
		e.roundTrip(t, `]]>`, "", nil, "")
		e.roundTrip(t, `<?xml version="1.0" encoding="UTF-8"?><a b="c">&amp;</a>`, "", nil, "")
		u := e.create(t, nil)
		// AWS's tags hold no markup, so that there is nothing to escape in them.
		e.call(t, "TagQueue", args{"QueueUrl": u, "Tags": attrs{"k": "<&>"}}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		e.wantTags(t, u, nil)
	}, nil},
	{5, "B045", "ControlCharacters", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, bad := range []string{`a\u0000b`, `\u0008`, `\u000b`, `\u001f`, `\ufffe`, `\uffff`, `\ud800`, `\udc00x`, `\ud800\ud800`} {
			e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"`+u+`","MessageBody":"`+bad+`"}`).wantStatus(t, 400).wantCode(t, "InvalidMessageContents").wantShape(t, sqsShape+"InvalidMessageContents")
		}
		for _, bad := range []string{"a%00b", "%08", "%0b", "%1f", "%ef%bf%be", "%ef%bf%bf"} {
			e.query(t, "Action=SendMessage&QueueUrl="+u+"&MessageBody="+bad).wantStatus(t, 400).wantCode(t, "InvalidMessageContents")
		}
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.post(t, "/", jsonHeader("SendMessageBatch"), `{"QueueUrl":"`+u+`","Entries":[{"Id":"half","MessageBody":"\ud800"},{"Id":"good","MessageBody":"b"}]}`).
			wantOutcome(t, outcome{OK: []string{"good"}, Failed: []string{"half InvalidMessageContents"}})
		wantBodies(t, e.receive(t, u), "b")
		for _, good := range []string{`\u0009\u000a\u000d`, `\u007f\u0085`, `\ud83d\ude80`} {
			e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"`+u+`","MessageBody":"`+good+`"}`).wantOK(t)
		}
		wantBodies(t, e.receive(t, u), "\t\n\r", "\u007f\u0085", "🚀")
	}, nil},
	{5, "B047", "PlusInForms", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, body := range []string{"a%2Bb+c%2520d%26e%3Df", "a%2Bb%20c%2520d%26e%3Df"} {
			e.query(t, "Action=SendMessage&QueueUrl="+u+"&MessageBody="+body).wantOK(t)
		}
		ms := e.receive(t, u)
		wantBodies(t, ms, "a+b c%20d&e=f", "a+b c%20d&e=f")
		for _, m := range ms {
			if *m.MD5OfBody != "ae26cd911ea767c7cf6a5bdc4ded1eaa" {
				t.Errorf("digest %s", *m.MD5OfBody)
			}
		}
	}, nil},
	{5, "B049", "UnusualCodePoints", func(t *testing.T, e *env) {
		e.roundTrip(t, "\u007f\u0080\u009f", "fcd82c11e3ccf6d09b20b7a8099f4cc9", nil, "")
		e.roundTrip(t, "\u007f\u0080\u009f Ã", "", nil, "")
	}, nil},
}
