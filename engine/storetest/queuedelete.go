package storetest

import (
	"context"
	"testing"
	"time"

	"queues/engine"
)

func testDelete(t testing.TB, e *env) {
	q, other := e.create("q"), e.create("other")
	e.send(q, "a b c")
	e.send(other, "x")
	held := e.receive(q, 1)
	e.find(named("q"))
	e.delete(q)
	_, err := e.store.FindQueue(t.Context(), named("q"))
	e.wantCode("FindQueue", err, engine.QueueNotFound)
	err = e.store.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: q.ID})
	e.wantCode("a second DeleteQueue", err, engine.QueueNotFound)
	e.drain()
	e.ack(other, engine.StaleFails, refsOf(held), int(engine.InvalidReceipt))
	e.expect(other, "x")
}

// queueCalls are all calls that take the id of a queue.
func queueCalls(id engine.QueueID, ref engine.Ref) map[string]func(context.Context, engine.Store) error {
	return map[string]func(context.Context, engine.Store) error{
		"UpdateQueue": func(ctx context.Context, s engine.Store) error {
			_, err := s.UpdateQueue(ctx, engine.UpdateQueueParams{Queue: id, Change: func(*engine.Queue) error { return nil }})
			return err
		},
		"DeleteQueue": func(ctx context.Context, s engine.Store) error {
			return s.DeleteQueue(ctx, engine.DeleteQueueParams{Queue: id})
		},
		"PurgeQueue": func(ctx context.Context, s engine.Store) error {
			return s.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: id})
		},
		"Counts": func(ctx context.Context, s engine.Store) error {
			_, err := s.Counts(ctx, id)
			return err
		},
		"Send": func(ctx context.Context, s engine.Store) error {
			_, err := s.Send(ctx, engine.SendParams{Queue: id, Messages: []engine.NewMessage{message("late")}})
			return err
		},
		"Receive": func(ctx context.Context, s engine.Store) error {
			_, err := s.Receive(ctx, engine.ReceiveParams{Queue: id, Max: 1})
			return err
		},
		"Release": func(ctx context.Context, s engine.Store) error {
			return s.Release(ctx, id, []engine.Ref{ref})
		},
		"Acknowledge": func(ctx context.Context, s engine.Store) error {
			_, err := s.Acknowledge(ctx, engine.AcknowledgeParams{Queue: id, Refs: []engine.Ref{ref}})
			return err
		},
		"ChangeVisibility": func(ctx context.Context, s engine.Store) error {
			_, err := s.ChangeVisibility(ctx, engine.ChangeVisibilityParams{
				Queue: id, Changes: []engine.Change{{Ref: ref, Timeout: time.Second}},
			})
			return err
		},
		"StartMove": func(ctx context.Context, s engine.Store) error {
			_, err := s.StartMove(ctx, engine.StartMoveParams{Source: id})
			return err
		},
		"CancelMove": func(ctx context.Context, s engine.Store) error {
			_, err := s.CancelMove(ctx, engine.CancelMoveParams{Source: id, Task: engine.MoveID{1}})
			return err
		},
		"ListMoves": func(ctx context.Context, s engine.Store) error {
			_, err := s.ListMoves(ctx, engine.ListMovesParams{Source: id, Limit: 1})
			return err
		},
	}
}

func testCallsOnDeleted(t testing.TB, e *env) {
	deleted, renewed := e.create("deleted"), e.create("renewed")
	e.send(deleted, "a")
	e.send(renewed, "a")
	ref, renewedRef := e.one(deleted, "a").Ref, e.one(renewed, "a").Ref
	e.delete(deleted)
	e.delete(renewed)
	heir := e.create("renewed")
	e.send(heir, "mine")

	for name, call := range queueCalls(deleted.ID, ref) {
		e.wantCode(name+" on a deleted queue", call(t.Context(), e.store), engine.QueueNotFound)
	}
	for name, call := range queueCalls(renewed.ID, renewedRef) {
		e.wantCode(name+" on a queue whose name has a new owner", call(t.Context(), e.store), engine.QueueNotFound)
	}
	for name, call := range queueCalls(engine.QueueID{1, 2, 3}, ref) {
		e.wantCode(name+" on a queue that never was", call(t.Context(), e.store), engine.QueueNotFound)
	}
	e.expect(heir, "mine")
}

// createWith makes a queue under a cooldown.
func (e *env) createWith(name string, cooldown time.Duration) (engine.CreateQueueResult, error) {
	return e.store.CreateQueue(e.t.Context(), engine.CreateQueueParams{
		Name: named(name), Settings: defaults(), Cooldown: cooldown,
	})
}

