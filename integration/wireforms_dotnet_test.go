package integration

import (
	"strconv"
	"testing"
)

// The heads of requests of the AWS SDK for .NET, of both protocols.
const (
	dotNetQueryHead = `
POST $PATH$ HTTP/1.1
Host: $HOST$
User-Agent: aws-sdk-dotnet-coreclr/3.7.200.5 aws-sdk-dotnet-core/3.7.200.5 .NET_Core/6.0.25 OS/Linux_6.1.0 ClientAsync
amz-sdk-invocation-id: 4a2e0f3d-7e43-4b5a-9b6f-1f6f6c5a9a01
amz-sdk-request: attempt=1; max=5
X-Amz-Date: 20260101T000000Z
X-Amz-Content-SHA256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=content-type;host;user-agent;x-amz-content-sha256;x-amz-date, Signature=00
Content-Type: application/x-www-form-urlencoded; charset=utf-8`

	dotNetJSONHead = `
POST $PATH$ HTTP/1.1
Host: $HOST$
User-Agent: aws-sdk-dotnet-coreclr/3.7.400.1 ua/2.0 os/linux#6.1.0 md/ARCH#X64 lang/.NET_Core#8.0.10 md/aws-sdk-dotnet-core#3.7.400.1 api/SQS#3.7.400.1
amz-sdk-invocation-id: 4a2e0f3d-7e43-4b5a-9b6f-1f6f6c5a9a02
amz-sdk-request: attempt=1; max=5
X-Amz-Target: AmazonSQS.$ACTION$
x-amzn-query-mode: true
X-Amz-Date: 20260101T000000Z
X-Amz-Content-SHA256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=content-type;host;user-agent;x-amz-content-sha256;x-amz-date;x-amz-target, Signature=00
Content-Type: application/x-amz-json-1.0`
)

var dotNetForms = []wireForm{
	{"DotNetQuery", "QueuePathWithoutQueueUrl", false, dotNetQueryHead, func(t *testing.T, c *wireClient) {
		r := c.formOf(t, "/", "Action=CreateQueue&Attribute.1.Name=DelaySeconds&Attribute.1.Value=0&QueueName=$QUEUE$&Version=2012-11-05").wantOK(t)
		if got := r.one(t, "CreateQueueResponse/CreateQueueResult/QueueUrl"); got != c.url {
			t.Errorf("the URL is %s", got)
		}
		r = c.queueForm(t, "Action=SendMessage&"+coloredForm+"&MessageBody=hello%20world&Version=2012-11-05").wantOK(t)
		const result = "SendMessageResponse/SendMessageResult/"
		sendAnswer{
			MessageId: r.one(t, result+"MessageId"), MD5OfMessageBody: r.one(t, result+"MD5OfMessageBody"), MD5OfMessageAttributes: r.one(t, result+"MD5OfMessageAttributes"),
		}.check(t, "hello world", colored)
		m := c.queueForm(t, "Action=ReceiveMessage&AttributeName.1=All&MaxNumberOfMessages=10&MessageAttributeName.1=All&Version=2012-11-05&WaitTimeSeconds=0").only(t)
		c.queueForm(t, "Action=DeleteMessage&ReceiptHandle=$H$&Version=2012-11-05", "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
	}},
	{"DotNetQuery", "AttributesAsNumbers", false, dotNetQueryHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		r := c.queueForm(t, "Action=GetQueueAttributes&AttributeName.1=All&Version=2012-11-05").wantOK(t)
		const attribute = "GetQueueAttributesResponse/GetQueueAttributesResult/Attribute/"
		keys, values := r.xpath(t, attribute+"Name"), r.xpath(t, attribute+"Value")
		if len(keys) != len(values) || len(keys) != len(standardAttributes) {
			t.Fatalf("%d names, %d values", len(keys), len(values))
		}
		for i, key := range keys {
			if _, err := strconv.Atoi(values[i]); err != nil && key != "QueueArn" && key != "SqsManagedSseEnabled" {
				t.Errorf("%s is %q", key, values[i])
			}
		}
	}},
	{"DotNetQuery", "BatchIdsAreLookedUp", false, dotNetQueryHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		r := c.queueForm(t, "Action=SendMessageBatch&SendMessageBatchRequestEntry.1.Id=first&SendMessageBatchRequestEntry.1.MessageBody=1&SendMessageBatchRequestEntry.2.Id=second&SendMessageBatchRequestEntry.2.MessageBody=%01&Version=2012-11-05").wantOK(t)
		const result = "SendMessageBatchResponse/SendMessageBatchResult/"
		wantList(t, r.xpath(t, result+"SendMessageBatchResultEntry/Id"), "first")
		wantList(t, r.xpath(t, result+"BatchResultErrorEntry/Id"), "second")
		if r.one(t, result+"BatchResultErrorEntry/SenderFault") != "true" || r.one(t, result+"BatchResultErrorEntry/Code") != "InvalidMessageContents" {
			t.Errorf("the answer is %s", r.Body)
		}
	}},
	{"DotNetQuery", "FrameworkExpectsToContinue", false, dotNetQueryHead + "\nExpect: 100-continue\nConnection: Keep-Alive", func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		c.queueForm(t, "Action=SendMessage&MessageBody=b&Version=2012-11-05").wantOK(t)
		c.queueForm(t, "Action=ReceiveMessage&Version=2012-11-05").only(t)
	}},
	{"DotNetJSON", "DigestsAndIds", false, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`).wantNoQueue(t)
		decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"Attributes":{},"QueueName":"$QUEUE$","tags":{}}`))
		decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"MessageAttributes":`+coloredJSON+`,"MessageBody":"hello","MessageSystemAttributes":{},"QueueUrl":"$URL$"}`)).check(t, "hello", colored)
		m := c.rootJSON(t, "ReceiveMessage", `{"AttributeNames":["All"],"MaxNumberOfMessages":10,"MessageAttributeNames":["All"],"QueueUrl":"$URL$","WaitTimeSeconds":0}`).only(t)
		got := decode[batchAnswer](t, c.rootJSON(t, "DeleteMessageBatch", `{"Entries":[{"Id":"`+m.MessageId+`","ReceiptHandle":"$H$"},{"Id":"other","ReceiptHandle":"x"}],"QueueUrl":"$URL$"}`, "H", m.ReceiptHandle))
		if len(got.Successful) != 1 || got.Successful[0].Id != m.MessageId || len(got.Failed) != 1 || got.Failed[0].Id != "other" || !got.Failed[0].SenderFault {
			t.Errorf("the answer is %+v", got)
		}
	}},
	{"DotNetJSON", "EmptyReceive", false, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		if r := c.rootJSON(t, "ReceiveMessage", `{"AttributeNames":[],"MessageAttributeNames":[],"QueueUrl":"$URL$"}`).wantOK(t); r.Body != "{}" {
			t.Errorf("the body is %s", r.Body)
		}
	}},
}
