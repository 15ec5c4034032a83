package protocol

import (
	"net/url"
	"strings"
	"testing"
)

// benchmarkBody is 1 KB of text with the quotes and line ends that JSON
// documents, the most common bodies, make every codec escape.
var benchmarkBody = strings.Repeat(`{"order": 4711, "note": "left at the door, as agreed"}`+"\n", 19)[:1024]

func benchmarkRequests() map[string]*Request {
	const queue = "http://localhost:9324/000000000000/orders"
	form := url.Values{"Action": {"SendMessage"}, "Version": {"2012-11-05"}, "QueueUrl": {queue}, "MessageBody": {benchmarkBody}}
	return map[string]*Request{
		"JSON/SendMessage": {
			Method: "POST", Path: "/", ContentType: "application/x-amz-json-1.0", Target: "AmazonSQS.SendMessage",
			Body: append(appendJSONString([]byte(`{"MessageBody":`), benchmarkBody), `,"QueueUrl":"`+queue+`"}`...),
		},
		"JSON/ReceiveMessage": {
			Method: "POST", Path: "/", ContentType: "application/x-amz-json-1.0", Target: "AmazonSQS.ReceiveMessage",
			Body: []byte(`{"MaxNumberOfMessages":10,"MessageSystemAttributeNames":["All"],"QueueUrl":"` + queue + `","WaitTimeSeconds":20}`),
		},
		"Query/SendMessage": {
			Method: "POST", Path: "/", ContentType: "application/x-www-form-urlencoded", Body: []byte(form.Encode()),
		},
		"Query/ReceiveMessage": {
			Method: "POST", Path: "/", ContentType: "application/x-www-form-urlencoded",
			Body: []byte("Action=ReceiveMessage&AttributeName.1=All&MaxNumberOfMessages=10&QueueUrl=" + url.QueryEscape(queue) + "&WaitTimeSeconds=20"),
		},
	}
}

// BenchmarkDecode reads requests of the two busiest operations.
func BenchmarkDecode(b *testing.B) {
	for name, r := range benchmarkRequests() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(r.Body)))
			for b.Loop() {
				if _, err := Detect(r).Decode(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncode writes their answers, a receive with ten messages of 1 KB.
func BenchmarkEncode(b *testing.B) {
	digest := MD5OfBody(benchmarkBody)
	id := "0f8fad5b-d9cb-469f-a165-70867728950e"
	handle := strings.Repeat("A", 200)
	sent := &SendMessageOutput{MD5OfMessageBody: &digest, MessageID: &id}
	received := &ReceiveMessageOutput{}
	for range 10 {
		received.Messages = append(received.Messages, Message{
			MessageID: &id, ReceiptHandle: &handle, MD5OfBody: &digest, Body: &benchmarkBody,
			Attributes: map[string]string{"SentTimestamp": "1764460800000", "ApproximateReceiveCount": "1"},
		})
	}
	for _, c := range []struct {
		name  string
		codec Codec
	}{{"JSON", JSON}, {"Query", Query}} {
		b.Run(c.name+"/SendMessage", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.codec.EncodeOutput(SendMessage, sent, id)
			}
		})
		b.Run(c.name+"/ReceiveMessage", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.codec.EncodeOutput(ReceiveMessage, received, id)
			}
		})
	}
}

// BenchmarkDigest digests a body of 1 KB.
func BenchmarkDigest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		MD5OfBody(benchmarkBody)
	}
}
