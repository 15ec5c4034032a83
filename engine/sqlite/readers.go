package sqlite

import (
	"errors"
	"log/slog"

	"queues/engine"
)

// readerCount is how many connections read beside the writer.
const readerCount = 4

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

// readers are connections that never write. Each read is short: one that lasts
// would keep the write-ahead log from starting over.
type readers struct{ idle chan *reader }

type reader struct {
	conn                 *conn
	body, bodies         *stmt
	pastBody, pastBodies *stmt
	sizes                *stmt
	list, sources        *stmt
	moveSource, moves    *stmt
}

func openReaders(path string) (*readers, error) {
	rs := &readers{idle: make(chan *reader, readerCount)}
	for range readerCount {
		r, err := openReader(path)
		if err != nil {
			return nil, errors.Join(err, rs.close())
		}
		rs.idle <- r
	}
	return rs, nil
}

func openReader(path string) (r *reader, err error) {
	c, err := openConn(path, "query_only = ON", "cache_size = -2048")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = c.close()
		}
	}()
	r = &reader{conn: c}
	for _, p := range []struct {
		to         **stmt
		name, text string
	}{
		{&r.body, "read.body", readBodySQL},
		{&r.bodies, "read.bodies", readBodiesSQL},
		{&r.pastBody, "read.past_body", readPastBodySQL},
		{&r.pastBodies, "read.past_bodies", readPastBodiesSQL},
		{&r.sizes, "read.sizes", sizesSQL},
		{&r.list, "read.list", listQueuesSQL},
		{&r.sources, "read.sources", listSourcesSQL},
		{&r.moveSource, "read.move_source", moveSourceSQL},
		{&r.moves, "read.moves", listMovesSQL},
	} {
		if *p.to, err = c.prepare(p.name, p.text); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// with runs read on a connection of its own.
func (rs *readers) with(read func(*reader) error) error {
	r := <-rs.idle
	defer func() { rs.idle <- r }()
	return read(r)
}

// close closes all connections. No read may be under way or follow.
func (rs *readers) close() error {
	var errs []error
	for len(rs.idle) > 0 {
		errs = append(errs, (<-rs.idle).conn.close())
	}
	return errors.Join(errs...)
}

// storedMessage is a message as a reader found it.
type storedMessage struct {
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

// readClaimed reads the messages of a claim, in its order. One that is gone by
// now is left out: its delivery row went with it.
func (s *Store) readClaimed(c claim) ([]engine.Delivery, error) {
	if len(c.rows) == 0 {
		return nil, nil
	}
	found := make(map[int64]storedMessage, len(c.rows))
	err := s.readers.with(func(r *reader) error {
		take := func(row row) error {
			m, err := decodeMeta(row.blob(2))
			if err != nil {
				// Its claim ends with its deadline; others must not wait for it.
				s.log.Error("a message cannot be read and is left out",
					slog.Int64("sequence", row.int(0)), slog.Any("error", err))
				return nil
			}
			m.Body = row.text(3)
			stored := storedMessage{message: m, sent: row.int(1)}
			if c.past {
				stored.takePast(row)
			}
			found[row.int(0)] = stored
			return nil
		}
		body, bodies := r.body, r.bodies
		if c.past {
			body, bodies = r.pastBody, r.pastBodies
		}
		rest := c.rows
		for len(rest) > 1 {
			args := make([]any, bodiesAtOnce)
			for i := range args {
				args[i] = rest[min(i, len(rest)-1)].id
			}
			if err := bodies.run(take, args...); err != nil {
				return err
			}
			rest = rest[min(bodiesAtOnce, len(rest)):]
		}
		if len(rest) == 1 {
			return body.run(take, rest[0].id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	messages := make([]engine.Delivery, 0, len(c.rows))
	for _, row := range c.rows {
		m, ok := found[row.id]
		if !ok {
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
