package protocol

// actionCase is what one action's golden requests must decode to, and what its
// golden answers are made from.
type actionCase struct {
	input, output any
}

// trickyBody has every character that a codec may be tempted to change.
const trickyBody = "a\r\n\t\"<&>\\ é🚀"

func actionCases() map[Operation]actionCase {
	queue := new("http://localhost:9324/000000000000/orders")
	const arn = "arn:aws:sqs:us-east-1:000000000000:"
	attributes := map[string]MessageAttributeValue{
		"blob":  {DataType: new("Binary"), BinaryValue: []byte{1, 2, 3}},
		"color": {DataType: new("String"), StringValue: new("blue")},
		"list":  {DataType: new("String"), StringListValues: []string{"x", "y"}, BinaryListValues: [][]byte{{1}, {2}}},
	}
	system := map[string]MessageAttributeValue{"AWSTraceHeader": {DataType: new("String"), StringValue: new("Root=1-5759e988")}}
	failed := []BatchResultErrorEntry{
		{ID: new("b"), SenderFault: new(true), Code: new("ReceiptHandleIsInvalid"), Message: new("The input receipt handle is invalid.")},
		{ID: new("c"), SenderFault: new(false), Code: new("InternalFailure")},
	}
	return map[Operation]actionCase{
		AddPermission: {input: &AddPermissionInput{
			QueueURL: queue, Label: new("share"), AWSAccountIDs: []string{"111122223333", "444455556666"},
			Actions: []string{"SendMessage", "ReceiveMessage"},
		}},
		CancelMessageMoveTask: {
			input:  &CancelMessageMoveTaskInput{TaskHandle: new("dGFzaw==")},
			output: &CancelMessageMoveTaskOutput{ApproximateNumberOfMessagesMoved: new(int64(5_000_000_000))},
		},
		ChangeMessageVisibility: {input: &ChangeMessageVisibilityInput{
			QueueURL: queue, ReceiptHandle: new("AQEB+/w=="), VisibilityTimeout: new(int32(0)),
		}},
		ChangeMessageVisibilityBatch: {
			input: &ChangeMessageVisibilityBatchInput{QueueURL: queue, Entries: []ChangeMessageVisibilityBatchRequestEntry{
				{ID: new("a"), ReceiptHandle: new("h1"), VisibilityTimeout: new(int32(30))},
				{ID: new("b"), ReceiptHandle: new("h2")},
			}},
			output: &ChangeMessageVisibilityBatchOutput{
				Successful: []ChangeMessageVisibilityBatchResultEntry{{ID: new("a")}}, Failed: failed,
			},
		},
		CreateQueue: {
			input: &CreateQueueInput{
				QueueName:  new("orders.fifo"),
				Attributes: map[string]string{"FifoQueue": "true", "RedrivePolicy": `{"maxReceiveCount":3}`},
				Tags:       map[string]string{"team": "blue", "empty": ""},
			},
			output: &CreateQueueOutput{QueueURL: queue},
		},
		DeleteMessage: {input: &DeleteMessageInput{QueueURL: queue, ReceiptHandle: new("AQEB+/w==")}},
		DeleteMessageBatch: {
			input: &DeleteMessageBatchInput{QueueURL: queue, Entries: []DeleteMessageBatchRequestEntry{
				{ID: new("a"), ReceiptHandle: new("h1")}, {ID: new("b"), ReceiptHandle: new("h2")},
			}},
			output: &DeleteMessageBatchOutput{Successful: []DeleteMessageBatchResultEntry{{ID: new("a")}}, Failed: failed},
		},
		DeleteQueue: {input: &DeleteQueueInput{QueueURL: queue}},
		GetQueueAttributes: {
			input: &GetQueueAttributesInput{QueueURL: queue, AttributeNames: []string{"VisibilityTimeout", "QueueArn"}},
			output: &GetQueueAttributesOutput{Attributes: map[string]string{
				"VisibilityTimeout": "30", "QueueArn": arn + "orders", "Policy": `{"Version":"2012-10-17"}`,
			}},
		},
		GetQueueURL: {
			input:  &GetQueueURLInput{QueueName: new("orders"), QueueOwnerAWSAccountID: new("111122223333")},
			output: &GetQueueURLOutput{QueueURL: queue},
		},
		ListDeadLetterSourceQueues: {
			input:  &ListDeadLetterSourceQueuesInput{QueueURL: queue, NextToken: new("dG9rZW4="), MaxResults: new(int32(2))},
			output: &ListDeadLetterSourceQueuesOutput{QueueURLs: []string{*queue, *queue + "-2"}, NextToken: new("bmV4dA==")},
		},
		ListMessageMoveTasks: {
			input: &ListMessageMoveTasksInput{SourceARN: new(arn + "dead"), MaxResults: new(int32(5))},
			output: &ListMessageMoveTasksOutput{Results: []ListMessageMoveTasksResultEntry{{
				TaskHandle: new("dGFzaw=="), Status: new("RUNNING"), SourceARN: new(arn + "dead"), DestinationARN: new(arn + "orders"),
				MaxNumberOfMessagesPerSecond: new(int32(50)), ApproximateNumberOfMessagesMoved: new(int64(0)),
				ApproximateNumberOfMessagesToMove: new(int64(12)), StartedTimestamp: new(int64(1764460800000)),
			}, {
				Status: new("FAILED"), SourceARN: new(arn + "dead"), ApproximateNumberOfMessagesMoved: new(int64(7)),
				FailureReason: new("AccessDenied"), StartedTimestamp: new(int64(1764460700000)),
			}}},
		},
		ListQueueTags: {
			input:  &ListQueueTagsInput{QueueURL: queue},
			output: &ListQueueTagsOutput{Tags: map[string]string{"team": "blue & <red>", "empty": ""}},
		},
		ListQueues: {
			input:  &ListQueuesInput{QueueNamePrefix: new("ord"), NextToken: new("dG9rZW4="), MaxResults: new(int32(1000))},
			output: &ListQueuesOutput{QueueURLs: []string{*queue, *queue + "-2"}, NextToken: new("bmV4dA==")},
		},
		PurgeQueue: {input: &PurgeQueueInput{QueueURL: queue}},
		ReceiveMessage: {
			input: &ReceiveMessageInput{
				QueueURL: queue, AttributeNames: []string{"SenderId"}, MessageSystemAttributeNames: []string{"All"},
				MessageAttributeNames: []string{"color", "col.*"}, MaxNumberOfMessages: new(int32(10)),
				VisibilityTimeout: new(int32(0)), WaitTimeSeconds: new(int32(20)), ReceiveRequestAttemptID: new("try-1"),
			},
			output: &ReceiveMessageOutput{Messages: []Message{
				{
					MessageID: new("0f8fad5b-d9cb-469f-a165-70867728950e"), ReceiptHandle: new("AQEB+/w=="), Body: new(trickyBody),
					MD5OfBody: new(MD5OfBody(trickyBody)), Attributes: map[string]string{"SentTimestamp": "1764460800000", "ApproximateReceiveCount": "1"},
					MD5OfMessageAttributes: new(MD5OfAttributes(attributes)), MessageAttributes: attributes,
				},
				{MessageID: new("7c9e6679-7425-40de-944b-e07fc1f90ae7"), ReceiptHandle: new("AQEB"), Body: new("two"), MD5OfBody: new(MD5OfBody("two"))},
			}},
		},
		RemovePermission: {input: &RemovePermissionInput{QueueURL: queue, Label: new("share")}},
		SendMessage: {
			input: &SendMessageInput{
				QueueURL: queue, MessageBody: new(trickyBody), DelaySeconds: new(int32(900)), MessageAttributes: attributes,
				MessageSystemAttributes: system, MessageDeduplicationID: new("d1"), MessageGroupID: new("g1"),
			},
			output: &SendMessageOutput{
				MD5OfMessageBody: new(MD5OfBody(trickyBody)), MD5OfMessageAttributes: new(MD5OfAttributes(attributes)),
				MD5OfMessageSystemAttributes: new(MD5OfAttributes(system)), MessageID: new("0f8fad5b-d9cb-469f-a165-70867728950e"),
				SequenceNumber: new("18849496460467696128"),
			},
		},
		SendMessageBatch: {
			input: &SendMessageBatchInput{QueueURL: queue, Entries: []SendMessageBatchRequestEntry{
				{
					ID: new("a"), MessageBody: new(trickyBody), DelaySeconds: new(int32(0)), MessageAttributes: attributes,
					MessageSystemAttributes: system, MessageDeduplicationID: new("d1"), MessageGroupID: new("g1"),
				},
				{ID: new("b"), MessageBody: new("two")},
			}},
			output: &SendMessageBatchOutput{
				Successful: []SendMessageBatchResultEntry{{
					ID: new("a"), MessageID: new("0f8fad5b-d9cb-469f-a165-70867728950e"), MD5OfMessageBody: new(MD5OfBody(trickyBody)),
					MD5OfMessageAttributes: new(MD5OfAttributes(attributes)), MD5OfMessageSystemAttributes: new(MD5OfAttributes(system)),
					SequenceNumber: new("18849496460467696128"),
				}},
				Failed: failed,
			},
		},
		SetQueueAttributes: {input: &SetQueueAttributesInput{
			QueueURL: queue, Attributes: map[string]string{"VisibilityTimeout": "60", "Policy": ""},
		}},
		StartMessageMoveTask: {
			input: &StartMessageMoveTaskInput{
				SourceARN: new(arn + "dead"), DestinationARN: new(arn + "orders"), MaxNumberOfMessagesPerSecond: new(int32(50)),
			},
			output: &StartMessageMoveTaskOutput{TaskHandle: new("dGFzaw==")},
		},
		TagQueue:   {input: &TagQueueInput{QueueURL: queue, Tags: map[string]string{"team": "blue", "empty": ""}}},
		UntagQueue: {input: &UntagQueueInput{QueueURL: queue, TagKeys: []string{"team", "empty"}}},
	}
}
