package integration

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// The heads of requests of Rust's SDK, of ex_aws and of Go's SDK.
const (
	rustHead = `
POST $PATH$ HTTP/1.1
content-type: application/x-amz-json-1.0
x-amz-target: AmazonSQS.$ACTION$
x-amzn-query-mode: true
user-agent: aws-sdk-rust/1.3.3 os/linux lang/rust/1.81.0
x-amz-user-agent: aws-sdk-rust/1.3.3 ua/2.1 api/sqs/1.45.0 os/linux lang/rust/1.81.0 m/E
x-amz-date: 20260101T000000Z
authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-target;x-amz-user-agent;x-amzn-query-mode, Signature=00
amz-sdk-invocation-id: 6b8c8c4e-0f7b-4b60-93c0-7b6f4f5a2c11
amz-sdk-request: attempt=1; max=3
host: $HOST$`

	elixirHead = `
POST $PATH$ HTTP/1.1
authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request,SignedHeaders=content-encoding;content-type;host;x-amz-date,Signature=00
host: $HOST$
x-amz-date: 20260101T000000Z
content-type: application/x-www-form-urlencoded
content-encoding: identity
user-agent: hackney/1.20.1`

	goHead = `
POST $PATH$ HTTP/1.1
Host: $HOST$
User-Agent: aws-sdk-go-v2/1.32.0 ua/2.1 os/linux lang/go#1.23.2 md/GOOS#linux md/GOARCH#amd64 api/sqs#1.36.0
Accept-Encoding: gzip
Amz-Sdk-Invocation-Id: 5b3d8f8a-8f1f-4b45-8ac2-6b9f2c7d8e12
Amz-Sdk-Request: attempt=1; max=3
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=accept-encoding;amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-date;x-amz-target;x-amzn-query-mode, Signature=00
Content-Type: application/x-amz-json-1.0
X-Amz-Date: 20260101T000000Z
X-Amz-Target: AmazonSQS.$ACTION$
X-Amzn-Query-Mode: true`
)

// broadway receives in the form of Broadway's producer: one list with numbers,
// one without a number and under the name of the JSON member.
func (c *wireClient) broadway(t *testing.T) []received {
	t.Helper()
	return c.queueForm(t, "Action=ReceiveMessage&AttributeName.1=ApproximateReceiveCount&AttributeName.2=SentTimestamp&MaxNumberOfMessages=10&MessageAttributeNames=All&QueueUrl=$URL$&WaitTimeSeconds=0").received(t)
}

