package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// conn is one connection to the database, used by one goroutine at a time. It
// works on the driver's own interface: the pool and the conversions of
// database/sql would be a layer that every statement pays for and none needs.
type conn struct {
	c      *sqlite3.SQLiteConn
	stmts  []*stmt
	multis []*multi
}

// How a file is opened.
const (
	toWrite = "mode=rw"
	// toRead leaves the file as it is, its log too.
	toRead = "mode=ro"
	// toReadAlone sees the file without its log. It must not change meanwhile.
	toReadAlone = "mode=ro&immutable=1"
)

// openConn opens the file at path, which must exist.
func openConn(path string, pragmas ...string) (*conn, error) {
	return openConnAs(toWrite, path, pragmas...)
}

func openConnAs(mode, path string, pragmas ...string) (*conn, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// As an URL with escapes: a path may hold what has a meaning in one.
	dsn := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: mode + "&_mutex=no&_busy_timeout=10000"}
	c, err := openDSN(dsn.String())
	if err != nil {
		return nil, err
	}
	for _, pragma := range pragmas {
		if err := c.exec("PRAGMA " + pragma); err != nil {
			_ = c.close()
			return nil, fmt.Errorf("PRAGMA %s: %w", pragma, err)
		}
	}
	return c, nil
}

// openMemory opens an empty database in memory.
func openMemory() (*conn, error) { return openDSN(":memory:") }

func openDSN(dsn string) (*conn, error) {
	dc, err := (&sqlite3.SQLiteDriver{}).Open(dsn)
	if err != nil {
		return nil, err
	}
	return &conn{c: dc.(*sqlite3.SQLiteConn)}, nil
}

// exec runs statements that take and give nothing.
func (c *conn) exec(query string) error {
	_, err := c.c.Exec(query, nil)
	return err
}

// int gives the single number that a query gives, zero when it gives no row.
func (c *conn) int(query string, args ...any) (int64, error) {
	var n int64
	err := c.query(query, func(r row) error { n = r.int(0); return nil }, args...)
	return n, err
}

// text gives the single text that a query gives.
func (c *conn) text(query string) (string, error) {
	var s string
	err := c.query(query, func(r row) error { s = r.text(0); return nil })
	return s, err
}

// query runs a statement once, without keeping it.
func (c *conn) query(query string, each func(row) error, args ...any) error {
	ds, err := c.c.Prepare(query)
	if err != nil {
		return err
	}
	s := &stmt{s: ds.(*sqlite3.SQLiteStmt)}
	return errors.Join(s.run(each, args...), ds.Close())
}

// unpeeked puts a plus before parameters, which changes nothing but that the
// planner does not ask for their values. It asks for those that something is
// equal to and for limits, and once it has, SQLite compiles the statement anew
// each time it runs: more than half of a receive.
var unpeeked = strings.NewReplacer("= ?", "= +?", "LIMIT ?", "LIMIT +?")

// prepare makes a statement that lives as long as the connection.
func (c *conn) prepare(name, query string) (*stmt, error) {
	ds, err := c.c.Prepare(unpeeked.Replace(query))
	if err != nil {
		return nil, fmt.Errorf("statement %s: %w", name, err)
	}
	s := &stmt{point: "statement:" + name, s: ds.(*sqlite3.SQLiteStmt)}
	s.writes = !s.s.Readonly()
	c.stmts = append(c.stmts, s)
	return s, nil
}

// inTransaction is false when SQLite has rolled back by itself.
func (c *conn) inTransaction() bool { return !c.c.AutoCommit() }

func (c *conn) close() error {
	for _, s := range c.stmts {
		_ = s.s.Close()
	}
	return c.c.Close()
}

// stmt is a prepared statement.
type stmt struct {
	// point is its name for faults and errors.
	point  string
	s      *sqlite3.SQLiteStmt
	writes bool
	args   []driver.NamedValue
	row    row
}

// run binds the arguments, runs the statement to its end and hands each row to
// each, which may be nil. Arguments are nil, int64, string or []byte.
//
// It goes through the driver's query even when nothing is asked for: a query
// binds and steps in one crossing to C, an exec crosses once per argument.
func (s *stmt) run(each func(row) error, args ...any) (err error) {
	s.bind(args)
	return s.step(each)
}

// bind gives the statement its arguments, for step.
func (s *stmt) bind(args []any) {
	s.args = s.args[:0]
	for i, arg := range args {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: arg})
	}
}

// step is run with arguments that are bound.
func (s *stmt) step(each func(row) error) (err error) {
	rows, err := s.s.QueryContext(context.Background(), s.args)
	clear(s.args) // let go of bodies
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if s.row == nil {
		s.row = make(row, len(rows.Columns()))
	}
	for {
		switch err := rows.Next(s.row); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if each != nil {
			if err := each(s.row); err != nil {
				return err
			}
		}
	}
}

// row is one row of a result, valid until the next.
type row []driver.Value

// int gives a number, zero for NULL.
func (r row) int(i int) int64 { n, _ := r[i].(int64); return n }

// text gives a text, empty for NULL.
func (r row) text(i int) string { s, _ := r[i].(string); return s }

// blob gives bytes, nil for NULL.
func (r row) blob(i int) []byte { b, _ := r[i].([]byte); return b }

// preparation is a statement to prepare and where it goes. The name is its
// point for faults.
type preparation struct {
	to         **stmt
	name, text string
}

// prepareAll prepares statements, and stops at the first that fails.
func (c *conn) prepareAll(all []preparation) error {
	for _, p := range all {
		s, err := c.prepare(p.name, p.text)
		if err != nil {
			return err
		}
		*p.to = s
	}
	return nil
}
