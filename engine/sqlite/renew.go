package sqlite

import (
	"encoding/binary"
	"fmt"
	"time"
)

// A copy of a store is the same store at an earlier time: it would give ids
// again that the original has given since, and a receipt handle made in
// between would name another message. So every copy bears a mark, and whoever
// opens it first takes the mark off and lets the ids start anew, above every
// one that the original or another copy of it can have given.
const (
	// metaCopied is the mark; its value is when the copy was made.
	metaCopied = "copied"
	// metaRenewed is the first id after the last renewal.
	metaRenewed = "renewed"
)

// renewalShift makes an id of a time in milliseconds: a store would have to
// store 16 million messages a second since 1970 to come by it, and a row's id
// still takes no more than eight bytes until the year 2109.
const renewalShift = 14

const putMetaSQL = `REPLACE INTO meta (key, value) VALUES (?, ?)`

// putMeta stores a number under a key of its own.
func putMeta(c *conn, key string, value int64) error {
	s, err := c.prepare("meta.put", putMetaSQL)
	if err != nil {
		return err
	}
	return s.run(nil, key, binary.BigEndian.AppendUint64(nil, uint64(value)))
}

// readNumber gives the number under a key, zero for none.
func readNumber(c *conn, key string) (n int64, err error) {
	err = c.query("SELECT value FROM meta WHERE key = ?", func(r row) error {
		if b := r.blob(0); len(b) == 8 {
			n = int64(binary.BigEndian.Uint64(b))
			return nil
		}
		return fmt.Errorf("the value of %s is damaged", key)
	}, key)
	return n, err
}

// markCopy marks a database as a copy, made at a time. Whoever opens it renews
// it.
func markCopy(c *conn, at time.Time) error { return putMeta(c, metaCopied, toMS(at)) }

// renew makes a store of a copy; any other it leaves as it is.
//
// It works without the write-ahead log: while the file bears the mark, a log
// beside it cannot be its own, which is how a log is recognised that somebody
// left there when they put a copy in the place of a damaged file.
func renew(c *conn, now time.Time) error {
	copied, err := readNumber(c, metaCopied)
	if err != nil || copied == 0 {
		return err
	}
	if err := c.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL"); err != nil {
		return err
	}
	var id, latest int64
	err = c.query("SELECT cursor, cut FROM queue_state WHERE number = 0", func(r row) error {
		id, latest = r.int(0), r.int(1)
		return nil
	})
	if err != nil {
		return err
	}
	id = max(id, max(latest, toMS(now))<<renewalShift)
	if err := inTransaction(c,
		fmt.Sprintf("UPDATE queue_state SET cursor = %d WHERE number = 0", id),
		fmt.Sprintf("REPLACE INTO meta VALUES ('%s', x'%016x')", metaRenewed, id),
		fmt.Sprintf("DELETE FROM meta WHERE key = '%s'", metaCopied)); err != nil {
		return err
	}
	return enterWAL(c)
}
