//go:build linux

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"queues/cmd/queues/load"
)

// report renders the comparison in Markdown.
func (r *peersRun) report(commandLine string) []byte {
	var out bytes.Buffer
	w := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	w("| Server | Version | Language | Loaded in | Keeps messages in | After a crash |")
	w("| --- | --- | --- | --- | --- | --- |")
	for _, e := range r.entries {
		w("| %s | %s | %s | %s | %s | %s |", e.name, e.version, e.language, protocolName(e.wire), e.keeps, e.promise)
	}
	r.reportRates(w)
	r.reportCosts(w)
	r.reportGoals(w)
	w("\nMessages of 1 KB, %d connections where nothing else is said, %d rounds of %v in turn; logs of single requests are off everywhere.", r.conns, r.rounds, r.duration)
	for _, text := range remarks {
		w("\n%s", text)
	}
	for _, text := range r.warnings {
		w("\n**Warning:** %s.", text)
	}
	for _, text := range r.notes {
		w("\n%s", text)
	}
	w("\n%s\n\nCommand: `%s`", machine(r.dir), commandLine)
	return out.Bytes()
}

func protocolName(p load.Protocol) string {
	if p == load.Query {
		return "Query"
	}
	return "JSON"
}

// caseTitles are the cases as columns.
func caseTitles() string {
	titles := make([]string, len(peerCases))
	for i, c := range peerCases {
		titles[i] = c.title
	}
	return strings.Join(titles, " | ")
}

// reportRates shows how fast all are.
func (r *peersRun) reportRates(w func(string, ...any)) {
	w("\nMessages per second, medians; in parentheses how many times as fast `%s` is.\n", ownName)
	w("| Server | %s |", caseTitles())
	w("| --- |%s", strings.Repeat(" ---: |", len(peerCases)))
	for _, e := range r.entries {
		w("| %s | %s |", e.name, strings.Join(r.cells(e, func(o, base *outcome) string {
			text := fmt.Sprintf("%.0f", o.over(load.Measure.Rate))
			if e.name != ownName && base != nil && len(base.series) > 0 {
				text += fmt.Sprintf(" (%s)", times(base.ratio(o.series, load.Measure.Rate)))
			}
			return text + failures(o.series)
		}), " | "))
	}
}

// failures tells of failures that were few enough to count the rest.
func failures(s series) string {
	failed := int64(0)
	for _, m := range s {
		failed += m.Failed() + m.Empty
	}
	if failed == 0 {
		return ""
	}
	return fmt.Sprintf(", %d failed", failed)
}

// cells are what an entry shows in each case.
func (r *peersRun) cells(e *entry, show func(o, base *outcome) string) []string {
	base := r.entry(ownName)
	var cells []string
	for _, c := range peerCases {
		o := e.got[c.name]
		switch {
		case e.absent != "":
			cells = append(cells, "absent: "+cell(e.absent))
		case o == nil || o.failed == "" && len(o.series) == 0:
			cells = append(cells, "-")
		case o.failed != "":
			cells = append(cells, "fails: "+cell(o.failed))
		case base == nil:
			cells = append(cells, show(o, nil))
		default:
			cells = append(cells, show(o, base.got[c.name]))
		}
	}
	return cells
}

// cell makes a text fit for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// entry finds one by its name; nil for none.
func (r *peersRun) entry(name string) *entry {
	for _, e := range r.entries {
		if e.name == name {
			return e
		}
	}
	return nil
}

// reportCosts shows what the servers need.
func (r *peersRun) reportCosts(w func(string, ...any)) {
	w("\nThe servers' CPU time for each request in microseconds, medians, and what they hold in memory: at first, and with %d messages.\n", r.messages)
	w("| Server | %s | Idle | Full |", caseTitles())
	w("| --- |%s", strings.Repeat(" ---: |", len(peerCases)+2))
	for _, e := range r.entries {
		if e.absent != "" {
			continue
		}
		costs := r.cells(e, func(o, _ *outcome) string { return cpuText(o.over(requestCPU)) })
		for i := range costs {
			if strings.HasPrefix(costs[i], "fails") {
				costs[i] = "fails"
			}
		}
		w("| %s | %s | %s | %s |", e.name, strings.Join(costs, " | "), memoryText(e.idle), memoryText(e.full))
	}
}

func memoryText(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f MB", float64(bytes)/1e6)
}

// The goals: to pass those who promise the same, and to come within a factor of
// two of those who promise nothing.
var (
	goalDurable = atLeast(1, 0, "≥ 1 ×")
	goalMemory  = atLeast(0.5, 1, "≥ 0.5 ×, aim 1 ×")
	// goalAlone is that of one connection against memory: each of its requests
	// waits for the disk, the other's for nothing.
	goalAlone = target{}
)

// reportGoals shows our durable server beside the fastest of each kind.
func (r *peersRun) reportGoals(w func(string, ...any)) {
	w("\n`%s` beside the fastest of each kind.\n", ownName)
	w("| Case | Kind | Fastest | Target | Measured | Verdict |")
	w("| --- | --- | --- | --- | ---: | --- |")
	for _, c := range peerCases {
		for _, kind := range []struct {
			name  string
			keeps storage
			goal  target
		}{{"durable", synced, goalDurable}, {"memory only", inMemory, goalMemory}} {
			best, ratio := r.fastest(c.name, kind.keeps)
			if c.alone && kind.keeps == inMemory {
				kind.goal = goalAlone
			}
			goal := cmp.Or(kind.goal.text, "none: each request waits for the disk")
			if best == "" {
				w("| %s | %s | none | %s | - | - |", c.title, kind.name, goal)
				continue
			}
			w("| %s | %s | %s | %s | %s | %s |", c.title, kind.name, best, goal, times(ratio), kind.goal.judge(ratio))
		}
	}
}

// fastest gives the server of others that is the hardest to pass in a case, and
// how many times as fast ours is; no name for none.
func (r *peersRun) fastest(name string, keeps storage) (best string, ratio float64) {
	own := r.entry(ownName)
	if own == nil || own.got[name] == nil {
		return "", 0
	}
	for _, e := range r.entries {
		o := e.got[name]
		if e.ours || e.keeps != keeps || o == nil || o.failed != "" || len(o.series) == 0 {
			continue
		}
		if v := own.got[name].ratio(o.series, load.Measure.Rate); best == "" || v < ratio {
			best, ratio = e.name, v
		}
	}
	return best, ratio
}
