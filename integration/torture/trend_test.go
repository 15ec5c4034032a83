//go:build linux

package main

import "testing"

// What grows shows, what only varies does not.
func TestTrend(t *testing.T) {
	t.Parallel()
	of := func(n int, value func(int) int64) []usage {
		samples := make([]usage, n)
		for i := range samples {
			samples[i].files = value(i)
		}
		return samples
	}
	descriptors := gauge{"descriptors", func(u *usage) int64 { return u.files }, 1, 16, 1}
	for name, tc := range map[string]struct {
		samples []usage
		grew    bool
	}{
		"Flat":     {of(60, func(int) int64 { return 100 }), false},
		"Wavy":     {of(60, func(i int) int64 { return 100 + int64(i%7)*5 }), false},
		"WarmUp":   {of(60, func(i int) int64 { return min(100, 20*int64(i)) }), false},
		"OnePeak":  {of(60, func(i int) int64 { return 100 + int64(i/59)*1000 }), false},
		"Leak":     {of(60, func(i int) int64 { return 100 + int64(i) }), true},
		"LateLeak": {of(60, func(i int) int64 { return 100 + max(0, int64(i)-40)*4 }), true},
		"TooFew":   {of(2, func(i int) int64 { return 1000 * int64(i) }), false},
		"None":     {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := trendOf(descriptors, tc.samples)
			if got.grew() != tc.grew {
				t.Errorf("grew is %t, want %t: %v", got.grew(), tc.grew, &got)
			}
		})
	}
}
