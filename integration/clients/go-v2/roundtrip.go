package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

var jobs string

// queue are the steps that are about a queue itself.
func queue() {
	step("create", func() {
		out := must(client.CreateQueue(ctx, &sqs.CreateQueueInput{
			QueueName: aws.String("jobs"), Attributes: map[string]string{"VisibilityTimeout": "60"}, Tags: map[string]string{"team": "a"},
		}))
		jobs = *out.QueueUrl
		same("url", jobs, endpoint+"/000000000000/jobs")
		must(client.SetQueueAttributes(ctx, &sqs.SetQueueAttributesInput{
			QueueUrl: &jobs, Attributes: map[string]string{"MessageRetentionPeriod": "3600"},
		}))
		same("timeout", read(jobs)["VisibilityTimeout"], "60")
		same("retention", read(jobs)["MessageRetentionPeriod"], "3600")
	})
	step("find", func() {
		same("url", *must(client.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})).QueueUrl, jobs)
		same("list", must(client.ListQueues(ctx, &sqs.ListQueuesInput{QueueNamePrefix: aws.String("jo")})).QueueUrls, []string{jobs})
		same("none", len(must(client.ListQueues(ctx, &sqs.ListQueuesInput{QueueNamePrefix: aws.String("nothing")})).QueueUrls), 0)
	})
	step("tags", func() {
		must(client.TagQueue(ctx, &sqs.TagQueueInput{QueueUrl: &jobs, Tags: map[string]string{"x": "1"}}))
		same("tags", must(client.ListQueueTags(ctx, &sqs.ListQueueTagsInput{QueueUrl: &jobs})).Tags, map[string]string{"team": "a", "x": "1"})
		must(client.UntagQueue(ctx, &sqs.UntagQueueInput{QueueUrl: &jobs, TagKeys: []string{"team", "x"}}))
		same("no tags", len(must(client.ListQueueTags(ctx, &sqs.ListQueueTagsInput{QueueUrl: &jobs})).Tags), 0)
	})
}

// values are the message attributes of the round trip.
var values = map[string]types.MessageAttributeValue{
	"text":     {DataType: aws.String("String"), StringValue: &body},
	"number":   {DataType: aws.String("Number"), StringValue: aws.String("1.50")},
	"bytes":    {DataType: aws.String("Binary"), BinaryValue: bytes256()},
	"price":    {DataType: aws.String("Number.price"), StringValue: aws.String("-7e3")},
	"icon.png": {DataType: aws.String("Binary.png"), BinaryValue: []byte{0, 255}},
}

// messages are the steps that are about the life of a message.
func messages() {
	var m types.Message
	step("send", func() {
		out := must(client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &jobs, MessageBody: &body, MessageAttributes: values}))
		same("a digest of the attributes", out.MD5OfMessageAttributes != nil, true)
	})
	step("receive", func() {
		m = one(receive(jobs, 5))
		same("body", *m.Body, body)
		for name, v := range values {
			got := m.MessageAttributes[name]
			same(name+": type", *got.DataType, *v.DataType)
			same(name+": text", aws.ToString(got.StringValue), aws.ToString(v.StringValue))
			same(name+": bytes", string(got.BinaryValue), string(v.BinaryValue))
		}
		same("receive count", m.Attributes["ApproximateReceiveCount"], "1")
	})
	step("visibility", func() {
		must(client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{QueueUrl: &jobs, ReceiptHandle: m.ReceiptHandle}))
		m = one(receive(jobs, 5))
		same("receive count", m.Attributes["ApproximateReceiveCount"], "2")
		out := must(client.ChangeMessageVisibilityBatch(ctx, &sqs.ChangeMessageVisibilityBatchInput{
			QueueUrl: &jobs, Entries: []types.ChangeMessageVisibilityBatchRequestEntry{
				{Id: aws.String("good"), ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: 120},
				{Id: aws.String("bad"), ReceiptHandle: aws.String("nonsense"), VisibilityTimeout: 120},
			},
		}))
		same("changed", len(out.Successful), 1)
		same("failed", []any{*out.Failed[0].Id, *out.Failed[0].Code, out.Failed[0].SenderFault}, []any{"bad", "ReceiptHandleIsInvalid", true})
	})
	step("delete", func() {
		remove(jobs, m)
		same("left", read(jobs)["ApproximateNumberOfMessagesNotVisible"], "0")
		same("nothing to receive", len(receive(jobs, 0)), 0)
	})
	step("batch", func() {
		out := must(client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{
			QueueUrl: &jobs, Entries: []types.SendMessageBatchRequestEntry{
				{Id: aws.String("a"), MessageBody: &body, MessageAttributes: values},
				{Id: aws.String("late"), MessageBody: aws.String("x"), DelaySeconds: 901},
				{Id: aws.String("b"), MessageBody: aws.String("second")},
			},
		}))
		same("sent", len(out.Successful), 2)
		same("failed", []any{*out.Failed[0].Id, *out.Failed[0].Code, out.Failed[0].SenderFault}, []any{"late", "InvalidParameterValue", true})
		var got []types.Message
		for len(got) < 2 {
			more := receive(jobs, 5, ten)
			if len(more) == 0 {
				break
			}
			got = append(got, more...)
		}
		texts, want := bodies(got), []string{body, "second"}
		slices.Sort(texts)
		slices.Sort(want)
		same("bodies", texts, want)
		var entries []types.DeleteMessageBatchRequestEntry
		for i, m := range got {
			entries = append(entries, types.DeleteMessageBatchRequestEntry{Id: aws.String(fmt.Sprint(i)), ReceiptHandle: m.ReceiptHandle})
		}
		gone := must(client.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: &jobs, Entries: entries}))
		same("deleted", []int{len(gone.Successful), len(gone.Failed)}, []int{2, 0})
		_, err := client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &jobs, Entries: []types.SendMessageBatchRequestEntry{
			{Id: aws.String("i"), MessageBody: aws.String("x")}, {Id: aws.String("i"), MessageBody: aws.String("x")},
		}})
		same("code", code(err), "AWS.SimpleQueueService.BatchEntryIdsNotDistinct")
	})
}

