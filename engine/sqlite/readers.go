package sqlite

import "errors"

// readerCount is how many connections read beside the writer.
const readerCount = 4

// readers are connections that never write. Each read is short: one that lasts
// would keep the write-ahead log from starting over.
type readers struct {
	idle chan *reader
	// failed is told of every read that failed.
	failed func(error)
}

type reader struct {
	conn              *conn
	stored            storedStatements
	list, sources     *stmt
	moveSource, moves *stmt
}

func openReaders(path string, failed func(error)) (*readers, error) {
	rs := &readers{idle: make(chan *reader, readerCount), failed: failed}
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
	if err = r.stored.prepare(c); err != nil {
		return nil, err
	}
	if err := c.prepareAll([]preparation{
		{&r.list, "read.list", listQueuesSQL},
		{&r.sources, "read.sources", listSourcesSQL},
		{&r.moveSource, "read.move_source", moveSourceSQL},
		{&r.moves, "read.moves", listMovesSQL},
	}); err != nil {
		return nil, err
	}
	return r, nil
}

// with runs read on a connection of its own.
func (rs *readers) with(read func(*reader) error) error {
	r := <-rs.idle
	defer func() { rs.idle <- r }()
	err := read(r)
	rs.failed(err)
	return err
}

// close closes all connections. No read may be under way or follow.
func (rs *readers) close() error {
	var errs []error
	for len(rs.idle) > 0 {
		errs = append(errs, (<-rs.idle).conn.close())
	}
	return errors.Join(errs...)
}
