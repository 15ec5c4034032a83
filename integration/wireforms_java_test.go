package integration

import (
	"fmt"
	"strings"
	"testing"
)

// The heads of requests of the AWS SDKs for Java.
const (
	javaV1Head = `
POST $PATH$ HTTP/1.1
Host: $HOST$
X-Amz-Date: 20260101T000000Z
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;amz-sdk-retry;content-type;host;user-agent;x-amz-date, Signature=00
User-Agent: aws-sdk-java/1.12.400 Linux/6.1.0 OpenJDK_64-Bit_Server_VM/17.0.9+9 java/17.0.9 vendor/Debian cfg/retry-mode/legacy
amz-sdk-invocation-id: 8a7f1c3e-14b5-5c1f-0c4f-1b1f6a6a3f10
amz-sdk-request: attempt=1;max=4
amz-sdk-retry: 0/0/500
Content-Type: application/x-www-form-urlencoded; charset=utf-8
Connection: Keep-Alive
Accept-Encoding: gzip,deflate`

	javaV2Head = `
POST $PATH$ HTTP/1.1
Host: $HOST$
amz-sdk-invocation-id: 0a1b2c3d-6d2a-4b77-bd0d-0d7a6d2f4f11
amz-sdk-request: attempt=1; max=4
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-date;x-amz-target, Signature=00
Content-Type: application/x-amz-json-1.0
User-Agent: aws-sdk-java/2.29.0 md/io#sync md/http#Apache ua/2.1 os/Linux#6.1.0 lang/java#21.0.4
X-Amz-Date: 20260101T000000Z
X-Amz-Target: AmazonSQS.$ACTION$
x-amzn-query-mode: true
Connection: Keep-Alive`
)

// colored are the attributes that most forms send, and what a form says them
// with.
var colored = map[string]messageAttribute{"color": text("String", "blue"), "count": text("Number", "3"), "blob": blob("Binary", 1, 2, 3)}

const (
	coloredJSON = `{"color":{"StringValue":"blue","DataType":"String"},"count":{"StringValue":"3","DataType":"Number"},"blob":{"BinaryValue":"AQID","DataType":"Binary"}}`
	coloredForm = "MessageAttribute.1.Name=color&MessageAttribute.1.Value.StringValue=blue&MessageAttribute.1.Value.DataType=String" +
		"&MessageAttribute.2.Name=count&MessageAttribute.2.Value.StringValue=3&MessageAttribute.2.Value.DataType=Number" +
		"&MessageAttribute.3.Name=blob&MessageAttribute.3.Value.BinaryValue=AQID&MessageAttribute.3.Value.DataType=Binary"
)