// polls are the steps that are about long polls.
func polls() {
	step("long-poll", func() {
		begun := time.Now()
		time.AfterFunc(300*time.Millisecond, func() { send(jobs, "wake up") })
		m := one(receive(jobs, 20))
		same("body", *m.Body, "wake up")
		same("in time", time.Since(begun) < 18*time.Second, true)
		remove(jobs, m)
	})
	step("cut-off", func() {
		short, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
		defer cancel()
		_, err := client.ReceiveMessage(short, &sqs.ReceiveMessageInput{QueueUrl: &jobs, WaitTimeSeconds: 20})
		same("cut off", errors.Is(err, context.DeadlineExceeded), true)
		read(jobs) // a busy server sees the cut no later than this
		send(jobs, "next")
		m := one(receive(jobs, 1))
		same("receive count", m.Attributes["ApproximateReceiveCount"], "1")
		remove(jobs, m)
	})
}

// kinds are the steps that are about other kinds of queues.
func kinds() {
	step("fifo", func() {
		url := create("orders.fifo", map[string]string{"FifoQueue": "true", "ContentBasedDeduplication": "true"})
		put := func(body string, id *string) *sqs.SendMessageOutput {
			return must(client.SendMessage(ctx, &sqs.SendMessageInput{
				QueueUrl: &url, MessageBody: &body, MessageGroupId: aws.String("g"), MessageDeduplicationId: id,
			}))
		}
		a := put("a", nil)
		put("b", nil)
		same("duplicate by content", *put("a", nil).MessageId, *a.MessageId)
		c := put("c", aws.String("once"))
		same("duplicate by id", *put("d", aws.String("once")).SequenceNumber, *c.SequenceNumber)
		same("order", bodies(receive(url, 5, ten)), []string{"a", "b", "c"})
		same("the group is busy", len(receive(url, 0)), 0)
	})
	var arn, source string
	step("dead-letter", func() {
		// The SDK does not send a timeout of 0, so the queues have it.
		dead := create("dead", map[string]string{"VisibilityTimeout": "0"})
		arn = read(dead)["QueueArn"]
		source = create("source", map[string]string{
			"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":1}`, arn), "VisibilityTimeout": "0",
		})
		send(source, "poison")
		same("once", bodies(receive(source, 5)), []string{"poison"})
		same("not twice", len(receive(source, 0)), 0)
		same("dead", bodies(receive(dead, 5)), []string{"poison"})
		same("sources", must(client.ListDeadLetterSourceQueues(ctx, &sqs.ListDeadLetterSourceQueuesInput{QueueUrl: &dead})).QueueUrls, []string{source})
	})
	step("move-task", func() {
		must(client.StartMessageMoveTask(ctx, &sqs.StartMessageMoveTaskInput{SourceArn: &arn}))
		same("moved", bodies(receive(source, 5)), []string{"poison"})
		tasks := must(client.ListMessageMoveTasks(ctx, &sqs.ListMessageMoveTasksInput{SourceArn: &arn})).Results
		same("task", *tasks[0].SourceArn, arn)
	})
}

// ends are the steps that empty and delete the queue.
func ends() {
	step("purge", func() {
		send(jobs, "x")
		must(client.PurgeQueue(ctx, &sqs.PurgeQueueInput{QueueUrl: &jobs}))
		same("left", read(jobs)["ApproximateNumberOfMessages"], "0")
		_, err := client.PurgeQueue(ctx, &sqs.PurgeQueueInput{QueueUrl: &jobs})
		same("code", code(err), "AWS.SimpleQueueService.PurgeQueueInProgress")
		var busy *types.PurgeQueueInProgress
		same("class", errors.As(err, &busy), true)
	})
	step("delete-queue", func() {
		must(client.DeleteQueue(ctx, &sqs.DeleteQueueInput{QueueUrl: &jobs}))
		same("left", slices.Contains(must(client.ListQueues(ctx, &sqs.ListQueuesInput{})).QueueUrls, jobs), false)
	})
	step("missing-queue", func() {
		_, err := client.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})
		same("code", code(err), missing)
		var gone *types.QueueDoesNotExist
		same("class", errors.As(err, &gone), true)
		_, err = client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &jobs, MessageBody: aws.String("x")})
		same("code of another action", code(err), missing)
	})
}
