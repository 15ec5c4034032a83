package storetest

import (
	"context"
	"strings"
	"time"

	"queues/engine"
)

// queueFaults are faults in the calls about queues.
func queueFaults() []brokenStore {
	return []brokenStore{
		{"CreateChangesTheExisting", "Queues", true, func(b *bent) {
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				r, err := b.Model.CreateQueue(ctx, p)
				if err == nil && !r.Created {
					b.inside(r.Queue.ID, func(q *modelQueue) { q.Settings = copySettings(p.Settings) })
				}
				return r, err
			}
		}},
		{"CreateKeepsTheCallersMaps", "Queues", false, func(b *bent) {
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				r, err := b.Model.CreateQueue(ctx, p)
				if err == nil && r.Created {
					b.inside(r.Queue.ID, func(q *modelQueue) { q.Tags = p.Tags })
				}
				return r, err
			}
		}},
		{"CreateIgnoresTheCooldown", "Queues", true, func(b *bent) {
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				p.Cooldown = 0
				return b.Model.CreateQueue(ctx, p)
			}
		}},
		{"CooldownOneTickLong", "Queues", false, func(b *bent) {
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				if p.Cooldown > 0 {
					p.Cooldown += time.Millisecond
				}
				return b.Model.CreateQueue(ctx, p)
			}
		}},
		{"CooldownHidesTheExisting", "Queues", false, func(b *bent) {
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				b.world.mu.Lock()
				at, deleted := b.world.deleted[p.Name]
				b.world.mu.Unlock()
				if deleted && b.clock.Now().Sub(at) < p.Cooldown {
					return engine.CreateQueueResult{}, fail(engine.QueueDeletedRecently, "blocked")
				}
				return b.Model.CreateQueue(ctx, p)
			}
		}},
		{"RecreatedKeepsMessages", "Queues", true, func(b *bent) {
			dead := make(map[engine.QueueName][]*modelMessage)
			b.deleteFunc = func(ctx context.Context, p engine.DeleteQueueParams) error {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.inside(p.Queue, func(q *modelQueue) { dead[q.Name] = q.messages })
				return b.Model.DeleteQueue(ctx, p)
			}
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				r, err := b.Model.CreateQueue(ctx, p)
				if err == nil && r.Created {
					b.mu.Lock()
					defer b.mu.Unlock()
					b.inside(r.Queue.ID, func(q *modelQueue) { q.messages = dead[p.Name] })
				}
				return r, err
			}
		}},
		{"FindSeesDeletedQueues", "Queues", true, func(b *bent) {
			seen := make(map[engine.QueueName]*engine.Queue)
			b.find = func(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				q, err := b.Model.FindQueue(ctx, name)
				if err == nil {
					seen[name] = q
				}
				if old := seen[name]; err != nil && old != nil {
					return old, nil
				}
				return q, err
			}
		}},
		{"FindSeesOldSettings", "Update", true, func(b *bent) {
			seen := make(map[engine.QueueID]*engine.Queue)
			b.find = func(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				q, err := b.Model.FindQueue(ctx, name)
				if err != nil {
					return q, err
				}
				if old := seen[q.ID]; old != nil {
					return old, nil
				}
				seen[q.ID] = q
				return q, nil
			}
		}},
		{"FindFoldsCase", "Queues", false, func(b *bent) {
			b.find = func(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
				q, err := b.Model.FindQueue(ctx, name)
				if err != nil {
					name.Name = strings.ToLower(name.Name)
					return b.Model.FindQueue(ctx, name)
				}
				return q, err
			}
		}},
		{"FindIgnoresTheRegion", "Queues", true, func(b *bent) {
			b.find = func(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
				q, err := b.Model.FindQueue(ctx, name)
				if err != nil {
					name.Region = "us-east-1"
					return b.Model.FindQueue(ctx, name)
				}
				return q, err
			}
		}},
		{"ListTakesWildcards", "Lists", true, func(b *bent) {
			b.list = func(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
				p.Prefix, _, _ = strings.Cut(p.Prefix, "_")
				return b.Model.ListQueues(ctx, p)
			}
		}},
		{"ListFoldsCase", "Lists", false, func(b *bent) {
			b.list = func(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
				p.Prefix = strings.ToLower(p.Prefix)
				return b.Model.ListQueues(ctx, p)
			}
		}},
		{"ListSaysMoreOnAFullPage", "Lists", true, func(b *bent) {
			b.list = func(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
				r, err := b.Model.ListQueues(ctx, p)
				r.More = len(r.Queues) == p.Limit
				return r, err
			}
		}},
		{"ListRepeatsTheLast", "Lists", true, func(b *bent) {
			b.list = func(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
				if n := len(p.After); n > 0 {
					p.After = p.After[:n-1]
				}
				return b.Model.ListQueues(ctx, p)
			}
		}},
		{"FailedUpdateLeavesTags", "Update", true, func(b *bent) {
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				change := p.Change
				p.Change = func(q *engine.Queue) error {
					err := change(q)
					b.world.queues[p.Queue].Tags = q.Tags
					return err
				}
				return b.Model.UpdateQueue(ctx, p)
			}
		}},
		{"PanickedUpdateLeavesSettings", "Update", false, func(b *bent) {
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				change := p.Change
				p.Change = func(q *engine.Queue) error {
					defer func() {
						if r := recover(); r != nil {
							b.world.queues[p.Queue].Settings = q.Settings
							panic(r)
						}
					}()
					return change(q)
				}
				return b.Model.UpdateQueue(ctx, p)
			}
		}},
		{"UpdateWrapsTheError", "Update", false, func(b *bent) {
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				q, err := b.Model.UpdateQueue(ctx, p)
				if err != nil && engine.ErrorCode(err) == engine.Internal {
					err = &engine.Error{Code: engine.Internal, Err: err}
				}
				return q, err
			}
		}},
		{"UpdateTakesIdentity", "Update", false, func(b *bent) {
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				change := p.Change
				p.Change = func(q *engine.Queue) error {
					err := change(q)
					b.world.queues[p.Queue].Created = q.Created
					return err
				}
				return b.Model.UpdateQueue(ctx, p)
			}
		}},
		{"UpdateAlwaysTouches", "Update", true, func(b *bent) {
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				p.Touch = true
				return b.Model.UpdateQueue(ctx, p)
			}
		}},
		{"UpdateNeverTouches", "Update", true, func(b *bent) {
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				p.Touch = false
				return b.Model.UpdateQueue(ctx, p)
			}
		}},
		{"SnapshotsChange", "Update", false, func(b *bent) {
			b.find = func(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
				if _, err := b.Model.FindQueue(ctx, name); err != nil {
					return nil, err
				}
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				return b.named(name).Queue, nil
			}
		}},
		{"CountsOfADeletedQueue", "Queues", true, func(b *bent) {
			b.counts = func(ctx context.Context, id engine.QueueID) (engine.Counts, error) {
				c, err := b.Model.Counts(ctx, id)
				if err != nil && engine.ErrorCode(err) == engine.QueueNotFound {
					return c, nil
				}
				return c, err
			}
		}},
	}
}
