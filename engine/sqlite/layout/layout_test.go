package layout

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// The flags of the trial; without -layout.trial the small form runs.
var (
	trialFlag   = flag.Bool("layout.trial", false, "run the layout trial at full scale")
	roundsFlag  = flag.Int("layout.rounds", 3, "rounds of the trial; the median counts")
	cyclesFlag  = flag.Int("layout.cycles", 20_000, "measured cycles of a run")
	backlogFlag = flag.Int("layout.backlog", 1_000_000, "the deep backlog")
	namesFlag   = flag.String("layout.candidates", "abcdefg", "the candidates of the Keys and Backlog parts; b must be among them")
	syncFlag    = flag.String("layout.sync", "both", "FULL, NORMAL or both; NORMAL shows the processor's share")
	winnerFlag  = flag.String("layout.winner", "b", "the layout of the Pages, Vacuum, Bodies and Rows parts")
)

// scale is how large the parts of the trial are.
type scale struct {
	rounds, cycles, standing, deep int
	bodies                         []int // bytes of a body, in the parts that vary it
	timeout                        int64 // ticks of invisibility
	queues                         []int
	durable                        []bool
}

// currentScale returns the full scale, or the small one that keeps the trial
// from rotting.
func currentScale() scale {
	if !*trialFlag {
		return scale{
			rounds: 1, cycles: 200, standing: 50, deep: 300, bodies: []int{1024}, timeout: 40,
			queues: []int{7}, durable: []bool{false},
		}
	}
	durable := map[string][]bool{"FULL": {true}, "NORMAL": {false}, "both": {true, false}}[*syncFlag]
	return scale{
		rounds: *roundsFlag, cycles: *cyclesFlag, standing: 20_000, deep: *backlogFlag, bodies: []int{1024, 100, 64 << 10}, timeout: 600,
		queues: []int{1, 10, 100, 1000}, durable: durable,
	}
}

// TestLayoutTrial runs every part of the trial. Its parts do not run in
// parallel, since they measure.
func TestLayoutTrial(t *testing.T) {
	sc := currentScale()
	t.Run("Keys", func(t *testing.T) { trialKeys(t, sc) })
	t.Run("Backlog", func(t *testing.T) { trialBacklog(t, sc) })
	t.Run("Pages", func(t *testing.T) { trialPages(t, sc) })
	t.Run("Bodies", func(t *testing.T) { trialBodies(t, sc) })
	t.Run("Rows", func(t *testing.T) { trialRows(t, sc) })
	t.Run("Vacuum", func(t *testing.T) { trialVacuum(t, sc) })
}

// trialKeys compares the candidates over the number of busy queues.
func trialKeys(t *testing.T, sc scale) {
	for _, durable := range sc.durable {
		tab := newTable()
		for round := range sc.rounds {
			for _, queues := range sc.queues {
				order := chosen(*namesFlag)
				rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
				for _, c := range order {
					l := load{queues: queues, backlog: sc.standing, cycles: sc.cycles, timeout: sc.timeout, metaSize: 100, bodySize: 1024, seed: uint64(round)}
					tab.add(fmt.Sprintf("%4d queues, %s", queues, c.name), fmt.Sprintf("%4d queues, b", queues),
						measure(t, options{candidate: c, durable: durable}, l))
				}
			}
		}
		tab.print(t, fmt.Sprintf("Keys: 1 KB bodies, standing backlog %d in all, durable %v", sc.standing, durable))
	}
}

// trialBacklog compares the candidates on one queue with a shallow and a deep
// backlog.
func trialBacklog(t *testing.T, sc scale) {
	tab := newTable()
	for round := range sc.rounds {
		for _, backlog := range []int{sc.deep / 100, sc.deep} {
			for _, c := range chosen(*namesFlag) {
				l := load{queues: 1, backlog: backlog, cycles: sc.cycles, timeout: sc.timeout, metaSize: 100, bodySize: 1024, seed: uint64(round)}
				tab.add(fmt.Sprintf("backlog %7d, %s", backlog, c.name), fmt.Sprintf("backlog %7d, b", backlog),
					measure(t, options{candidate: c}, l))
			}
		}
	}
	tab.print(t, "Backlog: one queue, 1 KB bodies, durable false")
}

// measure runs a load on a fresh database and removes it.
func measure(t *testing.T, o options, l load) (result outcome) {
	t.Helper()
	o.readInside = l.mode == readWithin
	t.Run("Run", func(t *testing.T) {
		s := openStore(t, o, l.queues)
		result = drive(s, l)
	})
	return result
}

// table gathers the outcomes of interleaved runs by row.
type table struct {
	names    []string
	baseline map[string]string
	runs     map[string][]outcome
}

// newTable returns an empty table.
func newTable() *table {
	return &table{baseline: map[string]string{}, runs: map[string][]outcome{}}
}

// add files an outcome under a row, whose ratio is to the row called baseline.
func (tab *table) add(name, baseline string, o outcome) {
	if _, ok := tab.runs[name]; !ok {
		tab.names = append(tab.names, name)
	}
	tab.baseline[name] = baseline
	tab.runs[name] = append(tab.runs[name], o)
}

// median returns the median and the smallest of what f takes from the runs of
// a row. The smallest is the better guide on a machine with busy neighbours.
func (tab *table) median(name string, f func(outcome) float64) (median, smallest float64) {
	var values []float64
	for _, o := range tab.runs[name] {
		values = append(values, f(o))
	}
	slices.Sort(values)
	return values[len(values)/2], values[0]
}

// print logs the table, in Markdown, rows in order of name.
func (tab *table) print(t *testing.T, title string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n| run | best µs/cycle | ratio | median | ratio | send | promote | receive | delete | settle | commit | read | WAL B/cycle | db MB | slowest batch ms |\n", title)
	b.WriteString("| --- |" + strings.Repeat(" ---: |", 14) + "\n")
	slices.Sort(tab.names)
	us := func(f func(outcome) time.Duration) func(outcome) float64 {
		return func(o outcome) float64 { return o.perCycle(f(o)) }
	}
	total := us(func(o outcome) time.Duration { return o.elapsed })
	for _, name := range tab.names {
		value, best := tab.median(name, total)
		base, bestBase := tab.median(tab.baseline[name], total)
		fmt.Fprintf(&b, "| %s | %.1f | %.2f | %.1f | %.2f |", name, best, best/bestBase, value, value/base)
		for _, part := range []func(outcome) time.Duration{
			func(o outcome) time.Duration { return o.parts.send },
			func(o outcome) time.Duration { return o.parts.promote },
			func(o outcome) time.Duration { return o.parts.receive },
			func(o outcome) time.Duration { return o.parts.remove },
			func(o outcome) time.Duration { return o.parts.settle },
			func(o outcome) time.Duration { return o.parts.commit },
			func(o outcome) time.Duration { return o.parts.read },
		} {
			_, value := tab.median(name, us(part)) // of the quietest round
			fmt.Fprintf(&b, " %.1f |", value)
		}
		wal, _ := tab.median(name, func(o outcome) float64 { return float64(o.wal) / float64(o.cycles) })
		size, _ := tab.median(name, func(o outcome) float64 { return float64(o.size) / 1e6 })
		slowest, _ := tab.median(name, func(o outcome) float64 { return o.slowest.Seconds() * 1e3 })
		fmt.Fprintf(&b, " %.0f | %.1f | %.1f |\n", wal, size, slowest)
	}
	t.Log(b.String())
}
