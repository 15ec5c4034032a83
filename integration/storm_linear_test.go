package integration

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"queues/cmd/queues/app"
)

// The histories of the test of linearizability are short and many: how long it
// takes to explain one grows fast with the calls that overlap. Each round makes
// one of each kind of queue, and takes some 50 ms.
var stormRounds = flag.Int("storm.rounds", 40, "rounds of histories of the test of linearizability")

// What bounds a history: how many clients make it, how many calls each, and how
// long it may take to explain.
const (
	stormClients  = 3
	stormCalls    = 9
	stormPatience = 30 * time.Second
)

// What many clients see of a queue at once is what they would see if their
// calls came one at a time, in an order that agrees with the times at which they
// were made and answered; see linear for what is demanded. One thing is weaker:
// of what a receive has taken it gives only what is still there when it is read,
// so what is removed beside it may have counted as in flight and never come.
func TestStormIsLinearizable(t *testing.T) {
	t.Parallel()
	random := newSeed(t)
	s, stop := startInProcessWith(t, app.Config{Data: t.TempDir(), Cooldowns: "off"})
	defer stop()
	var steps, overlaps, histories, open int
	did := map[string]int{}
	var longest, all time.Duration
	for round := range *stormRounds {
		r := newRecorder()
		r.play(t, s, random, round)
		overlaps += overlapping(r.history)
		steps += len(r.history)
		r.count(did)
		r.finish()
		for _, part := range linear.Partition(r.history) {
			begun := time.Now()
			result, info := porcupine.CheckOperationsVerbose(linear, part, stormPatience)
			took := time.Since(begun)
			longest, all = max(longest, took), all+took
			histories++
			switch result {
			case porcupine.Illegal:
				t.Fatalf("nothing explains round %d:\n%s", round, retold(part, info))
			case porcupine.Unknown:
				open++
				t.Logf("round %d of %s is unjudged: it was not explained in %v", round, part[0].Input.(step).queue, stormPatience)
			}
		}
	}
	t.Logf("%d histories of %d calls, %d of which overlapped another of the same queues: %v", histories, steps, overlaps, did)
	t.Logf("%d are unjudged; the slowest took %v, all %v", open, longest, all)
	if overlaps < steps/4 {
		t.Errorf("only %d of %d calls overlapped another: this shows nothing", overlaps, steps)
	}
	for _, what := range []string{"dead letters", "moved", "batches"} {
		if did[what] == 0 {
			t.Errorf("there were no %s: this shows nothing", what)
		}
	}
	if open > 0 {
		t.Errorf("%d of %d histories are unjudged", open, histories)
	}
}

// play lets clients of some queues, in both protocols, make their steps, and
// then looks at what is left.
func (r *recorder) play(t *testing.T, s *server, random *rand.Rand, round int) {
	base := newEnv(t, s, wireJSON)
	queues := stormPairs(t, base, 1+round%3)
	var work sync.WaitGroup
	together := make(chan struct{})
	for i, queue := range queues {
		for c := range stormClients {
			own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
			e := base.speaking(t, wires[c%2])
			work.Go(func() {
				<-together
				for n := range stormCalls {
					s := step{queue: queue}
					handles := s.choose(own, r, fmt.Sprintf("%d.%d", c, n), round%3 == 0)
					r.take(t, e, i*stormClients+c, s, handles...)
				}
			})
		}
	}
	close(together)
	work.Wait()
	for i, queue := range queues {
		r.empty(t, base, i*stormClients, queue)
	}
}

// stormPairs makes a queue of each kind, and a pair of each.
func stormPairs(t *testing.T, e *env, most int) []string {
	t.Helper()
	queues := []string{freshName(), freshName() + ".fifo", freshName() + fmt.Sprint("-most", most), freshName() + fmt.Sprint("-most", most, ".fifo")}
	for _, queue := range queues {
		a := attrs{}
		if strings.HasSuffix(queue, ".fifo") {
			a["FifoQueue"] = "true"
		}
		if redriven(queue) > 0 {
			dead := deadOf(queue)
			e.createNamed(t, dead, a)
			a["RedrivePolicy"] = redriveTo(resourceName(e, dead), most)
		}
		e.createNamed(t, queue, a)
	}
	return queues
}

// resourceName is the resource name of a queue.
func resourceName(e *env, queue string) string {
	return "arn:aws:sqs:" + e.region + ":" + e.account + ":" + queue
}

// overlapping counts the calls that were under way together with another of the
// same queue.
func overlapping(history []porcupine.Operation) (n int) {
	for i, a := range history {
		if slices.ContainsFunc(history[:i], func(b porcupine.Operation) bool {
			return family(a.Input.(step).queue) == family(b.Input.(step).queue) && a.Call <= b.Return && b.Call <= a.Return
		}) {
			n++
		}
	}
	return n
}

// retold lists a history that nothing explains.
func retold(history []porcupine.Operation, info porcupine.LinearizationInfo) string {
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
