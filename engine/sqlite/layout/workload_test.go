package layout

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// The workload's clock counts batches. A batch holds at most batchSize
// operations, of which sendsPerBatch are sends: a cycle is 3.1 operations.
const (
	batchSize     = 64
	sendsPerBatch = 20
	afterSend     = 20 // ticks from a send to a receive of its queue
	afterReceive  = 20 // ticks from a receive to the delete
	ringSize      = 1024
)

// readMode says who reads the bodies, and when.
type readMode int

const (
	readAfter    readMode = iota // a reader connection after the commit, before the next batch
	readParallel                 // a reader connection on its own goroutine
	readWithin                   // the writer, within the transaction
)

// load is one run over one database.
type load struct {
	queues, backlog, cycles int
	metaSize, bodySize      int
	timeout                 int64 // ticks of invisibility, and of delay; less than ringSize
	mode                    readMode
	seed                    uint64
}

// event is a receive (id 0) or a delete that the workload has planned.
type event struct {
	queue     *queue
	id, stamp int64
}

// parts are the durations of a run by kind of operation.
type parts struct{ send, promote, receive, remove, settle, commit, read time.Duration }

// outcome is what a run measured over its steady state.
type outcome struct {
	cycles, receives int
	elapsed          time.Duration
	slowest          time.Duration // batch
	parts            parts
	wal, size        int64
}

// perCycle returns d in microseconds per cycle.
func (o outcome) perCycle(d time.Duration) float64 {
	return float64(d.Nanoseconds()) / 1e3 / float64(o.cycles)
}

// driver runs a load.
type driver struct {
	load
	store      *store
	random     *rand.Rand
	meta, body []byte
	ring       [ringSize][]event
	late       []event // due, but the batch was full
	now        int64
	sent, out  int // messages sent and deleted
	outcome    outcome
	taken      []int64
	reads      chan []int64
}

// drive fills the backlog, runs the load to its end and checks the tables.
func drive(s *store, l load) outcome {
	d := &driver{load: l, store: s, random: newRandom(l.seed)}
	d.meta, d.body = make([]byte, l.metaSize), make([]byte, l.bodySize)
	for i := range d.body {
		d.body[i] = byte(d.random.Uint32())
	}
	d.fill()
	s.exec("PRAGMA wal_checkpoint(TRUNCATE)")
	s.wal.sample()
	done := make(chan struct{})
	if l.mode == readParallel {
		d.reads = make(chan []int64, 64)
		go func() {
			defer close(done)
			for ids := range d.reads {
				for _, id := range ids {
					s.read(id)
				}
			}
		}()
	}
	for range l.timeout + 2*afterSend + afterReceive {
		d.batch()
	}
	d.outcome = outcome{}
	wal, sent, removed := s.wal.total, d.sent, d.out
	start := time.Now()
	for d.sent-sent < l.cycles {
		d.batch()
	}
	if l.mode == readParallel {
		close(d.reads)
		<-done
		d.reads = nil
	}
	o := &d.outcome
	o.elapsed, o.cycles, o.wal = time.Since(start), d.out-removed, s.wal.total-wal
	o.size = int64(s.wal.pages) * int64(s.pageSize)
	result := *o
	d.drain()
	d.verify()
	return result
}

// fill sends the standing backlog in large transactions.
func (d *driver) fill() {
	for left := d.backlog; left > 0; {
		run(d.store.stmts.begin)
		for n := min(left, 1000); n > 0; n-- {
			d.store.send(d.anyQueue(), d.meta, d.body, 0, 0)
			left--
		}
		d.store.settle(0)
		run(d.store.stmts.commit)
	}
}

// anyQueue draws a queue; all are equally busy.
func (d *driver) anyQueue() *queue { return d.store.queues[d.random.IntN(len(d.store.queues))] }

// plan puts an event on the clock.
func (d *driver) plan(after int64, e event) {
	at := (d.now + after) % ringSize
	d.ring[at] = append(d.ring[at], e)
}

// batch runs one transaction: what is due, then sends.
func (d *driver) batch() {
	d.step(sendsPerBatch)
}

