//go:build unix

package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"golang.org/x/sys/unix"

	"queues/engine/sqlite"
)

const (
	// temporaryPrefix begins the names of the data folders of "queues dev".
	temporaryPrefix = "queues-dev-"
	// leftoverAge is how old a folder must be to be taken for left over: a
	// server that has just made its own does not have it locked yet.
	leftoverAge = time.Hour
	// maxLeftovers and maxNames bound what one start removes and looks at.
	maxLeftovers = 100
	maxNames     = 10_000
)

// temporaryName matches the names that [os.MkdirTemp] makes of the prefix.
var temporaryName = regexp.MustCompile(`^` + temporaryPrefix + `[0-9]+$`)

// removeLeftovers removes data folders of "queues dev" whose process was
// killed: those of this user that nobody has locked and that are old enough.
// What cannot be removed stays; a start does not fail for it.
func removeLeftovers(parent string, now time.Time) {
	dir, err := os.Open(parent)
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(maxNames)
	_ = dir.Close()
	removed := 0
	for _, name := range names {
		if removed == maxLeftovers {
			return
		}
		if temporaryName.MatchString(name) && removeLeftover(filepath.Join(parent, name), now) == nil {
			removed++
		}
	}
}

// errNotLeftover keeps a folder.
var errNotLeftover = errors.New("not a folder that was left over")

// removeLeftover removes one folder.
func removeLeftover(dir string, now time.Time) error {
	info, err := os.Lstat(dir) // a link leads anywhere
	if err != nil {
		return err
	}
	var stat unix.Stat_t
	if err := unix.Lstat(dir, &stat); err != nil {
		return err
	}
	if !info.IsDir() || int(stat.Uid) != os.Geteuid() || now.Sub(info.ModTime()) < leftoverAge {
		return errNotLeftover
	}
	lock, err := os.OpenFile(filepath.Join(dir, sqlite.LockName), os.O_RDWR|unix.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Remove(dir) // only when it is empty
	}
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() { // a server makes nothing else
			return errNotLeftover
		}
	}
	return os.RemoveAll(dir)
}
