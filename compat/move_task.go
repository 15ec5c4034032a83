package compat

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"queues/engine"
	"queues/protocol"
)

// The members of move tasks that name queues.
const (
	memberSourceARN      = "SourceArn"
	memberDestinationARN = "DestinationArn"
)

// moveStatuses are the words for where a task stands.
var moveStatuses = map[engine.MoveStatus]string{
	engine.MoveRunning:    "RUNNING",
	engine.MoveCancelling: "CANCELLING",
	engine.MoveCompleted:  "COMPLETED",
	engine.MoveFailed:     "FAILED",
	engine.MoveCancelled:  "CANCELLED",
}

// moveFailures are the words for why a task failed.
var moveFailures = map[engine.MoveFailure]string{
	engine.NoFailure:     "",
	engine.TargetGone:    protocol.QueueDoesNotExist.QueryCode,
	engine.SourceUnknown: "CouldNotDetermineMessageSource",
}

// queueByARN finds the queue that a member's resource name stands for. It does
// not tell a queue of another region, or of an account that is none of the
// caller's business, from one that does not exist.
func (s *Service) queueByARN(ctx context.Context, c Caller, text, member string) (*engine.Queue, *protocol.Error) {
	a, ok := parseARN(text)
	if !ok {
		return nil, protocol.InvalidParameterValue.New(fmt.Sprintf("You must use this format to specify the %s: arn:<partition>:<service>:<region>:<account-id>:<resource-id>", member))
	}
	name, ok := a.queue()
	if !ok || name.Region != c.Region || s.options.SeparateAccounts && name.Account != c.Account {
		return nil, noResource(member)
	}
	q, err := s.engine.FindQueue(ctx, name)
	switch {
	case err != nil && engine.ErrorCode(err) == engine.QueueNotFound:
		return nil, noResource(member)
	case err != nil:
		return nil, translate(err, about{Queue: name.Name})
	}
	return q, nil
}

// noResource is the error of a resource name that no queue has.
func noResource(member string) *protocol.Error {
	return protocol.ResourceNotFound.New(fmt.Sprintf("The resource that you specified for the %s parameter doesn't exist.", member))
}

// translateMove is translate for calls about a source queue's tasks, whose
// queue may go away after it was found.
func translateMove(err error) *protocol.Error {
	if engine.ErrorCode(err) == engine.QueueNotFound {
		return noResource(memberSourceARN)
	}
	return translate(err, about{})
}

// taskHandle is what callers name a task by: the base64 form of a JSON object
// with the task's id and its source. It is no secret and anybody may make one.
func taskHandle(t engine.MoveTask) string {
	// Neither an id nor an ARN has anything that needs escaping.
	text := `{"taskId":"` + t.ID.String() + `","sourceArn":"` + queueARN(t.Source) + `"}`
	return base64.StdEncoding.EncodeToString([]byte(text))
}

// readTaskHandle takes a handle apart. Whether the task and the source exist,
// or could, is not its matter. False means that it is no handle.
func readTaskHandle(handle string) (task, source string, ok bool) {
	const keyTask, keySource = "taskId", "sourceArn"
	if len(handle) > maxTaskHandle {
		return "", "", false
	}
	raw, err := base64.StdEncoding.DecodeString(handle)
	if err != nil || !json.Valid(raw) {
		return "", "", false
	}
	m, ok := object(raw, keyTask, keySource)
	if !ok || !isString(m[keyTask]) || !isString(m[keySource]) {
		return "", "", false
	}
	return scalar(m[keyTask]), scalar(m[keySource]), true
}

// moveID reads a task's id in its canonical form. False means that no task has
// it.
func moveID(text string) (engine.MoveID, bool) {
	id, err := uuid.Parse(text)
	return engine.MoveID(id), err == nil && id.String() == text
}
