package load

import "testing"

// Both protocols say the same of every request that deals with queues.
func TestQueueRequests(t *testing.T) {
	t.Parallel()
	const queue, account, from, to = "http://h:1/000000000000/q", "123456789012", "arn:aws:sqs:us-east-1:000000000000:q", "arn:aws:sqs:us-east-1:000000000000:p"
	checkRequests(t, map[string]requestTest{
		"CreateQueue": {
			func(w *Wire) []byte { return w.CreateQueue("q.fifo", true).Bytes() },
			map[string]string{"QueueName": "q.fifo", "Attributes.VisibilityTimeout": "43200", "Attributes.FifoQueue": "true"},
			map[string]string{
				"QueueName": "q.fifo", "Attribute.1.Name": "VisibilityTimeout", "Attribute.1.Value": "43200",
				"Attribute.2.Name": "FifoQueue", "Attribute.2.Value": "true",
			},
		},
		"DeleteQueue": {func(w *Wire) []byte { return w.DeleteQueue(queue).Bytes() }, map[string]string{"QueueUrl": queue}, nil},
		"ListQueues":  {func(w *Wire) []byte { return w.ListQueues().Bytes() }, map[string]string{}, nil},
		"GetQueueAttributes": {
			func(w *Wire) []byte { return w.GetQueueAttributes(queue).Bytes() },
			map[string]string{"AttributeNames.1": "All", "QueueUrl": queue},
			map[string]string{"AttributeName.1": "All", "QueueUrl": queue},
		},
		"GetQueueUrl": {func(w *Wire) []byte { return w.GetQueueURL("q").Bytes() }, map[string]string{"QueueName": "q"}, nil},
		"SetQueueAttributes": {
			func(w *Wire) []byte { return w.SetQueueAttributes(queue, "RedrivePolicy", `{"a":"b"}`).Bytes() },
			map[string]string{"Attributes.RedrivePolicy": `{"a":"b"}`, "QueueUrl": queue},
			map[string]string{"Attribute.1.Name": "RedrivePolicy", "Attribute.1.Value": `{"a":"b"}`, "QueueUrl": queue},
		},
		"PurgeQueue": {func(w *Wire) []byte { return w.PurgeQueue(queue).Bytes() }, map[string]string{"QueueUrl": queue}, nil},
		"AddPermission": {
			func(w *Wire) []byte { return w.AddPermission(queue, "l", account, "SendMessage").Bytes() },
			map[string]string{"Label": "l", "AWSAccountIds.1": account, "Actions.1": "SendMessage", "QueueUrl": queue},
			map[string]string{"Label": "l", "AWSAccountId.1": account, "ActionName.1": "SendMessage", "QueueUrl": queue},
		},
		"RemovePermission": {
			func(w *Wire) []byte { return w.RemovePermission(queue, "l").Bytes() }, map[string]string{"Label": "l", "QueueUrl": queue}, nil,
		},
		"TagQueue": {
			func(w *Wire) []byte { return w.TagQueue(queue, "a", "1", "b", "2").Bytes() },
			map[string]string{"Tags.a": "1", "Tags.b": "2", "QueueUrl": queue},
			map[string]string{"Tag.1.Key": "a", "Tag.1.Value": "1", "Tag.2.Key": "b", "Tag.2.Value": "2", "QueueUrl": queue},
		},
		"UntagQueue": {
			func(w *Wire) []byte { return w.UntagQueue(queue, "a", "b").Bytes() },
			map[string]string{"TagKeys.1": "a", "TagKeys.2": "b", "QueueUrl": queue},
			map[string]string{"TagKey.1": "a", "TagKey.2": "b", "QueueUrl": queue},
		},
		"ListQueueTags": {func(w *Wire) []byte { return w.ListQueueTags(queue).Bytes() }, map[string]string{"QueueUrl": queue}, nil},
		"ListDeadLetterSourceQueues": {
			func(w *Wire) []byte { return w.ListDeadLetterSourceQueues(queue).Bytes() }, map[string]string{"QueueUrl": queue}, nil,
		},
		"StartMessageMoveTask": {
			func(w *Wire) []byte { return w.StartMessageMoveTask(from, to, 7).Bytes() },
			map[string]string{"SourceArn": from, "DestinationArn": to, "MaxNumberOfMessagesPerSecond": "7"},
			nil,
		},
		"CancelMessageMoveTask": {
			func(w *Wire) []byte { return w.CancelMessageMoveTask("eyJ0=").Bytes() }, map[string]string{"TaskHandle": "eyJ0="}, nil,
		},
		"ListMessageMoveTasks": {func(w *Wire) []byte { return w.ListMessageMoveTasks(from).Bytes() }, map[string]string{"SourceArn": from}, nil},
	})
}
