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

// MessageAttributeValue is one attribute of a message: a type and the one value
// that goes with it. User and system attributes share the form.
type MessageAttributeValue struct {
	StringValue      *string  `json:"StringValue" wire:"strict"`
	BinaryValue      []byte   `json:"BinaryValue"`
	StringListValues []string `json:"StringListValues" query:"StringListValue" wire:"strict"`
	BinaryListValues [][]byte `json:"BinaryListValues" query:"BinaryListValue"`
	DataType         *string  `json:"DataType" wire:"strict"`
}

// SendMessageBatchRequestEntry is one message of a SendMessageBatch. ID is the
// caller's name for it within the request.
type SendMessageBatchRequestEntry struct {
	ID                      *string                          `json:"Id"`
	MessageBody             *string                          `json:"MessageBody"`
	DelaySeconds            *int32                           `json:"DelaySeconds"`
	MessageAttributes       map[string]MessageAttributeValue `json:"MessageAttributes" query:"MessageAttribute,Name,Value"`
	MessageSystemAttributes map[string]MessageAttributeValue `json:"MessageSystemAttributes" query:"MessageSystemAttribute,Name,Value"`
	MessageDeduplicationID  *string                          `json:"MessageDeduplicationId"`
	MessageGroupID          *string                          `json:"MessageGroupId"`
}

// SendMessageBatchResultEntry answers for one message that was stored.
type SendMessageBatchResultEntry struct {
	ID                           *string `json:"Id"`
	MessageID                    *string `json:"MessageId"`
	MD5OfMessageBody             *string `json:"MD5OfMessageBody"`
	MD5OfMessageAttributes       *string `json:"MD5OfMessageAttributes"`
	MD5OfMessageSystemAttributes *string `json:"MD5OfMessageSystemAttributes"`
	SequenceNumber               *string `json:"SequenceNumber"`
}

// DeleteMessageBatchRequestEntry is one message of a DeleteMessageBatch. ID is
// the caller's name for it within the request.
type DeleteMessageBatchRequestEntry struct {
	ID            *string `json:"Id"`
	ReceiptHandle *string `json:"ReceiptHandle"`
}

// DeleteMessageBatchResultEntry answers for one message that was deleted.
type DeleteMessageBatchResultEntry struct {
	ID *string `json:"Id"`
}

// ChangeMessageVisibilityBatchRequestEntry is one message of a
// ChangeMessageVisibilityBatch; VisibilityTimeout is in seconds. ID is the
// caller's name for it within the request.
type ChangeMessageVisibilityBatchRequestEntry struct {
	ID                *string `json:"Id"`
	ReceiptHandle     *string `json:"ReceiptHandle"`
	VisibilityTimeout *int32  `json:"VisibilityTimeout"`
}

// ChangeMessageVisibilityBatchResultEntry answers for one message whose timeout
// was changed.
type ChangeMessageVisibilityBatchResultEntry struct {
	ID *string `json:"Id"`
}

// BatchResultErrorEntry answers for one entry of a batch that failed. Code is a
// Kind's QueryCode in both protocols; SenderFault is true for the caller's
// mistakes.
type BatchResultErrorEntry struct {
	ID          *string `json:"Id"`
	Code        *string `json:"Code"`
	Message     *string `json:"Message"`
	SenderFault *bool   `json:"SenderFault"`
}

// Message is one received message. Attributes are the system attributes that
// were asked for; MD5OfMessageAttributes covers the MessageAttributes returned,
// and is absent without any.
type Message struct {
	MessageID              *string                          `json:"MessageId"`
	ReceiptHandle          *string                          `json:"ReceiptHandle"`
	MD5OfBody              *string                          `json:"MD5OfBody"`
	Body                   *string                          `json:"Body"`
	Attributes             map[string]string                `json:"Attributes" query:"Attribute,Name,Value"`
	MD5OfMessageAttributes *string                          `json:"MD5OfMessageAttributes"`
	MessageAttributes      map[string]MessageAttributeValue `json:"MessageAttributes" query:"MessageAttribute,Name,Value"`
}
