package sqlite

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"

	"queues/engine"
)

// writer is what changes the database: one goroutine, and a caller that is
// alone in its stead. Whoever has the turn may touch all of it.
type writer struct {
	store *Store
	conn  *conn
	inbox *inbox
	// turn is held over a transaction and what is tended after it. Only the
	// goroutine ever waits for it.
	turn  sync.Mutex
	fault func(string) error
	log   *slog.Logger
	// stopped is closed when the goroutine has ended.
	stopped chan struct{}

	statements
	byID   map[engine.QueueID]*queue
	byName map[engine.QueueName]*queue
	agenda agenda
	// garbage is true while dead epochs may have rows.
	garbage bool
	// nextNumber and nextID are the next queue or epoch number and message id.
	nextNumber, nextID int64
	// nextForget is when deduplication and attempt ids are looked at next.
	nextForget int64
	// latest is the last time that was told to anybody.
	latest int64
	// graceUntil is when expiry begins after an opening that found the stored
	// clock far behind.
	graceUntil int64
	// renewed is the first id after the store was made of a copy, zero for never.
	renewed int64
	// untended counts the transactions since the last look after the files, and
	// grown the pages that they may have added to the log.
	untended, grown int
	// batches counts transactions. lookAt is when the size of the log's file is
	// looked at next, copyAt when the log is copied at the earliest after that was
	// put off, unless so much has been added since, copyGrown, that it cannot wait.
	batches, lookAt, copyAt, copyGrown int
	// looked is when the writer last looked whether its files are there, and
	// unlooked how many transactions ago.
	looked   int64
	unlooked int

	// shrunk is true while pages have been given up that the file itself may
	// still hold, and cutFile asks for the cut.
	shrunk, cutFile bool

	reserve reserve
	copier  *copier

	// undoing holds the requests that undo what vanished callers left.
	undoing []*request
	fatal   error
}

// newWriter prepares the statements and loads the queues. It starts nothing.
func newWriter(c *conn, s *Store) (*writer, error) {
	w := &writer{
		store: s, conn: c, inbox: newInbox(), fault: s.o.Fault, log: s.log,
		stopped: make(chan struct{}),
		byID:    make(map[engine.QueueID]*queue),
		byName:  make(map[engine.QueueName]*queue),
	}
	if err := w.prepare(c); err != nil {
		return nil, err
	}
	if err := w.loadAll(); err != nil {
		return nil, err
	}
	var err error
	if w.renewed, err = readNumber(c, metaRenewed); err != nil {
		return nil, err
	}
	w.startClock()
	w.openReserve(s.o.Dir)
	return w, nil
}

// manyAnswered is the size of a transaction from which the writer lets others
// run before it takes the next. Larger transactions cost less for each request:
// 64 senders got 2 to 5 % more through with it ("queues bench --action=send",
// medians in turns). Without the bound 8 senders were 7 % slower. To wait asleep
// for four fifths of those who were there brought nothing more, and cost callers
// in 10,000 queues 8 %.
const manyAnswered = 8

// loop runs batches until the inbox is closed and empty.
func (w *writer) loop() {
	defer close(w.stopped)
	var batch []*request
	for w.inbox.wait() {
		w.turn.Lock()
		batch = w.inbox.take(batch[:0])
		w.work(batch)
		if w.tending() {
			w.tend()
		}
		w.turn.Unlock()
		many := len(batch) >= manyAnswered
		clear(batch) // it may be long until the next, and they have bodies
		if many {
			// They, and whoever is on the way here, come first: what they ask next
			// is in the next transaction then.
			runtime.Gosched()
		}
	}
}

// alone runs a request at once on the goroutine of its caller, when nothing
// else waits or is under way. To hand it over and to be woken up costs a lone
// caller as much as all of SQLite: a send over one connection took 330 µs and
// takes 300 ("queues bench --connections=1", medians in turns). It reports
// false when there is company, with whom a sync is better shared.
//
// The caller sees the request through, whatever becomes of its context.
func (w *writer) alone(r *request) bool {
	if w.inbox.callers.Load() > 1 || !w.turn.TryLock() {
		return false
	}
	// A panic that gets here has left the transaction in the middle.
	whole := false
	defer func() {
		if !whole {
			w.fail(errors.New("the writer was left within a transaction"))
		}
		w.turn.Unlock()
	}()
	if !w.inbox.idle() {
		whole = true
		return false
	}
	r.phase.Store(taken)
	w.work([]*request{r})
	if whole = true; w.tending() {
		w.inbox.nudge() // it may take long, and the caller has its answer
	}
	return true
}

