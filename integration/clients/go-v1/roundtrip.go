package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/request"
	"github.com/aws/aws-sdk-go/service/sqs"
)

var jobs string

// queue are the steps that are about a queue itself.
func queue() {
	step("create", func() {
		jobs = *must(client.CreateQueue(&sqs.CreateQueueInput{
			QueueName:  aws.String("jobs"),
			Attributes: aws.StringMap(map[string]string{"VisibilityTimeout": "60"}),
			Tags:       aws.StringMap(map[string]string{"team": "a"}),
		})).QueueUrl
		same("url", jobs, endpoint+"/000000000000/jobs")
		must(client.SetQueueAttributes(&sqs.SetQueueAttributesInput{
			QueueUrl: &jobs, Attributes: aws.StringMap(map[string]string{"MessageRetentionPeriod": "3600"}),
		}))
		same("timeout", read(jobs)["VisibilityTimeout"], "60")
		same("retention", read(jobs)["MessageRetentionPeriod"], "3600")
	})
	step("find", func() {
		same("url", *must(client.GetQueueUrl(&sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})).QueueUrl, jobs)
		list := must(client.ListQueues(&sqs.ListQueuesInput{QueueNamePrefix: aws.String("jo")}))
		same("list", aws.StringValueSlice(list.QueueUrls), []string{jobs})
	})
	step("tags", func() {
		must(client.TagQueue(&sqs.TagQueueInput{QueueUrl: &jobs, Tags: aws.StringMap(map[string]string{"x": "1"})}))
		must(client.UntagQueue(&sqs.UntagQueueInput{QueueUrl: &jobs, TagKeys: aws.StringSlice([]string{"team"})}))
		tags := must(client.ListQueueTags(&sqs.ListQueueTagsInput{QueueUrl: &jobs})).Tags
		same("tags", aws.StringValueMap(tags), map[string]string{"x": "1"})
	})
}

// values are the message attributes of the round trip.
var values = map[string]*sqs.MessageAttributeValue{
	"text":     {DataType: aws.String("String"), StringValue: &body},
	"number":   {DataType: aws.String("Number"), StringValue: aws.String("1.50")},
	"bytes":    {DataType: aws.String("Binary"), BinaryValue: bytes256()},
	"price":    {DataType: aws.String("Number.price"), StringValue: aws.String("-7e3")},
	"icon.png": {DataType: aws.String("Binary.png"), BinaryValue: []byte{0, 255}},
}

// messages are the steps that are about the life of a message.
func messages() {
	var m *sqs.Message
	step("send", func() {
		out := must(client.SendMessage(&sqs.SendMessageInput{QueueUrl: &jobs, MessageBody: &body, MessageAttributes: values}))
		same("a digest of the attributes", out.MD5OfMessageAttributes != nil, true)
	})
	step("receive", func() {
		m = one(receive(jobs, 5, 1))
		same("body", *m.Body, body)
		same("attributes", m.MessageAttributes, values)
		same("receive count", *m.Attributes["ApproximateReceiveCount"], "1")
	})
	step("visibility", func() {
		must(client.ChangeMessageVisibility(&sqs.ChangeMessageVisibilityInput{
			QueueUrl: &jobs, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: aws.Int64(0),
		}))
		m = one(receive(jobs, 5, 1))
		same("receive count", *m.Attributes["ApproximateReceiveCount"], "2")
		out := must(client.ChangeMessageVisibilityBatch(&sqs.ChangeMessageVisibilityBatchInput{
			QueueUrl: &jobs, Entries: []*sqs.ChangeMessageVisibilityBatchRequestEntry{
				{Id: aws.String("good"), ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: aws.Int64(120)},
				{Id: aws.String("bad"), ReceiptHandle: aws.String("nonsense"), VisibilityTimeout: aws.Int64(120)},
			},
		}))
		same("changed", len(out.Successful), 1)
		same("failed", []any{*out.Failed[0].Id, *out.Failed[0].Code, *out.Failed[0].SenderFault}, []any{"bad", "ReceiptHandleIsInvalid", true})
	})
	step("delete", func() {
		remove(jobs, m)
		same("left", read(jobs)["ApproximateNumberOfMessagesNotVisible"], "0")
		same("nothing to receive", len(receive(jobs, 0, 1)), 0)
	})
	step("batch", func() {
		out := must(client.SendMessageBatch(&sqs.SendMessageBatchInput{
			QueueUrl: &jobs, Entries: []*sqs.SendMessageBatchRequestEntry{
				{Id: aws.String("a"), MessageBody: &body, MessageAttributes: values},
				{Id: aws.String("late"), MessageBody: aws.String("x"), DelaySeconds: aws.Int64(901)},
			},
		}))
		same("sent", len(out.Successful), 1)
		same("failed", []any{*out.Failed[0].Id, *out.Failed[0].Code, *out.Failed[0].SenderFault}, []any{"late", "InvalidParameterValue", true})
		got := one(receive(jobs, 5, 10))
		same("body", *got.Body, body)
		gone := must(client.DeleteMessageBatch(&sqs.DeleteMessageBatchInput{
			QueueUrl: &jobs, Entries: []*sqs.DeleteMessageBatchRequestEntry{{Id: aws.String("0"), ReceiptHandle: got.ReceiptHandle}},
		}))
		same("deleted", []int{len(gone.Successful), len(gone.Failed)}, []int{1, 0})
	})
}

