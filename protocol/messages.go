package protocol

// SendMessageInput is the request of SendMessage.
type SendMessageInput struct {
	QueueURL                *string                          `json:"QueueUrl"`
	MessageBody             *string                          `json:"MessageBody"`
	DelaySeconds            *int32                           `json:"DelaySeconds"`
	MessageAttributes       map[string]MessageAttributeValue `json:"MessageAttributes" query:"MessageAttribute,Name,Value"`
	MessageSystemAttributes map[string]MessageAttributeValue `json:"MessageSystemAttributes" query:"MessageSystemAttribute,Name,Value"`
	MessageDeduplicationID  *string                          `json:"MessageDeduplicationId"`
	MessageGroupID          *string                          `json:"MessageGroupId"`
}

// SendMessageOutput is the answer of SendMessage.
type SendMessageOutput struct {
	MD5OfMessageBody             *string `json:"MD5OfMessageBody"`
	MD5OfMessageAttributes       *string `json:"MD5OfMessageAttributes"`
	MD5OfMessageSystemAttributes *string `json:"MD5OfMessageSystemAttributes"`
	MessageID                    *string `json:"MessageId"`
	SequenceNumber               *string `json:"SequenceNumber"`
}

// SendMessageBatchInput is the request of SendMessageBatch.
type SendMessageBatchInput struct {
	QueueURL *string                        `json:"QueueUrl"`
	Entries  []SendMessageBatchRequestEntry `json:"Entries" query:"SendMessageBatchRequestEntry"`
}

// SendMessageBatchOutput is the answer of SendMessageBatch.
type SendMessageBatchOutput struct {
	Successful []SendMessageBatchResultEntry `json:"Successful" query:"SendMessageBatchResultEntry"`
	Failed     []BatchResultErrorEntry       `json:"Failed" query:"BatchResultErrorEntry"`
}

// ReceiveMessageInput is the request of ReceiveMessage.
type ReceiveMessageInput struct {
	QueueURL                    *string  `json:"QueueUrl"`
	AttributeNames              []string `json:"AttributeNames" query:"AttributeName"`
	MessageSystemAttributeNames []string `json:"MessageSystemAttributeNames" query:"MessageSystemAttributeName"`
	MessageAttributeNames       []string `json:"MessageAttributeNames" query:"MessageAttributeName"`
	MaxNumberOfMessages         *int32   `json:"MaxNumberOfMessages"`
	VisibilityTimeout           *int32   `json:"VisibilityTimeout"`
	WaitTimeSeconds             *int32   `json:"WaitTimeSeconds"`
	ReceiveRequestAttemptID     *string  `json:"ReceiveRequestAttemptId"`
}

// ReceiveMessageOutput is the answer of ReceiveMessage.
type ReceiveMessageOutput struct {
	Messages []Message `json:"Messages" query:"Message"`
}

// DeleteMessageInput is the request of DeleteMessage.
type DeleteMessageInput struct {
	QueueURL      *string `json:"QueueUrl"`
	ReceiptHandle *string `json:"ReceiptHandle"`
}

// DeleteMessageBatchInput is the request of DeleteMessageBatch.
type DeleteMessageBatchInput struct {
	QueueURL *string                          `json:"QueueUrl"`
	Entries  []DeleteMessageBatchRequestEntry `json:"Entries" query:"DeleteMessageBatchRequestEntry"`
}

// DeleteMessageBatchOutput is the answer of DeleteMessageBatch.
type DeleteMessageBatchOutput struct {
	Successful []DeleteMessageBatchResultEntry `json:"Successful" query:"DeleteMessageBatchResultEntry"`
	Failed     []BatchResultErrorEntry         `json:"Failed" query:"BatchResultErrorEntry"`
}

// ChangeMessageVisibilityInput is the request of ChangeMessageVisibility.
type ChangeMessageVisibilityInput struct {
	QueueURL          *string `json:"QueueUrl"`
	ReceiptHandle     *string `json:"ReceiptHandle"`
	VisibilityTimeout *int32  `json:"VisibilityTimeout"`
}

