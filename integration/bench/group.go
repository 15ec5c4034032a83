//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"queues/cmd/queues/load"
)

// groupCPU is the CPU time that the living processes of a group have used.
func groupCPU(group int) (time.Duration, error) {
	var sum time.Duration
	err := eachOf(group, func(pid int) error {
		t, err := load.CPUTime(pid)
		sum += t
		return err
	})
	return sum, err
}

// groupMemory is what the processes of a group hold in RAM. What they share is
// counted for each.
func groupMemory(group int) (load.Memory, error) {
	var sum load.Memory
	err := eachOf(group, func(pid int) error {
		m, err := load.MemoryOf(pid)
		sum.Resident += m.Resident
		sum.Anonymous += m.Anonymous
		return err
	})
	return sum, err
}

// eachOf reads something of each process of a group. One that ends meanwhile is
// left out; a group of which nothing can be read is an error.
func eachOf(group int, read func(pid int) error) error {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return err
	}
	err = fmt.Errorf("the process group %d has ended", group)
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		if readErr != nil || groupIn(text) != group {
			continue
		}
		pid, notNumber := strconv.Atoi(strings.Split(file, "/")[2])
		if notNumber == nil && read(pid) == nil {
			err = nil
		}
	}
	return err
}

// groupIn reads the process group in the text of /proc/PID/stat; 0 for none.
func groupIn(stat []byte) int {
	// pid (name, with any characters) state parent group ...
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 3 {
		return 0
	}
	group, err := strconv.Atoi(string(fields[2]))
	if err != nil {
		return 0
	}
	return group
}
