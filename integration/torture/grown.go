//go:build linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// grownBy is how many messages data of an older schema grows by, so that its
// migration writes many pages. It is also the name that they have.
const grownBy = 6000

// grow gives a database of an older schema more messages, in the tables that it
// has: they were delayed, and are visible since.
func (u *upgrader) grow(ctx context.Context, data []byte) (_ []byte, err error) {
	dir, err := u.place("grown", data)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "queues.db")
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	const (
		queue   = `(SELECT number FROM queues WHERE name = 'standard')`
		numbers = `WITH RECURSIVE n(k) AS (VALUES (0) UNION ALL SELECT k + 1 FROM n WHERE k < ? - 1) `
		from    = ` FROM n, queue_state AS o, queue_state AS s WHERE o.number = 0 AND s.number = ` + queue
	)
	for _, statement := range []string{
		`INSERT INTO messages (id, queue, fresh, arrived, meta, body) ` + numbers + `
			SELECT o.cursor + k, s.epoch, 0, (SELECT max(arrived) FROM messages), (SELECT meta FROM messages WHERE body = 'fresh'), 'grown-' || k` + from,
		`INSERT INTO deliveries (id, queue, state, stamp, receives) ` + numbers + ` SELECT o.cursor + k, s.epoch, 3, random(), 0` + from,
		`UPDATE queue_state SET again = again + ? WHERE number = ` + queue,
		`UPDATE queue_state SET cursor = cursor + ? WHERE number = 0`,
	} {
		if _, failure := db.ExecContext(ctx, statement, grownBy); failure != nil {
			err = errors.Join(err, fmt.Errorf("cannot grow the data: %w", failure))
		}
	}
	// The last connection leaves everything in the file.
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
