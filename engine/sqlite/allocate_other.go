//go:build !linux

package sqlite

import "os"

// allocate gives a file so many bytes on the disk, or fails when it has not
// got them.
func allocate(file *os.File, size int64) error { return writeZeros(file, size) }

// syncData makes what was written to a file durable.
func syncData(file *os.File) error { return file.Sync() }
