package protocol

// Operation is the name of one of the 23 actions, spelled as on the wire.
type Operation string

// The actions of the SQS API, version 2012-11-05, in alphabetical order.
const (
	AddPermission                Operation = "AddPermission"
	CancelMessageMoveTask        Operation = "CancelMessageMoveTask"
	ChangeMessageVisibility      Operation = "ChangeMessageVisibility"
	ChangeMessageVisibilityBatch Operation = "ChangeMessageVisibilityBatch"
	CreateQueue                  Operation = "CreateQueue"
	DeleteMessage                Operation = "DeleteMessage"
	DeleteMessageBatch           Operation = "DeleteMessageBatch"
	DeleteQueue                  Operation = "DeleteQueue"
	GetQueueAttributes           Operation = "GetQueueAttributes"
	GetQueueURL                  Operation = "GetQueueUrl"
	ListDeadLetterSourceQueues   Operation = "ListDeadLetterSourceQueues"
	ListMessageMoveTasks         Operation = "ListMessageMoveTasks"
	ListQueueTags                Operation = "ListQueueTags"
	ListQueues                   Operation = "ListQueues"
	PurgeQueue                   Operation = "PurgeQueue"
	ReceiveMessage               Operation = "ReceiveMessage"
	RemovePermission             Operation = "RemovePermission"
	SendMessage                  Operation = "SendMessage"
	SendMessageBatch             Operation = "SendMessageBatch"
	SetQueueAttributes           Operation = "SetQueueAttributes"
	StartMessageMoveTask         Operation = "StartMessageMoveTask"
	TagQueue                     Operation = "TagQueue"
	UntagQueue                   Operation = "UntagQueue"
)
