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
