package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"queues/engine"
)

const frameSize = frameHeaderSize + pageSize

// cutOffAs makes a folder as a store leaves it that was killed after some sends
// of a message each, and gives the log and where its transactions end.
func cutOffAs(t *testing.T, mode SyncMode, sends int) (dir string, log []byte, ends []int) {
	t.Helper()
	f := open(t, func(o *Options) { o.Sync = mode })
	q := f.create("q")
	for range sends {
		f.send(q, 1)
	}
	dir, path := copyFolder(t, f.o.Dir)
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for at := logHeaderSize; at < len(log); at += frameSize {
		if binary.BigEndian.Uint32(log[at+4:]) > 0 {
			ends = append(ends, at+frameSize)
		}
	}
	return dir, log, ends
}

// openWith opens a copy of a folder with another log, and counts the messages.
func openWith(t *testing.T, dir string, log []byte) (visible int64, err error) {
	t.Helper()
	dir, path := copyFolder(t, dir)
	remove(t, path+"-wal")
	overwrite(t, path+"-wal", 0, log)
	if checked := Check(t.Context(), dir); checked != nil {
		err = checked
	}
	s, opened := Open(t.Context(), Options{Dir: dir, Clock: newTestClock()})
	if opened != nil {
		wantCode(t, "Open", opened, engine.DataUnusable)
		if after, _ := os.ReadFile(path + "-wal"); !bytes.Equal(after, log) {
			t.Error("the refused log was changed")
		}
		for _, advice := range []string{"damaged", adviceRestore, LockName} {
			if !strings.Contains(opened.Error(), advice) {
				t.Errorf("the error does not say %q: %v", advice, opened)
			}
		}
		if err == nil {
			t.Errorf("Check finds nothing, and Open gives %v", opened)
		}
		return 0, opened
	}
	if err != nil {
		t.Errorf("Check finds %v, and it was opened", err)
	}
	q, err := s.FindQueue(t.Context(), name("q"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Counts(t.Context(), q.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	return c.Visible, nil
}

// TestLogDamaged damages every frame of a log in several places, and its header.
// What is not the last transaction was on disk, so that a server that started
// without it would have lost it.
func TestLogDamaged(t *testing.T) {
	t.Parallel()
	const sends = 6
	dir, log, ends := cutOffAs(t, Full, sends)
	path := filepath.Join(t.TempDir(), "log")
	// The last is what is left of a power cut, and where the head of the frame
	// before it is broken, nothing tells that it was written later.
	last := ends[len(ends)-2]
	opened := 0
	for at := 0; at < last; {
		// Page number, size, salt, checksum, first and last byte of the page; of the
		// header: magic, page size, salts, checksum.
		places, next := []int{0, 4, 8, 16, frameHeaderSize, frameSize - 1}, at+frameSize
		if at == 0 {
			places, next = []int{0, 8, 16, 20, 24}, logHeaderSize
		}
		for _, place := range places {
			if next == last && place < frameHeaderSize {
				continue
			}
			damaged := bytes.Clone(log)
			damaged[at+place] ^= 0x40
			overwrite(t, path, 0, damaged)
			if err := checkLog(path); !errors.Is(err, errLogDamaged) {
				t.Errorf("byte %d of the frame at %d of %d damaged: %v", place, at, len(log), err)
			}
			if at == 0 && place == 16 || next == ends[2] && place == frameHeaderSize || next == last {
				if visible, err := openWith(t, dir, damaged); err == nil {
					t.Errorf("byte %d of the frame at %d damaged: it was opened with %d messages of %d", place, at, visible, sends)
				}
				opened++
			}
		}
		at = next
	}
	if opened < 3 {
		t.Errorf("opened %d damaged logs, want some", opened)
	}
}

// TestLogCutOff builds what a power cut may leave of the last transaction: that
// is no damage.
func TestLogCutOff(t *testing.T) {
	t.Parallel()
	const sends = 4
	dir, log, ends := cutOffAs(t, Full, sends)
	last := ends[len(ends)-2]
	cut := func(from, to int) []byte { return append(bytes.Clone(log[:from]), make([]byte, to-from)...) }
	hole := func(at int) []byte {
		b := bytes.Clone(log)
		copy(b[at:at+512], bytes.Repeat([]byte{0xa5}, 512)) // whatever was there before
		return b
	}
	for name, tc := range map[string]struct {
		log  []byte
		want int64
	}{
		"Whole":         {log, sends},
		"Missing":       {log[:last], sends - 1},
		"FrameCutShort": {log[:last+frameSize-7], sends - 1},
		"Empty":         {cut(last, len(log)), sends - 1},
		"HoleAtFirst":   {hole(last), sends - 1},
		"HoleInFirst":   {hole(last + 2048), sends - 1},
		"HoleInLast":    {hole(len(log) - 600), sends - 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := openWith(t, dir, tc.log); err != nil || got != tc.want {
				t.Errorf("opened with %d messages, %v, want %d", got, err, tc.want)
			}
		})
	}
}

// TestLogOfLooseSync holds that a hole in a log whose transactions were not
// synced one by one is what a power cut leaves, and that a store that syncs
// them does not stumble over what is behind the hole, after another kill.
func TestLogOfLooseSync(t *testing.T) {
	t.Parallel()
	for _, mode := range []SyncMode{Normal, Off} {
		t.Run(fmt.Sprint(mode), func(t *testing.T) {
			t.Parallel()
			dir, log, ends := cutOffAs(t, mode, 6)
			clear(log[ends[2] : ends[2]+512])
			path := filepath.Join(dir, DataName)
			overwrite(t, path+"-wal", 0, log)
			f := open(t, func(o *Options) { o.Dir, o.Sync = dir, Full })
			q, err := f.FindQueue(t.Context(), name("q"))
			if err != nil {
				t.Fatal(err)
			}
			before := f.counts(q).Visible
			f.send(q, 1)
			again, _ := copyFolder(t, dir)
			g := open(t, func(o *Options) { o.Dir, o.Sync = again, Full })
			if got := g.counts(q).Visible; got != before+1 {
				t.Errorf("%d messages, want %d and one more", got, before)
			}
		})
	}
}

// TestLogLoosened holds that a store that syncs less says so before it writes.
func TestLogLoosened(t *testing.T) {
	t.Parallel()
	dir, _, _ := cutOffAs(t, Full, 2)
	for _, tc := range []struct {
		mode SyncMode
		want bool
	}{{Full, true}, {Normal, false}, {Full, true}, {Off, false}} {
		f := open(t, func(o *Options) { o.Dir, o.Sync = dir, tc.mode })
		next, _ := copyFolder(t, dir)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		lock, err := lockFolder(next)
		if err != nil {
			t.Fatal(err)
		}
		if !lock.unclean || lock.synced != tc.want {
			t.Errorf("after mode %d: unclean %t, synced %t, want true and %t", tc.mode, lock.unclean, lock.synced, tc.want)
		}
		if err := lock.release(); err != nil {
			t.Fatal(err)
		}
		dir = next
	}
}
