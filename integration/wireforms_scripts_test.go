package integration

import (
	"fmt"
	"strings"
	"testing"
)

// The heads of requests of the AWS SDKs for PHP and Ruby, which post JSON to
// the path of the queue.
const (
	phpHead = `
POST $PATH$ HTTP/1.1
Host: $HOST$
X-Amz-Target: AmazonSQS.$ACTION$
x-amzn-query-mode: true
Content-Type: application/x-amz-json-1.0
aws-sdk-invocation-id: 1f0d6fbb0a5b0f2cbb5c6d2c2f3a1e11
aws-sdk-retry: 0/0
x-user-agent: aws-sdk-php/3.320.0 ua/2.0 OS/Linux#6.1.0 lang/php#8.3.0 GuzzleHttp/7
User-Agent: aws-sdk-php/3.320.0 ua/2.0 OS/Linux#6.1.0 lang/php#8.3.0 GuzzleHttp/7
X-Amz-Date: 20260101T000000Z
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=aws-sdk-invocation-id;aws-sdk-retry;host;x-amz-date;x-amz-target;x-amzn-query-mode, Signature=00`

	rubyHead = `
POST $PATH$ HTTP/1.1
Accept-Encoding:
User-Agent: aws-sdk-ruby3/3.211.0 ua/2.1 api/sqs#1.86.0 os/linux#6.1.0 md/x86_64 lang/ruby#3.3.0 md/3.3.0 m/E
X-Amzn-Query-Mode: true
Content-Type: application/x-amz-json-1.0
X-Amz-Target: AmazonSQS.$ACTION$
Host: $HOST$
X-Amz-Date: 20260101T000000Z
X-Amz-Content-Sha256: 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target;x-amzn-query-mode, Signature=00
Accept: */*`
)

// toQueue posts JSON to the path of the queue.
func (c *wireClient) toQueue(t *testing.T, action, body string, more ...string) *reply {
	t.Helper()
	return c.jsonOf(t, "/"+c.account+"/"+c.queue, action, body, more...)
}

// escaped is a URL with the slashes as PHP writes them.
func (c *wireClient) escaped() string { return strings.ReplaceAll(c.url, "/", `\/`) }

