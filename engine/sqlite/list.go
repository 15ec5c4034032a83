package sqlite

import (
	"bytes"
	"context"
	"fmt"

	"queues/engine"
)

const (
	listQueuesSQL = `SELECT ` + queueColumns + ` FROM queues
		WHERE account = ? AND region = ? AND name >= ? AND name < ? ORDER BY name LIMIT ?`
	loadQueuesSQL = `SELECT ` + queueColumns + `, epoch, cursor, cut, fresh, delayed, in_flight, again, late, moved, fair_groups
		FROM queues JOIN queue_state USING (number)`
)

// ListQueues gives one page of a namespace's queues.
func (s *Store) ListQueues(ctx context.Context, p engine.ListQueuesParams) (engine.ListQueuesResult, error) {
	if err := s.enter(ctx); err != nil {
		return engine.ListQueuesResult{}, err
	}
	defer s.calls.Done()
	limit := max(1, p.Limit)
	// Both ends in the index, so that nothing is read that is not returned. The
	// first text behind another is the same with a zero byte.
	start := max(p.Prefix, p.After+"\x00")
	if p.After == "" {
		start = p.Prefix
	}
	end := prefixEnd(p.Prefix)
	return s.listPage(limit, func(rd *reader) *stmt { return rd.list },
		p.Account, p.Region, start, end, int64(limit)+1)
}

// listPage gives a page of queues from a statement that reads one more.
func (s *Store) listPage(limit int, list func(*reader) *stmt, args ...any) (engine.ListQueuesResult, error) {
	var r engine.ListQueuesResult
	err := s.readers.with(func(rd *reader) error {
		return list(rd).run(func(row row) error {
			if len(r.Queues) == limit {
				r.More = true
				return nil
			}
			// To decode the settings of the row takes most of a list's time.
			q := s.registry.find(rowName(row))
			if q == nil || !bytes.Equal(q.ID[:], row.blob(1)) {
				var err error
				if q, err = readQueue(row); err != nil {
					return err
				}
			}
			r.Queues = append(r.Queues, q)
			return nil
		}, args...)
	})
	if err != nil {
		return engine.ListQueuesResult{}, unavailable(err)
	}
	return r, nil
}

// prefixEnd gives the first text behind all that begin with prefix.
func prefixEnd(prefix string) string {
	b := []byte(prefix)
	for len(b) > 0 {
		last := len(b) - 1
		if b[last] < 0xff {
			b[last]++
			return string(b)
		}
		b = b[:last]
	}
	return "\xff\xff" // behind every UTF-8 text
}

// rowName gives the name of a queue from its columns.
func rowName(r row) engine.QueueName {
	return engine.QueueName{Namespace: engine.Namespace{Account: r.text(3), Region: r.text(4)}, Name: r.text(5)}
}

// readQueue makes a snapshot from the columns of a queue.
func readQueue(r row) (*engine.Queue, error) {
	q := &engine.Queue{
		Slug: r.text(2), Name: rowName(r),
		Kind: engine.Kind(r.int(6)), DedupPerGroup: r.int(12) != 0,
		Created: fromMS(r.int(7)), Modified: fromMS(r.int(8)),
	}
	if copy(q.ID[:], r.blob(1)) != len(q.ID) {
		return q, fmt.Errorf("queue %d has no id", r.int(0))
	}
	if err := decodeSettings(r.text(10), r.text(11), q); err != nil {
		return q, fmt.Errorf("queue %s: %w", q.ID, err)
	}
	return q, nil
}

// loadAll reads everything that is kept in memory: nothing for each message.
func (w *writer) loadAll() error {
	err := w.conn.query("SELECT epoch, cursor, cut FROM queue_state WHERE number = 0", func(r row) error {
		w.nextNumber, w.nextID, w.latest = r.int(0), r.int(1), r.int(2)
		return nil
	})
	if err != nil {
		return err
	}
	if w.nextNumber == 0 || w.nextID == 0 {
		return fmt.Errorf("the state of the store is missing")
	}
	err = w.conn.query(loadQueuesSQL, func(r row) error {
		snapshot, err := readQueue(r)
		if err != nil {
			return unusable("the data in "+w.store.path()+" is not whole: "+adviceDamaged, err)
		}
		q := &queue{number: r.int(0), snapshot: snapshot, purged: r.int(9), index: -1}
		q.setState(r, 13)
		q.guess()
		w.byID[snapshot.ID], w.byName[snapshot.Name] = q, q
		w.store.registry.put(snapshot)
		w.agenda.update(q)
		return nil
	})
	if err != nil {
		return err
	}
	dead, err := w.conn.int("SELECT count(*) FROM garbage")
	w.garbage = dead > 0
	return err
}
