package integration

import (
	"bufio"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"queues/cmd/queues/app"
)

// FuzzRequest sends whatever it likes to a whole server. Each answer is one that
// a client can read, without headers that are not the server's own and without
// an error of the server's, and the connection ends when the client is done.
func FuzzRequest(f *testing.F) {
	l, err := (&net.ListenConfig{}).Listen(f.Context(), "unix", filepath.Join(f.TempDir(), "s"))
	if err != nil {
		f.Fatal(err)
	}
	a, err := app.New(app.Config{Dev: true, Listener: l, Admin: "off", Data: f.TempDir()})
	if err != nil {
		f.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	f.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			f.Error(err)
		}
	})

	for _, r := range []struct{ action, json, query string }{
		{"CreateQueue", `{"QueueName":"q","Attributes":{"DelaySeconds":"1"},"tags":{"a":"b"}}`, "QueueName=q&Attribute.1.Name=DelaySeconds&Attribute.1.Value=1"},
		{"CreateQueue", `{"QueueName":"f.fifo","Attributes":{"FifoQueue":"true","ContentBasedDeduplication":"true"}}`, "QueueName=f.fifo&Attribute.Name=FifoQueue&Attribute.Value=true"},
		{"SetQueueAttributes", `{"QueueUrl":"q","Attributes":{"RedrivePolicy":"{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:q\",\"maxReceiveCount\":2}"}}`, "QueueUrl=q&Attribute.1.Name=Policy&Attribute.1.Value=%7B%7D"},
		{"SendMessage", `{"QueueUrl":"q","MessageBody":"b","MessageAttributes":{"a":{"DataType":"Binary","BinaryValue":"AQ=="}}}`, "QueueUrl=q&MessageBody=b&MessageAttribute.1.Name=a&MessageAttribute.1.Value.DataType=Number&MessageAttribute.1.Value.StringValue=1e3"},
		{"SendMessageBatch", `{"QueueUrl":"f.fifo","Entries":[{"Id":"1","MessageBody":"b","MessageGroupId":"g","MessageDeduplicationId":"d"}]}`, "QueueUrl=q&SendMessageBatchRequestEntry.1.Id=a&SendMessageBatchRequestEntry.1.MessageBody=b"},
		{"ReceiveMessage", `{"QueueUrl":"q","MaxNumberOfMessages":10,"AttributeNames":["All"],"MessageAttributeNames":["a.*"]}`, "QueueUrl=q&AttributeName.1=All&VisibilityTimeout=0"},
		{"DeleteMessage", `{"QueueUrl":"q","ReceiptHandle":"AQEB"}`, "QueueUrl=q&ReceiptHandle=AQEB"},
		{"StartMessageMoveTask", `{"SourceArn":"arn:aws:sqs:us-east-1:000000000000:q"}`, "SourceArn=arn:aws:sqs:us-east-1:000000000000:q"},
		{"AddPermission", `{"QueueUrl":"q","Label":"l","AWSAccountIds":["111111111111"],"Actions":["SendMessage"]}`, "QueueUrl=q&Label=l&AWSAccountId.1=111111111111&ActionName.1=*"},
		{"ListQueues", `{"QueueNamePrefix":"q","MaxResults":1,"NextToken":"x"}`, "QueueNamePrefix=q"},
	} {
		head := "Host: localhost\r\nContent-Length: %d\r\n"
		f.Add(fmt.Appendf(nil, "POST / HTTP/1.1\r\n"+head+"Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.%s\r\n\r\n%s", len(r.json), r.action, r.json))
		form := "Action=" + r.action + "&" + r.query
		f.Add(fmt.Appendf(nil, "POST /000000000000/q HTTP/1.1\r\n"+head+"Content-Type: application/x-www-form-urlencoded\r\n\r\n%s", len(form), form))
		f.Add(fmt.Appendf(nil, "GET /?%s HTTP/1.1\r\nHost: [::1]:9324\r\nAuthorization: AWS4-HMAC-SHA256 Credential=111111111111/20260101/eu-west-1/sqs/aws4_request\r\n\r\n", form))
	}
	f.Add([]byte("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.ListQueues\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET / HTTP/1.0\r\n\r\n"))
	f.Add([]byte("OPTIONS * HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nAccess-Control-Request-Method: POST\r\n\r\n"))
	f.Fuzz(func(t *testing.T, request []byte) {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		written := make(chan struct{})
		go func() {
			defer close(written)
			_, _ = c.Write(request) // the server may have stopped reading
		}()
		defer func() { <-written }()
		r := bufio.NewReader(c)
		// A request that waits, for the rest of it or for a message, ends with its
		// client's side of the connection.
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		_, _ = r.Peek(1)
		_ = c.(*net.UnixConn).CloseWrite()
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		for {
			res, err := http.ReadResponse(r, nil)
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				t.Fatal("the connection does not end")
			}
			if err != nil {
				return // the end, or that of an answer nobody was there for
			}
			body, err := io.ReadAll(res.Body)
			if err != nil {
				return
			}
			checkAnswer(t, res, body)
		}
	})
}

// checkAnswer checks what is true of every answer. Those that net/http gives by
// itself, to what is no HTTP, are plain text.
func checkAnswer(t *testing.T, res *http.Response, body []byte) {
	t.Helper()
	if res.StatusCode == http.StatusContinue || strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") {
		return
	}
	if res.StatusCode >= 500 && res.StatusCode != http.StatusNotImplemented && res.StatusCode != http.StatusHTTPVersionNotSupported {
		t.Errorf("status %d: %s", res.StatusCode, body)
	}
	if strings.Contains(string(body), "InternalFailure") && strings.Contains(string(body), "Failed") {
		t.Errorf("an entry failed by our fault: %s", body)
	}
	for name, values := range res.Header {
		cors := name == "Vary" || strings.HasPrefix(name, "Access-Control-")
		if !ours[name] && !cors || len(values) != 1 {
			t.Errorf("the header %s: %q", name, values)
		}
	}
	switch kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";"); {
	case len(body) == 0:
	case slices.Contains([]string{"application/x-amz-json-1.0", "application/json"}, kind):
		if !json.Valid(body) {
			t.Errorf("no JSON: %q", body)
		}
	case kind == "text/xml":
		if err := xml.Unmarshal(body, new(struct{})); err != nil {
			t.Errorf("no XML: %v in %q", err, body)
		}
	default:
		t.Errorf("the content type %q of %q", kind, body)
	}
}
