package integration

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// roundTrip sends a body and reads it back in both protocols.
func (e *env) roundTrip(t *testing.T, body, digest string, attributes map[string]messageAttribute, attributesDigest string) {
	t.Helper()
	u := e.create(t, nil)
	sent := e.send(t, u, body, func(in *sqs.SendMessageInput) { in.MessageAttributes = attributes })
	for _, w := range wires {
		m := e.speaking(t, w).receiveOneAgain(t, u)
		if *m.Body != body || digest != "" && (*m.MD5OfBody != digest || *sent.MD5OfMessageBody != digest) {
			t.Errorf("%s: %q as %s, want %q as %s", w.name, *m.Body, *m.MD5OfBody, body, digest)
		}
		for k, v := range attributes {
			if got := m.MessageAttributes[k]; aws.ToString(got.StringValue) != aws.ToString(v.StringValue) || string(got.BinaryValue) != string(v.BinaryValue) || *got.DataType != *v.DataType {
				t.Errorf("%s: attribute %s is %+v", w.name, k, got)
			}
		}
		if got := aws.ToString(m.MD5OfMessageAttributes); attributes != nil && (got != attributesDigest || got != aws.ToString(sent.MD5OfMessageAttributes)) {
			t.Errorf("%s: digest %s, want %s", w.name, got, attributesDigest)
		}
	}
}