// ChangeMessageVisibilityBatchInput is the request of ChangeMessageVisibilityBatch.
type ChangeMessageVisibilityBatchInput struct {
	QueueURL *string                                    `json:"QueueUrl"`
	Entries  []ChangeMessageVisibilityBatchRequestEntry `json:"Entries" query:"ChangeMessageVisibilityBatchRequestEntry"`
}

// ChangeMessageVisibilityBatchOutput is the answer of ChangeMessageVisibilityBatch.
type ChangeMessageVisibilityBatchOutput struct {
	Successful []ChangeMessageVisibilityBatchResultEntry `json:"Successful" query:"ChangeMessageVisibilityBatchResultEntry"`
	Failed     []BatchResultErrorEntry                   `json:"Failed" query:"BatchResultErrorEntry"`
}

// MessageAttributeValue TODO-doc.
type MessageAttributeValue struct {
	StringValue      *string  `json:"StringValue"`
	BinaryValue      []byte   `json:"BinaryValue"`
	StringListValues []string `json:"StringListValues" query:"StringListValue"`
	BinaryListValues [][]byte `json:"BinaryListValues" query:"BinaryListValue"`
	DataType         *string  `json:"DataType"`
}

// SendMessageBatchRequestEntry TODO-doc.
type SendMessageBatchRequestEntry struct {
	ID                      *string                          `json:"Id"`
	MessageBody             *string                          `json:"MessageBody"`
	DelaySeconds            *int32                           `json:"DelaySeconds"`
	MessageAttributes       map[string]MessageAttributeValue `json:"MessageAttributes" query:"MessageAttribute,Name,Value"`
	MessageSystemAttributes map[string]MessageAttributeValue `json:"MessageSystemAttributes" query:"MessageSystemAttribute,Name,Value"`
	MessageDeduplicationID  *string                          `json:"MessageDeduplicationId"`
	MessageGroupID          *string                          `json:"MessageGroupId"`
}

// SendMessageBatchResultEntry TODO-doc.
type SendMessageBatchResultEntry struct {
	ID                           *string `json:"Id"`
	MessageID                    *string `json:"MessageId"`
	MD5OfMessageBody             *string `json:"MD5OfMessageBody"`
	MD5OfMessageAttributes       *string `json:"MD5OfMessageAttributes"`
	MD5OfMessageSystemAttributes *string `json:"MD5OfMessageSystemAttributes"`
	SequenceNumber               *string `json:"SequenceNumber"`
}

// DeleteMessageBatchRequestEntry TODO-doc.
type DeleteMessageBatchRequestEntry struct {
	ID            *string `json:"Id"`
	ReceiptHandle *string `json:"ReceiptHandle"`
}

// DeleteMessageBatchResultEntry TODO-doc.
type DeleteMessageBatchResultEntry struct {
	ID *string `json:"Id"`
}

// ChangeMessageVisibilityBatchRequestEntry TODO-doc.
type ChangeMessageVisibilityBatchRequestEntry struct {
	ID                *string `json:"Id"`
	ReceiptHandle     *string `json:"ReceiptHandle"`
	VisibilityTimeout *int32  `json:"VisibilityTimeout"`
}

// ChangeMessageVisibilityBatchResultEntry TODO-doc.
type ChangeMessageVisibilityBatchResultEntry struct {
	ID *string `json:"Id"`
}

// BatchResultErrorEntry TODO-doc.
type BatchResultErrorEntry struct {
	ID          *string `json:"Id"`
	SenderFault *bool   `json:"SenderFault"`
	Code        *string `json:"Code"`
	Message     *string `json:"Message"`
}

// Message TODO-doc.
type Message struct {
	MessageID              *string                          `json:"MessageId"`
	ReceiptHandle          *string                          `json:"ReceiptHandle"`
	MD5OfBody              *string                          `json:"MD5OfBody"`
	Body                   *string                          `json:"Body"`
	Attributes             map[string]string                `json:"Attributes" query:"Attribute,Name,Value"`
	MD5OfMessageAttributes *string                          `json:"MD5OfMessageAttributes"`
	MessageAttributes      map[string]MessageAttributeValue `json:"MessageAttributes" query:"MessageAttribute,Name,Value"`
}
