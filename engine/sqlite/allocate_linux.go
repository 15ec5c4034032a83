package sqlite

import (
	"os"

	"golang.org/x/sys/unix"
)

// allocate gives a file so many bytes on the disk, or fails when it has not
// got them.
func allocate(file *os.File, size int64) error {
	err := unix.Fallocate(int(file.Fd()), 0, 0, size)
	if err == unix.EOPNOTSUPP {
		return writeZeros(file, size)
	}
	return err
}

// syncData makes what was written to a file durable, and of what is known about
// it what is needed to read that.
func syncData(file *os.File) error {
	for {
		if err := unix.Fdatasync(int(file.Fd())); err != unix.EINTR {
			return err
		}
	}
}
