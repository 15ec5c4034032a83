package compat

import (
	"context"
	"fmt"

	"queues/protocol"
)

// operation performs one action on its decoded input.
type operation func(s *Service, ctx context.Context, c Caller, input any) (Result, *protocol.Error)

// on ties a method to the type of its input.
func on[I any](method func(*Service, context.Context, Caller, *I) (Result, *protocol.Error)) operation {
	return func(s *Service, ctx context.Context, c Caller, input any) (Result, *protocol.Error) {
		in, ok := input.(*I)
		if !ok || in == nil {
			return Result{}, internal(fmt.Errorf("the input is a %T, not a %T", input, in))
		}
		return method(s, ctx, c, in)
	}
}

// operations is every action of the API, in alphabetical order.
var operations = map[protocol.Operation]operation{
	protocol.AddPermission:                on((*Service).addPermission),
	protocol.CancelMessageMoveTask:        on((*Service).cancelMessageMoveTask),
	protocol.ChangeMessageVisibility:      on((*Service).changeMessageVisibility),
	protocol.ChangeMessageVisibilityBatch: on((*Service).changeMessageVisibilityBatch),
	protocol.CreateQueue:                  on((*Service).createQueue),
	protocol.DeleteMessage:                on((*Service).deleteMessage),
	protocol.DeleteMessageBatch:           on((*Service).deleteMessageBatch),
	protocol.DeleteQueue:                  on((*Service).deleteQueue),
	protocol.GetQueueAttributes:           on((*Service).getQueueAttributes),
	protocol.GetQueueURL:                  on((*Service).getQueueURL),
	protocol.ListDeadLetterSourceQueues:   on((*Service).listDeadLetterSourceQueues),
	protocol.ListMessageMoveTasks:         on((*Service).listMessageMoveTasks),
	protocol.ListQueueTags:                on((*Service).listQueueTags),
	protocol.ListQueues:                   on((*Service).listQueues),
	protocol.PurgeQueue:                   on((*Service).purgeQueue),
	protocol.ReceiveMessage:               on((*Service).receiveMessage),
	protocol.RemovePermission:             on((*Service).removePermission),
	protocol.SendMessage:                  on((*Service).sendMessage),
	protocol.SendMessageBatch:             on((*Service).sendMessageBatch),
	protocol.SetQueueAttributes:           on((*Service).setQueueAttributes),
	protocol.StartMessageMoveTask:         on((*Service).startMessageMoveTask),
	protocol.TagQueue:                     on((*Service).tagQueue),
	protocol.UntagQueue:                   on((*Service).untagQueue),
}
