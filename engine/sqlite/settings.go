package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"time"

	"queues/engine"
)

// storedSettings is how settings lie in the database. Spans are nanoseconds.
type storedSettings struct {
	Delay             time.Duration     `json:"delay"`
	MaxMessageBytes   int               `json:"max_message_bytes"`
	Retention         time.Duration     `json:"retention"`
	ReceiveWait       time.Duration     `json:"receive_wait"`
	VisibilityTimeout time.Duration     `json:"visibility_timeout"`
	Redrive           *storedRedrive    `json:"redrive,omitempty"`
	Extra             map[string]string `json:"extra"`
}

type storedRedrive struct {
	Account     string `json:"account"`
	Region      string `json:"region"`
	Name        string `json:"name"`
	MaxReceives int    `json:"max_receives"`
}

// encodeSettings gives the settings and the tags as they are stored.
func encodeSettings(q *engine.Queue) (settings, tags string, err error) {
	stored := storedSettings{
		Delay: q.Delay, MaxMessageBytes: q.MaxMessageBytes, Retention: q.Retention,
		ReceiveWait: q.ReceiveWait, VisibilityTimeout: q.VisibilityTimeout, Extra: q.Extra,
	}
	if r := q.Redrive; r != nil {
		stored.Redrive = &storedRedrive{
			Account: r.Target.Account, Region: r.Target.Region, Name: r.Target.Name, MaxReceives: r.MaxReceives,
		}
	}
	s, err := json.Marshal(stored)
	if err != nil {
		return "", "", err
	}
	t, err := json.Marshal(q.Tags)
	return string(s), string(t), err
}

// decodeSettings reads into q what encodeSettings made of it.
func decodeSettings(settings, tags string, q *engine.Queue) error {
	var stored storedSettings
	if err := json.Unmarshal([]byte(settings), &stored); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if err := json.Unmarshal([]byte(tags), &q.Tags); err != nil {
		return fmt.Errorf("tags: %w", err)
	}
	q.Settings = engine.Settings{
		Delay: stored.Delay, MaxMessageBytes: stored.MaxMessageBytes, Retention: stored.Retention,
		ReceiveWait: stored.ReceiveWait, VisibilityTimeout: stored.VisibilityTimeout, Extra: stored.Extra,
	}
	if r := stored.Redrive; r != nil {
		q.Redrive = &engine.Redrive{
			Target: engine.QueueName{
				Namespace: engine.Namespace{Account: r.Account, Region: r.Region}, Name: r.Name,
			},
			MaxReceives: r.MaxReceives,
		}
	}
	return nil
}

// copySettings gives settings that share nothing with s.
func copySettings(s engine.Settings) engine.Settings {
	s.Extra = copyMap(s.Extra)
	if s.Redrive != nil {
		redrive := *s.Redrive
		s.Redrive = &redrive
	}
	return s
}

func copyMap(m map[string]string) map[string]string { return maps.Clone(m) }

// UpdateQueue changes settings and tags.
func (s *Store) UpdateQueue(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	var updated *engine.Queue
	// Patient, because Change must not run beside what comes after the call.
	err := s.do(ctx, &request{name: "the change of a queue", patient: true, run: func(t *tx) error {
		q, err := t.queue(p.Queue)
		if err != nil {
			return err
		}
		updated, err = t.updateQueue(q, p)
		return err
	}})
	if err != nil {
		return nil, err
	}
	return updated, nil
}

func (t *tx) updateQueue(q *queue, p engine.UpdateQueueParams) (*engine.Queue, error) {
	edited := *q.snapshot
	edited.Settings, edited.Tags = copySettings(edited.Settings), copyMap(edited.Tags)
	if err := p.Change(&edited); err != nil {
		return nil, err
	}
	updated := *q.snapshot
	updated.Settings, updated.Tags = copySettings(edited.Settings), copyMap(edited.Tags)
	if p.Touch {
		updated.Modified = fromMS(t.now)
	}
	if reflect.DeepEqual(&updated, q.snapshot) {
		return q.snapshot, nil
	}
	settings, tags, err := encodeSettings(&updated)
	if err != nil {
		return nil, err
	}
	// What the old retention has ended stays so under the new one.
	if err := t.expire(q); err != nil {
		return nil, err
	}
	t.touch(q)
	if updated.Retention > q.snapshot.Retention {
		if err := t.endKept(q); err != nil {
			return nil, err
		}
	}
	if err := t.run(t.w.updateQueue, nil, q.number, toMS(updated.Modified), settings, tags); err != nil {
		return nil, err
	}
	before := q.snapshot
	t.undo = append(t.undo, func() { q.snapshot = before })
	q.snapshot = &updated
	// Who is spent is another matter now.
	q.spent, q.passedFrom, q.passedTo = false, 0, 0
	if !reflect.DeepEqual(updated.Redrive, before.Redrive) {
		if err := t.skipLater(q); err != nil {
			return nil, err
		}
	}
	if q.rows() > 0 && updated.Retention != before.Retention {
		q.nextExpiry = 0
	}
	t.publish = append(t.publish, func() { t.w.store.registry.put(&updated) })
	if q.fifo() {
		return &updated, t.rulesChanged(q, updated.Delay != before.Delay)
	}
	return &updated, nil
}
