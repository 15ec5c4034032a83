package sqlite

import (
	"context"
	"sync"

	"queues/engine"
)

// registry is the queues by name, as everybody but the writer sees them: it
// changes after a commit and before the answers.
type registry struct {
	mu     sync.RWMutex
	queues map[engine.QueueName]*engine.Queue
}

func newRegistry() *registry {
	return &registry{queues: make(map[engine.QueueName]*engine.Queue)}
}

func (r *registry) put(q *engine.Queue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queues[q.Name] = q
}

func (r *registry) remove(name engine.QueueName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.queues, name)
}

func (r *registry) find(name engine.QueueName) *engine.Queue {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.queues[name]
}

// FindQueue gives the queue that has the name.
func (s *Store) FindQueue(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	q := s.registry.find(name)
	if q == nil {
		return nil, &engine.Error{Code: engine.QueueNotFound, Text: "no queue has that name"}
	}
	return q, nil
}
