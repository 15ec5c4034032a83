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
// are transactions that are whole and, where commits are synced, on disk, so
// that a sync which fails in the writer meanwhile takes nothing from them.
type copier struct {
	conn *conn
	// data is the data file by itself, to sync it.
	data  *os.File
	sync  bool
	fault func(string) error
	// begin asks for a round, results has its outcome.
	begin   chan struct{}
	results chan error
	// stopped is closed when the goroutine has ended.
	stopped chan struct{}

	// running is the writer's: a round was asked for and not yet collected. from
	// is how many pages of the log were in the data file before.
	running bool
	from    int64
}

// openCopier opens the copier's connection to the data file. It starts nothing.
func openCopier(data *os.File, o *Options) (*copier, error) {
	c, err := openConn(data.Name(), "query_only = ON", "wal_autocheckpoint = 0", "checkpoint_fullfsync = ON",
		fmt.Sprintf("synchronous = %d", o.Sync.pragma()))
	if err != nil {
		return nil, err
	}
	// The log is opened with the first read.
	if _, err := c.int("SELECT count(*) FROM meta"); err != nil {
		return nil, errors.Join(err, c.close())
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
// only when nothing was appended meanwhile; the writer would have to wait for
// all of it later.
func (c *copier) round() error {
	if c.fault != nil {
		if err := c.fault("copying"); err != nil {
			return err
		}
	}
	if err := c.conn.query("PRAGMA wal_checkpoint(PASSIVE)", nil); err != nil {
		return err
	}
	if !c.sync {
		return nil
	}
	if err := syncData(c.data); err != nil {
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

// ended tells whether a round has an outcome to collect.
func (c *copier) ended() bool { return len(c.results) > 0 }

const (
	// walPages is how many pages of the write-ahead log there are to copy before
	// the copier is asked for a round.
	walPages = 1000
	// walRestart is how many pages the log has before the writer makes it start
	// over, when the copier has left less than a round.
	walRestart = 3 * walPages
	// walLittle is how many pages are so few that the writer copies them at once.
	// It is what a lone sender writes during a round, who is faster when the log
	// is short: p50 of 494 µs when it always had three rounds, 457 with one (481
	// when the writer copied it all).
	walLittle = 100
	// walMost is how many pages there may be to copy while a round is under way.
	// Then the writer waits for it: it writes faster than the disk can copy.
	walMost = 3 * walPages
	// walLong is how many pages make the log so long that the writer waits for the
	// round under way and copies whatever is left.
	walLong = walRestart + walMost
)

// logSizeSQL gives the pages of the log and how many of them are in the data
// file. It does nothing.
const logSizeSQL = "PRAGMA wal_checkpoint(NOOP)"

// logPages gives the pages of the log and how many of them are in the data file.
func (w *writer) logPages() (log, copied int64, err error) {
	err = w.logSize.run(func(r row) error { log, copied = r.int(1), r.int(2); return nil })
	return log, copied, err
}

// copyLog lets the log be copied into the data file when it is long enough, and
// copies the rest itself. The next commit starts the log over then, unless a
// reader is in the way. It is told whether a round has ended just now.
func (w *writer) copyLog(ended bool) {
	log, copied, err := w.logPages()
	if err == nil && w.copier.running && (log-copied >= walMost || log >= walLong) {
		if w.awaitRound(); w.fatal != nil || w.putOff() {
			return
		}
		ended = true
		log, copied, err = w.logPages()
	}
	rest := log - copied
	switch {
	case w.copier.running:
	case err != nil:
	case log >= walPages && (rest < walLittle || !w.reserve.held), log >= walRestart && rest < walPages, log >= walLong:
		err = w.copyRest(copied)
	case rest < walPages:
	case ended && copied <= w.copier.from:
		// A reader is in the way, or a program outside copies itself.
		w.putOffCopy()
	default:
		err = w.beginRound(copied)
	}
	if err != nil {
		w.copyFailed(err)
	}
}

// copyRest copies what is left of the log while everybody waits. So many pages
// are copied already.
func (w *writer) copyRest(before int64) error {
	if _, err := w.checkpoint("PASSIVE"); err != nil {
		return err
	}
	log, copied, err := w.logPages()
	if err == nil && copied <= before && copied < log {
		w.putOffCopy() // a reader is in the way
	}
	return err
}

// putOffCopy puts copying the log off for some transactions, or pages.
func (w *writer) putOffCopy() {
	w.copyAt, w.copyGrown = w.batches+walLook, 0
}

// putOff tells whether copying the log is put off.
func (w *writer) putOff() bool { return w.batches < w.copyAt && w.copyGrown < walPages }

// beginRound asks the copier for a round. So many pages are copied already.
func (w *writer) beginRound(copied int64) error {
	if w.fault != nil {
		if err := w.fault("copy"); err != nil {
			return err
		}
	}
	w.copier.running, w.copier.from = true, copied
	w.copier.begin <- struct{}{}
	return nil
}

// collectRound takes the outcome of a round that has ended. It reports whether
// there was one.
func (w *writer) collectRound() bool {
	if !w.copier.ended() {
		return false
	}
	w.awaitRound()
	return true
}

// awaitRound waits for the round under way, if there is one.
func (w *writer) awaitRound() {
	if !w.copier.running {
		return
	}
	err := <-w.copier.results
	w.copier.running = false
	if err != nil {
		w.copyFailed(err)
	}
}

// copyFailed puts the next attempt off, and gives up the reserve when there was
// no room. A sync that failed is the end, as it is in a commit.
func (w *writer) copyFailed(err error) {
	if severityOf(err) == fatal {
		w.fail(err)
		return
	}
	w.gaveWay(err)
	w.putOffCopy()
	w.log.Warn("the write-ahead log could not be copied into the data file", slog.Any("error", err))
}
