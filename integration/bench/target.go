//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"

	"queues/cmd/queues/load"
)

// target is what a case must reach. The zero value is no target.
type target struct {
	// pass is what must be reached, aim what is hoped for; zero for no aim.
	pass, aim float64
	// atLeast is true where more is better.
	atLeast bool
	// text is how the table shows it.
	text string
}

func atLeast(pass, aim float64, text string) target {
	return target{pass: pass, aim: aim, atLeast: true, text: text}
}

func atMost(pass, aim float64, text string) target {
	return target{pass: pass, aim: aim, text: text}
}

// The verdicts.
const (
	verdictAim    = "pass, aim reached"
	verdictPass   = "pass"
	verdictMissed = "MISSED"
	verdictNone   = "-"
)

// judge gives the verdict over a value.
func (t target) judge(value float64) string {
	reached := func(limit float64) bool {
		if t.atLeast {
			return value >= limit
		}
		return value <= limit
	}
	switch {
	case t.text == "":
		return verdictNone
	case !reached(t.pass): // a NaN reaches nothing
		return verdictMissed
	case t.aim != 0 && reached(t.aim):
		return verdictAim
	default:
		return verdictPass
	}
}

// row is one line of the table.
type row struct {
	title    string
	target   target
	value    float64
	measured string
}

// missed is an error that names the rows whose target was missed; nil for none.
func missed(rows []row) error {
	var text strings.Builder
	n := 0
	for _, r := range rows {
		if r.target.judge(r.value) == verdictMissed {
			n++
			fmt.Fprintf(&text, "\n  %s: %s, the target is %s", r.title, r.measured, r.target.text)
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d rows missed their target:%s", n, len(rows), text.String())
}

// series is one side of a comparison over all rounds.
type series []load.Measure

// over is the median over the rounds of a figure.
func (s series) over(figure func(load.Measure) float64) float64 {
	values := make([]float64, len(s))
	for i, m := range s {
		values[i] = figure(m)
	}
	return median(values)
}

// ratio is the median over the rounds of a figure in s by the same in base:
// what disturbs a whole round disturbs both.
func (s series) ratio(base series, figure func(load.Measure) float64) float64 {
	return s.ratioOf(base, figure, figure)
}

func (s series) ratioOf(base series, figure, baseFigure func(load.Measure) float64) float64 {
	values := make([]float64, min(len(s), len(base)))
	for i := range values {
		values[i] = figure(s[i]) / baseFigure(base[i])
	}
	return median(values)
}

// median of an even number is the mean of the middle two; of none it is zero.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(values))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// The ways the table shows a figure.
func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
func times(v float64) string   { return fmt.Sprintf("%.2f ×", v) }
