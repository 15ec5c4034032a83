package layout

import (
	"encoding/binary"
	"os"
)

// walMeter counts what commits append to the write-ahead log. The file's size
// cannot tell, since a checkpointed log is written again from its start, so
// the meter reads the count of frames in the header of the shared index. Its
// file stays open until the database is closed: closing it earlier would drop
// the locks that SQLite holds on it.
type walMeter struct {
	file   *os.File
	salt   uint64
	frames uint32
	total  int64 // bytes since the meter was opened
	pages  uint32
}

// Offsets in the header of the shared index, and the header of a frame.
const (
	walPageSizeAt = 14
	walFramesAt   = 16
	walPagesAt    = 20
	walSaltAt     = 32
	walHeaderSize = 48
	walFrameExtra = 24
)

// openWALMeter opens the meter of the database at path, which must be open.
func openWALMeter(path string) *walMeter {
	m := &walMeter{file: must(os.Open(path + "-shm"))}
	m.sample()
	m.total = 0
	return m
}

// sample is called after every commit; it misses frames if the log restarted
// twice since the last call.
func (m *walMeter) sample() {
	var h [walHeaderSize]byte
	must(m.file.ReadAt(h[:], 0))
	salt := binary.NativeEndian.Uint64(h[walSaltAt:])
	frames := binary.NativeEndian.Uint32(h[walFramesAt:])
	size := int64(binary.NativeEndian.Uint16(h[walPageSizeAt:]))
	if size == 1 { // the header's way to say 65536
		size = 1 << 16
	}
	added := int64(frames) - int64(m.frames)
	if salt != m.salt || added < 0 {
		added = int64(frames)
	}
	m.total += added * (size + walFrameExtra)
	m.salt, m.frames = salt, frames
	m.pages = binary.NativeEndian.Uint32(h[walPagesAt:])
}

// close closes the meter, after the database.
func (m *walMeter) close() { check(m.file.Close()) }
