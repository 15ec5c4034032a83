package powercut

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Class is which files a fault is for.
type Class uint32

// The classes, as the recorder numbers them.
const (
	AnyFile Class = iota
	Database
	WAL
	SharedMemory
	Reserve
	Lock
	Folder
	Other
)

// Fault lets calls fail.
type Fault struct {
	Kind  Kind
	Class Class
	Error syscall.Errno
	// Half lets a write store, or a read give, half of its bytes instead of
	// failing.
	Half bool
	// Kill ends the process, as SIGKILL does, before the call is made.
	Kill bool
	// Skip is how many calls pass first, Times how many then fail.
	Skip, Times uint32
}

// Always is for Times.
const Always = 1 << 30

// slots is how many faults can be armed at once.
const slots = 8

// slot and control are laid out as the recorder has them.
type slot struct {
	armed, kind, class, errno, skip, times, how, seen, fired uint32
}

type control struct {
	limit, refused uint64
	slots          [slots]slot
}

// Faults is what a process under the recorder fails with. It can be changed
// while the process runs, and serves the next one too.
type Faults struct {
	memory []byte
	c      *control
}

// NewFaults makes the file that tells the recorder what is to fail.
func NewFaults(path string) (*Faults, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // the mapping stays
	size := int(unsafe.Sizeof(control{}))
	if err := file.Truncate(int64(size)); err != nil {
		return nil, err
	}
	memory, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("cannot map %s: %w", path, err)
	}
	return &Faults{memory, (*control)(unsafe.Pointer(&memory[0]))}, nil
}

// Arm lets calls fail from now on, instead of what failed before.
func (f *Faults) Arm(faults ...Fault) error {
	f.Disarm()
	if len(faults) > slots {
		return errors.New("too many faults at once")
	}
	for i, fault := range faults {
		s := &f.c.slots[i]
		how := uint32(0)
		switch {
		case fault.Half:
			how = 1
		case fault.Kill:
			how = 2
		}
		*s = slot{0, uint32(fault.Kind), uint32(fault.Class), uint32(fault.Error), fault.Skip, fault.Times, how, 0, 0}
		atomic.StoreUint32(&s.armed, 1)
	}
	return nil
}

// Disarm lets everything succeed again. What has failed stays counted.
func (f *Faults) Disarm() {
	for i := range f.c.slots {
		atomic.StoreUint32(&f.c.slots[i].armed, 0)
	}
}

// Seen is how many calls the first fault was for since the last Arm, whether
// they failed or not.
func (f *Faults) Seen() int { return int(atomic.LoadUint32(&f.c.slots[0].seen)) }

// Fired is how many calls have failed since the last Arm.
func (f *Faults) Fired() int {
	n := 0
	for i := range f.c.slots {
		n += int(atomic.LoadUint32(&f.c.slots[i].fired))
	}
	return n
}

// Limit bounds the bytes of all files together, as a full disk would; zero for
// no bound.
func (f *Faults) Limit(bytes uint64) { atomic.StoreUint64(&f.c.limit, bytes) }

// Refused is how many calls found no room.
func (f *Faults) Refused() uint64 { return atomic.LoadUint64(&f.c.refused) }

// Close gives the memory back.
func (f *Faults) Close() error { return unix.Munmap(f.memory) }
