package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// Load is a set of clients at work.
type Load struct {
	Client  *wire.Client
	History *history.History
	// Mark, when set, is called before and after every call, with the time of
	// the history.
	Mark func(at time.Duration)
	// Round, when set, is in every key, so that loads that follow each other on
	// one server have no key in common.
	Round int
	// Pace is the longest rest of a client between two calls.
	Pace time.Duration

	gate    *gate
	seed    uint64
	workers sync.WaitGroup
	watch   atomic.Pointer[func(action string)]
	mu      sync.Mutex
	failed  []string
	live    map[string]*atomic.Int64
}

// New makes a load over all lanes. Nothing runs before [Load.Start].
func New(client *wire.Client, seed uint64) *Load {
	l := &Load{
		Client: client, History: history.New(queues()), Pace: 8 * time.Millisecond,
		gate: newGate(), seed: seed, live: make(map[string]*atomic.Int64),
	}
	for queue := range l.History.Queues {
		l.live[queue] = new(atomic.Int64)
	}
	for queue, rule := range l.History.Queues { // a family counts together
		for _, next := range []string{rule.DeadLetters, rule.MovesTo} {
			if next != "" {
				l.live[next] = l.live[queue]
			}
		}
	}
	return l
}

// Start starts the clients of all lanes. They wait until [Load.Open] and end
// with ctx, each after its call.
func (l *Load) Start(ctx context.Context) {
	for i, run := range clients() {
		w := &worker{Load: l, ctx: ctx, name: i, random: rand.New(rand.NewPCG(l.seed, uint64(i))), numbers: make(map[string]int)}
		l.workers.Go(func() { run(w) })
	}
	context.AfterFunc(ctx, l.gate.end)
}

// Wait returns when all clients have ended.
func (l *Load) Wait() { l.workers.Wait() }

// Open lets calls begin.
func (l *Load) Open() { l.gate.open() }

// Shut lets no further call begin. Calls under way go on.
func (l *Load) Shut() { l.gate.shut() }

// Settle returns when no call is under way. Shut the load first.
func (l *Load) Settle() { l.gate.settle() }

// Watch calls f after every call that was answered with success; nil for
// nobody. It must be quick.
func (l *Load) Watch(f func(action string)) {
	if f == nil {
		l.watch.Store(nil)
		return
	}
	l.watch.Store(&f)
}

// Failed gives the answers that the server should not have given.
func (l *Load) Failed() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// worker is one client. It makes one call at a time.
type worker struct {
	*Load
	ctx    context.Context
	name   int
	random *rand.Rand
	sent   int
	held   []holding
	// numbers are those of handles that may come again.
	numbers map[string]int
}

// call makes one call when the gate is open. It reports false when the load has
// ended and nothing was done.
func (w *worker) call(action string, in wire.Args) (a wire.Answer, start, end time.Duration, ok bool) {
	if !w.gate.enter() {
		return a, 0, 0, false
	}
	defer w.gate.leave()
	start = w.History.Now()
	if w.Mark != nil {
		w.Mark(start)
	}
	a = w.Client.Call(context.WithoutCancel(w.ctx), action, in)
	end = w.History.Now()
	if w.Mark != nil {
		w.Mark(end)
	}
	if a.Faulty() {
		w.mu.Lock()
		w.failed = append(w.failed, fmt.Sprintf("%s at %v: status %d, %s %s", action, end, a.Status, a.Code, a.Message))
		w.mu.Unlock()
	}
	if watch := w.watch.Load(); watch != nil && a.Outcome == history.Done {
		(*watch)(action)
	}
	return a, start, end, true
}

// rest waits a moment of random length; false when the load has ended.
func (w *worker) rest(most time.Duration) bool {
	if most > 0 {
		t := time.NewTimer(time.Duration(w.random.Int64N(int64(most))))
		defer t.Stop()
		select {
		case <-t.C:
		case <-w.ctx.Done():
		}
	}
	return w.ctx.Err() == nil
}

// chance is true once in n times.
func (w *worker) chance(n int) bool { return w.random.IntN(n) == 0 }

// gate lets calls begin or not.
type gate struct {
	mu     sync.Mutex
	change *sync.Cond
	opened bool
	ended  bool
	inside int
}

func newGate() *gate {
	g := &gate{}
	g.change = sync.NewCond(&g.mu)
	return g
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.opened && !g.ended {
		g.change.Wait()
	}
	if g.ended {
		return false
	}
	g.inside++
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	g.change.Broadcast()
}

func (g *gate) set(to *bool, value bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	*to = value
	g.change.Broadcast()
}

func (g *gate) open() { g.set(&g.opened, true) }
func (g *gate) shut() { g.set(&g.opened, false) }
func (g *gate) end()  { g.set(&g.ended, true) }

func (g *gate) settle() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.inside > 0 {
		g.change.Wait()
	}
}
