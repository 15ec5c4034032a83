//go:build linux

package main

import (
	"bytes"
	"fmt"

	"queues/cmd/queues/load"
)

// report renders the whole run in Markdown.
func (b *bench) report(commandLine string) []byte {
	var out bytes.Buffer
	w := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	w("| Case | Target | Measured | Verdict |")
	w("| --- | --- | --- | --- |")
	for _, r := range b.rows {
		goal := r.target.text
		if goal == "" {
			goal = "none"
		}
		w("| %s | %s | %s | %s |", r.title, goal, r.measured, r.target.judge(r.value))
	}
	b.reportLatencies(w)
	for _, text := range b.failures {
		w("\n**Failure:** %s.", text)
	}
	for _, text := range b.warnings {
		w("\n**Warning:** %s.", text)
	}
	if len(b.details) > 0 {
		w("\nMedians of %d rounds; rates in parentheses are the lowest and the highest round; CPU and latency are per request, or per cycle of three.\n", b.rounds)
		w("| Phase | Requests/s | Messages/s | p50 µs | p99 µs | p99.9 µs | Server CPU µs | Generator CPU µs |")
		w("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
		for _, d := range b.details {
			low, high := d.rangeOf(load.Measure.JobRate)
			w("| %s | %.0f (%.0f-%.0f) | %.0f | %.0f | %.0f | %.0f | %s | %s |", d.phase, d.over(load.Measure.JobRate), low, high, d.over(load.Measure.Rate),
				d.over(load.Measure.P50), d.over(load.Measure.P99), d.over(load.Measure.P999), cpuText(d.over(load.Measure.CPU)), cpuText(d.over(load.Measure.GenCPU)))
		}
	}
	for _, text := range b.notes {
		w("\n%s", text)
	}
	w("\n%s\n\nCommand: `%s`", machine(b.dir), commandLine)
	return out.Bytes()
}

// cpuText leaves out what was not measured.
func cpuText(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", v)
}

// rangeOf gives the lowest and the highest round.
func (s series) rangeOf(figure func(load.Measure) float64) (low, high float64) {
	for i, m := range s {
		v := figure(m)
		if i == 0 {
			low, high = v, v
		}
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
