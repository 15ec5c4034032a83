//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"queues/engine"
)

// LockName is the file whose lock owns a data folder. SQLite's own exclusive
// mode would shut out our own readers.
const LockName = "lock"

// folderLock is the ownership of a data folder. The system gives it up when the
// process ends, however it ends.
type folderLock struct {
	// file is nil in a look at a folder that is nobody's.
	file *os.File
	// made is true when the file was not there and nobody has had it before.
	made bool
	// unclean is true when the owner before did not close the data, so that its
	// log must be there.
	unclean bool
	// synced is true when that owner also synced every transaction in its log
	// before it wrote the next.
	synced bool
}

// openMark follows the pid in the file while the data is open, and syncedMark
// stands before it while every commit is synced.
const (
	openMark   = "open\n"
	syncedMark = "synced\n"
)

// lockFolder takes the folder or fails with DataInUse. When its data file is a
// link, what it takes is the folder that the file is in.
func lockFolder(dir string) (*folderLock, error) {
	return openLock(dir, true)
}

// lockToLook is lockFolder that makes no file: a folder without one is nobody's.
func lockToLook(dir string) (*folderLock, error) {
	return openLock(dir, false)
}

func openLock(dir string, create bool) (*folderLock, error) {
	dir = filepath.Dir(dataPath(dir))
	path := filepath.Join(dir, LockName)
	file, err := os.OpenFile(path, os.O_RDWR, 0o600)
	absent := errors.Is(err, fs.ErrNotExist)
	if absent && !create {
		return &folderLock{}, nil
	}
	if absent {
		file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) { // another made it just now
			absent = false
			file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		}
	}
	if err != nil {
		return nil, unusable("the data folder cannot be written: check that "+dir+" belongs to this user", err)
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		owner := lockOwner(file)
		_ = file.Close()
		return nil, &engine.Error{
			Code: engine.DataInUse,
			Text: fmt.Sprintf("the data folder %s is in use by another process%s: stop it, or use another folder", dir, owner),
		}
	case err != nil:
		_ = file.Close()
		return nil, unusable("the data folder cannot be locked: it must be on a file system with flock, not every network has it", err)
	}
	text, _ := io.ReadAll(io.LimitReader(file, maxLockText))
	l := &folderLock{file: file, made: absent && len(text) == 0, unclean: strings.HasSuffix(string(text), "\n"+openMark)}
	if !l.there() {
		// A restore that was refused has removed it since it was opened.
		return nil, errors.Join(&engine.Error{
			Code: engine.DataInUse,
			Text: "the data folder " + dir + " was in use by another process a moment ago: try again",
		}, l.release())
	}
	l.synced = strings.HasSuffix(string(text), "\n"+syncedMark+openMark)
	mark := ""
	switch {
	case l.synced:
		mark = syncedMark + openMark
	case l.unclean:
		mark = openMark
	}
	// The pid is only there for the message; the lock is what counts.
	_ = l.write(mark)
	return l, nil
}

// maxLockText bounds what is read of the file.
const maxLockText = 64

// write writes the pid and a mark.
func (l *folderLock) write(mark string) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"+mark), 0)
	return err
}

// markOpen notes that the data is open. It has a log from now on, whose name
// must be on the disk before the note may be: one that is missing next time is
// then known to have been taken away. synced tells that every transaction in it
// was and will be synced before the next is written.
func (l *folderLock) markOpen(synced bool) error {
	if err := syncFolder(filepath.Dir(l.file.Name())); err != nil {
		return err
	}
	if synced {
		return l.write(syncedMark + openMark)
	}
	return l.write(openMark)
}

// markUnsynced notes, before anything is written without a sync, that from now
// on it may be.
func (l *folderLock) markUnsynced() error {
	if !l.synced {
		return nil
	}
	l.synced = false
	return errors.Join(l.write(openMark), l.file.Sync())
}

// markClosed takes the note back, before the log may go.
func (l *folderLock) markClosed() error { return errors.Join(l.write(""), l.file.Sync()) }

// there tells whether the file that is locked still has its name: where it has
// not, another process can lock one of the same name.
func (l *folderLock) there() bool {
	own, err := l.file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.file.Name())
	return err == nil && os.SameFile(own, named)
}

// lockOwner tells which process has the lock, as far as it says so.
func lockOwner(file *os.File) string {
	text, err := io.ReadAll(io.LimitReader(file, maxLockText))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (pid %d)", pid)
}

// release gives the folder up. The file stays: removing it would let two
// processes lock two files of one name.
//
// The lock is given up by name: a copy of the file in a process that is just
// being started would keep it beyond the closing of ours.
func (l *folderLock) release() error {
	if l.file == nil {
		return nil
	}
	return errors.Join(unix.Flock(int(l.file.Fd()), unix.LOCK_UN), l.file.Close())
}

// unusable is the error of a data folder or file that cannot be worked with.
func unusable(text string, err error) error {
	return &engine.Error{Code: engine.DataUnusable, Text: text, Err: err}
}
