package sqlite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-sqlite3"
)

// The beginning of a database as SQLite lays it out, and where the page is that
// it never writes.
const (
	fileMagic      = "SQLite format 3\x00"
	fileHeaderSize = 100
	lockOffset     = 1 << 30
)

// checkLength refuses a data file that is not as long as its data. SQLite reads
// zeros where a page ends too early, and finds nothing wrong with a text that
// ends in them.
//
// A checkpoint that was cut off leaves any length; what is missing is then in
// the log, which is only worked off and started over once the file is as long
// as it says.
func checkLength(path string, size, logSize int64) error {
	page, count, err := readLength(path)
	if err != nil || page == 0 {
		return err // what is no database is found by others
	}
	if logSize > 0 {
		pages, inLog, err := readLogged(path+"-wal", page, size/page)
		if err != nil {
			return err
		}
		for n := size/page + 1; n <= pages; n++ {
			if !inLog[n] && n != lockOffset/page+1 {
				return errLength("the file has %d bytes, and page %d of %d is neither there nor in its log", size, n, pages)
			}
		}
		if pages > 0 {
			return nil
		}
	}
	switch {
	case size%page != 0:
		return errLength("the file has %d bytes, which are not whole pages of %d: it was cut short, or something was added to it", size, page)
	case size < count*page:
		return errLength("the file has %d bytes of %d: it was cut short", size, count*page)
	}
	return nil
}

func errLength(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, sqlite3.Error{Code: sqlite3.ErrCorrupt})...)
}

// readLength gives the size of the pages of a file, zero when it is no
// database, and how many it says it has, zero when it does not say.
func readLength(path string) (page, count int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	head := make([]byte, fileHeaderSize)
	if _, err := io.ReadFull(file, head); err != nil {
		return 0, 0, endOfLog(err)
	}
	page = int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 1 << 16
	}
	if string(head[:len(fileMagic)]) != fileMagic || page < 512 || page&(page-1) != 0 {
		return 0, 0, nil
	}
	// The count is that of the last change only if that was also the last to set it.
	if binary.BigEndian.Uint32(head[24:]) == binary.BigEndian.Uint32(head[92:]) {
		count = int64(binary.BigEndian.Uint32(head[28:]))
	}
	return page, count, nil
}

// readLogged gives how many pages the database has after the last transaction
// in a log, zero when there is none, and which of those behind the first from
// are in it.
func readLogged(path string, page, from int64) (pages int64, inLog map[int64]bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r := bufio.NewReaderSize(file, 1<<20)
	order, head, err := readLogHeader(r)
	if err != nil || head == nil || int64(binary.BigEndian.Uint32(head[8:])) != page {
		return 0, nil, err
	}
	salt, sum := binary.BigEndian.Uint64(head[16:]), binary.BigEndian.Uint64(head[24:])
	inLog = make(map[int64]bool)
	var begun []int64
	for frame := make([]byte, frameHeaderSize+page); ; {
		if _, err := io.ReadFull(r, frame); err != nil {
			return pages, inLog, endOfLog(err)
		}
		sum = logSum(order, logSum(order, sum, frame[:8]), frame[frameHeaderSize:])
		if binary.BigEndian.Uint64(frame[8:]) != salt || binary.BigEndian.Uint64(frame[16:]) != sum {
			return pages, inLog, nil
		}
		if n := int64(binary.BigEndian.Uint32(frame)); n > from {
			begun = append(begun, n)
		}
		if after := int64(binary.BigEndian.Uint32(frame[4:])); after > 0 {
			pages = after
			for _, n := range begun {
				inLog[n] = true
			}
			begun = begun[:0]
		}
	}
}

// readLogHeader reads the header of a log, nil when it is not whole, and the
// order of its checksums.
func readLogHeader(r io.Reader) (order binary.ByteOrder, head []byte, err error) {
	head = make([]byte, logHeaderSize)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, nil, endOfLog(err)
	}
	order = binary.LittleEndian
	if binary.BigEndian.Uint32(head) == logMagic+1 {
		order = binary.BigEndian
	}
	if binary.BigEndian.Uint32(head)&^1 != logMagic || logSum(order, 0, head[:24]) != binary.BigEndian.Uint64(head[24:]) {
		return nil, nil, nil
	}
	return order, head, nil
}
