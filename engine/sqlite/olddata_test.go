package sqlite

import (
	"errors"
	"path/filepath"
	"testing"
)

// makeOld makes a data folder as a program of an older schema left it. The
// store over it is not open yet.
func makeOld(t *testing.T, schema int) *fixture {
	t.Helper()
	f := &fixture{t: t, clock: newTestClock()}
	f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
	files, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := makeFile(filepath.Join(f.o.Dir, DataName)); err != nil {
		t.Fatal(err)
	}
	c, err := openConn(filepath.Join(f.o.Dir, DataName))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(create(c, files[:schema]), c.close()); err != nil {
		t.Fatal(err)
	}
	return f
}
