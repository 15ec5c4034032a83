package layout

import (
	"fmt"
	"testing"
)

// trialPages compares page sizes for the winner, by size of body, and the cost
// of auto_vacuum=INCREMENTAL while busy.
func trialPages(t *testing.T, sc scale) {
	for _, durable := range sc.durable {
		tab := newTable()
		for round := range sc.rounds {
			for _, size := range sc.bodies {
				for _, pageSize := range []int{4096, 8192, 16384} {
					for _, vacuum := range []bool{false, true} {
						if vacuum && pageSize != 4096 {
							continue
						}
						name := fmt.Sprintf("body %5d, page %5d, incremental %v", size, pageSize, vacuum)
						base := fmt.Sprintf("body %5d, page  4096, incremental false", size)
						l := bodyLoad(sc, size, round)
						tab.add(name, base, measure(t, options{
							candidate: mustCandidate(*winnerFlag), durable: durable, pageSize: pageSize, vacuum: vacuum,
						}, l))
					}
				}
			}
		}
		tab.print(t, fmt.Sprintf("Pages: layout %s, 100 queues, durable %v", *winnerFlag, durable))
	}
}

// bodyLoad returns the load of the parts that vary the body: large bodies get
// a tenth of the cycles and a shorter ramp.
func bodyLoad(sc scale, body, round int) load {
	l := load{
		queues: 100, backlog: sc.standing, cycles: sc.cycles, timeout: sc.timeout / 3,
		metaSize: 100, bodySize: body, seed: uint64(round),
	}
	if body > 4096 {
		l.cycles, l.backlog, l.timeout = l.cycles/10, l.backlog/10, l.timeout/4
	}
	l.timeout = max(l.timeout, 2*afterReceive) // deletes must come before the timeout
	return l
}

// trialBodies compares who reads the bodies of received messages.
func trialBodies(t *testing.T, sc scale) {
	modes := []struct {
		name string
		mode readMode
	}{{"after", readAfter}, {"parallel", readParallel}, {"within", readWithin}}
	for _, durable := range sc.durable {
		tab := newTable()
		for round := range sc.rounds {
			for _, body := range sc.bodies {
				for _, m := range modes {
					l := bodyLoad(sc, body, round)
					l.mode = m.mode
					tab.add(fmt.Sprintf("body %5d, %s", body, m.name), fmt.Sprintf("body %5d, after", body),
						measure(t, options{candidate: mustCandidate(*winnerFlag), durable: durable}, l))
				}
			}
		}
		tab.print(t, fmt.Sprintf("Bodies: layout %s, 100 queues, durable %v", *winnerFlag, durable))
	}
}
