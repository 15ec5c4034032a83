package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"queues/engine"
)

// leave makes a folder as a store leaves it that was closed, and gives its
// data file.
func leave(t *testing.T) (dir, path string) {
	t.Helper()
	f := open(t)
	q := f.create("q")
	f.send(q, 200)
	f.receive(q, 50)
	f.finish()
	f.open()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return copyFolder(t, f.o.Dir)
}

// cutOff makes a folder as a store leaves it that was killed.
func cutOff(t *testing.T) (dir, path string) {
	t.Helper()
	f := open(t)
	f.send(f.create("q"), 20)
	return copyFolder(t, f.o.Dir)
}

// copyFolder copies the files of a folder but the index of the log, which a
// crash of the machine would not leave either.
func copyFolder(t *testing.T, from string) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	for name := range filesIn(t, from) {
		if strings.HasSuffix(name, "-shm") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, filepath.Join(dir, name), 0, data)
	}
	return dir, filepath.Join(dir, DataName)
}

// overwrite writes into a file, which is made when it is not there.
func overwrite(t *testing.T, path string, at int64, data []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt(data, at); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// TestDamaged damages a folder in every way that could be thought of: it is
// refused in words that say what to do, and left as it is.
func TestDamaged(t *testing.T) {
	t.Parallel()
	foreignLog := func(t *testing.T) []byte {
		t.Helper()
		_, path := cutOff(t)
		data, err := os.ReadFile(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	const restore = `"queues restore"`
	for name, tc := range map[string]struct {
		make   func(*testing.T) (dir, path string)
		damage func(t *testing.T, dir, path string)
		advice []string
	}{
		"HeaderOverwritten": {leave, func(t *testing.T, _, path string) { overwrite(t, path, 0, bytes.Repeat([]byte("x"), 100)) }, []string{"not a database", restore}},
		"HeaderZeroed":      {leave, func(t *testing.T, _, path string) { overwrite(t, path, 0, make([]byte, 100)) }, []string{"not a database", restore}},
		"SchemaOverwritten": {leave, func(t *testing.T, _, path string) { overwrite(t, path, 100, bytes.Repeat([]byte{0xff}, 3000)) }, []string{"damaged", restore}},
		"VersionLost":       {leave, func(t *testing.T, _, path string) { overwrite(t, path, 60, make([]byte, 4)) }, []string{"schema version", restore}},
		"HalfLost":          {leave, func(t *testing.T, _, path string) { truncate(t, path, 20*pageSize) }, []string{"damaged", restore}},
		"LastPageLost": {leave, func(t *testing.T, _, path string) {
			size, _ := sizeOf(path)
			truncate(t, path, size-pageSize)
		}, []string{"damaged", restore}},
		"LastBytesLost": {leave, func(t *testing.T, _, path string) {
			size, _ := sizeOf(path)
			truncate(t, path, size-100)
		}, []string{"damaged", restore}},
		"FileLost":          {leave, func(t *testing.T, _, path string) { remove(t, path) }, []string{"missing", restore, "another folder"}},
		"FileEmptied":       {leave, func(t *testing.T, _, path string) { truncate(t, path, 0) }, []string{"empty", restore}},
		"FileCutToOneByte":  {leave, func(t *testing.T, _, path string) { truncate(t, path, 1) }, []string{"empty", restore}},
		"FileCutToHeader":   {leave, func(t *testing.T, _, path string) { truncate(t, path, 100) }, []string{"damaged", restore}},
		"FileLostBesideLog": {cutOff, func(t *testing.T, _, path string) { remove(t, path) }, []string{"missing", restore}},
		"EmptyFileBesideLog": {cutOff, func(t *testing.T, dir, path string) {
			truncate(t, path, 0)
			remove(t, filepath.Join(dir, reserveName))
			remove(t, filepath.Join(dir, LockName))
		}, []string{"empty", restore}},
		"LogLost": {cutOff, func(t *testing.T, _, path string) { remove(t, path+"-wal") }, []string{"log", "missing", "put it back", restore}},
		"LogOfAnotherStore": {
			leave, func(t *testing.T, _, path string) { overwrite(t, path+"-wal", 0, foreignLog(t)) },
			[]string{"belongs to another", "move the log away"},
		},
		"LogBesideCopy": {cutOff, func(t *testing.T, _, path string) {
			f := open(t)
			f.send(f.create("q"), 3)
			data, err := os.ReadFile(f.backup())
			if err != nil {
				t.Fatal(err)
			}
			remove(t, path)
			overwrite(t, path, 0, data)
		}, []string{"belongs to another", "move the log away"}},
		"NoSecret":     {leave, func(t *testing.T, dir, _ string) { execOn(t, dir, "DELETE FROM meta") }, []string{"secret", restore}},
		"NoStoreState": {leave, func(t *testing.T, dir, _ string) { execOn(t, dir, "DELETE FROM queue_state WHERE number = 0") }, []string{"state", restore}},
		"NoQueueState": {leave, func(t *testing.T, dir, _ string) { execOn(t, dir, "DELETE FROM queue_state WHERE number = 1") }, []string{"state", restore}},
		"FarFuture":    {leave, func(t *testing.T, dir, _ string) { execOn(t, dir, "UPDATE queue_state SET cut = 1 << 62") }, []string{"state", restore}},
		"NotSettings":  {leave, func(t *testing.T, dir, _ string) { execOn(t, dir, "UPDATE queues SET settings = '[]'") }, []string{"settings", restore}},
		"NotTags":      {leave, func(t *testing.T, dir, _ string) { execOn(t, dir, "UPDATE queues SET tags = 'x'") }, []string{"tags", restore}},
		"NoTable":      {leave, func(t *testing.T, dir, _ string) { execOn(t, dir, "DROP TABLE moved") }, []string{"moved", restore}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, path := tc.make(t)
			tc.damage(t, dir, path)
			before, _ := os.ReadFile(path)
			log, _ := os.ReadFile(path + "-wal")
			for range 2 { // it is refused again
				s, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock()})
				if err == nil {
					_ = s.Close()
					t.Fatal("it was opened")
				}
				wantCode(t, "Open", err, engine.DataUnusable)
				for _, advice := range tc.advice {
					if !strings.Contains(err.Error(), advice) {
						t.Errorf("the error does not say %q: %v", advice, err)
					}
				}
			}
			if err := Check(t.Context(), dir); err == nil {
				t.Error("Check finds nothing")
			}
			after, _ := os.ReadFile(path)
			logAfter, _ := os.ReadFile(path + "-wal")
			if !bytes.Equal(before, after) || !bytes.Equal(log, logAfter) {
				t.Error("the refused files were changed")
			}
		})
	}
}

