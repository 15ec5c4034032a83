//go:build linux

package main

import (
	"testing"
	"time"
)

// TestAgainByItsFlags holds that a run can be repeated as it was asked for.
func TestAgainByItsFlags(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]settings{
		"-seed=7":        {Seed: 7},
		"-seed=7 -short": {Seed: 7, Short: true, Server: "s", Dir: "d"},
		"-seed=7 -part=power -part=backup -cuts=9 -copies=2":    {Seed: 7, Part: []string{"power", "backup"}, Cuts: 9, Copies: 2},
		"-seed=7 -kills=3 -duration=1m0s":                       {Seed: 7, Kills: 3, Duration: time.Minute},
		"-seed=7 -part=faults -fault='wal sync' -attack='slow'": {Seed: 7, Part: []string{"faults"}, Fault: "wal sync", Attack: "slow"},
	} {
		if got := s.again(); got != want {
			t.Errorf("%+v is repeated by %q, want %q", s, got, want)
		}
	}
}
