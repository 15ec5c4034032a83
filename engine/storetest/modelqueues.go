package storetest

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"queues/engine"
)

// CreateQueue makes a queue, or finds the one that has the name.
func (m *Model) CreateQueue(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	now, err := m.begin(ctx)
	if err != nil {
		return engine.CreateQueueResult{}, err
	}
	if q := m.named(p.Name); q != nil {
		return engine.CreateQueueResult{Queue: copyQueue(q.Queue)}, nil
	}
	if at, ok := m.world.deleted[p.Name]; ok && now.Sub(at) < p.Cooldown {
		return engine.CreateQueueResult{}, fail(engine.QueueDeletedRecently, "the name is blocked")
	}
	if p.MaxQueues > 0 && len(m.world.queues) >= p.MaxQueues {
		return engine.CreateQueueResult{}, fail(engine.TooManyQueues, "there are as many queues as there may be")
	}
	q := &engine.Queue{
		ID:            engine.QueueID(uuid.New()),
		Slug:          slug(),
		Name:          p.Name,
		Kind:          p.Kind,
		DedupPerGroup: p.DedupPerGroup,
		Settings:      copySettings(p.Settings),
		Tags:          maps.Clone(p.Tags),
		Created:       now,
		Modified:      now,
	}
	m.world.queues[q.ID] = &modelQueue{
		Queue:    q,
		groups:   make(map[string]*modelGroup),
		sends:    make(map[string]modelSend),
		attempts: make(map[string]modelAttempt),
	}
	return engine.CreateQueueResult{Queue: copyQueue(q), Created: true}, nil
}

// slug makes a random slug.
func slug() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	var b [12]byte
	_, _ = rand.Read(b[:])
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return "que_" + string(b[:])
}

// named gives the queue that has the name, or nil.
func (m *Model) named(name engine.QueueName) *modelQueue {
	for _, q := range m.world.queues {
		if q.Name == name {
			return q
		}
	}
	return nil
}

// FindQueue gives the queue that has the name.
func (m *Model) FindQueue(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	if _, err := m.begin(ctx); err != nil {
		return nil, err
	}
	q := m.named(name)
	if q == nil {
		return nil, fail(engine.QueueNotFound, "no queue has that name")
	}
	return copyQueue(q.Queue), nil
}

// ListQueues gives one page of a namespace's queues.
func (m *Model) ListQueues(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	if _, err := m.begin(ctx); err != nil {
		return engine.ListQueuesResult{}, err
	}
	var all []*engine.Queue
	for _, q := range m.world.queues {
		if q.Name.Namespace == p.Namespace && strings.HasPrefix(q.Name.Name, p.Prefix) && q.Name.Name > p.After {
			all = append(all, copyQueue(q.Queue))
		}
	}
	slices.SortFunc(all, func(a, b *engine.Queue) int { return cmp.Compare(a.Name.Name, b.Name.Name) })
	n := min(p.Limit, len(all))
	return engine.ListQueuesResult{Queues: all[:n], More: n < len(all)}, nil
}

// UpdateQueue changes settings and tags.
func (m *Model) UpdateQueue(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return nil, err
	}
	changed := copyQueue(q.Queue)
	if err := p.Change(changed); err != nil {
		return nil, err
	}
	report := m.settled(q, now)
	q.Settings = copySettings(changed.Settings)
	q.Tags = maps.Clone(changed.Tags)
	if q.Kind == engine.FIFO {
		m.relay(q, now)
		report.Ready, report.Due = len(q.inLine(nil, now)), q.next(now)
	}
	m.tell(report)
	if p.Touch {
		q.Modified = now
	}
	return copyQueue(q.Queue), nil
}

// DeleteQueue removes the queue and all its messages.
func (m *Model) DeleteQueue(ctx context.Context, p engine.DeleteQueueParams) error {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return err
	}
	delete(m.world.queues, q.ID)
	m.world.moves = slices.DeleteFunc(m.world.moves, func(t *modelMove) bool { return t.queue == q.ID })
	m.world.deleted[q.Name] = now
	m.tell(engine.Report{Queue: q.ID, Deleted: true})
	return nil
}

// PurgeQueue removes all messages of the queue.
func (m *Model) PurgeQueue(ctx context.Context, p engine.PurgeQueueParams) error {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, p.Queue)
	if err != nil {
		return err
	}
	if !q.purged.IsZero() && now.Sub(q.purged) < p.Cooldown {
		return fail(engine.PurgeInProgress, "the last purge is too recent")
	}
	held := 0
	for _, msg := range q.messages {
		if msg.place == inFlight {
			held++
		}
	}
	q.messages = nil
	clear(q.groups)
	clear(q.sends)
	clear(q.attempts)
	q.purged = now
	m.tell(engine.Report{Queue: q.ID, Ready: held})
	return nil
}

// Counts gives the sizes of a queue.
func (m *Model) Counts(ctx context.Context, queue engine.QueueID) (engine.Counts, error) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	q, now, err := m.queue(ctx, queue)
	if err != nil {
		return engine.Counts{}, err
	}
	m.tell(m.settled(q, now))
	var c engine.Counts
	for _, msg := range q.messages {
		if q.over(msg, now) {
			continue
		}
		switch msg.place {
		case visible:
			c.Visible++
		case delayed:
			c.Delayed++
		case inFlight:
			c.InFlight++
		}
		c.Oldest = earlier(c.Oldest, msg.sent)
	}
	return c, nil
}
