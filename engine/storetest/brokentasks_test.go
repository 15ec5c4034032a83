package storetest

import (
	"context"
	"slices"
	"time"

	"queues/engine"
)

// taskFaults are faults in the life of move tasks.
func taskFaults() []brokenStore {
	// tasks bends the tasks after a step.
	tasks := func(b *bent, bend func(t *modelMove)) {
		b.move = func(ctx context.Context) (engine.SweepResult, error) {
			r, err := b.Model.Move(ctx)
			b.world.mu.Lock()
			defer b.world.mu.Unlock()
			for _, t := range b.world.moves {
				bend(t)
			}
			return r, err
		}
	}
	// started bends a task at its start.
	started := func(b *bent, bend func(t *modelMove)) {
		b.startMove = func(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
			task, err := b.Model.StartMove(ctx, p)
			if err != nil {
				return task, err
			}
			b.world.mu.Lock()
			defer b.world.mu.Unlock()
			t := b.world.moves[len(b.world.moves)-1]
			bend(t)
			return t.snapshot(), nil
		}
	}
	return []brokenStore{
		{"RateIgnored", "MovePace", true, func(b *bent) {
			tasks(b, func(t *modelMove) { t.next = time.Time{} })
			step := b.move
			b.move = func(ctx context.Context) (engine.SweepResult, error) {
				var r engine.SweepResult
				var err error
				for range 20 {
					r, err = step(ctx)
				}
				return r, err
			}
		}},
		{"RateMadeUpFor", "MovePace", false, func(b *bent) {
			b.move = func(ctx context.Context) (r engine.SweepResult, err error) {
				for range 5 {
					r, err = b.Model.Move(ctx)
					b.world.mu.Lock()
					for _, t := range b.world.moves {
						if t.Rate > 0 {
							t.next = t.Started.Add(time.Duration(t.Moved) * time.Second / time.Duration(t.Rate))
						}
					}
					b.world.mu.Unlock()
				}
				return r, err
			}
		}},
		{"RateTooSlow", "MovePace", false, func(b *bent) {
			started(b, func(t *modelMove) {
				if t.Rate > 0 {
					t.Rate = max(1, t.Rate/3)
				}
			})
		}},
		{"CancelIgnored", "MoveTasks", true, func(b *bent) {
			b.cancelMove = func(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
				task, err := b.Model.CancelMove(ctx, p)
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for _, t := range b.world.moves {
					if t.Status == engine.MoveCancelling {
						t.Status = engine.MoveRunning
					}
				}
				return task, err
			}
		}},
		{"CancelOfWhatHasEnded", "MoveTasks", true, func(b *bent) {
			b.cancelMove = func(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
				task, err := b.Model.CancelMove(ctx, p)
				if err != nil && engine.ErrorCode(err) == engine.MoveEnded {
					return task, nil
				}
				return task, err
			}
		}},
		{"CancelOfAnotherQueuesTask", "MoveTasks", false, func(b *bent) {
			b.cancelMove = func(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
				b.world.mu.Lock()
				for _, t := range b.world.moves {
					if t.ID == p.Task {
						p.Source = t.queue
					}
				}
				b.world.mu.Unlock()
				return b.Model.CancelMove(ctx, p)
			}
		}},
		{"TwoActiveTasks", "MoveTasks", false, func(b *bent) {
			b.startMove = func(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
				b.world.mu.Lock()
				was := make(map[*modelMove]engine.MoveStatus)
				for _, t := range b.world.moves {
					was[t] = t.Status
					t.Status = engine.MoveCompleted
				}
				b.world.mu.Unlock()
				task, err := b.Model.StartMove(ctx, p)
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				for t, status := range was {
					t.Status = status
				}
				return task, err
			}
		}},
		{"OneActiveTaskInAll", "MoveTasks", false, func(b *bent) {
			b.startMove = func(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
				b.world.mu.Lock()
				busy := slices.ContainsFunc(b.world.moves, func(t *modelMove) bool { return t.active() })
				b.world.mu.Unlock()
				if busy {
					return engine.MoveTask{}, fail(engine.MoveInProgress, "a task is active")
				}
				return b.Model.StartMove(ctx, p)
			}
		}},
		{"StartWithoutATarget", "MoveTasks", true, func(b *bent) {
			b.startMove = func(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
				task, err := b.Model.StartMove(ctx, p)
				if err != nil && engine.ErrorCode(err) == engine.QueueNotFound && p.Target != nil {
					p.Target = nil
					return b.Model.StartMove(ctx, p)
				}
				return task, err
			}
		}},
		{"MovedCountedTwice", "Moves", true, func(b *bent) {
			b.listMoves = func(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
				all, err := b.Model.ListMoves(ctx, p)
				for i := range all {
					all[i].Moved *= 2
				}
				return all, err
			}
		}},
		{"ToMoveCountsAll", "MovePace", true, func(b *bent) {
			started(b, func(t *modelMove) { t.ToMove = int64(len(b.world.queues[t.queue].messages)) })
		}},
		{"FailedIsCompleted", "Moves", true, func(b *bent) {
			tasks(b, func(t *modelMove) {
				if t.Status == engine.MoveFailed {
					t.Status = engine.MoveCompleted
				}
			})
		}},
		{"FailedForOneReason", "Moves", true, func(b *bent) {
			tasks(b, func(t *modelMove) {
				if t.Status == engine.MoveFailed {
					t.Failure = engine.TargetGone
				}
			})
		}},
		{"FailedLosesTheRest", "Moves", true, func(b *bent) {
			tasks(b, func(t *modelMove) {
				if q := b.world.queues[t.queue]; t.Status == engine.MoveFailed && q != nil {
					q.messages = slices.DeleteFunc(q.messages, func(msg *modelMessage) bool { return msg.sequence <= t.last })
				}
			})
		}},
		{"GoesOnAfterAFailure", "Moves", true, func(b *bent) {
			tasks(b, func(t *modelMove) {
				if t.Status == engine.MoveFailed {
					t.Status = engine.MoveRunning
				}
			})
		}},
		{"NeverEnds", "Moves", true, func(b *bent) {
			tasks(b, func(t *modelMove) {
				if t.Status == engine.MoveCompleted {
					t.Status = engine.MoveRunning
				}
			})
		}},
		{"AllTasksKept", "MoveTasks", false, func(b *bent) {
			b.listMoves = func(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
				if _, err := b.Model.ListMoves(ctx, p); err != nil {
					return nil, err
				}
				b.world.mu.Lock()
				defer b.world.mu.Unlock()
				var all []engine.MoveTask
				for _, t := range slices.Backward(b.world.moves) {
					if t.queue == p.Source && len(all) < p.Limit {
						all = append(all, t.snapshot())
					}
				}
				return all, nil
			}
		}},
		{"OldestTaskFirst", "MoveTasks", true, func(b *bent) {
			b.listMoves = func(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
				all, err := b.Model.ListMoves(ctx, p)
				slices.Reverse(all)
				return all, err
			}
		}},
		{"TasksOutliveTheirQueue", "MoveTasks", false, func(b *bent) {
			kept := make(map[engine.QueueName][]*modelMove)
			b.deleteFunc = func(ctx context.Context, p engine.DeleteQueueParams) error {
				b.inside(p.Queue, func(q *modelQueue) {
					for _, t := range b.world.moves {
						if t.queue == q.ID {
							kept[q.Name] = append(kept[q.Name], t)
						}
					}
				})
				return b.Model.DeleteQueue(ctx, p)
			}
			b.create = func(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
				r, err := b.Model.CreateQueue(ctx, p)
				if err == nil && r.Created {
					b.world.mu.Lock()
					defer b.world.mu.Unlock()
					for _, t := range kept[p.Name] {
						t.queue = r.Queue.ID
						b.world.moves = append(b.world.moves, t)
					}
				}
				return r, err
			}
		}},
		{"RestartForgetsTasks", "ReopenFIFO", true, func(b *bent) {
			b.reopened = func(m *Model) { m.world.moves = nil }
		}},
		{"RestartBeginsTasksAnew", "ReopenFIFO", true, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, t := range m.world.moves {
					t.last, t.Moved = m.world.queues[t.queue].sequence, 0
				}
			}
		}},
		{"RestartForgetsWhatHadArrived", "ReopenFIFO", false, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, t := range m.world.moves {
					t.last = m.world.queues[t.queue].sequence
				}
			}
		}},
		{"RestartForgetsCancels", "ReopenFIFO", false, func(b *bent) {
			b.reopened = func(m *Model) {
				for _, t := range m.world.moves {
					if t.Status == engine.MoveCancelling {
						t.Status = engine.MoveRunning
					}
				}
			}
		}},
	}
}
