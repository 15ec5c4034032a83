package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var springForms = []wireForm{
	{"SpringCloudAWS", "CreatesWhatIsMissing", false, javaV2Head, func(t *testing.T, c *wireClient) {
		for _, fifo := range []bool{false, true} {
			name, create := c.queue, `{"QueueName":"$N$"}`
			if fifo {
				name, create = c.queue+".fifo", `{"QueueName":"$N$","Attributes":{"FifoQueue":"true"}}`
			}
			c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$N$"}`, "N", name).wantNoQueue(t)
			url := decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", create, "N", name)).QueueUrl
			if got := decode[urlAnswer](t, c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$N$"}`, "N", name)); got.QueueUrl != url {
				t.Errorf("URLs %s and %s", url, got.QueueUrl)
			}
			// Asked for what only a FIFO queue has, a standard queue leaves it out.
			got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"QueueUrl":"$U$","AttributeNames":["QueueArn","VisibilityTimeout","ContentBasedDeduplication"]}`, "U", url))
			if got.Attributes["QueueArn"] != "arn:aws:sqs:us-east-1:"+c.account+":"+name || (got.Attributes["ContentBasedDeduplication"] == "false") != fifo {
				t.Errorf("attributes are %v", got.Attributes)
			}
		}
	}},
	{"SpringCloudAWS", "QueueByItsARN", false, javaV2Head, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		if got := decode[urlAnswer](t, c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$","QueueOwnerAWSAccountId":"$ACCOUNT$"}`)); got.QueueUrl != c.url {
			t.Errorf("the URL is %s", got.QueueUrl)
		}
	}},
	{"SpringCloudAWS", "ListenerOfAStandardQueue", false, javaV2Head, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		attributes := map[string]messageAttribute{"contentType": text("String", "application/json"), "JavaType": text("String", "java.lang.String"), "id": text("String", "1b8f6e0e-3e2e-4f6c-a9d1-0d5a8a2c7a55")}
		decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"QueueUrl":"$URL$","MessageBody":"\"text\"","MessageAttributes":{"contentType":{"StringValue":"application/json","DataType":"String"},"JavaType":{"StringValue":"java.lang.String","DataType":"String"},"id":{"StringValue":"1b8f6e0e-3e2e-4f6c-a9d1-0d5a8a2c7a55","DataType":"String"}},"MessageSystemAttributes":{"AWSTraceHeader":{"StringValue":"`+trace+`","DataType":"String"}}}`)).
			check(t, `"text"`, attributes)
		receive := func() received {
			return c.rootJSON(t, "ReceiveMessage", `{"QueueUrl":"$URL$","AttributeNames":["All"],"MessageSystemAttributeNames":["All"],"MessageAttributeNames":["All"],"MaxNumberOfMessages":10,"WaitTimeSeconds":10}`).only(t)
		}
		m := receive()
		if m.Attributes["AWSTraceHeader"] != trace {
			t.Errorf("system attributes are %v", m.Attributes)
		}
		decode[batchAnswer](t, c.rootJSON(t, "ChangeMessageVisibilityBatch", `{"QueueUrl":"$URL$","Entries":[{"Id":"`+m.MessageId+`","ReceiptHandle":"$H$","VisibilityTimeout":0}]}`, "H", m.ReceiptHandle)).wantIDs(t, m.MessageId)
		m = receive()
		decode[batchAnswer](t, c.rootJSON(t, "DeleteMessageBatch", `{"QueueUrl":"$URL$","Entries":[{"Id":"`+m.MessageId+`","ReceiptHandle":"$H$"}]}`, "H", m.ReceiptHandle)).wantIDs(t, m.MessageId)
	}},
	{"SpringCloudAWS", "AttemptIdOfEachFIFOReceive", true, javaV2Head, func(t *testing.T, c *wireClient) {
		url := c.createNamed(t, c.queue+".fifo", attrs{"FifoQueue": "true"})
		c.put(t, url, "a-1", "a-2", "b-1")
		for i, want := range []string{"a-1 a-2 b-1", ""} {
			r := c.rootJSON(t, "ReceiveMessage", fmt.Sprintf(`{"QueueUrl":"$U$","AttributeNames":["All"],"MessageAttributeNames":["All"],"MaxNumberOfMessages":10,"WaitTimeSeconds":10,"ReceiveRequestAttemptId":"3f0d6b0c-8d0a-4c3a-9c55-7a2c1c7d0e0%d"}`, i), "U", url)
			ms := r.received(t)
			wantTaken(t, ms, want)
			var entries, ids []string
			for _, m := range ms {
				m.checkDigests(t)
				entries, ids = append(entries, fmt.Sprintf(`{"Id":"%s","ReceiptHandle":"%s"}`, m.MessageId, m.ReceiptHandle)), append(ids, m.MessageId)
			}
			if ids != nil {
				decode[batchAnswer](t, c.rootJSON(t, "DeleteMessageBatch", `{"QueueUrl":"$U$","Entries":[`+strings.Join(entries, ",")+`]}`, "U", url)).wantIDs(t, ids...)
			}
		}
	}},
	{"Camel", "MakesItsQueueAgain", true, javaV2Head, func(t *testing.T, c *wireClient) {
		const poll = `{"QueueUrl":"$URL$","AttributeNames":[],"MessageAttributeNames":[],"MaxNumberOfMessages":10,"WaitTimeSeconds":1}`
		for range 2 {
			c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`).wantNoQueue(t)
			c.rootJSON(t, "ReceiveMessage", poll).wantNoQueue(t)
			decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$","Attributes":{"VisibilityTimeout":"20"}}`))
			decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"QueueUrl":"$URL$","MessageBody":"b","MessageAttributes":{},"DelaySeconds":0}`)).check(t, "b", nil)
			m := c.rootJSON(t, "ReceiveMessage", poll).only(t)
			c.rootJSON(t, "DeleteMessage", `{"QueueUrl":"$URL$","ReceiptHandle":"$H$"}`, "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
			// Somebody deletes the queue under it.
			c.deleteQueue(t, c.url)
			time.Sleep(61 * time.Second)
		}
	}},
}