var otherForms = []wireForm{
	{"Rust", "QueryCompatibleErrors", false, rustHead, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`).wantNoQueue(t)
		c.createNamed(t, c.queue, nil)
		c.rootJSON(t, "PurgeQueue", `{"QueueUrl":"$URL$"}`).wantVoid(t, "PurgeQueue")
		c.rootJSON(t, "DeleteMessageBatch", `{"QueueUrl":"$URL$","Entries":[{"Id":"a","ReceiptHandle":"x"},{"Id":"a","ReceiptHandle":"y"}]}`).
			wantFault(t, 400, "com.amazonaws.sqs#BatchEntryIdsNotDistinct", "AWS.SimpleQueueService.BatchEntryIdsNotDistinct;Sender")
	}},
	{"Rust", "SendAndReceive", false, rustHead, func(t *testing.T, c *wireClient) {
		decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$","tags":{"env":"dev"}}`))
		decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"QueueUrl":"$URL$","MessageBody":"héllo","MessageAttributes":`+coloredJSON+`}`)).check(t, "héllo", colored)
		m := c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"$URL$","MessageSystemAttributeNames":["All"],"MessageAttributeNames":["All"],"MaxNumberOfMessages":10,"WaitTimeSeconds":20}`).only(t)
		c.rootJSON(t, "DeleteMessage", `{"QueueUrl":"$URL$","ReceiptHandle":"$H$"}`, "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
		c.wantTags(t, c.url, attrs{"env": "dev"})
	}},
	{"ExAws", "SparseForms", false, elixirHead, func(t *testing.T, c *wireClient) {
		r := c.formOf(t, "/", "Action=CreateQueue&Attribute.1.Name=VisibilityTimeout&Attribute.1.Value=10&QueueName=$QUEUE$").wantOK(t)
		if got := r.one(t, "CreateQueueResponse/CreateQueueResult/QueueUrl"); got != c.url {
			t.Errorf("the URL is %s", got)
		}
		// A binary attribute and a deleted one leave gaps in the numbers.
		r = c.queueForm(t, "Action=SendMessage&MessageAttribute.2.Name=color&MessageAttribute.2.Value.DataType=String&MessageAttribute.2.Value.StringValue=blue"+
			"&MessageAttribute.5.Name=count&MessageAttribute.5.Value.DataType=Number&MessageAttribute.5.Value.StringValue=3"+
			"&MessageAttribute.9.Name=blob&MessageAttribute.9.Value.BinaryValue=AQID&MessageAttribute.9.Value.DataType=Binary&MessageBody=hello%20%26%20%3Cworld%3E&QueueUrl=$URL$").wantOK(t)
		const result = "SendMessageResponse/SendMessageResult/"
		sendAnswer{
			MessageId: r.one(t, result+"MessageId"), MD5OfMessageBody: r.one(t, result+"MD5OfMessageBody"), MD5OfMessageAttributes: r.one(t, result+"MD5OfMessageAttributes"),
		}.check(t, "hello & <world>", colored)
		if r.one(t, "SendMessageResponse/ResponseMetadata/RequestId") == "" {
			t.Error("no request id")
		}
		r = c.queueForm(t, "Action=GetQueueAttributes&AttributeName.1=All&QueueUrl=$URL$").wantOK(t)
		if got := r.xpath(t, "GetQueueAttributesResponse/GetQueueAttributesResult/Attribute/Name"); len(got) != len(standardAttributes) {
			t.Errorf("attributes are %v", got)
		}
	}},
	{"ExAws", "ErrorsByPath", false, elixirHead, func(t *testing.T, c *wireClient) {
		r := c.queueForm(t, "Action=ReceiveMessage&QueueUrl=$URL$")
		const fault = "ErrorResponse/Error/"
		if r.Status != 400 || r.one(t, fault+"Type") != "Sender" || r.one(t, fault+"Code") != "AWS.SimpleQueueService.NonExistentQueue" || r.one(t, fault+"Message") == "" ||
			len(r.xpath(t, fault+"Detail")) != 1 || r.one(t, "ErrorResponse/RequestId") == "" {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}},
	{"ExAws", "EveryOtherAction", false, elixirHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		c.send(t, c.url, "b")
		handle := *c.receiveOne(t, c.url).ReceiptHandle
		for _, x := range []struct{ action, form string }{
			{"AddPermission", "&AWSAccountId.1=111111111111&ActionName.1=SendMessage&Label=l"},
			{"RemovePermission", "&Label=l"},
			{"SetQueueAttributes", "&Attribute.1.Name=DelaySeconds&Attribute.1.Value=1&Attribute.2.Name=VisibilityTimeout&Attribute.2.Value=7"},
			{"TagQueue", "&Tag.1.Key=k&Tag.1.Value=v"},
			{"UntagQueue", "&TagKey.1=k"},
			{"ChangeMessageVisibility", "&ReceiptHandle=$H$&VisibilityTimeout=30"},
			{"DeleteMessage", "&ReceiptHandle=$H$"},
			{"PurgeQueue", ""},
			{"DeleteQueue", ""},
		} {
			r := c.queueForm(t, "Action="+x.action+x.form+"&QueueUrl=$URL$", "H", handle)
			r.wantVoid(t, x.action)
			if r.one(t, x.action+"Response/ResponseMetadata/RequestId") == "" {
				t.Errorf("%s: no request id", x.action)
			}
		}
		r := c.formOf(t, "/", "Action=ListQueues&QueueNamePrefix=$QUEUE$").wantOK(t)
		wantList(t, r.xpath(t, "ListQueuesResponse/ListQueuesResult/QueueUrl"), "")
	}},
	{"Broadway", "Producer", false, elixirHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		if got := c.broadway(t); len(got) != 0 {
			t.Errorf("received %v", got)
		}
		c.call(t, "SendMessage", args{"QueueUrl": c.url, "MessageBody": "line\r\nnext & <tag>", "MessageAttributes": map[string]args{"k": {"DataType": "String", "StringValue": "v"}}}).wantOK(t)
		c.send(t, c.url, "2")
		got := c.broadway(t)
		if len(got) != 2 || got[0].Body != "line\r\nnext & <tag>" || got[0].MessageAttributes["k"].StringValue != "v" {
			t.Fatalf("received %+v", got)
		}
		form := "Action=DeleteMessageBatch&QueueUrl=$URL$"
		var words []string
		for i, m := range got {
			m.checkDigests(t)
			wantNames(t, m.Attributes, "ApproximateReceiveCount", "SentTimestamp")
			form += fmt.Sprintf("&DeleteMessageBatchRequestEntry.%d.Id=%s&DeleteMessageBatchRequestEntry.%d.ReceiptHandle=$H%d$", i+1, m.MessageId, i+1, i)
			words = append(words, fmt.Sprint("H", i), m.ReceiptHandle)
		}
		r := c.queueForm(t, form, words...).wantOK(t)
		wantList(t, r.xpath(t, "DeleteMessageBatchResponse/DeleteMessageBatchResult/DeleteMessageBatchResultEntry/Id"), got[0].MessageId+" "+got[1].MessageId)
	}},
	{"KEDA", "ThreeCountsOfABareName", false, goHead, func(t *testing.T, c *wireClient) {
		const three = `"AttributeNames":["ApproximateNumberOfMessages","ApproximateNumberOfMessagesNotVisible","ApproximateNumberOfMessagesDelayed"]`
		c.rootJSON(t, "GetQueueAttributes", `{`+three+`,"QueueUrl":"$QUEUE$"}`).wantNoQueue(t)
		c.createNamed(t, c.queue, nil)
		for i := range 3 {
			c.send(t, c.url, fmt.Sprint(i))
		}
		c.send(t, c.url, "later", delayed(900))
		c.receiveOne(t, c.url, upTo(1))
		for _, url := range []string{c.queue, c.url} {
			got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{`+three+`,"QueueUrl":"$U$"}`, "U", url))
			sum := 0
			for name, text := range got.Attributes {
				n, err := strconv.ParseInt(text, 10, 32)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				sum += int(n)
			}
			if len(got.Attributes) != 3 || sum != 4 {
				t.Errorf("attributes are %v", got.Attributes)
			}
		}
	}},
	{"KEDA", "AnswersAreNotCompressed", false, goHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		r := c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["All"],"QueueUrl":"$URL$"}`).wantOK(t)
		if r.Header.Get("Content-Encoding") != "" || r.Header.Get("Content-Length") != strconv.Itoa(len(r.Body)) || strings.ContainsAny(r.Body, "\n\t") {
			t.Errorf("headers are %v", r.Header)
		}
	}},
}
