package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Message buses of .NET, which make their queues by themselves.
var busForms = []wireForm{
	{"NServiceBus", "InstallsQueues", false, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		// Creating must go on working once the attributes differ.
		for _, retention := range []string{"345600", "1209600"} {
			if got := decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$"}`)); got.QueueUrl != c.url {
				t.Errorf("the URL is %s", got.QueueUrl)
			}
			c.rootJSON(t, "SetQueueAttributes", `{"Attributes":{"MessageRetentionPeriod":"`+retention+`"},"QueueUrl":"$URL$"}`).wantVoid(t, "SetQueueAttributes")
		}
		got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["DelaySeconds","MessageRetentionPeriod","RedrivePolicy"],"QueueUrl":"$URL$"}`))
		if len(got.Attributes) != 2 || got.Attributes["DelaySeconds"] != "0" || got.Attributes["MessageRetentionPeriod"] != "1209600" {
			t.Errorf("attributes are %v", got.Attributes)
		}
	}},
	{"NServiceBus", "DelayedDelivery", true, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		name := c.queue + "-delay.fifo"
		url := decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"Attributes":{"FifoQueue":"true"},"QueueName":"$N$"}`, "N", name)).QueueUrl
		c.rootJSON(t, "SetQueueAttributes", `{"Attributes":{"MessageRetentionPeriod":"345600","DelaySeconds":"900"},"QueueUrl":"$U$"}`, "U", url).wantVoid(t, "SetQueueAttributes")
		decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"Attributes":{"FifoQueue":"true"},"QueueName":"$N$"}`, "N", name))
		attributes := map[string]messageAttribute{"NServiceBus.AmazonSQS.DelaySeconds": text("String", "3600")}
		decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"MessageAttributes":{"NServiceBus.AmazonSQS.DelaySeconds":{"DataType":"String","StringValue":"3600"}},"MessageBody":"b","MessageDeduplicationId":"d","MessageGroupId":"d","QueueUrl":"$U$"}`, "U", url)).check(t, "b", attributes)
		receive := func() []received {
			return c.rootJSON(t, "ReceiveMessage", `{"MaxNumberOfMessages":10,"MessageAttributeNames":["All"],"MessageSystemAttributeNames":["MessageDeduplicationId","SentTimestamp","ApproximateFirstReceiveTimestamp","ApproximateReceiveCount"],"QueueUrl":"$U$","WaitTimeSeconds":20}`, "U", url).received(t)
		}
		start := time.Now()
		for time.Since(start) < 880*time.Second {
			wantTaken(t, receive(), "")
		}
		got := receive()
		c.took(t, start, 900*time.Second)
		wantTaken(t, got, "b")
		got[0].checkDigests(t)
		wantNames(t, got[0].Attributes, "ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "MessageDeduplicationId", "SentTimestamp")
	}},
	{"NServiceBus", "ExpiredHandlesAreRecognised", true, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		url := c.createFIFO(t, nil)
		c.put(t, url, "g-1")
		handle := c.pullOne(t, url, args{"VisibilityTimeout": 1}).ReceiptHandle
		time.Sleep(2 * time.Second)
		for action, body := range map[string]string{"DeleteMessage": `{"QueueUrl":"$U$","ReceiptHandle":"$H$"}`, "ChangeMessageVisibility": `{"QueueUrl":"$U$","ReceiptHandle":"$H$","VisibilityTimeout":10}`} {
			c.rootJSON(t, action, body, "U", url, "H", handle).wantFault(t, 400, "com.amazon.coral.service#InvalidParameterValueException", "InvalidParameterValue;Sender")
		}
		c.rootJSON(t, "DeleteMessage", `{"QueueUrl":"$U$","ReceiptHandle":"x"}`, "U", url).wantFault(t, 404, "com.amazonaws.sqs#ReceiptHandleIsInvalid", "ReceiptHandleIsInvalid;Sender")
	}},
	{"NServiceBus", "PurgeOnStartup", true, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		c.rootJSON(t, "PurgeQueue", `{"QueueUrl":"$URL$"}`).wantVoid(t, "PurgeQueue")
		c.rootJSON(t, "PurgeQueue", `{"QueueUrl":"$URL$"}`).wantFault(t, 403, "com.amazonaws.sqs#PurgeQueueInProgress", "AWS.SimpleQueueService.PurgeQueueInProgress;Sender")
	}},
	{"NServiceBus", "Pump", false, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		// The body of a message without a body must not be empty.
		decode[sendAnswer](t, c.rootJSON(t, "SendMessage", `{"MessageAttributes":{"NServiceBus.AmazonSQS.Headers":{"DataType":"String","StringValue":"{\"NServiceBus.MessageId\":\"1\"}"}},"MessageBody":"empty message","QueueUrl":"$URL$"}`)).
			check(t, "empty message", map[string]messageAttribute{"NServiceBus.AmazonSQS.Headers": text("String", `{"NServiceBus.MessageId":"1"}`)})
		m := c.rootJSON(t, "ReceiveMessage", `{"MaxNumberOfMessages":10,"MessageAttributeNames":["All"],"MessageSystemAttributeNames":["ApproximateReceiveCount","SentTimestamp"],"QueueUrl":"$URL$","WaitTimeSeconds":20}`).only(t)
		wantNames(t, m.Attributes, "ApproximateReceiveCount", "SentTimestamp")
		c.rootJSON(t, "ChangeMessageVisibility", `{"QueueUrl":"$URL$","ReceiptHandle":"$H$","VisibilityTimeout":30}`, "H", m.ReceiptHandle).wantVoid(t, "ChangeMessageVisibility")
		c.rootJSON(t, "DeleteMessage", `{"QueueUrl":"$URL$","ReceiptHandle":"$H$"}`, "H", m.ReceiptHandle).wantVoid(t, "DeleteMessage")
	}},
	{"MassTransit", "DeclaresItsQueue", false, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`).wantNoQueue(t)
		decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", `{"Attributes":{"VisibilityTimeout":"60","ReceiveMessageWaitTimeSeconds":"3"},"QueueName":"$QUEUE$","tags":{"bus":"orders"}}`))
		got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["All"],"QueueUrl":"$URL$"}`))
		if got.Attributes["QueueArn"] != "arn:aws:sqs:us-east-1:"+c.account+":"+c.queue || got.Attributes["VisibilityTimeout"] != "60" {
			t.Errorf("attributes are %v", got.Attributes)
		}
		if policy, there := got.Attributes["Policy"]; there {
			t.Errorf("the policy is %q", policy)
		}
		// It lets a topic send there, and reads that back before it extends it.
		policy := `{"Version":"2012-10-17","Statement":[{"Sid":"1","Effect":"Allow","Principal":{"AWS":"*"},"Action":["sqs:SendMessage"],"Resource":["` + got.Attributes["QueueArn"] + `"],"Condition":{"ArnLike":{"aws:SourceArn":["arn:aws:sns:us-east-1:` + c.account + `:*"]}}}]}`
		c.rootJSON(t, "SetQueueAttributes", `{"Attributes":{"Policy":"`+strings.ReplaceAll(policy, `"`, `\"`)+`"},"QueueUrl":"$URL$"}`).wantVoid(t, "SetQueueAttributes")
		got = decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["All"],"QueueUrl":"$URL$"}`))
		if !sameValue(got.Attributes["Policy"], policy) {
			t.Errorf("the policy is %s, want %s", got.Attributes["Policy"], policy)
		}
		c.wantTags(t, c.url, attrs{"bus": "orders"})
	}},
	{"MassTransit", "SendsAndAcknowledgesByBatches", false, dotNetJSONHead, func(t *testing.T, c *wireClient) {
		c.createNamed(t, c.queue, nil)
		entries := func(of string, n int, handle func(i int) string) string {
			var l []string
			for i := range n {
				l = append(l, fmt.Sprintf(`{"Id":"%d",%s}`, i, fmt.Sprintf(of, handle(i))))
			}
			return `{"Entries":[` + strings.Join(l, ",") + `],"QueueUrl":"$URL$"}`
		}
		sent := decode[batchAnswer](t, c.rootJSON(t, "SendMessageBatch", entries(`"MessageAttributes":{"Content-Type":{"DataType":"String","StringValue":"application/vnd.masstransit+json"}},"MessageBody":"%s"`, 3, func(i int) string { return fmt.Sprint("body-", i) })))
		sent.wantIDs(t, "0", "1", "2")
		ms := c.rootJSON(t, "ReceiveMessage", `{"AttributeNames":["All"],"MaxNumberOfMessages":10,"MessageAttributeNames":["All"],"QueueUrl":"$URL$","WaitTimeSeconds":3}`).received(t)
		for i, m := range ms {
			m.checkDigests(t)
			sent.Successful[i].check(t, m.Body, map[string]messageAttribute{"Content-Type": text("String", "application/vnd.masstransit+json")})
		}
		decode[batchAnswer](t, c.rootJSON(t, "DeleteMessageBatch", entries(`"ReceiptHandle":"%s"`, len(ms), func(i int) string { return ms[i].ReceiptHandle }))).wantIDs(t, "0", "1", "2")
		c.rootJSON(t, "PurgeQueue", `{"QueueUrl":"$URL$"}`).wantVoid(t, "PurgeQueue")
	}},
}
