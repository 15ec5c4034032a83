package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"queues/engine"
)

// errNeighbour is what the failing calls among the good ones return.
var errNeighbour = errors.New("refused")

// failBeside makes one call that fails, each time in another way.
func (e *env) failBeside(q *engine.Queue, i int) error {
	ctx := e.t.Context()
	change := func(q *engine.Queue) error {
		q.Tags, q.Retention = map[string]string{"spoilt": "yes"}, time.Millisecond
		if i%5 == 0 {
			panic("in Change")
		}
		return errNeighbour
	}
	switch i % 5 {
	case 0, 1:
		err := func() (err error) {
			defer func() {
				if recover() != nil {
					err = errNeighbour
				}
			}()
			_, err = e.store.UpdateQueue(ctx, engine.UpdateQueueParams{Queue: q.ID, Touch: true, Change: change})
			return err
		}()
		if err == nil {
			return errors.New("UpdateQueue succeeded though Change failed")
		}
	case 2:
		_, err := e.store.Send(ctx, engine.SendParams{Queue: engine.QueueID{1}, Messages: []engine.NewMessage{message("stray")}})
		if err == nil || engine.ErrorCode(err) != engine.QueueNotFound {
			return fmt.Errorf("Send to no queue: %w", err)
		}
	case 3:
		err := e.store.PurgeQueue(ctx, engine.PurgeQueueParams{Queue: q.ID, Cooldown: time.Hour})
		if err == nil || engine.ErrorCode(err) != engine.PurgeInProgress {
			return fmt.Errorf("PurgeQueue within the cooldown: %w", err)
		}
	case 4:
		if _, err := e.createWith("deleted", time.Hour); err == nil || engine.ErrorCode(err) != engine.QueueDeletedRecently {
			return fmt.Errorf("CreateQueue within the cooldown: %w", err)
		}
	}
	return nil
}

// testConcurrentFailures mixes calls that fail with calls that succeed: a store
// that runs several in one transaction must keep them apart.
func testConcurrentFailures(t testing.TB, e *env) {
	const workers, rounds = 8, 50
	q := e.create("q")
	e.delete(e.create("deleted"))
	e.purge(q)
	last := make([]string, workers)
	e.parallel(workers, func(w int) error {
		for i := range rounds {
			if w%2 == 1 {
				if err := e.failBeside(q, i); err != nil {
					return err
				}
				continue
			}
			body := fmt.Sprintf("%d.%d", w, i)
			if _, err := e.store.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{message(body)}}); err != nil {
				return err
			}
			_, err := e.store.UpdateQueue(t.Context(), engine.UpdateQueueParams{Queue: q.ID, Change: func(q *engine.Queue) error {
				if q.Tags == nil {
					q.Tags = make(map[string]string)
				}
				q.Tags[fmt.Sprint(w)] = body
				return nil
			}})
			if err != nil {
				return err
			}
			last[w] = body
		}
		return nil
	})
	got := e.find(named("q"))
	if got.Retention != defaults().Retention || len(got.Tags) != workers/2 {
		t.Errorf("failing changes left something behind: %+v", got)
	}
	for w := 0; w < workers; w += 2 {
		if got.Tags[fmt.Sprint(w)] != last[w] {
			t.Errorf("the last change of goroutine %d is lost: %q, want %q", w, got.Tags[fmt.Sprint(w)], last[w])
		}
	}
	e.collect(q, workers/2*rounds)
	_, err := e.store.FindQueue(t.Context(), named("deleted"))
	e.wantCode("FindQueue", err, engine.QueueNotFound)
}
