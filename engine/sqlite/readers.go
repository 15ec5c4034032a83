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

// readers are connections that never write. Each read is short: one that lasts
// would keep the write-ahead log from starting over.
type readers struct{ idle chan *reader }

type reader struct {
	conn         *conn
	body, bodies *stmt
	sizes        *stmt
	list         *stmt
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
	if r.body, err = c.prepare("read.body", readBodySQL); err != nil {
		return nil, err
	}
	if r.bodies, err = c.prepare("read.bodies", readBodiesSQL); err != nil {
		return nil, err
	}
	if r.sizes, err = c.prepare("read.sizes", sizesSQL); err != nil {
		return nil, err
	}
	r.list, err = c.prepare("read.list", listQueuesSQL)
	return r, err
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
	arrived int64
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
			found[row.int(0)] = storedMessage{message: m, arrived: row.int(1)}
			return nil
		}
		rest := c.rows
		for len(rest) > 1 {
			args := make([]any, bodiesAtOnce)
			for i := range args {
				args[i] = rest[min(i, len(rest)-1)].id
			}
			if err := r.bodies.run(take, args...); err != nil {
				return err
			}
			rest = rest[min(bodiesAtOnce, len(rest)):]
		}
		if len(rest) == 1 {
			return r.body.run(take, rest[0].id)
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
		messages = append(messages, engine.Delivery{
			Message:       m.message,
			Ref:           reference{number: c.number, epoch: c.epoch, id: row.id, stamp: row.stamp}.encode(),
			Sequence:      uint64(row.id),
			Sent:          fromMS(m.arrived),
			FirstReceived: fromMS(row.first),
			Receives:      int(row.receives),
			Deadline:      c.deadline,
		})
	}
	return messages, nil
}
