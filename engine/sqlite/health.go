package sqlite

import (
	"context"
	"errors"
	"runtime"
)

// Secret gives the 32 random bytes made with the store.
func (s *Store) Secret() [32]byte { return s.secret }

// Health is nil when a write succeeds: it makes one. It is not while the data
// is known to be damaged, or when one of its files is no longer where it was.
func (s *Store) Health(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	if err := s.hurt.Load(); err != nil {
		return *err
	}
	if err := s.look(); err != nil {
		return err
	}
	return s.do(ctx, &request{name: "a health check", run: func(t *tx) error {
		// What little a check writes may find room where a message does not.
		if err := t.room(); err != nil {
			return err
		}
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
	err := errors.Join(s.writer.copier.stop(), s.readers.close())
	s.writer.collectRound()
	if s.writer.fatal != nil {
		// SQLite would copy the log into the data file with the last connection,
		// and nobody knows what of it is on the disk: cut off in the middle, that
		// would leave a broken file. So the last one stays open, and the files stay
		// as a crash leaves them: the driver would close it with the garbage.
		runtime.SetFinalizer(s.writer.conn.c, nil)
		return errors.Join(err, s.lock.release())
	}
	// The writer's connection is the last: it leaves no log.
	return errors.Join(err, s.lock.markClosed(), s.writer.conn.close(), s.data.Close(), s.lock.release())
}