var javaForms = []wireForm{
	{"JavaSDKv1", "QueuePathWithoutQueueUrl", false, javaV1Head, func(t *testing.T, c *wireClient) {
		r := c.formOf(t, "/", "Action=CreateQueue&Version=2012-11-05&QueueName=$QUEUE$&Attribute.1.Name=VisibilityTimeout&Attribute.1.Value=40").wantOK(t)
		if got := r.one(t, "CreateQueueResponse/CreateQueueResult/QueueUrl"); got != c.url {
			t.Errorf("the URL is %s, want %s", got, c.url)
		}
		// The client takes the URL's path for the request's from here on.
		r = c.queueForm(t, "Action=SendMessage&Version=2012-11-05&MessageBody=hello+w%C3%B6rld%0D%0A&"+coloredForm).wantOK(t)
		const result = "SendMessageResponse/SendMessageResult/"
		sendAnswer{
			MessageId: r.one(t, result+"MessageId"), MD5OfMessageBody: r.one(t, result+"MD5OfMessageBody"), MD5OfMessageAttributes: r.one(t, result+"MD5OfMessageAttributes"),
		}.check(t, "hello wörld\r\n", colored)
		if id := r.one(t, "SendMessageResponse/ResponseMetadata/RequestId"); id != r.Header.Get("X-Amzn-Requestid") {
			t.Errorf("request ids %s and %s", id, r.Header.Get("X-Amzn-Requestid"))
		}
		m := c.queueForm(t, "Action=ReceiveMessage&Version=2012-11-05&AttributeName.1=All&MessageAttributeName.1=All&MaxNumberOfMessages=10&WaitTimeSeconds=0").only(t)
		if m.Body != "hello wörld\r\n" || m.MessageAttributes["blob"].BinaryValue != "AQID" || m.Attributes["ApproximateReceiveCount"] != "1" {
			t.Errorf("it came as %+v", m)
		}
		c.queueForm(t, "Action=ChangeMessageVisibility&Version=2012-11-05&ReceiptHandle=$H$&VisibilityTimeout=60", "H", m.ReceiptHandle).wantVoid(t, "ChangeMessageVisibility")
		c.queueForm(t, "Action=DeleteMessage&Version=2012-11-05&ReceiptHandle=$H$", "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
		c.wantCounts(t, c.url, counts{"0", "0", "0"})
	}},
	{"JavaSDKv1", "BareNameAsPath", false, javaV1Head, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		c.formOf(t, "/"+c.queue, "Action=SendMessage&Version=2012-11-05&MessageBody=b").wantOK(t)
		c.formOf(t, "/"+c.queue, "Action=ReceiveMessage&Version=2012-11-05").only(t)
	}},
	{"JavaSDKv1", "BufferedBatches", false, javaV1Head, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		form := "Action=SendMessageBatch&Version=2012-11-05"
		for i := range 10 {
			form += fmt.Sprintf("&SendMessageBatchRequestEntry.%d.Id=%d&SendMessageBatchRequestEntry.%d.MessageBody=body-%d", i+1, i, i+1, i)
		}
		r := c.queueForm(t, form).wantOK(t)
		const entry = "SendMessageBatchResponse/SendMessageBatchResult/SendMessageBatchResultEntry/"
		wantList(t, r.xpath(t, entry+"Id"), "0 1 2 3 4 5 6 7 8 9")
		for i, got := range r.xpath(t, entry+"MD5OfMessageBody") {
			if want := bodyDigest(fmt.Sprint("body-", i)); got != want {
				t.Errorf("MD5 %d is %s, want %s", i, got, want)
			}
		}
		form = "Action=DeleteMessageBatch&Version=2012-11-05"
		var words []string
		for i, m := range c.queueForm(t, "Action=ReceiveMessage&Version=2012-11-05&MaxNumberOfMessages=10").received(t) {
			m.checkDigests(t)
			form += fmt.Sprintf("&DeleteMessageBatchRequestEntry.%d.Id=%d&DeleteMessageBatchRequestEntry.%d.ReceiptHandle=$H%d$", i+1, i, i+1, i)
			words = append(words, fmt.Sprint("H", i), m.ReceiptHandle)
		}
		r = c.queueForm(t, form, words...).wantOK(t)
		wantList(t, r.xpath(t, "DeleteMessageBatchResponse/DeleteMessageBatchResult/DeleteMessageBatchResultEntry/Id"), "0 1 2 3 4 5 6 7 8 9")
	}},
	{"JavaSDKv1", "ErrorsByTheirCode", false, javaV1Head, func(t *testing.T, c *wireClient) {
		r := c.formOf(t, "/", "Action=GetQueueUrl&Version=2012-11-05&QueueName=$QUEUE$")
		const fault = "ErrorResponse/Error/"
		if r.Status != 400 || r.one(t, fault+"Code") != "AWS.SimpleQueueService.NonExistentQueue" || r.one(t, fault+"Type") != "Sender" ||
			r.one(t, fault+"Message") != "The specified queue does not exist for this wsdl version." || r.one(t, "ErrorResponse/RequestId") == "" {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}},
	{"JavaSDKv2", "DigestsOfEverything", false, javaV2Head, func(t *testing.T, c *wireClient) {
		if got := decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$","Attributes":{"VisibilityTimeout":"40"}}`)); got.QueueUrl != c.url {
			t.Errorf("the URL is %s, want %s", got.QueueUrl, c.url)
		}
		decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"QueueUrl":"$URL$","MessageBody":"hello wörld\r\n","MessageAttributes":`+coloredJSON+`}`)).check(t, "hello wörld\r\n", colored)
		for filter, names := range map[string]string{`["All"]`: "blob color count", `["co.*"]`: "color count", `["none"]`: "", `[]`: ""} {
			m := c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"$URL$","MaxNumberOfMessages":1,"VisibilityTimeout":0,"MessageAttributeNames":`+filter+`,"MessageSystemAttributeNames":["All"]}`).only(t)
			wantNames(t, m.MessageAttributes, strings.Fields(names)...)
		}
		got := decode[batchAnswer](t, c.rootJSON(t, "SendMessageBatch", `{"QueueUrl":"$URL$","Entries":[{"Id":"msg-1","MessageBody":"1","MessageAttributes":`+coloredJSON+`},{"Id":"msg_2","MessageBody":"2","DelaySeconds":5}]}`))
		got.wantIDs(t, "msg-1", "msg_2")
		got.Successful[0].check(t, "1", colored)
		got.Successful[1].check(t, "2", nil)
	}},
	{"JavaSDKv2", "ExceptionsByTheirShape", false, javaV2Head, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`).wantNoQueue(t)
		c.createNamed(t, c.queue, nil)
		c.rootJSON(t, "DeleteMessage", `{"QueueUrl":"$URL$","ReceiptHandle":"x"}`).wantFault(t, 404, "com.amazonaws.sqs#ReceiptHandleIsInvalid", "ReceiptHandleIsInvalid;Sender")
		c.rootJSON(t, "SendMessageBatch", `{"QueueUrl":"$URL$","Entries":[]}`).wantFault(t, 400, "com.amazonaws.sqs#EmptyBatchRequest", "AWS.SimpleQueueService.EmptyBatchRequest;Sender")
		c.rootJSON(t, "SetQueueAttributes", `{"QueueUrl":"$URL$","Attributes":{"Nonsense":"1"}}`).wantFault(t, 400, "com.amazonaws.sqs#InvalidAttributeName", "InvalidAttributeName;Sender")
		c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"$URL$","MaxNumberOfMessages":11}`).wantFault(t, 400, "com.amazon.coral.service#InvalidParameterValueException", "InvalidParameterValue;Sender")
	}},
	{"JavaSDKv2", "BatchManager", false, javaV2Head, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		// It learns how to receive from two attributes, which must both be there.
		got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"QueueUrl":"$URL$","AttributeNames":["ReceiveMessageWaitTimeSeconds","VisibilityTimeout"]}`))
		if len(got.Attributes) != 2 || got.Attributes["ReceiveMessageWaitTimeSeconds"] != "0" || got.Attributes["VisibilityTimeout"] != "30" {
			t.Errorf("attributes are %v", got.Attributes)
		}
		var entries, ids []string
		for i := range 10 {
			entries, ids = append(entries, fmt.Sprintf(`{"Id":"%d","MessageBody":"body-%d"}`, i, i)), append(ids, fmt.Sprint(i))
		}
		sent := decode[batchAnswer](t, c.rootJSON(t, "SendMessageBatch", `{"QueueUrl":"$URL$","Entries":[`+strings.Join(entries, ",")+`]}`))
		sent.wantIDs(t, ids...)
		var change, del []string
		for i, m := range c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"$URL$","MaxNumberOfMessages":10,"VisibilityTimeout":30,"WaitTimeSeconds":0}`).received(t) {
			m.checkDigests(t)
			sent.Successful[i].check(t, m.Body, nil)
			change = append(change, fmt.Sprintf(`{"Id":"%d","ReceiptHandle":"%s","VisibilityTimeout":60}`, i, m.ReceiptHandle))
			del = append(del, fmt.Sprintf(`{"Id":"%d","ReceiptHandle":"%s"}`, i, m.ReceiptHandle))
		}
		decode[batchAnswer](t, c.rootJSON(t, "ChangeMessageVisibilityBatch", `{"QueueUrl":"$URL$","Entries":[`+strings.Join(change, ",")+`]}`)).wantIDs(t, ids...)
		decode[batchAnswer](t, c.rootJSON(t, "DeleteMessageBatch", `{"QueueUrl":"$URL$","Entries":[`+strings.Join(del, ",")+`]}`)).wantIDs(t, ids...)
		c.wantCounts(t, c.url, counts{"0", "0", "0"})
	}},
	{"JMS", "TypesOfProperties", false, javaV2Head, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$","QueueOwnerAWSAccountId":"$ACCOUNT$"}`).wantNoQueue(t)
		decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$"}`))
		if got := decode[urlAnswer](t, c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$","QueueOwnerAWSAccountId":"$ACCOUNT$"}`)); got.QueueUrl != c.url {
			t.Errorf("the URL is %s", got.QueueUrl)
		}
		properties := map[string]messageAttribute{"JMS_SQSMessageType": text("String", "text")}
		sent := []string{`"JMS_SQSMessageType":{"StringValue":"text","DataType":"String"}`}
		for name, value := range map[string]string{"int": "1", "Boolean": "1", "byte": "-128", "double": "1.5", "float": "2.5", "long": "9007199254740993", "short": "7"} {
			properties["p"+name] = text("Number."+name, value)
			sent = append(sent, `"p`+name+`":{"StringValue":"`+value+`","DataType":"Number.`+name+`"}`)
		}
		decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"QueueUrl":"$URL$","MessageBody":"b","MessageAttributes":{`+strings.Join(sent, ",")+`}}`)).check(t, "b", properties)
		receive := func() received {
			return c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"$URL$","AttributeNames":["All"],"MessageAttributeNames":["All"],"MaxNumberOfMessages":1,"WaitTimeSeconds":20}`).only(t)
		}
		m := receive()
		if m.MessageAttributes["plong"].StringValue != "9007199254740993" || m.MessageAttributes["plong"].DataType != "Number.long" {
			t.Errorf("properties are %v", m.MessageAttributes)
		}
		// A negative acknowledgement brings it again, counted.
		decode[batchAnswer](t, c.rootJSON(t, "ChangeMessageVisibilityBatch", `{"QueueUrl":"$URL$","Entries":[{"Id":"0","ReceiptHandle":"$H$","VisibilityTimeout":0}]}`, "H", m.ReceiptHandle)).wantIDs(t, "0")
		if m = receive(); m.Attributes["ApproximateReceiveCount"] != "2" {
			t.Errorf("JMSXDeliveryCount is %s", m.Attributes["ApproximateReceiveCount"])
		}
		c.rootJSON(t, "DeleteMessage", `{"QueueUrl":"$URL$","ReceiptHandle":"$H$"}`, "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
	}},
	{"JMS", "FIFOProperties", false, javaV2Head, func(t *testing.T, c *wireClient) {
		url := c.createNamed(t, c.queue+".fifo", attrs{"FifoQueue": "true"})
		sent := decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"QueueUrl":"`+url+`","MessageBody":"b","MessageAttributes":{"JMS_SQSMessageType":{"StringValue":"text","DataType":"String"}},"MessageDeduplicationId":"d","MessageGroupId":"g"}`))
		m := c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"`+url+`","AttributeNames":["All"],"MessageAttributeNames":["All"],"MaxNumberOfMessages":1,"WaitTimeSeconds":20}`).only(t)
		if m.Attributes["SequenceNumber"] != sent.SequenceNumber || m.Attributes["MessageGroupId"] != "g" || m.Attributes["MessageDeduplicationId"] != "d" {
			t.Errorf("sent %+v, received %v", sent, m.Attributes)
		}
	}},
	{"ExtendedClient", "PointersToLargeMessages", false, javaV2Head, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		const pointer = `["software.amazon.payloadoffloading.PayloadS3Pointer",{"s3BucketName":"bucket","s3Key":"f5a3c1d2-95b4-4f0e-8d35-6a1f0a0e7f2b"}]`
		for _, size := range []string{"ExtendedPayloadSize", "SQSLargePayloadSize"} {
			attributes := map[string]messageAttribute{size: text("Number", "2097152"), "own": text("String", "v")}
			quoted := strings.ReplaceAll(pointer, `"`, `\"`)
			decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"QueueUrl":"$URL$","MessageBody":"`+quoted+`","MessageAttributes":{"own":{"StringValue":"v","DataType":"String"},"`+size+`":{"StringValue":"2097152","DataType":"Number"}}}`)).check(t, pointer, attributes)
			m := c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"$URL$","MaxNumberOfMessages":10,"MessageAttributeNames":["own","SQSLargePayloadSize","ExtendedPayloadSize"]}`).only(t)
			if m.Body != pointer || m.MessageAttributes[size] != (receivedValue{"Number", "2097152", ""}) {
				t.Errorf("it came as %+v", m)
			}
			// The client puts markers around the handle, and takes them off again.
			if strings.Contains(m.ReceiptHandle, "-..s3") {
				t.Errorf("the handle %q looks like one with markers", m.ReceiptHandle)
			}
			c.rootJSON(t, "DeleteMessage", `{"QueueUrl":"$URL$","ReceiptHandle":"$H$"}`, "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
		}
	}},
}
