//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"queues/cmd/queues/load"
)

// machine describes what the run ran on; dir is where the data was.
func machine(dir string) string {
	kernel := "unknown"
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		kernel = unix.ByteSliceToString(name.Release[:])
	}
	return fmt.Sprintf("Machine: %d cores (%s), %s of memory, Linux %s, %s, data on %s.",
		runtime.NumCPU(), procField("/proc/cpuinfo", "model name"), procField("/proc/meminfo", "MemTotal"), kernel, runtime.Version(), fileSystem(dir))
}

// procField reads one "name : value" line of a file in /proc.
func procField(file, field string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(name) == field {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// fileSystem names the type of the file system that holds dir.
func fileSystem(dir string) string {
	want := device(dir)
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil || want == 0 {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		// 36 35 98:0 /root /mount options - type source super-options
		fields, rest, ok := strings.Cut(line, " - ")
		before, after := strings.Fields(fields), strings.Fields(rest)
		if !ok || len(before) < 3 || len(after) < 1 {
			continue
		}
		if before[2] == fmt.Sprintf("%d:%d", unix.Major(want), unix.Minor(want)) {
			return after[0]
		}
	}
	return "unknown"
}

// device is the number of the device that a path is on; 0 if it cannot be
// found out.
func device(path string) uint64 {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return 0
	}
	return st.Dev
}

// work is CPU time at one moment: of the whole machine, and of this program
// with the servers that it has stopped.
type work struct {
	at         time.Time
	busy, ours time.Duration
}

func workSoFar() (work, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return work{}, err
	}
	var user, nice, system, idle, wait, irq, softirq, steal int64
	if _, err := fmt.Sscanf(string(text), "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &irq, &softirq, &steal); err != nil {
		return work{}, fmt.Errorf("cannot read /proc/stat: %w", err)
	}
	// In hundredths of a second, whatever the kernel's own tick is.
	busy := time.Duration(user+nice+system+irq+softirq+steal) * 10 * time.Millisecond
	var children syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children); err != nil {
		return work{}, err
	}
	self, err := load.CPUTime(0)
	return work{time.Now(), busy, self + time.Duration(children.Utime.Nano()+children.Stime.Nano())}, err
}

// othersShare is the share of all cores that went to others since before.
func (w work) othersShare(before work) float64 {
	others := w.busy - before.busy - (w.ours - before.ours)
	return max(float64(others)/float64(w.at.Sub(before.at))/float64(runtime.NumCPU()), 0)
}
