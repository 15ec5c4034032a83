package load

// Hidden is how long a received message stays so in queues that CreateQueue
// makes, in seconds: the rest of the run.
const Hidden = "43200"

// CreateQueue asks for a queue that hides what was received for the rest of the
// run. The name of a FIFO queue ends in ".fifo".
func (w *Wire) CreateQueue(name string, fifo bool) *Request {
	if fifo {
		return w.CreateQueueWith(name, "VisibilityTimeout", Hidden, "FifoQueue", "true")
	}
	return w.CreateQueueWith(name, "VisibilityTimeout", Hidden)
}

// CreateQueueWith asks for a queue with attributes, given as names and values in
// turns.
func (w *Wire) CreateQueueWith(name string, attributes ...string) *Request {
	f := w.begin(nil, CreateQueue)
	f.text("QueueName", name)
	f.attributes(attributes...)
	return w.request(CreateQueue, f.end(""))
}

// DeleteQueue deletes a queue.
func (w *Wire) DeleteQueue(queue string) *Request {
	f := w.begin(nil, DeleteQueue)
	return w.request(DeleteQueue, f.end(queue))
}

// ListQueues is the lightest request that goes all the way to the store.
func (w *Wire) ListQueues() *Request {
	f := w.begin(nil, ListQueues)
	return w.request(ListQueues, f.end(""))
}

// ListQueuesOf lists the queues whose names begin with a prefix.
func (w *Wire) ListQueuesOf(prefix string) *Request {
	f := w.begin(nil, ListQueues)
	f.text("QueueNamePrefix", prefix)
	return w.request(ListQueues, f.end(""))
}

// GetQueueAttributes asks for all attributes.
func (w *Wire) GetQueueAttributes(queue string) *Request {
	f := w.begin(nil, GetQueueAttributes)
	f.texts("AttributeNames", "AttributeName", "All")
	return w.request(GetQueueAttributes, f.end(queue))
}

// GetQueueURL asks for the URL of a queue by its name.
func (w *Wire) GetQueueURL(name string) *Request {
	f := w.begin(nil, GetQueueURL)
	f.text("QueueName", name)
	return w.request(GetQueueURL, f.end(""))
}

// SetQueueAttributes sets attributes, given as names and values in turns.
func (w *Wire) SetQueueAttributes(queue string, attributes ...string) *Request {
	f := w.begin(nil, SetQueueAttributes)
	f.attributes(attributes...)
	return w.request(SetQueueAttributes, f.end(queue))
}

// PurgeQueue removes all messages of a queue.
func (w *Wire) PurgeQueue(queue string) *Request {
	f := w.begin(nil, PurgeQueue)
	return w.request(PurgeQueue, f.end(queue))
}

// AddPermission lets an account of 12 digits make an action on a queue.
func (w *Wire) AddPermission(queue, label, account, action string) *Request {
	f := w.begin(nil, AddPermission)
	f.text("Label", label)
	f.texts("AWSAccountIds", "AWSAccountId", account)
	f.texts("Actions", "ActionName", action)
	return w.request(AddPermission, f.end(queue))
}

// RemovePermission takes back what was added under a label.
func (w *Wire) RemovePermission(queue, label string) *Request {
	f := w.begin(nil, RemovePermission)
	f.text("Label", label)
	return w.request(RemovePermission, f.end(queue))
}

// TagQueue sets tags, given as keys and values in turns.
func (w *Wire) TagQueue(queue string, tags ...string) *Request {
	f := w.begin(nil, TagQueue)
	f.pairs("Tags", "Tag", "Key", tags)
	return w.request(TagQueue, f.end(queue))
}

// UntagQueue removes tags.
func (w *Wire) UntagQueue(queue string, keys ...string) *Request {
	f := w.begin(nil, UntagQueue)
	f.texts("TagKeys", "TagKey", keys...)
	return w.request(UntagQueue, f.end(queue))
}

// ListQueueTags asks for the tags of a queue.
func (w *Wire) ListQueueTags(queue string) *Request {
	f := w.begin(nil, ListQueueTags)
	return w.request(ListQueueTags, f.end(queue))
}

// ListDeadLetterSourceQueues lists the queues that have a queue as their
// dead-letter queue.
func (w *Wire) ListDeadLetterSourceQueues(queue string) *Request {
	f := w.begin(nil, ListDeadLetterSourceQueues)
	return w.request(ListDeadLetterSourceQueues, f.end(queue))
}

// StartMessageMoveTask starts moving messages from one queue to another, both
// given by their ARNs, so many a second, 1 to 500.
func (w *Wire) StartMessageMoveTask(source, destination string, rate int) *Request {
	f := w.begin(nil, StartMessageMoveTask)
	f.text("SourceArn", source)
	f.text("DestinationArn", destination)
	f.number("MaxNumberOfMessagesPerSecond", rate)
	return w.request(StartMessageMoveTask, f.end(""))
}

// CancelMessageMoveTask stops a running task.
func (w *Wire) CancelMessageMoveTask(handle string) *Request {
	f := w.begin(nil, CancelMessageMoveTask)
	f.text("TaskHandle", handle)
	return w.request(CancelMessageMoveTask, f.end(""))
}

// ListMessageMoveTasks asks for the newest task of a source, given by its ARN.
func (w *Wire) ListMessageMoveTasks(source string) *Request {
	f := w.begin(nil, ListMessageMoveTasks)
	f.text("SourceArn", source)
	return w.request(ListMessageMoveTasks, f.end(""))
}