// TestCopyPutInPlace follows the advice for a copy that somebody put in the
// place of the file of a server that was killed.
func TestCopyPutInPlace(t *testing.T) {
	t.Parallel()
	dir, path := cutOff(t)
	other := open(t)
	other.send(other.create("q"), 3)
	data, err := os.ReadFile(other.backup())
	if err != nil {
		t.Fatal(err)
	}
	remove(t, path)
	remove(t, path+"-wal")
	overwrite(t, path, 0, data)
	f := open(t, func(o *Options) { o.Dir = dir; o.Clock = other.clock })
	q, err := f.FindQueue(t.Context(), name("q"))
	if err != nil {
		t.Fatal(err)
	}
	if c := f.counts(q); c.Visible != 3 {
		t.Errorf("counts are %+v, want the copy's 3", c)
	}
	f.reopen()
}

// TestDamagedPages overwrites the beginning of one page after the other. Every
// time the file is refused, or nothing is lost by it.
func TestDamagedPages(t *testing.T) {
	t.Parallel()
	_, path := leave(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pages := len(whole) / pageSize
	refused := 0
	for page := 1; page < pages; page++ {
		dir := t.TempDir()
		damaged := filepath.Join(dir, DataName)
		overwrite(t, damaged, 0, whole)
		overwrite(t, damaged, int64(page)*pageSize, bytes.Repeat([]byte{0xa5}, 12))
		s, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock(), Sync: Off})
		if err != nil {
			wantCode(t, fmt.Sprintf("Open with page %d damaged", page), err, engine.DataUnusable)
			if !strings.Contains(err.Error(), adviceRestore) {
				t.Errorf("page %d: no advice in %v", page, err)
			}
			refused++
			continue
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := Check(t.Context(), dir); err != nil {
			t.Errorf("page %d is damaged and the store was opened: %v", page, err)
		}
	}
	if refused < pages/2 {
		t.Errorf("%d of %d damaged pages were noticed", refused, pages-1)
	}
}

