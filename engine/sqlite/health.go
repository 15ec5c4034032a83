package sqlite

import (
	"context"
	"errors"
)

// Secret gives the 32 random bytes made with the store.
func (s *Store) Secret() [32]byte { return s.secret }

// Health is nil when a write succeeds: it makes one.
func (s *Store) Health(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.do(ctx, &request{name: "a health check", run: func(t *tx) error {
		t.writes++
		return t.begin()
	}})
}

// Close finishes what was handed over, refuses everything else with Closed and
// releases the data.
func (s *Store) Close() error { return s.close() }

func (s *Store) closeAll() error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.calls.Wait()
	s.writer.inbox.close(errClosed())
	<-s.writer.stopped
	// The writer's connection is the last: it leaves the log empty.
	return errors.Join(s.readers.close(), s.writer.conn.close(), s.lock.release())
}
