package protocol

import (
	"reflect"
	"slices"
)

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

// spec is what the codecs know about one operation.
type spec struct {
	op       Operation
	newInput func() any
	input    *shape
	// output and outputType are nil for an operation without output.
	output     *shape
	outputType reflect.Type
	xml        xmlFrame
	// queueURL is the index of the input's QueueURL field, or -1; queueName is
	// that or the index of its QueueName field.
	queueURL, queueName int
}

// void stands for the output of an operation that has none. It differs from
// an output that happens to be empty, which both protocols spell out.
type void struct{}

var specs = []*spec{
	newSpec[AddPermissionInput, void](AddPermission),
	newSpec[CancelMessageMoveTaskInput, CancelMessageMoveTaskOutput](CancelMessageMoveTask),
	newSpec[ChangeMessageVisibilityInput, void](ChangeMessageVisibility),
	newSpec[ChangeMessageVisibilityBatchInput, ChangeMessageVisibilityBatchOutput](ChangeMessageVisibilityBatch),
	newSpec[CreateQueueInput, CreateQueueOutput](CreateQueue),
	newSpec[DeleteMessageInput, void](DeleteMessage),
	newSpec[DeleteMessageBatchInput, DeleteMessageBatchOutput](DeleteMessageBatch),
	newSpec[DeleteQueueInput, void](DeleteQueue),
	newSpec[GetQueueAttributesInput, GetQueueAttributesOutput](GetQueueAttributes),
	newSpec[GetQueueURLInput, GetQueueURLOutput](GetQueueURL),
	newSpec[ListDeadLetterSourceQueuesInput, ListDeadLetterSourceQueuesOutput](ListDeadLetterSourceQueues),
	newSpec[ListMessageMoveTasksInput, ListMessageMoveTasksOutput](ListMessageMoveTasks),
	newSpec[ListQueueTagsInput, ListQueueTagsOutput](ListQueueTags),
	newSpec[ListQueuesInput, ListQueuesOutput](ListQueues),
	newSpec[PurgeQueueInput, void](PurgeQueue),
	newSpec[ReceiveMessageInput, ReceiveMessageOutput](ReceiveMessage),
	newSpec[RemovePermissionInput, void](RemovePermission),
	newSpec[SendMessageInput, SendMessageOutput](SendMessage),
	newSpec[SendMessageBatchInput, SendMessageBatchOutput](SendMessageBatch),
	newSpec[SetQueueAttributesInput, void](SetQueueAttributes),
	newSpec[StartMessageMoveTaskInput, StartMessageMoveTaskOutput](StartMessageMoveTask),
	newSpec[TagQueueInput, void](TagQueue),
	newSpec[UntagQueueInput, void](UntagQueue),
}

// specOf finds an operation by its wire name, which is case-sensitive.
var specOf = func() map[Operation]*spec {
	byName := make(map[Operation]*spec, len(specs))
	for _, s := range specs {
		byName[s.op] = s
	}
	return byName
}()

func newSpec[In, Out any](op Operation) *spec {
	s := &spec{op: op, newInput: func() any { return new(In) }, input: shapeOf(reflect.TypeFor[In]()), queueURL: -1, queueName: -1}
	if f, ok := reflect.TypeFor[In]().FieldByName("QueueURL"); ok {
		s.queueURL, s.queueName = f.Index[0], f.Index[0]
	} else if f, ok := reflect.TypeFor[In]().FieldByName("QueueName"); ok {
		s.queueName = f.Index[0]
	}
	if out := reflect.TypeFor[Out](); out != reflect.TypeFor[void]() {
		s.output, s.outputType = shapeOf(out), reflect.PointerTo(out)
	}
	s.xml = newXMLFrame(op, s.output != nil)
	return s
}

// Lookup finds the operation of that name. Names are case-sensitive.
func Lookup(name string) (Operation, bool) {
	s, ok := specOf[Operation(name)]
	if !ok {
		return "", false
	}
	return s.op, true
}

// Operations lists all operations in alphabetical order. The slice is the
// caller's own.
func Operations() []Operation {
	ops := make([]Operation, 0, len(specs))
	for _, s := range specs {
		ops = append(ops, s.op)
	}
	slices.Sort(ops)
	return ops
}

// NewInput makes an empty input of the operation, for example
// *SendMessageInput; nil for an operation that does not exist.
func (op Operation) NewInput() any {
	s, ok := specOf[op]
	if !ok {
		return nil
	}
	return s.newInput()
}

// HasOutput says whether a successful answer carries an output, be it an empty
// one. It is false for an operation that does not exist.
func (op Operation) HasOutput() bool {
	s, ok := specOf[op]
	return ok && s.output != nil
}