func TestReportsOfContent(t *testing.T) {
	type a = map[string]messageAttribute
	runReports(t, []report{
		{"B041", "NonAsciiBodies", func(t *testing.T, e *env) {
			e.roundTrip(t, "Toolbox – reset", "47eabceba6e365fa68b699c79d3c4584", nil, "")
			e.roundTrip(t, "héllo – 世界 🚀", "0ad8b7968ab46ae1fe60656ff1e9fcc6", nil, "")
		}},
		{"B043", "CarriageReturns", func(t *testing.T, e *env) {
			crlf := a{"x": text("String", "a\r\nb")}
			e.roundTrip(t, "a\r\nb", "65d5f03c46e62e3f2babbe712d2ce464", crlf, attributeDigest(crlf))
		}},
		{"B044", "Markup", func(t *testing.T, e *env) {
			markup := a{"x": text("String", "<&>")}
			e.roundTrip(t, `<a>&"'</a>`, "d272f11d37883acbe615a88510a14bc0", markup, attributeDigest(markup))
			e.roundTrip(t, `]]>`, "", nil, "")
			e.roundTrip(t, `<?xml version="1.0"?><a/>`, "", nil, "")
		}},
		{"B045", "ControlCharacters", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, bad := range []string{`a\u0000b`, `\u0008`, `\u000b`, `\u001f`, `\ufffe`, `\uffff`, `\ud800`, `\udc00x`, `\ud800\ud800`} {
				r := e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"`+u+`","MessageBody":"`+bad+`"}`)
				if r.Code != "InvalidMessageContents" || r.Status != 400 {
					t.Errorf("%s: %d %s", bad, r.Status, r.Code)
				}
			}
			r := e.post(t, "/", jsonHeader("SendMessageBatch"), `{"QueueUrl":"`+u+`","Entries":[{"Id":"half","MessageBody":"\ud800"},{"Id":"good","MessageBody":"b"}]}`).wantOK(t)
			if !strings.Contains(r.Body, `"Code":"InvalidMessageContents"`) || !strings.Contains(r.Body, `"Id":"good"`) {
				t.Errorf("half of a pair in a batch: %s", r.Body)
			}
			wantBodies(t, e.receive(t, u), "b")
			for _, bad := range []string{"a%00b", "%08", "%0b", "%1f", "%ef%bf%be", "%ef%bf%bf"} {
				if r := e.query(t, "Action=SendMessage&QueueUrl="+u+"&MessageBody="+bad); r.Code != "InvalidMessageContents" {
					t.Errorf("%s: %d %s", bad, r.Status, r.Code)
				}
			}
			e.wantCounts(t, u, counts{"0", "1", "0"})
			for _, good := range []string{`\u0009\u000a\u000d`, `\u007f\u0085`, `\ud83d\ude80`} {
				e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"`+u+`","MessageBody":"`+good+`"}`).wantOK(t)
			}
			wantBodies(t, e.receive(t, u), "\t\n\r", "\u007f\u0085", "🚀")
		}},
		{"B047", "PlusInForms", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, body := range []string{"a%2Bb+c%2520d%26e%3Df", "a%2Bb%20c%2520d%26e%3Df"} {
				e.query(t, "Action=SendMessage&QueueUrl="+u+"&MessageBody="+body).wantOK(t)
			}
			wantBodies(t, e.receive(t, u), "a+b c%20d&e=f", "a+b c%20d&e=f")
		}},
		{"B049", "UnusualCodePoints", func(t *testing.T, e *env) {
			e.roundTrip(t, "\u007f\u0080\u009f", "fcd82c11e3ccf6d09b20b7a8099f4cc9", nil, "")
			e.roundTrip(t, "\u007f\u0080\u009f Ã", "", nil, "")
		}},
		{"B050", "CustomLabelIsHashed", func(t *testing.T, e *env) {
			e.roundTrip(t, "b", "", a{"ts": text("Number.java.lang.Long", "1")}, "c87e5c97ccd59d6b9bd1aaeaf34b4aa6")
		}},
		{"B051", "DigestOfAttributes", func(t *testing.T, e *env) {
			e.roundTrip(t, "b", "", a{"content-encoding": text("String", "lz4")}, "d5b1c8868f6406a7a6a8f4cebc4fcc94")
		}},
		{"B053", "NoDigestOfNothing", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, given := range []string{``, `,"MessageAttributes":{}`, `,"MessageAttributes":null`} {
				r := e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"`+u+`","MessageBody":"b"`+given+`}`).wantOK(t)
				if strings.Contains(r.Body, "MD5OfMessageAttributes") || e.receiveOne(t, u).MD5OfMessageAttributes != nil {
					t.Errorf("%q: %s", given, r.Body)
				}
			}
		}},
		{"B056", "BinaryOverQuery", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for range 20 {
				e.query(t, "Action=SendMessage&QueueUrl="+u+"&MessageBody=b&MessageAttribute.1.Name=bin&MessageAttribute.1.Value.DataType=Binary&MessageAttribute.1.Value.BinaryValue=AP8QgA%3D%3D").wantOK(t)
				m := e.receiveOne(t, u)
				if string(m.MessageAttributes["bin"].BinaryValue) != "\x00\xff\x10\x80" || *m.MD5OfMessageAttributes != "c2a29fcd5ed53b78fd5ce1def3de9b6a" {
					t.Errorf("%v %s", m.MessageAttributes, *m.MD5OfMessageAttributes)
				}
			}
		}},
		{"B058", "NumbersStayText", func(t *testing.T, e *env) {
			e.roundTrip(t, "b", "", a{"big": text("Number", "12345678901234567890123456789012345678"), "f": text("Number", "230.000000000000000001")}, "b7cb2c225008d7c7bc15e3e7cf649919")
			odd := a{"a": text("Number", "1e3"), "b": text("Number", "007"), "c": text("Number", "-0")}
			e.roundTrip(t, "b", "", odd, attributeDigest(odd))
		}},
		{"B060", "DigestOfSystemAttributes", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			out := e.send(t, u, "b", func(in *sqs.SendMessageInput) {
				in.MessageAttributes = a{"timestamp": text("Number", "1493147359900")}
				in.MessageSystemAttributes = map[string]types.MessageSystemAttributeValue{"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String(trace)}}
			})
			if *out.MD5OfMessageSystemAttributes != "5ae4d5d7636402d80f4eb6d213245a88" || *out.MD5OfMessageAttributes != "235c5c510d26fb653d073faed50ae77c" {
				t.Errorf("%s %s", *out.MD5OfMessageSystemAttributes, *out.MD5OfMessageAttributes)
			}
			if out := e.send(t, u, "b"); out.MD5OfMessageSystemAttributes != nil {
				t.Errorf("a digest of nothing: %s", *out.MD5OfMessageSystemAttributes)
			}
		}},
		{"B061", "EmptyAttributeValue", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			empty := map[string]args{"piyo": {"DataType": "String", "StringValue": ""}}
			e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b", "MessageAttributes": empty}).
				wantCode(t, "InvalidParameterValue").wantText(t, "Message (user) attribute 'piyo' must contain a non-empty value of type 'String'.")
			r := e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
				args{"Id": "a", "MessageBody": "1"}, args{"Id": "b", "MessageBody": "2", "MessageAttributes": empty}, args{"Id": "c", "MessageBody": "3"},
			}}).wantOK(t)
			if !strings.Contains(r.Body, "InvalidParameterValue") {
				t.Errorf("%s", r.Body)
			}
			wantBodies(t, e.receive(t, u), "1", "3")
		}},
		{"B062", "NamesAndTypesOfAttributes", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for name, dataType := range map[string]string{
				"AWS.x": "String", "amazon.x": "String", "aWs.x": "String", "x.": "String", ".x": "String", "x..y": "String", "a!": "String", "a b": "String",
				strings.Repeat("n", 257): "String", "type": "Text", "bare": "", "lower": "string", "long": "Number." + strings.Repeat("x", 256), "no": "Number",
			} {
				r := e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b", "MessageAttributes": map[string]args{name: {"DataType": dataType, "StringValue": "v"}}})
				if r.Status != 400 || r.Code != "InvalidParameterValue" {
					t.Errorf("%s of %q: %d %s", name, dataType, r.Status, r.Code)
				}
			}
			e.wantCounts(t, u, counts{"0", "0", "0"})
			e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b", "MessageAttributes": map[string]args{
				strings.Repeat("n", 256): {"DataType": "String", "StringValue": "v"}, "A.b-c_1": {"DataType": "Number", "StringValue": "1"},
			}}).wantOK(t)
		}},
		{"B063", "NothingAskedNothingReturned", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b", func(in *sqs.SendMessageInput) { in.MessageAttributes = a{"version": text("Number", "1")} })
			r := e.call(t, "ReceiveMessage", args{"QueueUrl": u}).wantOK(t)
			if strings.Contains(r.Body, "Attribute") {
				t.Errorf("%s", r.Body)
			}
		}},
		{"B064", "Patterns", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, u, "b", func(in *sqs.SendMessageInput) {
				in.MessageAttributes = a{"Hello": text("String", "1"), "Help.Me": text("String", "2"), "General": text("String", "3")}
			})
			for ask, want := range map[string]int{".*": 3, "Hel.*": 2, "All": 3, "hello": 0} {
				m := e.receiveOne(t, u, func(in *sqs.ReceiveMessageInput) { in.MessageAttributeNames = []string{ask} })
				if len(m.MessageAttributes) != want {
					t.Errorf("%s: %v", ask, m.MessageAttributes)
				}
			}
		}},
		{"B066", "SystemAttributesAreFiltered", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, u, "b")
			for _, member := range []string{"AttributeNames", "MessageSystemAttributeNames"} {
				for ask, want := range map[string]int{"SenderId": 1, "All": 4, "unknown": 0} {
					r := e.call(t, "ReceiveMessage", args{"QueueUrl": u, member: list{ask}}).wantOK(t)
					n := 0
					for _, name := range standardSystemAttributes {
						n += strings.Count(r.Body, name)
					}
					if n != want {
						t.Errorf("%s %s: %s", member, ask, r.Body)
					}
				}
			}
		}},
		{"B070", "NoNamesNoAttributes", func(t *testing.T, e *env) {
			r := e.call(t, "GetQueueAttributes", args{"QueueUrl": e.create(t, nil)}).wantOK(t)
			if r.Body != "{}" && !strings.Contains(r.Body, "<GetQueueAttributesResult/>") {
				t.Errorf("%s", r.Body)
			}
		}},
		{"B161", "GroupsOnStandardQueues", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
				args{"Id": "a", "MessageBody": "1", "MessageGroupId": "tenant-1"}, args{"Id": "b", "MessageBody": "2", "MessageGroupId": "tenant-1"},
			}}).wantOK(t)
			for range 2 {
				if m := e.receiveOne(t, u, upTo(1)); m.Attributes["MessageGroupId"] != "tenant-1" || m.Attributes["SequenceNumber"] != "" {
					t.Errorf("%v", m.Attributes)
				}
			}
		}},
	})
}
