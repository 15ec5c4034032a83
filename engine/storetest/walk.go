package storetest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"queues/engine"
)

var (
	walkSeed = flag.Uint64("storetest.seed", 0,
		"seed of the random walk over a store; 0 for some fixed seeds and a new one")
	walkSteps = flag.Int("storetest.steps", 1500, "steps of each random walk over a store")
)

// walkSeeds gives the seeds to walk with.
func walkSeeds() []uint64 {
	if *walkSeed != 0 {
		return []uint64{*walkSeed}
	}
	return []uint64{1, 2, 3, rand.Uint64()}
}

// walk makes random calls to a store and the same calls to a model, under one
// clock, and compares every answer.
type walk struct {
	t      testing.TB
	e      *env
	model  *Model
	rng    *rand.Rand
	seed   uint64
	step   int
	bodies int
	queues []*walkQueue
	// hot is the queue that most calls of this part of the walk go to.
	hot *walkQueue
	// handles are all references ever received, the oldest first.
	handles []walkHandle
	// refs are the references of the store by those of the model.
	refs map[engine.Ref]engine.Ref
	// ids are the ids that messages were sent with, by body, and moved those
	// that both stores gave to messages that a task has moved.
	ids   map[string]engine.MessageID
	moved map[engine.MessageID]engine.MessageID
	// holds are the deliveries in flight, by body.
	holds map[string]walkHold
	tasks []walkTask
	paces map[engine.MoveID]walkPace
	// parked are the queues at which somebody waits: a receive gave nothing, and
	// nobody has been told since that there is more. The value is the earliest
	// time at which the waiting one looks again, zero for never.
	parked map[*walkQueue]time.Time
	// log is what was done last, one line for each call.
	log []string
}

// walkQueue is one queue in both stores. It stays when it is deleted.
type walkQueue struct {
	number      int
	name        engine.QueueName
	real, model engine.QueueID
	deleted     bool
	kind        engine.Kind
	// repeated is when a receive under an attempt id was last made.
	repeated map[string]time.Time
	// last is the last sequence sent to each group.
	last map[string]uint64
	// handles are the references received from this queue, the oldest first.
	handles []walkHandle
}

func (q *walkQueue) String() string { return fmt.Sprintf("queue%d(%s)", q.number, q.name.Name) }

// walkHandle is one delivery in both stores.
type walkHandle struct {
	queue       *walkQueue
	real, model engine.Ref
	body        string
	receives    int
}

func (h walkHandle) String() string { return fmt.Sprintf("%s#%d", h.body, h.receives) }

// walkOp is one kind of step and how often it is taken.
type walkOp struct {
	weight int
	run    func(*walk)
}

// runWalk walks from a seed.
func runWalk(t testing.TB, h Harness, seed uint64, steps int) {
	e := newEnv(t, h)
	defer e.finish()
	w := &walk{
		t: t, e: e, seed: seed,
		model: NewModel(e.clock, nil), parked: make(map[*walkQueue]time.Time),
		refs: make(map[engine.Ref]engine.Ref), ids: make(map[string]engine.MessageID),
		moved: make(map[engine.MessageID]engine.MessageID), holds: make(map[string]walkHold), paces: make(map[engine.MoveID]walkPace),
		rng: rand.New(rand.NewPCG(seed, 0)),
	}
	defer w.explain()
	ops := walkOps(h.Features)
	total := 0
	for _, op := range ops {
		total += op.weight
	}
	for _, kind := range []engine.Kind{engine.Standard, engine.FIFO} {
		for _, name := range walkNames[kind] {
			w.createNamed(named(name))
		}
	}
	for w.step = range steps {
		n := w.rng.IntN(total)
		for _, op := range ops {
			if n -= op.weight; n < 0 {
				op.run(w)
				break
			}
		}
		w.wakeUps()
		w.spotCheck()
	}
	w.finish()
}

// explain prints how a failed walk came to its end.
func (w *walk) explain() {
	if !w.t.Failed() {
		return
	}
	w.t.Logf("the walk failed at step %d; repeat it with -storetest.seed=%d -storetest.steps=%d\nthe last calls:\n%s",
		w.step, w.seed, w.step+1, strings.Join(w.log, "\n"))
}

// walkTail is how many calls the log of a walk holds at least.
const walkTail = 100

// note writes one line of the log.
func (w *walk) note(format string, args ...any) {
	if len(w.log) > 2*walkTail {
		w.log = append(w.log[:0], w.log[len(w.log)-walkTail:]...)
	}
	at := w.e.clock.Now().Sub(Epoch)
	w.log = append(w.log, fmt.Sprintf("%5d +%-14v ", w.step, at)+fmt.Sprintf(format, args...))
}

// failf ends the walk.
func (w *walk) failf(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("after %s: %s", strings.TrimSpace(w.log[len(w.log)-1]), fmt.Sprintf(format, args...))
}

// pick chooses one of the values.
func pick[T any](w *walk, values ...T) T { return values[w.rng.IntN(len(values))] }

// chance is true once in n times.
func (w *walk) chance(n int) bool { return w.rng.IntN(n) == 0 }

// queue chooses a queue, mostly the one that is hot, now and then a deleted
// one; nil when there is none.
func (w *walk) queue() *walkQueue {
	if len(w.queues) == 0 {
		return nil
	}
	if w.hot == nil || w.hot.deleted || w.chance(30) {
		w.hot = pick(w, w.queues...)
	}
	if !w.hot.deleted && !w.chance(5) {
		return w.hot
	}
	for range 8 {
		if q := pick(w, w.queues...); !q.deleted || w.chance(20) {
			return q
		}
	}
	return nil
}

// id makes a message id from the walk's own randomness.
func (w *walk) id() (id engine.MessageID) {
	for i := range id {
		id[i] = byte(w.rng.Uint32())
	}
	return id
}

// finish makes everything visible and receives it.
func (w *walk) finish() {
	w.drainMoves()
	w.e.clock.Advance(13 * time.Hour)
	w.drainMoves()
	for _, q := range w.queues {
		if q.deleted {
			continue
		}
		w.checkCounts(q, true)
		hidden := time.Hour
		for w.receive(q, engine.ReceiveParams{Max: 10, Visibility: &hidden}) > 0 {
			continue
		}
		w.checkCounts(q, true)
	}
}
