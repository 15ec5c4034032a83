//go:build linux

package main

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"queues/cmd/queues/load"
	"queues/protocol"
)

// checkLatencies looks whether each action stands in the table of latencies,
// measured at each number of connections.
func checkLatencies(t *testing.T, b *bench, report []byte) {
	t.Helper()
	found := map[string]int{}
	for _, r := range b.latencies {
		action, _, _ := strings.Cut(r.action, " ")
		found[action]++
		if !bytes.Contains(report, []byte("| "+r.action+" | ")) {
			t.Errorf("%s is not in the report:\n%s", r.action, report)
		}
		if len(r.at) != len(latencyConns) {
			t.Errorf("%s is measured at %d numbers of connections", r.action, len(r.at))
		}
		for _, s := range r.at {
			if len(s) != b.rounds || s.over(load.Measure.P50) <= 0 || s.over(load.Measure.P999) < s.over(load.Measure.P99) {
				t.Errorf("%s: %d rounds, p50 %v, p99 %v, p99.9 %v", r.action, len(s), s.over(load.Measure.P50), s.over(load.Measure.P99), s.over(load.Measure.P999))
			}
		}
	}
	for _, op := range protocol.Operations() {
		want := 1
		if op == protocol.ReceiveMessage {
			want = 2 // of one message and of ten
		}
		if found[string(op)] != want {
			t.Errorf("%s stands %d times in the table, want %d", op, found[string(op)], want)
		}
	}
}

// Queues that were made are not enough: what is then done to them must be
// answered as it should, and have its effect.
func TestChangesWithoutEffectFail(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ kind, want string }{
		"Errors": {fakeBroken, "status 500"},
		// The queues that are looked at are made ready by two connections.
		"Answers": {fakeEmpty, load.ErrWrong.Error() + `: (TagQueue|AddPermission): \{\}`},
		"Effects": {fakeIdle, load.ErrWrong.Error() + ": GetQueueAttributes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestBench(t)
			b.server = fake(t, tc.kind)
			err := b.queueLatency(t.Context())
			if err == nil || !regexp.MustCompile(tc.want).MatchString(err.Error()) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// A window that sees the end of a cycle only is followed by another.
func TestCyclesAreWhole(t *testing.T) {
	t.Parallel()
	windows := func(each ...[]load.Action) func() (load.Measure, error) {
		n := 0
		return func() (load.Measure, error) {
			m := load.Measure{Jobs: 1}
			for _, a := range each[min(n, len(each)-1)] {
				m.Actions[a] = &load.Histogram{}
				m.Actions[a].Add(time.Millisecond)
			}
			n++
			return m, nil
		}
	}
	cycle := []load.Action{load.TagQueue, load.UntagQueue}
	m, err := whole(cycle, windows(cycle[1:], cycle))
	if err != nil || m.Jobs != 2 || m.Actions[load.TagQueue].N() != 1 || m.Actions[load.UntagQueue].N() != 2 {
		t.Errorf("%d jobs, %d requests, %v", m.Jobs, m.Requests(), err)
	}
	if m, err := whole(cycle, windows(cycle)); err != nil || m.Jobs != 1 {
		t.Errorf("%d jobs of one window, %v", m.Jobs, err)
	}
	if _, err := whole(cycle, windows(cycle[1:])); !errors.Is(err, load.ErrEmpty) {
		t.Errorf("a cycle that never begins: %v", err)
	}
	fault := errors.New("fault")
	if _, err := whole(cycle, func() (load.Measure, error) { return load.Measure{}, fault }); !errors.Is(err, fault) {
		t.Errorf("got %v, want %v", err, fault)
	}
}
