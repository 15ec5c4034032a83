package sqlite

import (
	"log/slog"
	"os"

	"queues/engine"
)

// lookEvery is how often the writer looks whether its files are there, in
// milliseconds, when there are fewer than walLook transactions in that time.
const lookEvery = 1000

// look is present, and sees to it that nothing new is stored for as long as it
// fails. Files that were moved and come back are the same files.
func (s *Store) look() error {
	err := s.present()
	if err == nil {
		if s.lost.Swap(nil) != nil {
			s.log.Info("the files of the data are back: what is new is stored again", slog.String("dir", s.o.Dir))
		}
		return nil
	}
	if s.lost.Swap(&err) == nil {
		s.log.Error("nothing new is stored from now on: a file of the data is gone", slog.String("dir", s.o.Dir), slog.Any("error", err))
	}
	return err
}

// tendFiles looks whether the files are there.
func (w *writer) tendFiles() {
	w.unlooked += w.untended
	if w.fatal != nil || w.unlooked < walLook && w.latest < w.looked+lookEvery {
		return
	}
	w.unlooked, w.looked = 0, w.latest
	_ = w.store.look() // it says so itself
}

// present fails when the data file, its log or the lock is not where it was:
// what is written to the first two then ends with the process, and without the
// lock another process could write the same data.
func (s *Store) present() error {
	if err := s.filesPresent(); err != nil {
		return err
	}
	if !s.lock.there() {
		return &engine.Error{
			Code: engine.Unavailable,
			Text: "the file " + s.lock.file.Name() + " was removed or replaced under the running server, and another could use the same data: restart it",
		}
	}
	return nil
}

// filesPresent is present without the lock.
func (s *Store) filesPresent() error {
	path := s.path()
	if info, err := os.Stat(path); err != nil || !os.SameFile(info, s.opened) {
		return &engine.Error{
			Code: engine.Unavailable,
			Text: "the data file " + path + " was removed or replaced under the running server, and what is stored now will be lost: " +
				"receive what is in it, then stop the server and " + adviceRestore,
			Err: err,
		}
	}
	if info, err := os.Stat(path + "-wal"); err != nil || !os.SameFile(info, s.openedLog) {
		return &engine.Error{
			Code: engine.Unavailable,
			Text: "the log " + path + "-wal was removed or replaced under the running server, and a crash would lose what is in it: " +
				"stop the server in order, which writes it into the data file",
			Err: err,
		}
	}
	return nil
}
