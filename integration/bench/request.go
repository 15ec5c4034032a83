//go:build linux

package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// messageBytes is the size of every message body.
const messageBytes = 1024

// messageBody is a body as services send them, JSON in a string, so that it
// has quotes for the codec to escape and unescape.
var messageBody = func() string {
	head := `{\"type\":\"order.created\",\"version\":3,\"payload\":\"`
	tail := `\"}`
	escapes := strings.Count(head+tail, `\`)
	return head + strings.Repeat("x", messageBytes-len(head)-len(tail)+escapes) + tail
}()

// wire makes requests for one server in the bytes that the AWS SDK for Go
// would send. The signature is of the right form; a server without credentials
// does not check it.
type wire struct {
	addr    string
	headers string
}

func newWire(addr string) wire {
	now := time.Now().UTC()
	headers := []string{
		"Host: " + addr,
		"User-Agent: aws-sdk-go-v2/1.48.0 ua/2.1 os/linux lang/go#1.26.0 md/GOOS#linux md/GOARCH#amd64 api/sqs#1.53.0 m/E,e",
		"Accept-Encoding: identity",
		"Amz-Sdk-Invocation-Id: 0b6c1f2e-3c55-4f0e-9d53-6a1f62c7a8de",
		"Amz-Sdk-Request: attempt=1; max=3",
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/" + now.Format("20060102") +
			"/us-east-1/sqs/aws4_request, SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-date;x-amz-target, " +
			"Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
		"Content-Type: application/x-amz-json-1.0",
		"X-Amz-Date: " + now.Format("20060102T150405Z"),
	}
	return wire{addr: addr, headers: strings.Join(headers, "\r\n") + "\r\n"}
}

// append adds one whole request to dst.
func (w wire) append(dst []byte, action string, body []byte) []byte {
	dst = append(dst, "POST / HTTP/1.1\r\n"...)
	dst = append(dst, w.headers...)
	dst = append(dst, "X-Amz-Target: AmazonSQS."...)
	dst = append(dst, action...)
	dst = append(dst, "\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}

// request is one whole request with a body made as by fmt.Sprintf.
func (w wire) request(action, format string, args ...any) []byte {
	return w.append(nil, action, fmt.Appendf(nil, format, args...))
}

// createQueue asks for a queue that hides what was received for the rest of
// the run.
func (w wire) createQueue(name string) []byte {
	return w.request("CreateQueue", `{"QueueName":"%s","Attributes":{"VisibilityTimeout":"43200"}}`, name)
}

// createFIFO asks for a FIFO queue as createQueue does for a standard one.
func (w wire) createFIFO(name string) []byte {
	return w.request("CreateQueue", `{"QueueName":"%s.fifo","Attributes":{"FifoQueue":"true","VisibilityTimeout":"43200"}}`, name)
}

// listQueues is the lightest request that goes all the way to the store.
func (w wire) listQueues() []byte { return w.request("ListQueues", `{}`) }

// send is a SendMessage of one body.
func (w wire) send(queue string) []byte {
	return w.request("SendMessage", `{"MessageBody":"%s","QueueUrl":"%s"}`, messageBody, queue)
}

// appendGrouped adds a SendMessage with a group, and a deduplication id unless
// that is empty, to dst; scratch is reused for its body.
func (w wire) appendGrouped(dst []byte, scratch *[]byte, queue, group, dedup string) []byte {
	b := append((*scratch)[:0], `{"MessageBody":"`...)
	b = append(b, messageBody...)
	if dedup != "" {
		b = append(b, `","MessageDeduplicationId":"`...)
		b = append(b, dedup...)
	}
	b = append(b, `","MessageGroupId":"`...)
	b = append(b, group...)
	b = append(b, `","QueueUrl":"`...)
	b = append(b, queue...)
	b = append(b, `"}`...)
	*scratch = b
	return w.append(dst, "SendMessage", b)
}

// batchSize is the number of entries in every batch.
const batchSize = 10

// sendBatch is a SendMessageBatch of n bodies.
func (w wire) sendBatch(queue string, n int) []byte {
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf(`{"Id":"m%d","MessageBody":"%s"}`, i, messageBody))
	}
	return w.request("SendMessageBatch", `{"Entries":[%s],"QueueUrl":"%s"}`, strings.Join(entries, ","), queue)
}

// receive is a ReceiveMessage of up to n that waits up to wait, in whole
// seconds.
func (w wire) receive(queue string, n int, wait time.Duration) []byte {
	return w.request("ReceiveMessage", `{"MaxNumberOfMessages":%d,"QueueUrl":"%s","WaitTimeSeconds":%d}`, n, queue, int(wait.Seconds()))
}

// appendDelete adds a DeleteMessage to dst; scratch is reused for its body.
func (w wire) appendDelete(dst []byte, scratch *[]byte, queue, handle string) []byte {
	b := append((*scratch)[:0], `{"QueueUrl":"`...)
	b = append(b, queue...)
	b = append(b, `","ReceiptHandle":"`...)
	b = append(b, handle...)
	b = append(b, `"}`...)
	*scratch = b
	return w.append(dst, "DeleteMessage", b)
}

// appendDeleteBatch adds a DeleteMessageBatch to dst; scratch is reused for its
// body.
func (w wire) appendDeleteBatch(dst []byte, scratch *[]byte, queue string, handles []string) []byte {
	b := append((*scratch)[:0], `{"Entries":[`...)
	for i, h := range handles {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"Id":"m`...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, `","ReceiptHandle":"`...)
		b = append(b, h...)
		b = append(b, `"}`...)
	}
	b = append(b, `],"QueueUrl":"`...)
	b = append(b, queue...)
	b = append(b, `"}`...)
	*scratch = b
	return w.append(dst, "DeleteMessageBatch", b)
}

// values finds the string values of a member in a JSON body, in order, up to
// the end of the body. The members it is used for hold no escapes.
func values(body []byte, member string, each func(value []byte)) {
	for {
		_, rest, ok := bytes.Cut(body, []byte(member))
		if !ok {
			return
		}
		value, after, ok := bytes.Cut(rest, []byte{'"'})
		if !ok {
			return
		}
		each(value)
		body = after
	}
}

// The members whose values are looked for, each up to its value.
const (
	memberMessageID = `"MessageId":"`
	memberHandle    = `"ReceiptHandle":"`
	memberEntryID   = `"Id":"`
	memberQueueURL  = `"QueueUrl":"`
)

// count is how many string values of a member a JSON body has.
func count(body []byte, member string) int {
	return bytes.Count(body, []byte(member))
}
