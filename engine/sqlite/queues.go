package sqlite

import (
	"context"
	"crypto/rand"

	"github.com/google/uuid"

	"queues/engine"
)

const (
	queueColumns   = `number, id, slug, account, region, name, kind, created, modified, purged, settings, tags, dedup_per_group`
	insertQueueSQL = `INSERT INTO queues (` + queueColumns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)`
	updateQueueSQL = `UPDATE queues SET modified = ?2, settings = ?3, tags = ?4 WHERE number = ?1`
	purgeQueueSQL  = `UPDATE queues SET purged = ?2 WHERE number = ?1`
	removeQueueSQL = `DELETE FROM queues WHERE number = ?`

	findNameSQL   = `SELECT deleted FROM dropped_names WHERE account = ? AND region = ? AND name = ?`
	forgetNameSQL = `DELETE FROM dropped_names WHERE account = ? AND region = ? AND name = ?`
	dropNameSQL   = `REPLACE INTO dropped_names (account, region, name, deleted) VALUES (?, ?, ?, ?)`
	trimNamesSQL  = `DELETE FROM dropped_names WHERE number <= (SELECT max(number) FROM dropped_names) - 100000`
)

// CreateQueue makes a queue, or finds the one that has the name.
func (s *Store) CreateQueue(ctx context.Context, p engine.CreateQueueParams) (engine.CreateQueueResult, error) {
	if err := s.enter(ctx); err != nil {
		return engine.CreateQueueResult{}, err
	}
	defer s.calls.Done()
	id, err := uuid.NewRandom()
	if err != nil {
		return engine.CreateQueueResult{}, &engine.Error{Code: engine.Internal, Text: "no random bytes for a queue id", Err: err}
	}
	made := &engine.Queue{
		ID: engine.QueueID(id), Slug: newSlug(), Name: p.Name, Kind: p.Kind, DedupPerGroup: p.Kind == engine.FIFO && p.DedupPerGroup,
		Settings: copySettings(p.Settings), Tags: copyMap(p.Tags),
	}
	var r engine.CreateQueueResult
	err = s.do(ctx, &request{name: "the creation of a queue", run: func(t *tx) error {
		if q := t.w.byName[p.Name]; q != nil {
			r = engine.CreateQueueResult{Queue: q.snapshot}
			return nil
		}
		// A copy for each run: a snapshot is never changed.
		snapshot := *made
		snapshot.Created, snapshot.Modified = fromMS(t.now), fromMS(t.now)
		r = engine.CreateQueueResult{Queue: &snapshot, Created: true}
		return t.createQueue(&snapshot, spanMS(p.Cooldown), p.MaxQueues)
	}})
	if err != nil {
		return engine.CreateQueueResult{}, err
	}
	return r, nil
}

func (t *tx) createQueue(snapshot *engine.Queue, cooldown int64, limit int) error {
	w, name := t.w, snapshot.Name
	if err := t.room(); err != nil {
		return err
	}
	dropped := int64(-1)
	err := t.run(w.findName, func(r row) error { dropped = r.int(0); return nil }, name.Account, name.Region, name.Name)
	if err != nil {
		return err
	}
	if dropped >= 0 && t.now-dropped < cooldown {
		return &engine.Error{Code: engine.QueueDeletedRecently, Text: "a queue of that name was deleted a moment ago"}
	}
	if limit > 0 && len(w.byID) >= limit {
		return &engine.Error{Code: engine.TooManyQueues, Text: "there are as many queues as there may be; delete some"}
	}
	q := &queue{number: w.nextNumber, epoch: w.nextNumber, snapshot: snapshot, index: -1}
	w.nextNumber++
	q.guess()
	perGroup := int64(0)
	if snapshot.DedupPerGroup {
		perGroup = 1
	}
	settings, tags, err := encodeSettings(snapshot)
	if err != nil {
		return err
	}
	t.undo = append(t.undo, func() {
		q.deleted = true
		delete(w.byID, snapshot.ID)
		delete(w.byName, name)
	})
	t.touch(q)
	if dropped >= 0 {
		if err := t.run(w.forgetName, nil, name.Account, name.Region, name.Name); err != nil {
			return err
		}
	}
	err = t.run(w.insertQueue, nil, q.number, snapshot.ID[:], snapshot.Slug, name.Account, name.Region, name.Name,
		int64(snapshot.Kind), t.now, t.now, settings, tags, perGroup)
	if err != nil {
		return err
	}
	w.byID[snapshot.ID], w.byName[name] = q, q
	t.publish = append(t.publish, func() { w.store.registry.put(snapshot) })
	return nil
}

// newSlug makes "que_" and 12 random characters.
func newSlug() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, 0, 12)
	for len(b) < cap(b) {
		var random [16]byte
		_, _ = rand.Read(random[:]) // never fails
		for _, r := range random {
			// Without the bias of a plain remainder.
			if int(r) < 256/len(letters)*len(letters) && len(b) < cap(b) {
				b = append(b, letters[int(r)%len(letters)])
			}
		}
	}
	return "que_" + string(b)
}

// DeleteQueue removes the queue and all its messages.
func (s *Store) DeleteQueue(ctx context.Context, p engine.DeleteQueueParams) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.do(ctx, &request{name: "the deletion of a queue", run: func(t *tx) error {
		q, err := t.queue(p.Queue)
		if err != nil {
			return err
		}
		return t.deleteQueue(q)
	}})
}

func (t *tx) deleteQueue(q *queue) error {
	w, name := t.w, q.snapshot.Name
	t.touch(q)
	if err := t.dropEpoch(q); err != nil {
		return err
	}
	if err := t.run(w.removeQueue, nil, q.number); err != nil {
		return err
	}
	if err := t.run(w.removeState, nil, q.number); err != nil {
		return err
	}
	if err := t.run(w.removeMoves, nil, q.number); err != nil {
		return err
	}
	if err := t.run(w.dropName, nil, name.Account, name.Region, name.Name, t.now); err != nil {
		return err
	}
	if err := t.run(w.trimNames, nil); err != nil {
		return err
	}
	q.deleted, q.report.Deleted = true, true
	delete(w.byID, q.snapshot.ID)
	delete(w.byName, name)
	t.undo = append(t.undo, func() {
		q.deleted = false
		w.byID[q.snapshot.ID], w.byName[name] = q, q
	})
	t.publish = append(t.publish, func() { w.store.registry.remove(name) })
	return nil
}

// dropEpoch leaves the rows of a queue to the sweeper.
func (t *tx) dropEpoch(q *queue) error {
	if err := t.putGroups(); err != nil {
		return err
	}
	if q.rows() == 0 && !q.fifo() {
		return nil
	}
	t.w.garbage = true
	return t.run(t.w.addGarbage, nil, q.epoch)
}

// PurgeQueue removes all messages of a queue: the queue goes on under another
// epoch.
func (s *Store) PurgeQueue(ctx context.Context, p engine.PurgeQueueParams) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.do(ctx, &request{name: "a purge", run: func(t *tx) error {
		q, err := t.queue(p.Queue)
		if err != nil {
			return err
		}
		if q.purged > 0 && t.now-q.purged < spanMS(p.Cooldown) {
			return &engine.Error{Code: engine.PurgeInProgress, Text: "the queue was purged a moment ago"}
		}
		return t.purge(q)
	}})
}

func (t *tx) purge(q *queue) error {
	t.touch(q)
	if err := t.dropEpoch(q); err != nil {
		return err
	}
	if err := t.run(t.w.purgeQueue, nil, q.number, t.now); err != nil {
		return err
	}
	if q.count[inFlight] > 0 {
		t.ready(q, 1) // room under an in-flight limit
	}
	before := q.purged
	t.undo = append(t.undo, func() { q.purged = before })
	q.purged = t.now
	q.epoch, q.cursor, q.cut, q.count, q.moved, q.groups = t.w.nextNumber, 0, 0, [classes]int64{}, 0, 0
	t.w.nextNumber++
	q.guess()
	return nil
}
