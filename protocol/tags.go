package protocol

// TagQueueInput is the request of TagQueue.
type TagQueueInput struct {
	QueueURL *string           `json:"QueueUrl"`
	Tags     map[string]string `json:"Tags" query:"Tag,Key,Value"`
}

// UntagQueueInput is the request of UntagQueue.
type UntagQueueInput struct {
	QueueURL *string  `json:"QueueUrl"`
	TagKeys  []string `json:"TagKeys" query:"TagKey"`
}

// ListQueueTagsInput is the request of ListQueueTags.
type ListQueueTagsInput struct {
	QueueURL *string `json:"QueueUrl"`
}

// ListQueueTagsOutput is the answer of ListQueueTags.
type ListQueueTagsOutput struct {
	Tags map[string]string `json:"Tags" query:"Tag,Key,Value"`
}
