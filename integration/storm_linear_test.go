package integration

import (
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"queues/cmd/queues/app"
)

// step is one call of a client of one queue.
type step struct {
	queue, do string
	// bodies are what is sent, in one call; each is used once. A FIFO queue
	// gets one, with a group and a deduplication id.
	bodies       []string
	group, dedup string
	delayed      bool
	// most and hidden are of a receive; hidden is of a change too. What is not
	// hidden is so for no time at all, what is for longer than the test.
	most    int
	hidden  bool
	attempt string
	// handle is what to settle, by the number that the recorder gave it.
	handle int
	// besides is true when a purge, or a deletion of the queue or of a message,
	// was under way too: a receive may then have taken what is gone before it
	// is read.
	besides bool
}

// answer is what the client saw.
type answer struct {
	code string
	// id and number are of what was sent to a FIFO queue.
	id, number string
	got        []taken
	// counts are visible, in flight and delayed.
	counts [3]int
}

// taken is a message that was received.
type taken struct {
	body   string
	handle int
}

// sequential is what one queue may answer when calls come one at a time. It is
// never changed.
type sequential interface {
	// next gives what the queue is after a step, and whether it may give that
	// answer.
	next(s step, a answer) (sequential, bool)
}

// state is a queue, with a text that tells it from any other.
type state struct {
	sequential
	text string
}

// begin is a queue that was just made.
func begin(queue string) sequential {
	if strings.HasSuffix(queue, ".fifo") {
		return &line{}
	}
	return &plain{exists: true}
}

// linear is the model of any number of queues, each by itself.
var linear = (&porcupine.NondeterministicModel{
	Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
		by := map[string][]porcupine.Operation{}
		for _, o := range history {
			queue := o.Input.(step).queue
			by[queue] = append(by[queue], o)
		}
		for _, queue := range names(by) {
			parts = append(parts, by[queue])
		}
		return parts
	},
	Init: func() []any { return []any{state{}} },
	Step: func(from, input, output any) (all []any) {
		s, q := input.(step), from.(state).sequential
		if q == nil {
			q = begin(s.queue)
		}
		add := func(q sequential) { all = append(all, state{q, fmt.Sprintf("%+v", q)}) } // maps are written in order
		if s.do == "again" {
			s.do = "receive"
			add(q)
		}
		if next, ok := q.next(s, output.(answer)); ok {
			add(next)
		}
		return all
	},
	Equal: func(a, b any) bool { return a.(state).text == b.(state).text },
	Hash: func(s any) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(s.(state).text))
		return h.Sum64()
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
}).ToModel()

// stormRounds is how many histories are made; each takes some 50 ms, and a few
// take seconds to be explained.
var stormRounds = flag.Int("storm.rounds", 20, "histories of the test of linearizability")

// What many clients see of a queue at once is what they would see if their
// calls came one at a time, in an order that agrees with the times at which they
// were made and answered. Messages come oldest first and groups in their turn
// under concurrency too, counts are exact, and a batch is sent whole. One thing
// is weaker: of what a receive has taken it gives only what is still there when
// it is read, so what a purge or a deletion beside it removes may have counted
// as in flight and never come.
func TestStormIsLinearizable(t *testing.T) {
	t.Parallel()
	random := newSeed(t)
	s, stop := startInProcessWith(t, app.Config{Data: t.TempDir(), Cooldowns: "off"})
	defer stop()
	var steps, overlaps, open int
	var longest time.Duration
	for round := range *stormRounds {
		r := newRecorder()
		r.play(t, s, random, round)
		steps += len(r.history)
		overlaps += overlapping(r.history)
		r.finish()
		begun := time.Now()
		result, info := porcupine.CheckOperationsVerbose(linear, r.history, 10*time.Second)
		longest = max(longest, time.Since(begun))
		switch result {
		case porcupine.Illegal:
			t.Fatalf("nothing explains round %d:\n%s", round, told(r.history, info))
		case porcupine.Unknown:
			open++
		}
	}
	t.Logf("%d histories of %d calls, %d of which overlapped another of the same queue; %d were not explained in time; the slowest took %v",
		*stormRounds, steps, overlaps, open, longest)
	if overlaps < steps/4 {
		t.Errorf("only %d of %d calls overlapped another: this shows nothing", overlaps, steps)
	}
	if open > *stormRounds/4 {
		t.Errorf("%d of %d histories were not explained in time", open, *stormRounds)
	}
}

