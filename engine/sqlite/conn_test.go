package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mattn/go-sqlite3"
)

// TestStatementsAreCompiledOnce runs every statement twice: the second run must
// find it compiled.
func TestStatementsAreCompiledOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "queues.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := openConn(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.close() }()
	if err := errors.Join(migrate(c), (&writer{}).prepare(c)); err != nil {
		t.Fatal(err)
	}
	r, err := openReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.conn.close() }()
	for _, c := range []*conn{c, r.conn} {
		compiled := 0
		// SQLite asks about everything that it compiles.
		c.c.RegisterAuthorizer(func(int, string, string, string) int {
			compiled++
			return sqlite3.SQLITE_OK
		})
		for _, s := range c.stmts {
			args := make([]any, s.s.NumInput())
			for i := range args {
				args[i] = int64(1)
			}
			if len(args) == 0 {
				continue // a pragma is compiled each time
			}
			compiled = 0
			_ = s.run(nil, args...) // whatever comes of it, it was compiled
			if compiled == 0 {
				t.Errorf("%s: nobody was asked about its first run", s.point)
			}
			compiled = 0
			_ = s.run(nil, args...)
			if compiled > 0 {
				t.Errorf("%s: compiled again for its second run", s.point)
			}
		}
	}
}