var phpForms = []wireForm{
	{"PHP", "QueuePathAndQueueUrl", false, phpHead, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$"}`).wantOK(t)
		decode[sendAnswer](t, c.toQueue(t, "SendMessage", `{"QueueUrl":"$E$","MessageBody":"h\u00e9llo\/w\u00f6rld","MessageAttributes":`+coloredJSON+`}`, "E", c.escaped())).check(t, "héllo/wörld", colored)
		// It throws on a digest without attributes, and on attributes without a digest.
		for _, names := range []string{`,"MessageAttributeNames":["All"]`, `,"MessageAttributeNames":["color"]`, `,"MessageAttributeNames":["none"]`, ``} {
			if m := c.toQueue(t, "ReceiveMessage", `{"QueueUrl":"$E$","VisibilityTimeout":0`+names+`}`, "E", c.escaped()).only(t); m.Body != "héllo/wörld" {
				t.Errorf("the body is %q", m.Body)
			}
		}
	}},
	{"PHP", "ErrorCodes", false, phpHead, func(t *testing.T, c *wireClient) {
		c.toQueue(t, "SendMessage", `{"QueueUrl":"$E$","MessageBody":"b"}`, "E", c.escaped()).wantNoQueue(t)
	}},
	{"Laravel", "Worker", false, phpHead, func(t *testing.T, c *wireClient) {
		// The queue's URL is put together from the configured prefix.
		c.createNamed(t, c.queue, nil)
		size := func(want string) {
			t.Helper()
			got := decode[attributesAnswer](t, c.toQueue(t, "GetQueueAttributes", `{"QueueUrl":"$E$","AttributeNames":["ApproximateNumberOfMessages"]}`, "E", c.escaped()))
			if len(got.Attributes) != 1 || got.Attributes["ApproximateNumberOfMessages"] != want {
				t.Errorf("the size is %v, want %s", got.Attributes, want)
			}
		}
		size("0")
		const job = `{"uuid":"1","displayName":"App\\Jobs\\Mail","job":"Illuminate\\Queue\\CallQueuedHandler@call","data":{}}`
		quoted := strings.ReplaceAll(strings.ReplaceAll(job, `\`, `\\`), `"`, `\"`)
		decode[sendAnswer](t, c.toQueue(t, "SendMessage", `{"QueueUrl":"$E$","MessageBody":"`+quoted+`"}`, "E", c.escaped())).check(t, job, nil)
		decode[sendAnswer](t, c.toQueue(t, "SendMessage", `{"QueueUrl":"$E$","MessageBody":"later","DelaySeconds":900}`, "E", c.escaped())).check(t, "later", nil)
		size("1")
		pop := func() received {
			return c.toQueue(t, "ReceiveMessage", `{"QueueUrl":"$E$","AttributeNames":["ApproximateReceiveCount"]}`, "E", c.escaped()).only(t)
		}
		m := pop()
		if m.Body != job || m.Attributes["ApproximateReceiveCount"] != "1" || len(m.Attributes) != 1 {
			t.Errorf("it came as %+v", m)
		}
		c.toQueue(t, "ChangeMessageVisibility", `{"QueueUrl":"$E$","ReceiptHandle":"$H$","VisibilityTimeout":0}`, "E", c.escaped(), "H", m.ReceiptHandle).wantVoid(t, "ChangeMessageVisibility")
		if m = pop(); m.Attributes["ApproximateReceiveCount"] != "2" {
			t.Errorf("it came with %v", m.Attributes)
		}
		c.toQueue(t, "DeleteMessage", `{"QueueUrl":"$E$","ReceiptHandle":"$H$"}`, "E", c.escaped(), "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
		c.toQueue(t, "PurgeQueue", `{"QueueUrl":"$E$"}`, "E", c.escaped()).wantVoid(t, "PurgeQueue")
		c.wantCounts(t, c.url, counts{"0", "0", "0"})
		r := c.toQueue(t, "ReceiveMessage", `{"QueueUrl":"$E$","AttributeNames":["ApproximateReceiveCount"]}`, "E", c.escaped()).wantOK(t)
		if r.Body != "{}" {
			t.Errorf("an empty pop is %s", r.Body)
		}
	}},
}

var rubyForms = []wireForm{
	{"Ruby", "QueuePathAndDigests", false, rubyHead, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$"}`).wantOK(t)
		decode[sendAnswer](t, c.toQueue(t, "SendMessage", `{"QueueUrl":"$URL$","MessageBody":"hello","MessageAttributes":`+coloredJSON+`}`)).check(t, "hello", colored)
		got := decode[batchAnswer](t, c.toQueue(t, "SendMessageBatch", `{"QueueUrl":"$URL$","Entries":[{"Id":"0","MessageBody":"0","MessageAttributes":`+coloredJSON+`},{"Id":"1","MessageBody":"1"}]}`))
		got.wantIDs(t, "0", "1")
		got.Successful[0].check(t, "0", colored)
		got.Successful[1].check(t, "1", nil)
	}},
	{"Ruby", "ErrorClassOfTheHeader", false, rubyHead, func(t *testing.T, c *wireClient) {
		for _, r := range []*reply{c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`), c.toQueue(t, "ReceiveMessage", `{"QueueUrl":"$URL$"}`)} {
			code, _, _ := strings.Cut(r.Header.Get("X-Amzn-Query-Error"), ";")
			if class := code[strings.LastIndexByte(code, '.')+1:]; class != "NonExistentQueue" {
				t.Errorf("the class is %q", class)
			}
		}
	}},
	{"Shoryuken", "Worker", false, rubyHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		if got := decode[urlAnswer](t, c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`)); got.QueueUrl != c.url {
			t.Errorf("the URL is %s", got.QueueUrl)
		}
		got := decode[attributesAnswer](t, c.toQueue(t, "GetQueueAttributes", `{"QueueUrl":"$URL$","AttributeNames":["All"]}`))
		if _, fifo := got.Attributes["FifoQueue"]; fifo || got.Attributes["VisibilityTimeout"] != "30" {
			t.Errorf("attributes are %v", got.Attributes)
		}
		c.sendBatch(t, c.url, "1", "2")
		var entries []string
		for i, m := range c.toQueue(t, "ReceiveMessage", `{"QueueUrl":"$URL$","MaxNumberOfMessages":10,"MessageAttributeNames":["All"],"AttributeNames":["All"]}`).received(t) {
			m.checkDigests(t)
			entries = append(entries, fmt.Sprintf(`{"Id":"%d","ReceiptHandle":"%s"}`, i, m.ReceiptHandle))
		}
		entries = append(entries, `{"Id":"2","ReceiptHandle":"gone"}`)
		deleted := decode[batchAnswer](t, c.toQueue(t, "DeleteMessageBatch", `{"QueueUrl":"$URL$","Entries":[`+strings.Join(entries, ",")+`]}`))
		if len(deleted.Successful) != 2 || len(deleted.Failed) != 1 || deleted.Failed[0].Code != "ReceiptHandleIsInvalid" || deleted.Failed[0].Message == "" {
			t.Errorf("the answer is %+v", deleted)
		}
	}},
	{"Shoryuken", "FIFOQueue", false, rubyHead, func(t *testing.T, c *wireClient) {
		url := c.createNamed(t, c.queue+".fifo", attrs{"FifoQueue": "true"})
		got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"QueueUrl":"`+url+`","AttributeNames":["All"]}`))
		if got.Attributes["FifoQueue"] != "true" {
			t.Errorf("attributes are %v", got.Attributes)
		}
	}},
}
