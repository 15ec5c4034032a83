package protocol

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// benchmarkBody is 1 KB of text with the quotes and line ends that JSON
// documents, the most common bodies, make every codec escape.
var benchmarkBody = strings.Repeat(`{"order": 4711, "note": "left at the door, as agreed"}`+"\n", 19)[:1024]

const (
	benchmarkQueue  = "http://localhost:9324/000000000000/orders"
	benchmarkHandle = "AQEBAAAAAAAAAAEAAAAAAAAAAQAAAAAAAAABbxQb2s3ZW9ItJihqzyKQHyIP6ctKhgsu"
)

// benchmarkMembers are the members of the hot actions' requests, in order:
// name and value, those of entries of a batch once for each.
var benchmarkMembers = []struct {
	action  string
	entries [][2]string
	members [][2]string
}{
	{"SendMessage", nil, [][2]string{{"MessageBody", benchmarkBody}}},
	{"SendMessageBatch", [][2]string{{"MessageBody", benchmarkBody}}, nil},
	{"ReceiveMessage", nil, [][2]string{{"MaxNumberOfMessages", "10"}, {"WaitTimeSeconds", "20"}}},
	{"DeleteMessage", nil, [][2]string{{"ReceiptHandle", benchmarkHandle}}},
	{"DeleteMessageBatch", [][2]string{{"ReceiptHandle", benchmarkHandle}}, nil},
	{"ChangeMessageVisibility", nil, [][2]string{{"ReceiptHandle", benchmarkHandle}, {"VisibilityTimeout", "600"}}},
	{"ChangeMessageVisibilityBatch", [][2]string{{"ReceiptHandle", benchmarkHandle}, {"VisibilityTimeout", "600"}}, nil},
}

func benchmarkJSON(action string, entries, members [][2]string) *Request {
	add := func(b []byte, members [][2]string) []byte {
		for _, m := range members {
			b = append(b, `"`+m[0]+`":`...)
			if _, err := strconv.Atoi(m[1]); err == nil {
				b = append(b, m[1]...)
			} else {
				b = appendJSONString(b, m[1])
			}
			b = append(b, ',')
		}
		return b
	}
	b := add([]byte{'{'}, members)
	if entries != nil {
		b = append(b, `"Entries":[`...)
		for i := range 10 {
			if i > 0 {
				b = append(b, ',')
			}
			b = add(append(b, '{'), entries)
			b = fmt.Appendf(b, `"Id":"m%d"}`, i)
		}
		b = append(b, "],"...)
	}
	b = append(b, `"QueueUrl":"`+benchmarkQueue+`"}`...)
	return &Request{Method: "POST", Path: "/", ContentType: "application/x-amz-json-1.0", Target: "AmazonSQS." + action, Body: b}
}

func benchmarkQuery(action string, entries, members [][2]string) *Request {
	b := []byte("Action=" + action + "&Version=2012-11-05")
	add := func(prefix string, members [][2]string) {
		for _, m := range members {
			b = append(b, "&"+prefix+m[0]+"="+url.QueryEscape(m[1])...)
		}
	}
	add("", members)
	for i := range 10 {
		if entries != nil {
			prefix := fmt.Sprintf("%sRequestEntry.%d.", action, i+1)
			add(prefix, append([][2]string{{"Id", fmt.Sprint("m", i)}}, entries...))
		}
	}
	add("", [][2]string{{"QueueUrl", benchmarkQueue}})
	return &Request{Method: "POST", Path: "/", ContentType: "application/x-www-form-urlencoded", Body: b}
}

// BenchmarkDecode reads requests of the hot operations, batches of ten.
func BenchmarkDecode(b *testing.B) {
	for _, protocol := range []struct {
		name string
		make func(action string, entries, members [][2]string) *Request
	}{{"JSON", benchmarkJSON}, {"Query", benchmarkQuery}} {
		for _, m := range benchmarkMembers {
			r := protocol.make(m.action, m.entries, m.members)
			b.Run(protocol.name+"/"+m.action, func(b *testing.B) {
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
}

// BenchmarkEncode writes their answers, a receive with ten messages of 1 KB.
func BenchmarkEncode(b *testing.B) {
	digest := MD5OfBody(benchmarkBody)
	id, handle := "0f8fad5b-d9cb-469f-a165-70867728950e", benchmarkHandle
	received, sent := &ReceiveMessageOutput{}, &SendMessageBatchOutput{}
	deleted, changed := &DeleteMessageBatchOutput{}, &ChangeMessageVisibilityBatchOutput{}
	for i := range 10 {
		name := fmt.Sprint("m", i)
		received.Messages = append(received.Messages, Message{
			MessageID: &id, ReceiptHandle: &handle, MD5OfBody: &digest, Body: &benchmarkBody,
			Attributes: map[string]string{"SentTimestamp": "1764460800000", "ApproximateReceiveCount": "1"},
		})
		sent.Successful = append(sent.Successful, SendMessageBatchResultEntry{ID: &name, MessageID: &id, MD5OfMessageBody: &digest})
		deleted.Successful = append(deleted.Successful, DeleteMessageBatchResultEntry{ID: &name})
		changed.Successful = append(changed.Successful, ChangeMessageVisibilityBatchResultEntry{ID: &name})
	}
	for _, c := range []struct {
		name  string
		codec Codec
	}{{"JSON", JSON}, {"Query", Query}} {
		for _, answer := range []struct {
			op     Operation
			output any
		}{
			{SendMessage, &SendMessageOutput{MD5OfMessageBody: &digest, MessageID: &id}},
			{SendMessageBatch, sent},
			{ReceiveMessage, received},
			{DeleteMessage, &void{}},
			{DeleteMessageBatch, deleted},
			{ChangeMessageVisibility, &void{}},
			{ChangeMessageVisibilityBatch, changed},
		} {
			b.Run(fmt.Sprintf("%s/%v", c.name, answer.op), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.codec.EncodeOutput(answer.op, answer.output, id)
				}
			})
		}
	}
}

// BenchmarkDigest digests a body of 1 KB, one of 256 KB, and ten attributes.
func BenchmarkDigest(b *testing.B) {
	for _, size := range []int{1 << 10, 256 << 10} {
		body := strings.Repeat("m", size)
		b.Run(fmt.Sprintf("Body%d", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(size))
			for b.Loop() {
				MD5OfBody(body)
			}
		})
	}
	text, kind := "a value of some length", "String"
	attributes := map[string]MessageAttributeValue{}
	for i := range 10 {
		attributes[fmt.Sprint("attribute-", i)] = MessageAttributeValue{StringValue: &text, DataType: &kind}
	}
	b.Run("Attributes10", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			MD5OfAttributes(attributes)
		}
	})
}
