package integration

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

var reportsOfMessageAttributes = []report{
	{6, "B050", "CustomLabelIsHashed", func(t *testing.T, e *env) {
		e.roundTrip(t, "b", "", map[string]messageAttribute{"ts": text("Number.java.lang.Long", "1")}, "c87e5c97ccd59d6b9bd1aaeaf34b4aa6")
	}, nil},
	{6, "B051", "DigestOfAttributes", func(t *testing.T, e *env) {
		e.roundTrip(t, "b", "", map[string]messageAttribute{"content-encoding": text("String", "lz4")}, "d5b1c8868f6406a7a6a8f4cebc4fcc94")
	}, nil},
	{6, "B053", "NoDigestOfNothing", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, given := range []string{``, `,"MessageAttributes":{}`, `,"MessageAttributes":null`, "query"} {
			r := e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b"})
			if given != "query" {
				r = e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"`+u+`","MessageBody":"b"`+given+`}`)
				e.delete(t, u, e.receiveOne(t, u, upTo(1)))
			}
			got := e.call(t, "ReceiveMessage", args{"QueueUrl": u, "MessageAttributeNames": list{"All"}}).wantOK(t)
			if n := len(got.messages(t)); n != 1 || strings.Contains(r.wantOK(t).Body+got.Body, "MD5OfMessageAttributes") {
				t.Errorf("%q: %d messages, %s, %s", given, n, r.Body, got.Body)
			}
		}
	}, nil},
	{6, "B055", "DigestsOfADuplicateAreItsOwn", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		kv := map[string]messageAttribute{"k": text("String", "v")}
		first := e.send(t, u, "hi", inGroup("g"), as("d1"), func(in *sqs.SendMessageInput) { in.MessageAttributes = kv })
		if aws.ToString(first.MD5OfMessageAttributes) != attributeDigest(kv) {
			t.Errorf("digest %s", aws.ToString(first.MD5OfMessageAttributes))
		}
		second := e.send(t, u, "other", inGroup("g"), as("d1"))
		if *second.MessageId != *first.MessageId || *second.SequenceNumber != *first.SequenceNumber ||
			*second.MD5OfMessageBody != "795f3202b17cb6bc3d4b771d8c6c9eaf" || second.MD5OfMessageAttributes != nil {
			t.Errorf("the first is %s %s, the second %s %s with %s %v", *first.MessageId, *first.SequenceNumber, *second.MessageId, *second.SequenceNumber,
				*second.MD5OfMessageBody, second.MD5OfMessageAttributes)
		}
		ok, _ := e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
			args{"Id": "a", "MessageBody": "other", "MessageGroupId": "g", "MessageDeduplicationId": "d1"},
		}}).entries(t)
		if len(ok) != 1 || ok[0].MessageId != *first.MessageId || ok[0].SequenceNumber != *first.SequenceNumber ||
			ok[0].MD5OfMessageBody != "795f3202b17cb6bc3d4b771d8c6c9eaf" || ok[0].MD5OfMessageAttributes != "" {
			t.Errorf("in a batch: %+v", ok)
		}
		m := e.receiveOne(t, u)
		if *m.Body != "hi" || *m.MD5OfBody != bodyDigest("hi") || aws.ToString(m.MD5OfMessageAttributes) != attributeDigest(kv) {
			t.Errorf("received %s as %s with %s", *m.Body, *m.MD5OfBody, aws.ToString(m.MD5OfMessageAttributes))
		}
	}, nil},
	{6, "B056", "BinaryOverQuery", func(t *testing.T, e *env) {
		const senders, each = 20, 50
		u := e.create(t, nil)
		var work sync.WaitGroup
		for range senders {
			work.Go(func() {
				for range each {
					r := e.query(t, "Action=SendMessage&QueueUrl="+u+"&MessageBody=b&MessageAttribute.1.Name=bin&MessageAttribute.1.Value.DataType=Binary&MessageAttribute.1.Value.BinaryValue=AP8QgA%3D%3D")
					if r.Status != 200 || !strings.Contains(r.Body, "<MD5OfMessageAttributes>c2a29fcd5ed53b78fd5ce1def3de9b6a</MD5OfMessageAttributes>") {
						t.Errorf("%s", r.Body)
					}
				}
			})
		}
		work.Wait()
		for i := range senders * each / 10 {
			ms := e.speaking(t, wires[i%2]).receive(t, u)
			if len(ms) != 10 {
				t.Fatalf("received %d", len(ms))
			}
			for _, m := range ms {
				got := m.MessageAttributes["bin"]
				if string(got.BinaryValue) != "\x00\xff\x10\x80" || *got.DataType != "Binary" || *m.MD5OfMessageAttributes != "c2a29fcd5ed53b78fd5ce1def3de9b6a" {
					t.Errorf("%v %s", m.MessageAttributes, *m.MD5OfMessageAttributes)
				}
			}
		}
	}, nil},
	{6, "B058", "NumbersStayText", func(t *testing.T, e *env) {
		e.roundTrip(t, "b", "", map[string]messageAttribute{
			"big": text("Number", "12345678901234567890123456789012345678"), "f": text("Number", "230.000000000000000001"),
		}, "b7cb2c225008d7c7bc15e3e7cf649919")
		odd := map[string]messageAttribute{"a": text("Number", "1e3"), "b": text("Number", "007"), "c": text("Number", "-0")}
		e.roundTrip(t, "b", "", odd, attributeDigest(odd))
	}, nil},
	{6, "B060", "DigestOfSystemAttributes", func(t *testing.T, e *env) {
		const system, user = "5ae4d5d7636402d80f4eb6d213245a88", "235c5c510d26fb653d073faed50ae77c"
		u := e.create(t, nil)
		header := map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": trace}}
		stamp := map[string]args{"timestamp": {"DataType": "Number", "StringValue": "1493147359900"}}
		out := e.send(t, u, "b", func(in *sqs.SendMessageInput) {
			in.MessageAttributes = map[string]messageAttribute{"timestamp": text("Number", "1493147359900")}
			in.MessageSystemAttributes = map[string]types.MessageSystemAttributeValue{"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String(trace)}}
		})
		if *out.MD5OfMessageSystemAttributes != system || *out.MD5OfMessageAttributes != user {
			t.Errorf("%s %s", *out.MD5OfMessageSystemAttributes, *out.MD5OfMessageAttributes)
		}
		ok, _ := e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
			args{"Id": "a", "MessageBody": "b", "MessageAttributes": stamp, "MessageSystemAttributes": header}, args{"Id": "b", "MessageBody": "b", "MessageAttributes": stamp},
		}}).entries(t)
		if len(ok) != 2 || ok[0].MD5OfMessageSystemAttributes != system || ok[0].MD5OfMessageAttributes != user ||
			ok[1].MD5OfMessageSystemAttributes != "" || ok[1].MD5OfMessageAttributes != user {
			t.Errorf("in a batch: %+v", ok)
		}
		r := e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b"}).wantOK(t)
		if strings.Contains(r.Body, "SystemAttributes") {
			t.Errorf("a digest of nothing: %s", r.Body)
		}
		for i, m := range e.receive(t, u) {
			if want := []string{trace, trace, "", ""}[i]; m.Attributes["AWSTraceHeader"] != want || i < 3 && *m.MD5OfMessageAttributes != user {
				t.Errorf("message %d: %v", i, m.Attributes)
			}
		}
	}, nil},
	{6, "B061", "EmptyAttributeValue", func(t *testing.T, e *env) {
		const says = "Message (user) attribute 'piyo' must contain a non-empty value of type 'String'."
		u := e.create(t, nil)
		empty := map[string]args{"piyo": {"DataType": "String", "StringValue": ""}}
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b", "MessageAttributes": empty}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue").wantMessage(t, says)
		r := e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
			args{"Id": "a", "MessageBody": "1"}, args{"Id": "b", "MessageBody": "2", "MessageAttributes": empty}, args{"Id": "c", "MessageBody": "3"},
		}}).wantOutcome(t, outcome{OK: []string{"a", "c"}, Failed: []string{"b InvalidParameterValue"}})
		if _, failed := r.entries(t); failed[0].Message != says {
			t.Errorf("%s", failed[0].Message)
		}
		wantBodies(t, e.receive(t, u), "1", "3")
	}, nil},
	{6, "B062", "NamesAndTypesOfAttributes", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for name, dataType := range map[string]string{
			"AWS.x": "String", "amazon.x": "String", "aWs.x": "String", "x.": "String", ".x": "String", "x..y": "String", "a!": "String", "a b": "String",
			strings.Repeat("n", 257): "String", "type": "Text", "bare": "", "lower": "string", "long": "Number." + strings.Repeat("x", 256), "no": "Number",
		} {
			e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": name, "MessageAttributes": map[string]args{name: {"DataType": dataType, "StringValue": "v"}}}).
				wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		}
		many := map[string]args{"A.b-c_1": {"DataType": "Number", "StringValue": "1"}, strings.Repeat("n", 256): {"DataType": "String", "StringValue": "v"}}
		for i := range 8 {
			many[fmt.Sprint("a", i)] = []args{
				{"DataType": "String", "StringValue": "v"}, {"DataType": "Number.int", "StringValue": "7"}, {"DataType": "Binary", "BinaryValue": "AP8QgA=="},
			}[i%3]
		}
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "ten", "MessageAttributes": many}).wantOK(t)
		many["eleventh"] = args{"DataType": "String", "StringValue": "v"}
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "eleven", "MessageAttributes": many}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		if m := e.receiveOne(t, u); *m.Body != "ten" || len(m.MessageAttributes) != 10 || string(m.MessageAttributes["a2"].BinaryValue) != "\x00\xff\x10\x80" {
			t.Errorf("%s with %v", *m.Body, m.MessageAttributes)
		}
	}, nil},
}
