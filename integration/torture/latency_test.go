//go:build linux

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLatencies(t *testing.T) {
	t.Parallel()
	var hundred latencies
	for i := range 100 {
		hundred = append(hundred, time.Duration(100-i)*time.Millisecond)
	}
	for name, tc := range map[string]struct {
		calls latencies
		want  string
	}{
		"None":    {nil, "p50 0s, p99 0s, max 0s"},
		"One":     {latencies{time.Second}, "p50 1s, p99 1s, max 1s"},
		"Hundred": {hundred, "p50 50ms, p99 99ms, max 100ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tc.want, tc.calls.String()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestJudge holds that the bound of an honest client goes by the disk, and by
// nothing else.
func TestJudge(t *testing.T) {
	t.Parallel()
	// calls gives a thousand calls, so many of them slow.
	calls := func(slow int, took time.Duration) latencies {
		l := make(latencies, 1000)
		for i := range l {
			l[i] = time.Millisecond
			if i < slow {
				l[i] = took
			}
		}
		return l
	}
	quick := latencies{time.Millisecond, 100 * time.Millisecond}
	slow := latencies{time.Millisecond, 1500 * time.Millisecond}
	for name, tc := range map[string]struct {
		calls, syncs latencies
		want         string
	}{
		"Served":              {calls(0, 0), quick, ""},
		"AtTheBound":          {calls(1, 2600*time.Millisecond), quick, ""},
		"OneTooLong":          {calls(1, 2601*time.Millisecond), quick, "a call took 2.601s, more than 2.6s beside a sync of 100ms"},
		"OneOnASlowDisk":      {calls(1, 2601*time.Millisecond), slow, ""},
		"TooLongForAny":       {calls(1, 25*time.Second), slow, "a call took 25s, more than 11s"},
		"ManyHalfAsLong":      {calls(20, 1400*time.Millisecond), quick, "one call in a hundred took 1.4s or more, more than 1.3s"},
		"FewHalfAsLong":       {calls(5, 1400*time.Millisecond), quick, ""},
		"NoCall":              {nil, quick, "it made no call"},
		"NobodyMeasuredADisk": {calls(0, 0), nil, "nobody measured the disk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := judge(tc.calls, tc.syncs)
			if (got == "") != (tc.want == "") || !strings.HasPrefix(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestYardstick holds that the disk is measured at least once, however soon the
// measurement ends.
func TestYardstick(t *testing.T) {
	t.Parallel()
	y, err := newYardstick(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	syncs, err := y.end()
	if err != nil || len(syncs) == 0 || syncs.at(1) <= 0 {
		t.Errorf("got %v, %v, want a sync", syncs, err)
	}
}
