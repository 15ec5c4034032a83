//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"queues/cmd/queues/load"
	"queues/engine"
)

// instantStore answers every call at once and keeps nothing but the queues'
// names: a receive finds always as much as it asks for. What is measured over
// it is all the server does beside storing.
type instantStore struct {
	clock    engine.Clock
	mu       sync.RWMutex
	queues   map[engine.QueueName]*engine.Queue
	sequence atomic.Uint64
}

var _ engine.Store = (*instantStore)(nil)

func newInstantStore(clock engine.Clock) *instantStore {
	return &instantStore{clock: clock, queues: map[engine.QueueName]*engine.Queue{}}
}

func (s *instantStore) CreateQueue(_ context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q, ok := s.queues[p.Name]; ok {
		return engine.CreateQueueResult{Queue: q}, nil
	}
	now := s.clock.Now()
	q := &engine.Queue{
		ID: engine.QueueID(uuid.New()), Slug: fmt.Sprintf("que_%012d", len(s.queues)), Name: p.Name, Kind: p.Kind,
		Settings: p.Settings, Tags: p.Tags, Created: now, Modified: now,
	}
	s.queues[p.Name] = q
	return engine.CreateQueueResult{Queue: q, Created: true}, nil
}

func (s *instantStore) FindQueue(_ context.Context, name engine.QueueName) (*engine.Queue, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if q, ok := s.queues[name]; ok {
		return q, nil
	}
	return nil, &engine.Error{Code: engine.QueueNotFound, Text: "no such queue"}
}

func (s *instantStore) ListQueues(context.Context, engine.ListQueuesParams) (engine.ListQueuesResult, error) {
	return engine.ListQueuesResult{}, nil
}

func (s *instantStore) Send(_ context.Context, p engine.SendParams) ([]engine.Sent, error) {
	sent := make([]engine.Sent, len(p.Messages))
	for i, m := range p.Messages {
		sent[i] = engine.Sent{ID: m.ID, Sequence: s.sequence.Add(1)}
	}
	return sent, nil
}

var instantBody = strings.Repeat("x", load.DefaultBody)

func (s *instantStore) Receive(_ context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
	now := s.clock.Now()
	res := engine.ReceiveResult{Messages: make([]engine.Delivery, p.Max), More: true}
	for i := range res.Messages {
		n := s.sequence.Add(1)
		res.Messages[i] = engine.Delivery{
			Message: engine.Message{ID: engine.MessageID(uuid.New()), Body: instantBody},
			Ref:     engine.Ref(binary.BigEndian.AppendUint64(p.Queue[:], n)), Sequence: n,
			Sent: now, FirstReceived: now, Receives: 1, Deadline: now.Add(time.Hour),
		}
	}
	return res, nil
}

func (s *instantStore) Acknowledge(_ context.Context, p engine.AcknowledgeParams) ([]error, error) {
	return make([]error, len(p.Refs)), nil
}

func (s *instantStore) ChangeVisibility(_ context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
	return make([]error, len(p.Changes)), nil
}

func (s *instantStore) Release(context.Context, engine.QueueID, []engine.Ref) error { return nil }

// The rest is not measured over this store.

func (s *instantStore) UpdateQueue(context.Context, engine.UpdateQueueParams) (*engine.Queue, error) {
	return nil, errNotMeasured
}

func (s *instantStore) DeleteQueue(context.Context, engine.DeleteQueueParams) error {
	return errNotMeasured
}

func (s *instantStore) PurgeQueue(context.Context, engine.PurgeQueueParams) error {
	return errNotMeasured
}

func (s *instantStore) Counts(context.Context, engine.QueueID) (engine.Counts, error) {
	return engine.Counts{}, errNotMeasured
}

func (s *instantStore) Sweep(context.Context) (engine.SweepResult, error) {
	return engine.SweepResult{}, nil
}

func (s *instantStore) ListSources(context.Context, engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	return engine.ListQueuesResult{}, errNotMeasured
}

func (s *instantStore) StartMove(context.Context, engine.StartMoveParams) (engine.MoveTask, error) {
	return engine.MoveTask{}, errNotMeasured
}

func (s *instantStore) CancelMove(context.Context, engine.CancelMoveParams) (engine.MoveTask, error) {
	return engine.MoveTask{}, errNotMeasured
}

func (s *instantStore) ListMoves(context.Context, engine.ListMovesParams) ([]engine.MoveTask, error) {
	return nil, errNotMeasured
}

func (s *instantStore) Move(context.Context) (engine.SweepResult, error) {
	return engine.SweepResult{}, nil
}

func (s *instantStore) Secret() [32]byte { return [32]byte{1} }

func (s *instantStore) Health(context.Context) error { return nil }

func (s *instantStore) Close() error { return nil }

var errNotMeasured = &engine.Error{Code: engine.Unavailable, Text: "this store is for measuring sends, receives and deletes"}
