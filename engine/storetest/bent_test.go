package storetest

import (
	"context"

	"queues/engine"
)

func (b *bent) CreateQueue(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
	if b.create != nil {
		return b.create(ctx, p)
	}
	return b.Model.CreateQueue(ctx, p)
}

func (b *bent) FindQueue(ctx context.Context, name engine.QueueName) (*engine.Queue, error) {
	if b.find != nil {
		return b.find(ctx, name)
	}
	return b.Model.FindQueue(ctx, name)
}

func (b *bent) ListQueues(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
	if b.list != nil {
		return b.list(ctx, p)
	}
	return b.Model.ListQueues(ctx, p)
}

func (b *bent) UpdateQueue(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
	if b.update != nil {
		return b.update(ctx, p)
	}
	return b.Model.UpdateQueue(ctx, p)
}

func (b *bent) DeleteQueue(ctx context.Context, p engine.DeleteQueueParams) error {
	if b.deleteFunc != nil {
		return b.deleteFunc(ctx, p)
	}
	return b.Model.DeleteQueue(ctx, p)
}

func (b *bent) PurgeQueue(ctx context.Context, p engine.PurgeQueueParams) error {
	if b.purge != nil {
		return b.purge(ctx, p)
	}
	return b.Model.PurgeQueue(ctx, p)
}

func (b *bent) Counts(ctx context.Context, id engine.QueueID) (engine.Counts, error) {
	if b.counts != nil {
		return b.counts(ctx, id)
	}
	return b.Model.Counts(ctx, id)
}

func (b *bent) Send(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
	if b.send != nil {
		return b.send(ctx, p)
	}
	return b.Model.Send(ctx, p)
}

func (b *bent) Receive(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
	if b.receive != nil {
		return b.receive(ctx, p)
	}
	return b.Model.Receive(ctx, p)
}

func (b *bent) Release(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
	if b.release != nil {
		return b.release(ctx, id, refs)
	}
	return b.Model.Release(ctx, id, refs)
}

func (b *bent) Acknowledge(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
	if b.ack != nil {
		return b.ack(ctx, p)
	}
	return b.Model.Acknowledge(ctx, p)
}

func (b *bent) ChangeVisibility(ctx context.Context, p engine.ChangeVisibilityParams) ([]error, error) {
	if b.change != nil {
		return b.change(ctx, p)
	}
	return b.Model.ChangeVisibility(ctx, p)
}

func (b *bent) Sweep(ctx context.Context) (engine.SweepResult, error) {
	if b.sweep != nil {
		return b.sweep(ctx)
	}
	return b.Model.Sweep(ctx)
}

func (b *bent) Close() error {
	if b.closing != nil {
		b.closing()
	}
	return b.Model.Close()
}

func (b *bent) ListSources(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	if b.sources != nil {
		return b.sources(ctx, p)
	}
	return b.Model.ListSources(ctx, p)
}

func (b *bent) StartMove(ctx context.Context, p engine.StartMoveParams) (engine.MoveTask, error) {
	if b.startMove != nil {
		return b.startMove(ctx, p)
	}
	return b.Model.StartMove(ctx, p)
}

func (b *bent) CancelMove(ctx context.Context, p engine.CancelMoveParams) (engine.MoveTask, error) {
	if b.cancelMove != nil {
		return b.cancelMove(ctx, p)
	}
	return b.Model.CancelMove(ctx, p)
}

func (b *bent) ListMoves(ctx context.Context, p engine.ListMovesParams) ([]engine.MoveTask, error) {
	if b.listMoves != nil {
		return b.listMoves(ctx, p)
	}
	return b.Model.ListMoves(ctx, p)
}

func (b *bent) Move(ctx context.Context) (engine.SweepResult, error) {
	if b.move != nil {
		return b.move(ctx)
	}
	return b.Model.Move(ctx)
}

// receiving bends a queue before a receive, and what it gives and leaves after
// it.
func (b *bent) receiving(bend func(q *modelQueue, p *engine.ReceiveParams) (after func(r *engine.ReceiveResult))) {
	b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
		var after func(r *engine.ReceiveResult)
		b.inside(p.Queue, func(q *modelQueue) { after = bend(q, &p) })
		r, err := b.Model.Receive(ctx, p)
		if after != nil && err == nil {
			b.inside(p.Queue, func(*modelQueue) { after(&r) })
		}
		return r, err
	}
}

// eachBefore bends every message before a receive.
func (b *bent) eachBefore(bend func(q *modelQueue, msg *modelMessage)) {
	b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
		for _, msg := range q.messages {
			bend(q, msg)
		}
		return nil
	})
}

// arrivals bends what arrived in another queue by a receive or by a step of the
// move tasks.
func (b *bent) arrivals(bend func(q *modelQueue, msg *modelMessage)) {
	b.receiving(func(*modelQueue, *engine.ReceiveParams) func(*engine.ReceiveResult) {
		before := b.world.arrivals
		return func(*engine.ReceiveResult) { b.bendArrived(before, bend) }
	})
	b.move = func(ctx context.Context) (engine.SweepResult, error) {
		b.world.mu.Lock()
		before := b.world.arrivals
		b.world.mu.Unlock()
		r, err := b.Model.Move(ctx)
		b.world.mu.Lock()
		defer b.world.mu.Unlock()
		b.bendArrived(before, bend)
		return r, err
	}
}

func (b *bent) bendArrived(before uint64, bend func(q *modelQueue, msg *modelMessage)) {
	for _, q := range b.world.queues {
		for _, msg := range q.messages {
			if msg.arrival > before {
				bend(q, msg)
			}
		}
	}
}

// quietly takes the promises out of the reports of a call.
func (b *bent) quietly(call func() error) error {
	b.mu.Lock()
	b.quiet = true
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.quiet = false
		b.mu.Unlock()
	}()
	return call()
}

// hush makes reports that can be silenced.
func (b *bent) hush() {
	b.reports = func(r engine.Report) engine.Report {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.quiet {
			r.Ready = 0
		}
		return r
	}
}