// work runs a batch, then what undoes it for callers that left.
func (w *writer) work(batch []*request) {
	w.runAll(batch)
	for len(w.undoing) > 0 {
		undoing := w.undoing
		w.undoing = nil
		w.runAll(undoing)
	}
}

// runAll runs a batch in one transaction. When one request is at fault rather
// than the database, or the disk was full and now has some room, each runs
// again in a transaction of its own.
func (w *writer) runAll(batch []*request) {
	if w.fatal != nil {
		for _, r := range batch {
			w.answer(r, unavailable(w.fatal))
		}
		return
	}
	again, err := w.runBatch(batch)
	if again {
		for _, r := range batch {
			w.runAll([]*request{r})
		}
		return
	}
	if err != nil {
		for _, r := range batch {
			w.answer(r, err)
		}
	}
}

// runBatch runs requests in one transaction and answers them, unless it
// returns an error, which is then the outcome of them all, or again, when
// nothing happened and each is to run alone.
func (w *writer) runBatch(batch []*request) (again bool, err error) {
	t := w.newTx()
	t.alone = len(batch) == 1
	for _, r := range batch {
		t.runRequest(r)
		if t.broken != nil {
			break
		}
	}
	failure := t.commit()
	if failure == nil {
		w.untended++
		w.grown += t.pages(batch)
		w.cut()
		reports := t.done()
		if w.store.o.Report != nil && len(reports) > 0 {
			w.store.o.Report(reports)
		}
		for _, r := range batch {
			w.answer(r, r.err)
		}
		return false, nil
	}
	return w.undo(t, batch, failure)
}

// undo ends a transaction that failed, and judges what that means.
func (w *writer) undo(t *tx, batch []*request, failure error) (again bool, err error) {
	severity := severityOf(failure)
	w.store.noteDamage(failure)
	if err := t.rollback(); err != nil {
		w.fail(err)
	}
	switch {
	case severity == fatal:
		w.fail(failure)
		return false, outcomeUnknown("the disk failed to make a write durable", failure)
	case severity == doubtful:
		w.gaveWay(failure) // the index of the log needs room when the log is long
		w.log.Error("a transaction failed and may be on disk all the same", slog.Any("error", failure))
		return false, outcomeUnknown("the store failed while it was writing", failure)
	case w.fatal != nil:
		return false, unavailable(failure)
	case severity == culpable && len(batch) > 1, w.gaveWay(failure):
		return true, nil
	case severity == culpable:
		w.log.Error("a request cannot be done", slog.String("request", batch[0].name), slog.Any("error", failure))
		return false, &engine.Error{Code: engine.Internal, Text: batch[0].name + " failed; nothing was done", Err: failure}
	}
	w.log.Warn("a transaction failed and was undone", slog.Any("error", failure))
	return false, unavailable(failure)
}

// runRequest runs one request inside the transaction and keeps its outcome. A
// panic in it, or a refusal after it has written, is its own fault and breaks
// the transaction.
func (t *tx) runRequest(r *request) {
	writes := t.writes
	defer func() {
		if p := recover(); p != nil {
			_ = t.fail(r.name, &requestError{fmt.Errorf("panic: %v\n%s", p, debug.Stack())})
		}
	}()
	r.err = r.run(t)
	if r.err != nil && t.writes != writes {
		_ = t.fail(r.name, &requestError{fmt.Errorf("refused after a write: %w", r.err)})
	}
}

// answer gives a request its outcome. When the caller has left, what was done
// for it is undone.
func (w *writer) answer(r *request, err error) {
	r.err = err
	if !r.phase.CompareAndSwap(taken, answered) && err == nil && r.vanished != nil {
		w.undoing = append(w.undoing, &request{name: r.name + " undone", run: r.vanished})
	}
	if r.done != nil {
		close(r.done)
	}
}

// fail makes the store refuse everything from now on.
func (w *writer) fail(err error) {
	if w.fatal != nil {
		return
	}
	w.fatal = err
	var refusal error = &engine.Error{
		Code: engine.Unavailable,
		Text: "the disk failed and the store has stopped: check the disk, then start the program again",
		Err:  err,
	}
	w.store.failed.Store(&refusal)
	w.inbox.close(refusal)
	w.log.Error("the disk failed to make a write durable; the store refuses everything, check the disk and start again",
		slog.Any("error", err))
	if onFatal := w.store.o.OnFatal; onFatal != nil {
		go onFatal(err)
	}
}
