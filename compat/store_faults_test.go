package compat_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"queues/compat"
	"queues/engine"
	"queues/engine/storetest"
	"queues/protocol"
)

// brokenStore fails every call that reaches for the data of a queue, once it is
// told how. Queues are still found.
type brokenStore struct {
	engine.Store
	err error
}

func (s *brokenStore) CreateQueue(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
	if s.err != nil {
		return engine.CreateQueueResult{}, s.err
	}
	return s.Store.CreateQueue(ctx, p)
}

func (s *brokenStore) ListQueues(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
	if s.err != nil {
		return engine.ListQueuesResult{}, s.err
	}
	return s.Store.ListQueues(ctx, p)
}

func (s *brokenStore) UpdateQueue(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.UpdateQueue(ctx, p)
}

func (s *brokenStore) DeleteQueue(ctx context.Context, p engine.DeleteQueueParams) error {
	if s.err != nil {
		return s.err
	}
	return s.Store.DeleteQueue(ctx, p)
}

func (s *brokenStore) PurgeQueue(ctx context.Context, p engine.PurgeQueueParams) error {
	if s.err != nil {
		return s.err
	}
	return s.Store.PurgeQueue(ctx, p)
}

func (s *brokenStore) Counts(ctx context.Context, queue engine.QueueID) (engine.Counts, error) {
	if s.err != nil {
		return engine.Counts{}, s.err
	}
	return s.Store.Counts(ctx, queue)
}

func (s *brokenStore) Send(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.Send(ctx, p)
}

func (s *brokenStore) Receive(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
	if s.err != nil {
		return engine.ReceiveResult{}, s.err
	}
	return s.Store.Receive(ctx, p)
}

func (s *brokenStore) Acknowledge(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.Acknowledge(ctx, p)
}

func (s *brokenStore) ChangeVisibility(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.ChangeVisibility(ctx, p)
}

func (s *brokenStore) ListSources(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	if s.err != nil {
		return engine.ListQueuesResult{}, s.err
	}
	return s.Store.ListSources(ctx, p)
}

func (s *brokenStore) CancelMove(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
	if s.err != nil {
		return engine.MoveTask{}, s.err
	}
	return s.Store.CancelMove(ctx, p)
}

func (s *brokenStore) ListMoves(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.ListMoves(ctx, p)
}

// Whatever call a store fails, the caller gets the error that belongs to it,
// without the store's words, and the log gets the cause.
func TestStoreFaults(t *testing.T) {
	t.Parallel()
	clock := storetest.NewManualClock(time.Time{})
	wakeups := engine.NewWakeups(clock)
	store := &brokenStore{Store: storetest.NewModel(clock, wakeups.Report)}
	e := &env{t: t, clock: clock, service: newService(t, store, clock, wakeups, compat.Options{}), caller: home}
	url := e.create("q")
	e.send(url, "b")
	h := e.one(url).ReceiptHandle
	calls := map[protocol.Operation]any{
		protocol.AddPermission: &protocol.AddPermissionInput{
			QueueURL: url, Label: new("l"), AWSAccountIDs: []string{"111111111111"}, Actions: []string{"SendMessage"},
		},
		protocol.CancelMessageMoveTask:   &protocol.CancelMessageMoveTaskInput{TaskHandle: new(handleOf("7f0c5a2e-0d5b-4b58-9d5e-4f7b8a0b3c11", ownARN))},
		protocol.ChangeMessageVisibility: &protocol.ChangeMessageVisibilityInput{QueueURL: url, ReceiptHandle: h, VisibilityTimeout: new(int32(0))},
		protocol.ChangeMessageVisibilityBatch: &protocol.ChangeMessageVisibilityBatchInput{QueueURL: url, Entries: []protocol.ChangeMessageVisibilityBatchRequestEntry{
			{ID: new("a"), ReceiptHandle: h, VisibilityTimeout: new(int32(0))},
		}},
		protocol.CreateQueue:                &protocol.CreateQueueInput{QueueName: new("new")},
		protocol.DeleteMessage:              &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: h},
		protocol.DeleteMessageBatch:         &protocol.DeleteMessageBatchInput{QueueURL: url, Entries: []protocol.DeleteMessageBatchRequestEntry{{ID: new("a"), ReceiptHandle: h}}},
		protocol.DeleteQueue:                &protocol.DeleteQueueInput{QueueURL: url},
		protocol.GetQueueAttributes:         &protocol.GetQueueAttributesInput{QueueURL: url, AttributeNames: []string{"All"}},
		protocol.ListDeadLetterSourceQueues: &protocol.ListDeadLetterSourceQueuesInput{QueueURL: url},
		protocol.ListMessageMoveTasks:       &protocol.ListMessageMoveTasksInput{SourceARN: new(ownARN)},
		protocol.ListQueues:                 &protocol.ListQueuesInput{},
		protocol.PurgeQueue:                 &protocol.PurgeQueueInput{QueueURL: url},
		protocol.ReceiveMessage:             &protocol.ReceiveMessageInput{QueueURL: url},
		protocol.RemovePermission:           &protocol.RemovePermissionInput{QueueURL: url, Label: new("l")},
		protocol.SendMessage:                &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b")},
		protocol.SendMessageBatch: &protocol.SendMessageBatchInput{QueueURL: url, Entries: []protocol.SendMessageBatchRequestEntry{
			{ID: new("a"), MessageBody: new("b")},
		}},
		protocol.SetQueueAttributes:   &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("DelaySeconds", "1")},
		protocol.StartMessageMoveTask: &protocol.StartMessageMoveTaskInput{SourceARN: new(ownARN)},
		protocol.TagQueue:             &protocol.TagQueueInput{QueueURL: url, Tags: pairs("a", "1")},
		protocol.UntagQueue:           &protocol.UntagQueueInput{QueueURL: url, TagKeys: []string{"a"}},
	}
	for _, test := range []struct {
		fault error
		want  *protocol.Kind
		text  string
	}{
		{errors.New("disk I/O error at /secret"), protocol.InternalFailure, ""},
		{&engine.Error{Code: engine.Unavailable, Text: "no space on /secret"}, protocol.ServiceUnavailable, "The server cannot do this at the moment. Retry later."},
		{&engine.Error{Code: engine.Overloaded, Text: "queue of 4096 full"}, protocol.RequestThrottled, "The server has too much work waiting. Wait a short while and then retry the operation."},
		// The queue went away after it was found.
		{&engine.Error{Code: engine.QueueNotFound, Text: "gone"}, protocol.QueueDoesNotExist, ""},
	} {
		for op, in := range calls {
			store.err = test.fault
			res, err := e.service.Do(t.Context(), e.caller, protocol.Call{Operation: op, Input: in})
			store.err = nil
			if err == nil {
				t.Errorf("%s succeeded over %v: %+v", op, test.fault, res.Output)
				continue
			}
			want, text := test.want, test.text
			if want == protocol.QueueDoesNotExist && strings.Contains(string(op), "MoveTask") {
				want, text = protocol.ResourceNotFound, noSource
			}
			// Where the wire has words of its own the cause has no more to say.
			if err.Kind != want || err.Message != text || want == test.want && !errors.Is(err, test.fault) {
				t.Errorf("%s over %v: %v, want %s %q with the cause", op, test.fault, err, want.Shape, text)
			}
		}
	}
	e.wantCounts(url, "0 1 0")
}