// play lets clients of two queues, in both protocols, make their steps.
func (r *recorder) play(t *testing.T, s *server, random *rand.Rand, round int) {
	const clients, each = 4, 8
	base := newEnv(t, s, wireJSON)
	queues := []string{freshName(), freshName() + ".fifo"}
	base.createNamed(t, queues[0], nil)
	base.createNamed(t, queues[1], attrs{"FifoQueue": "true"})
	var work sync.WaitGroup
	together := make(chan struct{})
	for i, queue := range queues {
		for c := range clients {
			own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
			e := base.speaking(t, wires[c%2])
			work.Go(func() {
				<-together
				for n := range each {
					s := step{queue: queue}
					handle := s.choose(own, r, fmt.Sprintf("%d.%d", c, n), round%3 == 0)
					r.take(t, e, i*clients+c, s, handle)
				}
			})
		}
	}
	close(together)
	work.Wait()
}

// choose fills in what to do, and gives the handle that it needs. With lives
// the queue is deleted and made again too.
func (s *step) choose(random *rand.Rand, r *recorder, name string, lives bool) (handle string) {
	fifo := strings.HasSuffix(s.queue, ".fifo")
	n := random.IntN(100) // sends are few: what nobody receives can stand in any order
	if n >= 62 && n < 88 {
		if s.handle, handle = r.recent(random, s.queue); s.handle == 0 {
			n = 0
		}
	}
	switch {
	case n < 26:
		s.do, s.bodies = "send", []string{name}
		switch {
		case fifo:
			s.group, s.dedup = string(rune('a'+random.IntN(3))), fmt.Sprint("d", random.IntN(25))
		case random.IntN(4) == 0:
			s.bodies = []string{name + "x", name + "y", name + "z"}
		case random.IntN(8) == 0:
			s.delayed = true
		}
	case n < 62:
		s.do, s.most, s.hidden = "receive", 1+random.IntN(3), random.IntN(3) > 0
		if fifo && random.IntN(4) == 0 {
			s.most, s.hidden, s.attempt = 3, true, fmt.Sprint("try-", random.IntN(2))
		}
	case n < 77:
		s.do = "delete"
	case n < 88:
		s.do, s.hidden = "change", random.IntN(2) == 0
	case n < 95 || fifo && n < 98:
		s.do = "count"
	case !lives || fifo || n < 97:
		s.do = "purge"
	case n < 98:
		s.do = "remove"
	default:
		s.do = "create"
	}
	return handle
}

// overlapping counts the calls that were under way together with another of the
// same queue.
func overlapping(history []porcupine.Operation) (n int) {
	for i, a := range history {
		if slices.ContainsFunc(history[:i], func(b porcupine.Operation) bool {
			return a.Input.(step).queue == b.Input.(step).queue && a.Call <= b.Return && b.Call <= a.Return
		}) {
			n++
		}
	}
	return n
}

// told lists a history that nothing explains.
func told(history []porcupine.Operation, info porcupine.LinearizationInfo) string {
	var b strings.Builder
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	for _, o := range history {
		fmt.Fprintf(&b, "%9d to %9d  client %2d  %s\n", o.Call, o.Return, o.ClientId, linear.DescribeOperation(o.Input, o.Output))
	}
	for i, part := range info.PartialLinearizations() {
		for _, p := range part {
			fmt.Fprintf(&b, "queue %d can be explained as far as %v\n", i, p)
		}
	}
	return b.String()
}
