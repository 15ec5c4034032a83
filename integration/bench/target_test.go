//go:build linux

package main

import (
	"math"
	"testing"
	"time"

	"queues/cmd/queues/load"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	more := atLeast(0.35, 0.5, "more")
	less := atMost(3, 2, "less")
	tests := map[string]struct {
		target target
		value  float64
		want   string
	}{
		"MoreIsBetterMissed": {more, 0.349, verdictMissed},
		"MoreIsBetterPass":   {more, 0.35, verdictPass},
		"MoreIsBetterAim":    {more, 0.5, verdictAim},
		"LessIsBetterMissed": {less, 3.01, verdictMissed},
		"LessIsBetterPass":   {less, 3, verdictPass},
		"LessIsBetterAim":    {less, 1.9, verdictAim},
		"WithoutAim":         {atMost(1.2, 0, "x"), 0.1, verdictPass},
		"NoTarget":           {target{}, 7, verdictNone},
		"NotANumber":         {more, math.NaN(), verdictMissed},
		"NotANumberLess":     {less, math.NaN(), verdictMissed},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.target.judge(tc.value); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestRatioIsTheMedianOfTheRounds(t *testing.T) {
	t.Parallel()
	of := func(messages ...int64) series {
		var s series
		for _, n := range messages {
			s = append(s, load.Measure{Elapsed: time.Second, Messages: n})
		}
		return s
	}
	// The second round was disturbed as a whole; the third on one side.
	a, b := of(100, 10, 400), of(200, 20, 200)
	if got := a.ratio(b, load.Measure.Rate); got != 0.5 {
		t.Errorf("ratio %v, want 0.5", got)
	}
	if got := a.over(load.Measure.Rate); got != 100 {
		t.Errorf("median rate %v, want 100", got)
	}
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("median %v, want 2.5", got)
	}
	if got := median(nil); got != 0 {
		t.Errorf("median of nothing %v", got)
	}
}

func TestMeasureFigures(t *testing.T) {
	t.Parallel()
	m := load.Measure{Elapsed: 2 * time.Second, Jobs: 100, Messages: 1000, Server: 5 * time.Millisecond, Generator: time.Millisecond}
	for name, f := range map[string]struct{ got, want float64 }{
		"Rate":    {m.Rate(), 500},
		"JobRate": {m.JobRate(), 50},
		"CPU":     {m.CPU(), 50},
		"GenCPU":  {m.GenCPU(), 10},
	} {
		if f.got != f.want {
			t.Errorf("%s is %v, want %v", name, f.got, f.want)
		}
	}
}
