package sqlite

import (
	"context"
	"errors"
	"os"

	"queues/engine"
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
	if err := s.present(); err != nil {
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

// present fails when the data file or its log has been removed or replaced,
// since what is written then ends with the process, and when the lock has:
// another process could write the same data.
func (s *Store) present() error {
	if info, err := os.Stat(s.path()); err != nil || !os.SameFile(info, s.opened) {
		return &engine.Error{
			Code: engine.Unavailable,
			Text: "the data file " + s.path() + " was removed or replaced under the running server, and what is stored now will be lost: " +
				"receive what is in it, then stop the server and " + adviceRestore,
			Err: err,
		}
	}
	if info, err := os.Stat(s.path() + "-wal"); err != nil || !os.SameFile(info, s.openedLog) {
		return &engine.Error{
			Code: engine.Unavailable,
			Text: "the log " + s.path() + "-wal was removed or replaced under the running server, and a crash would lose what is in it: " +
				"stop the server in order, which writes it into the data file",
			Err: err,
		}
	}
	if !s.lock.there() {
		return &engine.Error{
			Code: engine.Unavailable,
			Text: "the file " + s.lock.file.Name() + " was removed or replaced under the running server, and another could use the same data: restart it",
		}
	}
	return nil
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
	// The writer's connection is the last: it leaves no log.
	return errors.Join(s.readers.close(), s.lock.markClosed(), s.writer.conn.close(), s.lock.release())
}