func testDeleteCooldown(t testing.TB, e *env) {
	const cooldown = time.Minute
	elsewhere := engine.QueueName{Namespace: engine.Namespace{Account: home.Account, Region: "eu-west-1"}, Name: "q"}
	e.delete(e.create("q"))

	_, err := e.createWith("q", cooldown)
	e.wantCode("CreateQueue at once", err, engine.QueueDeletedRecently)
	if r, err := e.createWith("other", cooldown); err != nil || !r.Created {
		t.Fatalf("another name is blocked: %v", err)
	}
	if _, err := e.store.CreateQueue(t.Context(), engine.CreateQueueParams{
		Name: elsewhere, Settings: defaults(), Cooldown: cooldown,
	}); err != nil {
		t.Fatalf("the name is blocked in another region: %v", err)
	}
	_, err = e.store.FindQueue(t.Context(), named("q"))
	e.wantCode("FindQueue after a refused CreateQueue", err, engine.QueueNotFound)

	e.clock.Advance(cooldown - time.Millisecond)
	e.drain()
	_, err = e.createWith("q", cooldown)
	e.wantCode("CreateQueue just before the end", err, engine.QueueDeletedRecently)
	_, err = e.createWith("q", 2*cooldown)
	e.wantCode("CreateQueue with a longer rule", err, engine.QueueDeletedRecently)

	e.clock.Advance(time.Millisecond)
	if r, err := e.createWith("q", cooldown); err != nil || !r.Created {
		t.Fatalf("CreateQueue when the cooldown is over: %v, created %v", err, r.Created)
	}
}

func testCooldownExisting(t testing.TB, e *env) {
	e.delete(e.create("q"))
	r, err := e.createWith("q", 0)
	if err != nil || !r.Created {
		t.Fatalf("CreateQueue without a rule: %v, created %v", err, r.Created)
	}
	again, err := e.createWith("q", time.Minute)
	if err != nil || again.Created || again.Queue.ID != r.Queue.ID {
		t.Fatalf("CreateQueue of an existing queue: %v, created %v", err, again.Created)
	}
	e.delete(r.Queue)
	_, err = e.createWith("q", time.Minute)
	e.wantCode("CreateQueue after the second deletion", err, engine.QueueDeletedRecently)
}

func testRecreated(t testing.TB, e *env) {
	old := e.create("q", func(p *engine.CreateQueueParams) { p.Tags = map[string]string{"k": "v"} })
	e.send(old, "a b c")
	e.sendLater(old, time.Minute, "d")
	held := e.receive(old, 2)
	e.purge(old)
	e.send(old, "e f")
	held = append(held, e.receive(old, 1)...)
	e.delete(old)

	q := e.create("q")
	if q.ID == old.ID || q.Slug == old.Slug {
		t.Error("the new queue has the old one's identity")
	}
	if len(e.find(named("q")).Tags) != 0 {
		t.Error("the new queue has the old one's tags")
	}
	if c := e.countsNow(q); c != (engine.Counts{}) {
		t.Errorf("the new queue is not empty: %+v", c)
	}
	e.send(q, "x y z")
	fresh := e.receive(q, 1)
	invalid := int(engine.InvalidReceipt)
	for _, rule := range []engine.StaleRule{engine.StaleFails, engine.StaleIgnored, engine.StaleActs} {
		e.ack(q, rule, refsOf(held), invalid, invalid, invalid)
		e.change(q, rule, 0, refsOf(held), invalid, invalid, invalid)
	}
	e.release(q, refsOf(held)...)
	e.clock.Advance(2 * time.Minute)
	e.drain()
	e.expect(q, "x y z")
	e.ack(q, engine.StaleFails, refsOf(fresh), int(engine.StaleReceipt))
}

func testClose(t testing.TB, e *env) {
	q := e.create("q")
	e.send(q, "a b")
	ref := e.receive(q, 1)[0].Ref
	store := e.store
	e.finish()
	e.store = nil

	if err := store.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	calls := queueCalls(q.ID, ref)
	calls["CreateQueue"] = func(ctx context.Context, s engine.Store) error {
		_, err := s.CreateQueue(ctx, engine.CreateQueueParams{Name: named("new"), Settings: defaults()})
		return err
	}
	calls["FindQueue"] = func(ctx context.Context, s engine.Store) error {
		_, err := s.FindQueue(ctx, named("q"))
		return err
	}
	calls["ListQueues"] = func(ctx context.Context, s engine.Store) error {
		_, err := s.ListQueues(ctx, engine.ListQueuesParams{Namespace: home, Limit: 10})
		return err
	}
	calls["ListSources"] = func(ctx context.Context, s engine.Store) error {
		_, err := s.ListSources(ctx, engine.ListSourcesParams{Target: named("q"), Limit: 10})
		return err
	}
	calls["Move"] = func(ctx context.Context, s engine.Store) error {
		_, err := s.Move(ctx)
		return err
	}
	calls["Sweep"] = func(ctx context.Context, s engine.Store) error {
		_, err := s.Sweep(ctx)
		return err
	}
	calls["Health"] = func(ctx context.Context, s engine.Store) error { return s.Health(ctx) }
	for name, call := range calls {
		e.wantCode(name+" on a closed store", call(t.Context(), store), engine.Closed)
	}
}
