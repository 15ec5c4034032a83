package sqlite

import "golang.org/x/sys/unix"

// freeSpace tells how many bytes this user may still store beside a file;
// false when the system does not say.
func freeSpace(path string) (int64, bool) {
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return 0, false
	}
	return int64(fs.Bavail) * fs.Bsize, true
}
