//go:build linux

package main

import (
	"fmt"
	"slices"
)

// gauge is one of the things that must not grow.
type gauge struct {
	name string
	of   func(*usage) int64
	// Growth up to factor and slack more is let pass: the noise of what varies
	// by itself.
	factor float64
	slack  int64
	// unit divides what is shown.
	unit float64
}

// gauges are what must not grow over a soak. A leak of a single descriptor or
// goroutine for a connection or a queue shows within minutes, as the soak
// opens connections and makes queues all the time.
var gauges = []gauge{
	{"memory, MB", func(u *usage) int64 { return u.resident }, 1.15, 16e6, 1e6},
	{"heap, MB", func(u *usage) int64 { return u.heap }, 1.15, 16e6, 1e6},
	{"database, MB", func(u *usage) int64 { return u.database }, 1.25, 32e6, 1e6},
	{"log, MB", func(u *usage) int64 { return u.log }, 1.25, 8e6, 1e6},
	{"descriptors", func(u *usage) int64 { return u.files }, 1, 16, 1},
	{"goroutines", func(u *usage) int64 { return u.goroutines }, 1, 32, 1},
	{"threads", func(u *usage) int64 { return u.threads }, 1, 12, 1},
}

// warmUp is the part of all samples that is left out at the beginning: pools
// and caches fill.
const warmUp = 0.1

// trend is how a gauge went from the first third of a soak to its last.
type trend struct {
	gauge
	first, last, most int64
}

// grew reports whether it grew beyond what is let pass.
func (t *trend) grew() bool {
	return float64(t.last) > float64(t.first)*t.factor+float64(t.slack)
}

func (t *trend) String() string {
	of := func(n int64) string { return fmt.Sprintf("%.4g", float64(n)/t.unit) }
	return fmt.Sprintf("%-13s %8s in the first third, %8s in the last (up to %s let pass), most %s",
		t.name, of(t.first), of(t.last), of(int64(float64(t.first)*t.factor)+t.slack), of(t.most))
}

// trendOf compares the medians of the first and last third of the samples,
// after the warm-up. It is zero of fewer than three.
func trendOf(g gauge, samples []usage) trend {
	t := trend{gauge: g}
	samples = samples[int(warmUp*float64(len(samples))):]
	values := make([]int64, len(samples))
	for i := range samples {
		values[i] = g.of(&samples[i])
		t.most = max(t.most, values[i])
	}
	third := len(values) / 3
	if third > 0 {
		t.first, t.last = median(values[:third]), median(values[len(values)-third:])
	}
	return t
}

func median(values []int64) int64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