// step runs one transaction with the given number of sends.
func (d *driver) step(sends int) {
	d.now++
	slot := &d.ring[d.now%ringSize]
	d.late = append(d.late, *slot...)
	*slot = (*slot)[:0]
	events := d.late[:min(len(d.late), batchSize-sends)]
	if len(events)+sends == 0 {
		return
	}
	s, p := d.store, &d.outcome.parts
	begin := time.Now()
	run(s.stmts.begin)
	last := lap(begin, &p.commit)
	for _, e := range events {
		if e.id != 0 {
			s.delete(e.queue, e.id, e.stamp)
			d.out++
			last = lap(last, &p.remove)
			continue
		}
		s.promote(e.queue, d.now)
		last = lap(last, &p.promote)
		d.receive(e.queue)
		last = lap(last, &p.receive)
	}
	d.late = append(d.late[:0], d.late[len(events):]...)
	for range sends {
		d.send()
	}
	last = lap(last, &p.send)
	s.settle(d.now)
	last = lap(last, &p.settle)
	run(s.stmts.commit)
	last = lap(last, &p.commit)
	s.wal.sample()
	d.readTaken()
	end := lap(last, &p.read)
	d.outcome.slowest = max(d.outcome.slowest, end.Sub(begin))
}

// lap adds the time since last to part and returns now.
func lap(last time.Time, part *time.Duration) time.Time {
	now := time.Now()
	*part += now.Sub(last)
	return now
}

// send sends to any queue, 5 % delayed, and plans the receive.
func (d *driver) send() {
	q, delay := d.anyQueue(), int64(0)
	after := int64(afterSend)
	if d.random.IntN(20) == 0 {
		delay, after = d.timeout, d.timeout+1
	}
	d.store.send(q, d.meta, d.body, d.now, delay)
	d.sent++
	d.plan(after, event{queue: q})
}

// receive takes a message; 10 % of first receives are left to time out, the
// rest is deleted.
func (d *driver) receive(q *queue) {
	stamp := d.random.Int64()
	r := d.store.receive(q, stamp, d.now, d.timeout)
	d.outcome.receives++
	if d.mode != readWithin {
		d.taken = append(d.taken, r.id)
	} else if r.bytes != d.metaSize+d.bodySize {
		panic("a body was not read")
	}
	if r.receives == 1 && d.random.IntN(10) == 0 {
		d.plan(d.timeout+1, event{queue: q})
		return
	}
	d.plan(afterReceive, event{queue: q, id: r.id, stamp: stamp})
}

// readTaken reads the bodies of the batch's receives, as the mode says.
func (d *driver) readTaken() {
	if d.reads != nil {
		d.reads <- append([]int64(nil), d.taken...)
	} else {
		for _, id := range d.taken {
			if d.store.read(id) != d.metaSize+d.bodySize {
				panic("a body was not read")
			}
		}
	}
	d.taken = d.taken[:0]
}

// drain runs what is planned without further sends. Bodies are read inline.
func (d *driver) drain() {
	for range 4*d.timeout + 8*batchSize {
		d.step(0)
	}
}

// verify compares the tables and the counters with what the workload did.
func (d *driver) verify() {
	s := d.store
	if d.sent != d.out {
		panic(fmt.Sprintf("%d messages sent, %d deleted", d.sent, d.out))
	}
	equal := func(what string, got, want int64) {
		if got != want {
			panic(fmt.Sprintf("layout %s: %s: got %d, want %d", s.name, what, got, want))
		}
	}
	backlog := int64(d.backlog)
	equal("messages", s.number("SELECT count(*) FROM messages"), backlog)
	// State 4 exists in layout f alone: a returned message in the ready table.
	equal("deliveries", s.number("SELECT count(*) FROM deliveries WHERE state <> 4"), 0)
	equal("visible", s.number("SELECT sum(visible) FROM queue_state"), backlog)
	equal("others", s.number("SELECT sum(returned + in_flight + delayed) FROM queue_state"), 0)
	fresh := int64(0)
	for _, q := range s.queues {
		args := s.walkArgs(q, 1<<30)
		fresh += s.number("SELECT count(*) FROM ("+s.candidate.walk(false)+")", args...)
	}
	equal("fresh", fresh, backlog)
	if d.backlog > 100_000 {
		return // checking a deep backlog takes longer than the run
	}
	equal("integrity", s.number("SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1)
}

// newRandom returns the generator of a run.
func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
