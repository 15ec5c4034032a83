package layout

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3"
)

// options are the settings of a database under trial.
type options struct {
	candidate
	durable    bool // synchronous=FULL; otherwise NORMAL, which shows the processor's share
	pageSize   int  // 4096 when zero
	vacuum     bool // auto_vacuum=INCREMENTAL
	readInside bool // bodies are read by the walk, within the transaction
}

// message is one row to be stored.
type message struct {
	id, queue, sent int64
	delayed         bool
	meta, body      []byte
}

// queue is what the writer keeps in memory of a queue and stores once a batch.
type queue struct {
	number                               int64
	cursor                               int64
	visible, returned, inFlight, delayed int64
	nextDue                              int64 // may be too early, never too late
	last                                 int64 // last sequence, for composite keys
	touched                              bool
}

// store is one database with its only writer and one reader.
type store struct {
	options
	dir            string
	writer, reader *sql.DB
	conn           *sql.Conn
	wal            *walMeter
	queues         []*queue
	touched        []*queue
	sequence       int64
	nextDue        int64 // over all queues, for globalDue
	stmts          statements
	args           []any
	due            []dueDelivery
}

// statements are the prepared statements of the cycle.
type statements struct {
	begin, commit                      *sql.Stmt
	message, body, ready               *sql.Stmt
	delay, delivery                    *sql.Stmt
	again, retake, walk, unready       *sql.Stmt
	promote, nextDue                   *sql.Stmt
	dropDelivery, dropMessage, dropOut *sql.Stmt
	queueState, storeState             *sql.Stmt
	read                               *sql.Stmt
}

// openStore creates a database with queues queues in a fresh folder.
func openStore(tb testing.TB, o options, queues int) *store {
	tb.Helper()
	if o.pageSize == 0 {
		o.pageSize = 4096
	}
	s := &store{options: o, dir: tb.TempDir(), nextDue: math.MaxInt64}
	path := filepath.Join(s.dir, "trial.db")
	// A folder's name may hold characters that end the path of a URI, as # does.
	uri := "file:" + (&url.URL{Path: path}).EscapedPath()
	synchronous, vacuum := "NORMAL", "NONE"
	if o.durable {
		synchronous = "FULL"
	}
	if !*trialFlag {
		synchronous = "OFF" // the small form measures nothing
	}
	if o.vacuum {
		vacuum = "INCREMENTAL"
	}
	s.writer = must(sql.Open("sqlite3", uri))
	s.writer.SetMaxOpenConns(1)
	s.conn = must(s.writer.Conn(context.Background()))
	// The write-ahead log is bounded in bytes, 4 MiB, whatever the page.
	for _, pragma := range []string{
		fmt.Sprintf("page_size = %d", o.pageSize), "auto_vacuum = " + vacuum, "journal_mode = WAL",
		"synchronous = " + synchronous, "cache_size = -65536",
		fmt.Sprintf("wal_autocheckpoint = %d", 1000*4096/o.pageSize),
	} {
		s.exec("PRAGMA " + pragma)
	}
	s.exec("BEGIN IMMEDIATE;" + o.schema())
	for n := range int64(queues) {
		s.queues = append(s.queues, &queue{number: n + 1, nextDue: math.MaxInt64})
		s.exec("INSERT INTO queue_state VALUES (?, 0, 0, 0, 0, 0)", n+1)
	}
	s.exec("COMMIT")
	s.wal = openWALMeter(path)
	s.reader = must(sql.Open("sqlite3", uri+"?mode=ro&_query_only=1"))
	s.reader.SetMaxOpenConns(1)
	s.prepare()
	tb.Cleanup(s.close)
	return s
}

// prepare compiles the statements of the cycle.
func (s *store) prepare() {
	prepare := func(text string) *sql.Stmt { return must(s.conn.PrepareContext(context.Background(), text)) }
	p := &s.stmts
	p.begin, p.commit = prepare("BEGIN IMMEDIATE"), prepare("COMMIT")
	p.message = prepare(s.insertMessages(1))
	delivery := "INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
	p.delay = prepare(delivery)
	if s.merged {
		delivery += ` ON CONFLICT (id) DO UPDATE SET state = 2, due = excluded.due, stamp = excluded.stamp,
			receives = receives + 1, received = excluded.received,
			first_receive = CASE receives WHEN 0 THEN excluded.received ELSE first_receive END RETURNING receives`
	}
	p.delivery = prepare(delivery)
	again := "SELECT id, receives FROM deliveries WHERE queue = ? AND state = 3 ORDER BY id LIMIT 1"
	if s.readInside {
		again = `SELECT d.id, d.receives, m.meta, m.body FROM deliveries d JOIN messages m ON m.id = d.id
			WHERE d.queue = ? AND d.state = 3 ORDER BY d.id LIMIT 1`
	}
	p.again = prepare(again)
	p.retake = prepare(`UPDATE deliveries SET state = 2, due = ?2, stamp = ?3, receives = receives + 1, received = ?4,
		first_receive = CASE receives WHEN 0 THEN ?4 ELSE first_receive END WHERE id = ?1`)
	p.walk = prepare(s.candidate.walk(s.readInside))
	p.promote, p.nextDue = prepare(s.candidate.promote()), prepare(s.candidate.nextDue())
	p.dropDelivery = prepare("DELETE FROM deliveries WHERE id = ? AND stamp = ?")
	p.dropMessage = prepare("DELETE FROM messages WHERE id = ?")
	if s.split {
		p.body = prepare("INSERT INTO bodies VALUES (?, ?)")
		p.dropOut = prepare("DELETE FROM bodies WHERE id = ?")
	}
	if s.fresh == freshByTable {
		p.ready = prepare("INSERT INTO ready VALUES (?, ?)")
		p.unready = prepare("DELETE FROM ready WHERE queue = ? AND id = ?")
	}
	p.queueState = prepare("UPDATE queue_state SET cursor = ?, visible = ?, returned = ?, in_flight = ?, delayed = ? WHERE queue = ?")
	p.storeState = prepare("UPDATE store_state SET sequence = ?, clock = ? WHERE one = 1")
	p.read = must(s.reader.Prepare(s.candidate.read()))
}

// close closes the database and deletes nothing: the folder is the test's.
func (s *store) close() {
	if s.conn == nil {
		return
	}
	check(s.reader.Close())
	check(s.conn.Close())
	check(s.writer.Close())
	s.wal.close()
	s.conn = nil
}

// exec runs a statement on the writer outside the prepared ones.
func (s *store) exec(text string, args ...any) {
	must(s.conn.ExecContext(context.Background(), text, args...))
}

// number answers a query for one number on the writer.
func (s *store) number(text string, args ...any) (n int64) {
	check(s.conn.QueryRowContext(context.Background(), text, args...).Scan(&n))
	return n
}

// run executes a prepared statement.
func run(stmt *sql.Stmt, args ...any) sql.Result { return must(stmt.Exec(args...)) }

// must returns v or panics: a trial has no use for an error but to stop.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// check panics on an error.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
