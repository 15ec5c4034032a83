//go:build !linux

package load

import (
	"errors"
	"time"
)

// CPUTime is read on Linux only.
func CPUTime(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

// MemoryOf is read on Linux only.
func MemoryOf(int) (Memory, error) { return Memory{}, errors.ErrUnsupported }
