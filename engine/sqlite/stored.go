package sqlite

import (
	"log/slog"
	"slices"

	"queues/engine"
)

// bodiesAtOnce is how many messages one statement reads.
const bodiesAtOnce = 10

const (
	readBodySQL   = `SELECT id, arrived, meta, body FROM messages WHERE id = ?`
	readBodiesSQL = `SELECT id, arrived, meta, body FROM messages WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// Of a queue that has dead letters, what they brought along is read too.
const (
	pastColumns       = `, b.id, b.sent, b.prior, b.first, b.account, b.region, b.name`
	readPastBodySQL   = `SELECT m.id, m.arrived, m.meta, m.body` + pastColumns + ` FROM messages AS m LEFT JOIN moved AS b ON b.id = m.id WHERE m.id = ?`
	readPastBodiesSQL = `SELECT m.id, m.arrived, m.meta, m.body` + pastColumns + ` FROM messages AS m LEFT JOIN moved AS b ON b.id = m.id
		WHERE m.id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// sizesSQL reads sizes from the heads of rows: no page of a body is touched.
const sizesSQL = `SELECT sum(octet_length(meta) + octet_length(body)) FROM messages
	WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// storedStatements read messages, on whatever connection they are prepared.
type storedStatements struct {
	body, bodies         *stmt
	pastBody, pastBodies *stmt
	sizes                *stmt
}

func (s *storedStatements) prepare(c *conn) (err error) {
	if err := c.prepareAll([]preparation{
		{&s.body, "read.body", readBodySQL},
		{&s.bodies, "read.bodies", readBodiesSQL},
		{&s.pastBody, "read.past_body", readPastBodySQL},
		{&s.pastBodies, "read.past_bodies", readPastBodiesSQL},
		{&s.sizes, "read.sizes", sizesSQL},
	}); err != nil {
		return err
	}
	return nil
}

// size is how many bytes the messages of a claim have.
func (s *storedStatements) size(c *claim) (size int64, err error) {
	err = inTens(c.rows, func(args []any) error {
		return s.sizes.run(func(row row) error { size += row.int(0); return nil }, args...)
	})
	return size, err
}

// storedMessage is a message as a reader found it.
type storedMessage struct {
	found   bool
	message engine.Message
	sent    int64
	past    past
}

// past is what a message brought along from other queues.
type past struct {
	receives int64
	first    int64 // zero for never
	source   engine.QueueName
}

// takePast reads the columns behind a message's own.
func (m *storedMessage) takePast(r row) {
	if r[4] == nil {
		return
	}
	if r[5] != nil {
		m.sent = r.int(5)
	} else {
		// Only on FIFO queues, whose dead letters are known by their own id.
		m.message.Dedup = m.message.ID.String()
	}
	m.past = past{receives: r.int(6), first: r.int(7), source: engine.QueueName{
		Namespace: engine.Namespace{Account: r.text(8), Region: r.text(9)}, Name: r.text(10),
	}}
}

// read reads the messages of a claim, in its order. One that is gone by now is
// left out: its delivery row went with it. One that cannot be read is too, and
// damaged is told.
func (s *storedStatements) read(c *claim, log *slog.Logger, damaged func(error)) ([]engine.Delivery, error) {
	stored := make([]storedMessage, len(c.rows))
	take := func(row row) error {
		m, err := decodeMeta(row.blob(2))
		if err != nil {
			// Its claim ends with its deadline; others must not wait for it.
			log.Error("a message cannot be read and is left out",
				slog.Int64("sequence", row.int(0)), slog.Any("error", err))
			damaged(err)
			return nil
		}
		m.Body = row.text(3)
		// Rows are few, and a map of what is so large costs more than to look.
		i := slices.IndexFunc(c.rows, func(claimed claimedRow) bool { return claimed.id == row.int(0) })
		stored[i] = storedMessage{found: true, message: m, sent: row.int(1)}
		if c.past {
			stored[i].takePast(row)
		}
		return nil
	}
	body, bodies := s.body, s.bodies
	if c.past {
		body, bodies = s.pastBody, s.pastBodies
	}
	var err error
	if len(c.rows) == 1 {
		err = body.run(take, c.rows[0].id)
	} else {
		err = inTens(c.rows, func(args []any) error { return bodies.run(take, args...) })
	}
	if err != nil {
		return nil, err
	}
	messages := make([]engine.Delivery, 0, len(c.rows))
	for i, row := range c.rows {
		m := &stored[i]
		if !m.found {
			continue
		}
		if m.past.first == 0 {
			m.past.first = row.first
		}
		messages = append(messages, engine.Delivery{
			Message:       m.message,
			Ref:           reference{number: c.number, epoch: c.epoch, id: row.id, stamp: row.stamp}.encode(),
			Sequence:      uint64(row.id),
			Sent:          fromMS(m.sent),
			FirstReceived: fromMS(m.past.first),
			Receives:      int(m.past.receives + row.receives),
			Source:        m.past.source,
			Deadline:      c.deadline,
		})
	}
	return messages, nil
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
