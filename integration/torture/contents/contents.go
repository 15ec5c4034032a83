// Package contents finds out what a data folder holds, without its server.
//
// It looks by the store's own means, since only what they find can ever reach
// anybody: it opens a copy of the folder under a clock that is hours ahead, so
// that whatever was in flight or delayed is visible, and receives everything.
package contents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"queues/engine"
	"queues/engine/sqlite"
	"queues/integration/torture/history"
	"queues/integration/torture/load"
)

// ahead is how far the clock is ahead: longer than any message can be hidden,
// shorter than any is kept.
const ahead = 13 * time.Hour

// Found is what a data folder holds.
type Found struct {
	// Messages has the messages of each queue, in the order in which they are
	// received.
	Messages map[string][]history.Stored
	// Total is the number of messages.
	Total int
}

// Of looks into a data folder that no process has open. It first runs the
// store's own check, whose findings are an error. The folder is used up.
func Of(ctx context.Context, dir string) (Found, error) {
	found := Found{Messages: make(map[string][]history.Stored)}
	clock := &later{at: time.Now().UTC().Truncate(time.Millisecond)}
	s, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, Clock: clock, Sync: sqlite.Off})
	if err != nil {
		return found, fmt.Errorf("the data cannot be opened: %w", err)
	}
	// A crash leaves the log to be taken over; the check wants nobody else there.
	if err := s.Close(); err != nil {
		return found, fmt.Errorf("the data cannot be closed: %w", err)
	}
	if err := sqlite.Check(ctx, dir); err != nil {
		return found, fmt.Errorf("the data is broken: %w", err)
	}
	clock.at = clock.at.Add(ahead)
	if s, err = sqlite.Open(ctx, sqlite.Options{Dir: dir, Clock: clock, Sync: sqlite.Off}); err != nil {
		return found, fmt.Errorf("the data cannot be opened again: %w", err)
	}
	return found, errors.Join(found.read(ctx, s), s.Close())
}

func (f *Found) read(ctx context.Context, s *sqlite.Store) error {
	list, err := s.ListQueues(ctx, engine.ListQueuesParams{Namespace: engine.Namespace{Account: "000000000000", Region: "us-east-1"}, Limit: 1000})
	if err != nil {
		return err
	}
	for _, q := range list.Queues {
		// The last receive must not be the one too many.
		_, err := s.UpdateQueue(ctx, engine.UpdateQueueParams{Queue: q.ID, Change: func(q *engine.Queue) error { q.Redrive = nil; return nil }})
		if err != nil {
			return err
		}
	}
	for _, q := range list.Queues {
		f.Messages[q.Name.Name] = nil
		if err := f.readQueue(ctx, s, q); err != nil {
			return fmt.Errorf("%s: %w", q.Name.Name, err)
		}
	}
	return nil
}

func (f *Found) readQueue(ctx context.Context, s *sqlite.Store, q *engine.Queue) error {
	hidden := time.Hour
	for {
		got, err := s.Receive(ctx, engine.ReceiveParams{Queue: q.ID, Max: 100, Visibility: &hidden})
		if err != nil {
			return err
		}
		if len(got.Messages) == 0 {
			return nil
		}
		refs := make([]engine.Ref, len(got.Messages))
		for i, m := range got.Messages {
			key, altered := load.Key(m.Body)
			refs[i] = m.Ref
			f.Total++
			f.Messages[q.Name.Name] = append(f.Messages[q.Name.Name], history.Stored{
				Key: key, ID: m.ID.String(), Group: m.Group, Altered: altered,
			})
		}
		gone, err := s.Acknowledge(ctx, engine.AcknowledgeParams{Queue: q.ID, Refs: refs})
		if err := errors.Join(err, errors.Join(gone...)); err != nil {
			return err
		}
	}
}

// Copy copies the files of a data folder into a new folder.
func Copy(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == "reserve" {
			continue // it holds nothing
		}
		data, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, entry.Name()), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// later is a clock that is set by hand.
type later struct{ at time.Time }

func (l *later) Now() time.Time                  { return l.at }
func (l *later) Trusted() bool                   { return true }
func (l *later) NewTimer(time.Time) engine.Timer { return never{} }

// never is a timer that does not fire; stores do not wait.
type never struct{}

func (never) C() <-chan struct{} { return nil }
func (never) Stop()              {}
