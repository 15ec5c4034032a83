package sqlite

import "queues/engine"

// sizesSQL reads sizes from the heads of rows: no page of a body is touched.
const sizesSQL = `SELECT sum(octet_length(meta) + octet_length(body)) FROM messages
	WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// errNoRoom refuses a receive whose messages nobody has memory for.
var errNoRoom = &engine.Error{
	Code: engine.Overloaded,
	Text: "no memory is free for the messages of a receive; they were not received, try again",
}

// askRoom asks for memory for what was claimed, before it is read.
func (s *Store) askRoom(room func(int64) bool, c claim) error {
	if room == nil || len(c.rows) == 0 {
		return nil
	}
	var size int64
	err := s.readers.with(func(r *reader) error {
		return inTens(c.rows, func(args []any) error {
			return r.sizes.run(func(row row) error { size += row.int(0); return nil }, args...)
		})
	})
	if err != nil {
		return unavailable(err)
	}
	if !room(size) {
		return errNoRoom
	}
	return nil
}

// inTens hands the ids of rows to read, ten at a time. The last ten are filled
// up with NULL, which finds nothing.
func inTens(rows []claimedRow, read func(args []any) error) error {
	for len(rows) > 0 {
		args := make([]any, bodiesAtOnce)
		n := min(len(rows), bodiesAtOnce)
		for i := range n {
			args[i] = rows[i].id
		}
		if err := read(args); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
