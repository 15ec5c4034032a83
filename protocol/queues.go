package protocol

// CreateQueueInput is the request of CreateQueue.
type CreateQueueInput struct {
	QueueName  *string           `json:"QueueName"`
	Attributes map[string]string `json:"Attributes" query:"Attribute,Name,Value"`
	Tags       map[string]string `json:"tags" query:"Tag,Key,Value" alias:"Tags"`
}

// CreateQueueOutput is the answer of CreateQueue.
type CreateQueueOutput struct {
	QueueURL *string `json:"QueueUrl"`
}

// DeleteQueueInput is the request of DeleteQueue.
type DeleteQueueInput struct {
	QueueURL *string `json:"QueueUrl"`
}

// GetQueueURLInput is the request of GetQueueUrl.
type GetQueueURLInput struct {
	QueueName              *string `json:"QueueName"`
	QueueOwnerAWSAccountID *string `json:"QueueOwnerAWSAccountId"`
}

// GetQueueURLOutput is the answer of GetQueueUrl.
type GetQueueURLOutput struct {
	QueueURL *string `json:"QueueUrl"`
}

// ListQueuesInput is the request of ListQueues.
type ListQueuesInput struct {
	QueueNamePrefix *string `json:"QueueNamePrefix"`
	NextToken       *string `json:"NextToken"`
	MaxResults      *int32  `json:"MaxResults"`
}

// ListQueuesOutput is the answer of ListQueues.
type ListQueuesOutput struct {
	QueueURLs []string `json:"QueueUrls" query:"QueueUrl"`
	NextToken *string  `json:"NextToken"`
}

// PurgeQueueInput is the request of PurgeQueue.
type PurgeQueueInput struct {
	QueueURL *string `json:"QueueUrl"`
}

// GetQueueAttributesInput is the request of GetQueueAttributes.
type GetQueueAttributesInput struct {
	QueueURL       *string  `json:"QueueUrl"`
	AttributeNames []string `json:"AttributeNames" query:"AttributeName"`
}

// GetQueueAttributesOutput is the answer of GetQueueAttributes.
type GetQueueAttributesOutput struct {
	Attributes map[string]string `json:"Attributes" query:"Attribute,Name,Value"`
}

// SetQueueAttributesInput is the request of SetQueueAttributes.
type SetQueueAttributesInput struct {
	QueueURL   *string           `json:"QueueUrl"`
	Attributes map[string]string `json:"Attributes" query:"Attribute,Name,Value"`
}

// ListDeadLetterSourceQueuesInput is the request of ListDeadLetterSourceQueues.
type ListDeadLetterSourceQueuesInput struct {
	QueueURL   *string `json:"QueueUrl"`
	NextToken  *string `json:"NextToken"`
	MaxResults *int32  `json:"MaxResults"`
}

// ListDeadLetterSourceQueuesOutput is the answer of ListDeadLetterSourceQueues.
type ListDeadLetterSourceQueuesOutput struct {
	QueueURLs []string `json:"queueUrls" query:"QueueUrl"`
	NextToken *string  `json:"NextToken"`
}
