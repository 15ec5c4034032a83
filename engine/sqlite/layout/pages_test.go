package layout

import (
	"fmt"
	"testing"
)

// trialPages compares page sizes for the winner, by size of body, and the cost
// of auto_vacuum=INCREMENTAL while busy.
func trialPages(t *testing.T, sc scale) {
	sizes := []struct{ body, cycles, backlog int }{
		{1024, sc.cycles, sc.standing}, {100, sc.cycles, sc.standing}, {sc.large, sc.cycles / 10, sc.standing / 10},
	}
	for _, durable := range sc.durable {
		tab := newTable()
		for round := range sc.rounds {
			for _, size := range sizes {
				for _, pageSize := range []int{4096, 8192, 16384} {
					for _, vacuum := range []bool{false, true} {
						if vacuum && pageSize != 4096 {
							continue
						}
						name := fmt.Sprintf("body %5d, page %5d, incremental %v", size.body, pageSize, vacuum)
						base := fmt.Sprintf("body %5d, page  4096, incremental false", size.body)
						l := load{queues: 100, backlog: size.backlog, cycles: size.cycles, timeout: sc.timeout, metaSize: 100, bodySize: size.body, seed: uint64(round)}
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

// trialBodies compares who reads the bodies of received messages.
func trialBodies(t *testing.T, sc scale) {
	modes := []struct {
		name string
		mode readMode
	}{{"after", readAfter}, {"parallel", readParallel}, {"within", readWithin}}
	for _, durable := range sc.durable {
		tab := newTable()
		for round := range sc.rounds {
			for _, body := range []int{100, 1024, sc.large} {
				for _, m := range modes {
					l := load{queues: 100, backlog: sc.standing, cycles: sc.cycles, timeout: sc.timeout, metaSize: 100, bodySize: body, mode: m.mode, seed: uint64(round)}
					if body > 4096 {
						l.cycles, l.backlog = l.cycles/10, l.backlog/10
					}
					tab.add(fmt.Sprintf("body %5d, %s", body, m.name), fmt.Sprintf("body %5d, after", body),
						measure(t, options{candidate: mustCandidate(*winnerFlag), durable: durable}, l))
				}
			}
		}
		tab.print(t, fmt.Sprintf("Bodies: layout %s, 100 queues, durable %v", *winnerFlag, durable))
	}
}
