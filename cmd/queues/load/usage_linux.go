package load

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime is the CPU time that a process has used so far, user and system, of
// all its threads, to the nanosecond; 0 is this one.
func CPUTime(pid int) (time.Duration, error) {
	// The kernel derives the number of a process's CPU clock from its id:
	// clock_getcpuclockid(3).
	clock := int32(unix.CLOCK_PROCESS_CPUTIME_ID)
	if pid != 0 {
		clock = ^int32(pid)<<3 | 2
	}
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		return 0, fmt.Errorf("cannot read the CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// MemoryOf tells what a process holds in RAM.
func MemoryOf(pid int) (Memory, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return Memory{}, err
	}
	var m Memory
	for field, to := range map[string]*int64{"VmRSS:": &m.Resident, "RssAnon:": &m.Anonymous} {
		_, rest, _ := bytes.Cut(text, []byte("\n"+field))
		var kb int64
		if _, err := fmt.Sscan(string(rest[:min(len(rest), 40)]), &kb); err != nil {
			return Memory{}, fmt.Errorf("no %s in the status of process %d", field, pid)
		}
		*to = kb << 10
	}
	return m, nil
}
