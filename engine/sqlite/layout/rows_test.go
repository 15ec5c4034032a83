package layout

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// rowsPerBatch is a transaction of the Rows part: three requests of ten.
const rowsPerBatch = 30

// trialRows compares one row per statement with ten, in the send, the receive
// and the delete of batches of ten.
func trialRows(t *testing.T, sc scale) {
	for _, durable := range sc.durable {
		times := map[int][]time.Duration{}
		for range sc.rounds {
			for _, rows := range []int{1, 10} {
				t.Run("Run", func(t *testing.T) {
					s := openStore(t, options{candidate: mustCandidate(*winnerFlag), durable: durable}, 1)
					times[rows] = append(times[rows], rowsCycle(s, rows, max(1, sc.cycles/rowsPerBatch)))
				})
			}
		}
		for _, rows := range []int{1, 10} {
			slices.Sort(times[rows])
			median := times[rows][sc.rounds/2]
			t.Logf("Rows: durable %v: %2d rows a statement: %.1f µs per cycle", durable, rows, float64(median.Nanoseconds())/1e3)
		}
	}
}

// rowsCycle sends, receives and deletes batches times rowsPerBatch messages
// and returns the time of one, commits of three stages included.
func rowsCycle(s *store, rows, batches int) time.Duration {
	if s.composite() || s.split || s.fresh == freshByTable {
		panic("the Rows part is written for layouts b and e")
	}
	prepare := func(text string) *sql.Stmt { return must(s.conn.PrepareContext(context.Background(), text)) }
	list := "(" + strings.TrimSuffix(strings.Repeat("?, ", rows), ", ") + ")"
	insert := prepare(s.insertMessages(rows))
	take := prepare("INSERT INTO deliveries VALUES " + tuples(rows, 8))
	walk := prepare(s.candidate.walk(false))
	read := must(s.reader.Prepare("SELECT meta, body FROM messages WHERE id IN " + list))
	dropDeliveries := prepare("DELETE FROM deliveries WHERE id IN " + list)
	dropMessages := prepare("DELETE FROM messages WHERE id IN " + list)
	meta, body, q := make([]byte, 100), make([]byte, 1024), s.queues[0]
	start := time.Now()
	for range batches {
		run(s.stmts.begin)
		for range rowsPerBatch / rows {
			args := s.args[:0]
			for range rows {
				args = s.messageArgs(args, message{id: s.nextID(q), queue: q.number, sent: epoch, meta: meta, body: body})
			}
			run(insert, args...)
			s.args = args
		}
		run(s.stmts.commit)
		run(s.stmts.begin)
		var ids []any
		for range rowsPerBatch / rows {
			taken := len(ids)
			ids = append(ids, walkIDs(walk, s.walkArgs(q, rows))...)
			args := s.args[:0]
			for _, id := range ids[taken:] {
				args = append(args, id, q.number, 2, epoch, int64(1)<<62, 1, epoch, epoch)
			}
			run(take, args...)
			q.cursor = ids[len(ids)-1].(int64)
		}
		run(s.stmts.commit)
		for chunk := range slices.Chunk(ids, rows) {
			readAll(read, chunk)
		}
		run(s.stmts.begin)
		for chunk := range slices.Chunk(ids, rows) {
			run(dropDeliveries, chunk...)
			run(dropMessages, chunk...)
		}
		run(s.stmts.commit)
	}
	elapsed := time.Since(start)
	if n := s.number("SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM deliveries)"); n != 0 {
		panic(fmt.Sprintf("%d rows were left", n))
	}
	return elapsed / time.Duration(batches*rowsPerBatch)
}

// walkIDs returns the keys that a walk finds.
func walkIDs(stmt *sql.Stmt, args []any) (ids []any) {
	rows := must(stmt.Query(args...))
	for rows.Next() {
		var id int64
		check(rows.Scan(&id))
		ids = append(ids, id)
	}
	check(rows.Err())
	check(rows.Close())
	return ids
}

// readAll reads the messages of ids and panics if one is missing.
func readAll(stmt *sql.Stmt, ids []any) {
	rows, found := must(stmt.Query(ids...)), 0
	for rows.Next() {
		var meta, body []byte
		check(rows.Scan(&meta, &body))
		found++
	}
	check(rows.Err())
	check(rows.Close())
	if found != len(ids) {
		panic("a body was not read")
	}
}