// polls are the steps that are about long polls.
func polls() {
	step("long-poll", func() {
		begun := time.Now()
		time.AfterFunc(300*time.Millisecond, func() { send(jobs, "wake up") })
		m := one(receive(jobs, 20, 1))
		same("body", *m.Body, "wake up")
		same("in time", time.Since(begun) < 18*time.Second, true)
		remove(jobs, m)
	})
	step("cut-off", func() {
		short, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		_, err := client.ReceiveMessageWithContext(short, &sqs.ReceiveMessageInput{QueueUrl: &jobs, WaitTimeSeconds: aws.Int64(20)})
		same("cut off", code(err), request.CanceledErrorCode)
		read(jobs) // a busy server sees the cut no later than this
		send(jobs, "next")
		m := one(receive(jobs, 1, 1))
		same("receive count", *m.Attributes["ApproximateReceiveCount"], "1")
		remove(jobs, m)
	})
}

// kinds are the steps that are about other kinds of queues.
func kinds() {
	step("fifo", func() {
		url := create("orders.fifo", map[string]string{"FifoQueue": "true", "ContentBasedDeduplication": "true"})
		var ids []string
		for _, body := range []string{"a", "b", "a"} {
			out := must(client.SendMessage(&sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body, MessageGroupId: aws.String("g")}))
			ids = append(ids, *out.MessageId)
		}
		same("duplicate", ids[2], ids[0])
		same("order", bodies(receive(url, 5, 10)), []string{"a", "b"})
	})
	var arn, source string
	step("dead-letter", func() {
		dead := create("dead", nil)
		arn = read(dead)["QueueArn"]
		source = create("source", map[string]string{"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":1}`, arn)})
		send(source, "poison")
		same("once", bodies(receive(source, 5, 1, visible)), []string{"poison"})
		same("not twice", len(receive(source, 0, 1)), 0)
		same("dead", bodies(receive(dead, 5, 1, visible)), []string{"poison"})
		list := must(client.ListDeadLetterSourceQueues(&sqs.ListDeadLetterSourceQueuesInput{QueueUrl: &dead}))
		same("sources", aws.StringValueSlice(list.QueueUrls), []string{source})
	})
	step("move-task", func() {
		must(client.StartMessageMoveTask(&sqs.StartMessageMoveTaskInput{SourceArn: &arn}))
		same("moved", bodies(receive(source, 5, 1)), []string{"poison"})
		tasks := must(client.ListMessageMoveTasks(&sqs.ListMessageMoveTasksInput{SourceArn: &arn})).Results
		same("task", *tasks[0].SourceArn, arn)
	})
}

// ends are the steps that empty and delete the queue.
func ends() {
	step("purge", func() {
		send(jobs, "x")
		must(client.PurgeQueue(&sqs.PurgeQueueInput{QueueUrl: &jobs}))
		same("left", read(jobs)["ApproximateNumberOfMessages"], "0")
		_, err := client.PurgeQueue(&sqs.PurgeQueueInput{QueueUrl: &jobs})
		same("code", code(err), sqs.ErrCodePurgeQueueInProgress)
	})
	step("delete-queue", func() {
		must(client.DeleteQueue(&sqs.DeleteQueueInput{QueueUrl: &jobs}))
		same("left", slices.Contains(aws.StringValueSlice(must(client.ListQueues(&sqs.ListQueuesInput{})).QueueUrls), jobs), false)
	})
	step("missing-queue", func() {
		_, err := client.GetQueueUrl(&sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})
		same("code", code(err), missing)
		_, err = client.SendMessage(&sqs.SendMessageInput{QueueUrl: &jobs, MessageBody: aws.String("x")})
		same("code of another action", code(err), missing)
	})
}
