package sqlite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// The write-ahead log as SQLite lays it out, https://sqlite.org/fileformat2.html.
// All numbers are big-endian; the lowest bit of the first tells in which order
// the checksums take what they sum up.
const (
	logHeaderSize   = 32
	frameHeaderSize = 24
	logMagic        = 0x377f0682
)

// errLogDamaged is what checkLog finds.
var errLogDamaged = errors.New("a change in the log is damaged, and later ones stand behind it")

// checkLog looks for damage in a log each of whose transactions was synced
// before the next was written. SQLite takes a log to end where a frame is not
// whole, as the last one is after a power cut; what comes behind damage in its
// middle would be gone without a word.
//
// That a later transaction stands behind a broken one is told by a frame that
// commits and a frame that goes on from it: only once the first had been synced
// was the second written. Damage in the last transaction, or a log that is cut
// short, looks like a power cut and is not found.
func checkLog(path string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r := bufio.NewReaderSize(file, 1<<20)
	head := make([]byte, logHeaderSize)
	if _, err := io.ReadFull(r, head); err != nil {
		return endOfLog(err)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if binary.BigEndian.Uint32(head) == logMagic+1 {
		order = binary.BigEndian
	}
	whole := binary.BigEndian.Uint32(head)&^1 == logMagic && logSum(order, 0, head[:24]) == binary.BigEndian.Uint64(head[24:])
	headWhole, salt := whole, binary.BigEndian.Uint64(head[16:])
	// before is the checksum of the frame before, and committed whether that was
	// the last of a transaction.
	before, committed := binary.BigEndian.Uint64(head[24:]), false
	for frame := make([]byte, frameHeaderSize+pageSize); ; {
		if _, err := io.ReadFull(r, frame); err != nil {
			return endOfLog(err)
		}
		sum := binary.BigEndian.Uint64(frame[16:])
		// An older log is overwritten by the next from the beginning, and its
		// frames have another salt. When the header cannot say which is ours,
		// each goes by the frame before it.
		same := binary.BigEndian.Uint64(frame[8:]) == salt
		fits := same && logSum(order, logSum(order, before, frame[:8]), frame[frameHeaderSize:]) == sum
		if whole = whole && fits; !whole && fits && committed {
			return errLogDamaged
		}
		if !headWhole {
			salt, same = binary.BigEndian.Uint64(frame[8:]), true
		}
		before, committed = sum, same && binary.BigEndian.Uint32(frame[4:]) > 0
	}
}

// endOfLog is no error where a log may end, which is anywhere.
func endOfLog(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// logSum goes on with a checksum over data, whose length is a multiple of
// eight. Its halves are those of the sum.
func logSum(order binary.ByteOrder, sum uint64, data []byte) uint64 {
	a, b := uint32(sum>>32), uint32(sum)
	for ; len(data) >= 8; data = data[8:] {
		a += order.Uint32(data) + b
		b += order.Uint32(data[4:]) + a
	}
	return uint64(a)<<32 | uint64(b)
}

// checkLogOf refuses a data folder whose log is damaged.
func checkLogOf(dir string) error {
	path := dataPath(dir) + "-wal"
	err := checkLog(path)
	if errors.Is(err, errLogDamaged) {
		return unusable("the log "+path+", with the latest messages, is damaged: "+adviceDamaged+
			"; to go on with what stands before the damage, without what was answered later, remove "+filepath.Join(dir, LockName), err)
	}
	return err
}

// startLogOver works off a log that was found at the opening and may have holes,
// so that nothing of it stands behind what is written from now on. It reports
// whether it could; a disk that is full is no reason not to open.
func startLogOver(c *conn, path string) (done bool, err error) {
	busy := true
	err = c.query("PRAGMA wal_checkpoint(TRUNCATE)", func(r row) error { busy = r.int(0) != 0; return nil })
	if err != nil || busy {
		if severityOf(err) == fatal || damagedBy(err) {
			return false, err
		}
		return false, nil
	}
	file, err := os.OpenFile(path+"-wal", os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	return true, errors.Join(file.Sync(), file.Close())
}
