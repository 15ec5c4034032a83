//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"queues/engine"
)

// openByte is the byte of SQLite's shared memory file that every connection to
// the database has locked, whatever it does (UNIX_SHM_DMS in its os_unix.c).
const openByte = 128

// refuseElsewhere fails with DataInUse when another process has the data open
// without owning the folder: a server whose lock file was removed under it, or
// another program. To open the data beside a server would write into a log that
// is in use. It must be called while this process has no connection to the
// data: closing the file gives up all its locks on it.
func refuseElsewhere(path string) error {
	file, err := os.Open(path + "-shm")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	probe := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: openByte, Len: 1}
	err = errors.Join(unix.FcntlFlock(file.Fd(), unix.F_GETLK, &probe), file.Close())
	if err != nil || probe.Type == unix.F_UNLCK {
		return err
	}
	owner := ""
	if probe.Pid > 0 {
		owner = fmt.Sprintf(" (pid %d)", probe.Pid)
	}
	return &engine.Error{
		Code: engine.DataInUse,
		Text: "the data file " + path + " is open in another program" + owner +
			", a server whose lock file was removed or a tool such as sqlite3: stop it there",
	}
}
