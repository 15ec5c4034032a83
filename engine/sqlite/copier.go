package sqlite

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
)

// copier copies the log into the data file while the writer goes on appending
// to the log. What is appended meanwhile is left to the next round, or to the
// writer, for whom little remains: what it does itself, every caller waits for.
//
// SQLite lets one connection copy beside another that writes. What it copies
// are transactions that are whole and synced, so that a sync which fails in the
// writer meanwhile takes nothing from them.
type copier struct {
	conn *conn
	// data is the data file by itself, to sync it. To close any descriptor of a
	// file takes all locks of the process on it, so it is closed last of all.
	data  *os.File
	sync  bool
	fault func(string) error
	// begin asks for a round, results has its outcome.
	begin   chan struct{}
	results chan error
	// running is the writer's: a round was asked for and not yet collected.
	running bool
	// stopped is closed when the goroutine has ended.
	stopped chan struct{}
}

// openCopier opens the copier's connection. It starts nothing.
func openCopier(path string, o *Options) (_ *copier, err error) {
	c, err := openConn(path, "query_only = ON", "wal_autocheckpoint = 0", "checkpoint_fullfsync = ON",
		fmt.Sprintf("synchronous = %d", o.Sync.pragma()))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	// The log is opened with the first read.
	if _, err := c.int("SELECT count(*) FROM meta"); err != nil {
		return nil, err
	}
	data, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &copier{
		conn: c, data: data, sync: o.Sync != Off, fault: o.Fault,
		begin: make(chan struct{}, 1), results: make(chan error, 1), stopped: make(chan struct{}),
	}, nil
}

// loop does the rounds that are asked for. It calls ended after each.
func (c *copier) loop(ended func()) {
	defer close(c.stopped)
	for range c.begin {
		c.results <- c.round()
		ended()
	}
}

// round copies what the log has at its beginning. SQLite syncs the data file
// only when nothing was appended meanwhile, which the writer's part would have
// to make up for.
func (c *copier) round() error {
	if c.fault != nil {
		if err := c.fault("copy"); err != nil {
			return err
		}
	}
	if err := c.conn.query("PRAGMA wal_checkpoint(PASSIVE)", nil); err != nil {
		return err
	}
	if !c.sync {
		return nil
	}
	if err := c.data.Sync(); err != nil {
		return &syncError{err}
	}
	return nil
}

// stop waits for the round under way and closes the connection.
func (c *copier) stop() error {
	close(c.begin)
	<-c.stopped
	return c.conn.close()
}

// close closes a copier that never ran.
func (c *copier) close() error { return errors.Join(c.conn.close(), c.data.Close()) }

// ended tells whether a round has an outcome to collect.
func (c *copier) ended() bool { return len(c.results) > 0 }

const (
	// walPages is how many pages of the write-ahead log there are to copy before
	// the copier is asked for a round.
	walPages = 1000
	// walRestart is how many pages the log has before the writer makes it start
	// over, when the copier has left less than a round.
	walRestart = 3000
	// walMost is how many it may have before the writer does so whatever is left.
	walMost = 4 * walPages
)

// logSizeSQL gives the pages of the log and how many of them are in the data
// file. It does nothing.
const logSizeSQL = "PRAGMA wal_checkpoint(NOOP)"

// copyLog lets the log be copied into the data file when it is long enough, and
// copies the rest itself. The next commit starts the log over then, unless a
// reader is in the way.
func (w *writer) copyLog() {
	var log, copied int64
	err := w.logSize.run(func(r row) error { log, copied = r.int(1), r.int(2); return nil })
	switch {
	case err != nil:
	case log >= walMost, log >= walRestart && log-copied < walPages:
		_, err = w.checkpoint("PASSIVE")
	case log-copied >= walPages:
		err = w.beginRound()
	}
	if err != nil {
		w.copyFailed(err)
	}
}

func (w *writer) beginRound() error {
	if w.fault != nil {
		if err := w.fault("checkpoint"); err != nil {
			return err
		}
	}
	w.copier.running = true
	w.copier.begin <- struct{}{}
	return nil
}

// collectRound takes the outcome of a round that has ended.
func (w *writer) collectRound() (ended bool) {
	select {
	case err := <-w.copier.results:
		w.copier.running = false
		if err != nil {
			w.copyFailed(err)
		}
		return true
	default:
		return false
	}
}

// copyFailed puts the next attempt off. A sync that failed is the end, as it is
// in a commit.
func (w *writer) copyFailed(err error) {
	if severityOf(err) == fatal {
		w.fail(err)
		return
	}
	w.copyAt = w.batches + walLook
	w.log.Warn("the write-ahead log could not be copied into the data file", slog.Any("error", err))
}