// TestDamagedIndex changes the last byte of one leaf of an index after the other,
// a number of the row that an entry stands for: the pages are well formed, and a
// message would be found by nobody. The second page has pointers only.
func TestDamagedIndex(t *testing.T) {
	t.Parallel()
	_, path := leave(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := openConn(path)
	if err != nil {
		t.Fatal(err)
	}
	secrets, err := c.int("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'")
	if err := errors.Join(err, c.close()); err != nil {
		t.Fatal(err)
	}
	leaves := 0
	for at := 2 * pageSize; at < len(whole); at += pageSize {
		const indexLeaf = 10
		if int64(at/pageSize+1) == secrets {
			continue // bytes that could be any
		}
		entries := int(whole[at+3])<<8 | int(whole[at+4])
		if whole[at] != indexLeaf || entries == 0 {
			continue
		}
		leaves++
		dir := t.TempDir()
		damaged := filepath.Join(dir, DataName)
		overwrite(t, damaged, 0, whole)
		last := int64(at + pageSize - 1)
		overwrite(t, damaged, last, []byte{whole[last] ^ 1})
		s, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock(), Sync: Off})
		if err == nil {
			_ = s.Close()
			t.Errorf("page %d is damaged and the store was opened", at/pageSize)
			continue
		}
		wantCode(t, "Open", err, engine.DataUnusable)
	}
	if leaves < 3 {
		t.Errorf("%d leaves of indexes, want some", leaves)
	}
}

// TestOpensAfterCut opens what a kill leaves, more than once, and what a look
// at it by Check leaves.
func TestOpensAfterCut(t *testing.T) {
	t.Parallel()
	dir, path := cutOff(t)
	if err := Check(t.Context(), dir); err != nil {
		t.Fatalf("Check: %v", err)
	}
	if size, err := sizeOf(path + "-wal"); err != nil || size <= 0 {
		t.Errorf("Check left a log of %d bytes, %v", size, err)
	}
	for range 2 {
		f := open(t, func(o *Options) { o.Dir = dir })
		q, err := f.FindQueue(t.Context(), name("q"))
		if err != nil {
			t.Fatal(err)
		}
		if c := f.counts(q); c.Visible != 20 {
			t.Errorf("counts are %+v, want 20 visible", c)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckLeavesNothing looks at what a store left that was closed, and at what
// was never a store's folder.
func TestCheckLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func() (dir string, found bool){
		"Closed": func() (string, bool) { dir, _ := leave(t); return dir, false },
		"NoLock": func() (string, bool) {
			dir, _ := leave(t)
			remove(t, filepath.Join(dir, LockName))
			return dir, false
		},
		"CutOffNoLock": func() (string, bool) {
			dir, _ := cutOff(t)
			remove(t, filepath.Join(dir, LockName))
			return dir, false
		},
		"Empty": func() (string, bool) { return t.TempDir(), true },
	} {
		dir, found := make()
		before := filesIn(t, dir)
		if err := Check(t.Context(), dir); (err != nil) != found {
			t.Errorf("%s: Check: %v", name, err)
		}
		after := filesIn(t, dir)
		delete(after, DataName+"-shm") // the index of a log is made by every look
		if !maps.Equal(before, after) {
			t.Errorf("%s: Check left %v of %v", name, after, before)
		}
	}
}

// TestForeignFileKeepsItsMode holds that a file that is refused is not touched.
func TestForeignFileKeepsItsMode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, DataName)
	overwrite(t, path, 0, nil)
	execOn(t, dir, "CREATE TABLE t (x)")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: dir, Clock: newTestClock()})
	wantCode(t, "Open", err, engine.DataUnusable)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the foreign file has mode %v, %v", info.Mode(), err)
	}
}
