package layout

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// vacuumStep is how many pages one idle step gives back.
const vacuumStep = 256

// trialVacuum fills a deep backlog, drains it in steps of 1,000 except for the
// last hundredth, which lies at the end of the file and has to be moved, and
// asks whether the file shrinks, and at what price.
func trialVacuum(t *testing.T, sc scale) {
	for _, vacuum := range []bool{false, true} {
		t.Run(fmt.Sprintf("Incremental%v", vacuum), func(t *testing.T) {
			s := openStore(t, options{candidate: mustCandidate(*winnerFlag), vacuum: vacuum, durable: sc.durable[0]}, 1)
			d := &driver{load: load{backlog: sc.deep}, store: s, meta: make([]byte, 100), body: make([]byte, 1024)}
			d.random = newRandom(1)
			start := time.Now()
			d.fill()
			filled := time.Since(start)
			s.exec("PRAGMA wal_checkpoint(TRUNCATE)")
			full := fileSize(s)
			start = time.Now()
			d.purge(int64(sc.deep - sc.deep/100))
			drained := time.Since(start)
			free := s.number("PRAGMA freelist_count")
			start = time.Now()
			steps, slowest := s.vacuumAll(vacuum)
			shrunk := time.Since(start)
			s.exec("PRAGMA wal_checkpoint(TRUNCATE)")
			left := fileSize(s)
			t.Logf("Vacuum: incremental %v: %d messages filled in %v (%.1f MB), drained in %v with %d pages free; "+
				"%d steps of %d pages in %v, slowest %v; file then %.1f MB", vacuum, sc.deep, filled.Round(time.Millisecond),
				float64(full)/1e6, drained.Round(time.Millisecond), free, steps, vacuumStep,
				shrunk.Round(time.Millisecond), slowest.Round(time.Microsecond), float64(left)/1e6)
			if vacuum && left > full/2 {
				t.Errorf("the file kept %d of %d bytes", left, full)
			}
		})
	}
}

// purge deletes the messages up to last in transactions of 1,000, as the sweep
// does.
func (d *driver) purge(last int64) {
	for {
		result := must(d.store.conn.ExecContext(context.Background(),
			"DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE id <= ? ORDER BY id LIMIT 1000)", last))
		if must(result.RowsAffected()) == 0 {
			return
		}
	}
}

// vacuumAll gives free pages back step by step until there are none. Each step
// is read to its end: SQLite frees one page per row of the answer.
func (s *store) vacuumAll(enabled bool) (steps int, slowest time.Duration) {
	for enabled && s.number("PRAGMA freelist_count") > 0 {
		start := time.Now()
		rows := must(s.conn.QueryContext(context.Background(), fmt.Sprintf("PRAGMA incremental_vacuum(%d)", vacuumStep)))
		for rows.Next() {
		}
		check(rows.Err())
		check(rows.Close())
		steps, slowest = steps+1, max(slowest, time.Since(start))
	}
	return steps, slowest
}

// fileSize returns the size of the database file.
func fileSize(s *store) int64 { return must(os.Stat(filepath.Join(s.dir, "trial.db"))).Size() }
