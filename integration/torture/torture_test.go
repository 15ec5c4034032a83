//go:build linux

package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"queues/integration/torture/powercut"
)

func TestCommandLine(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		code int
		says string
	}{
		"Help":        {[]string{"--help"}, exitOK, "Kills the server"},
		"OneDash":     {[]string{"-part=none"}, exitUsage, `no part "none"`},
		"UnknownFlag": {[]string{"--loud"}, exitUsage, "unknown flag"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if got := execute(t.Context(), tc.args, &out, &out); got != tc.code {
				t.Errorf("exit code %d, want %d", got, tc.code)
			}
			if !strings.Contains(out.String(), tc.says) {
				t.Errorf("it says %q, want %q in it", out.String(), tc.says)
			}
		})
	}
}

// TestAgain holds that a run can be repeated as it was asked for.
func TestAgain(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]settings{
		"-seed=7 -short -part=power": {Seed: 7, Short: true, Part: []string{"power"}},
		"-seed=7":                    {Seed: 7},
		"-seed=7 -short":             {Seed: 7, Short: true, Server: "s", Dir: "d"},
		"-seed=7 -part=power -part=backup -cuts=9 -copies=2":    {Seed: 7, Part: []string{"power", "backup"}, Cuts: 9, Copies: 2},
		"-seed=7 -kills=3 -duration=1m0s":                       {Seed: 7, Kills: 3, Duration: time.Minute},
		"-seed=7 -part=faults -fault='wal sync' -attack='slow'": {Seed: 7, Part: []string{"faults"}, Fault: "wal sync", Attack: "slow"},
	} {
		if got := s.again(); got != want {
			t.Errorf("%+v is repeated by %q, want %q", s, got, want)
		}
	}
}

// TestSyncedFirst holds that an answer before its sync is seen.
func TestSyncedFirst(t *testing.T) {
	t.Parallel()
	const wal, db = 1, 2
	write := func(file uint64) powercut.Record { return powercut.Record{Kind: powercut.Write, File: file} }
	begin := func(file uint64) powercut.Record {
		return powercut.Record{Kind: powercut.SyncBegin, File: file, ID: file}
	}
	end := func(file uint64, result int64) powercut.Record {
		return powercut.Record{Kind: powercut.SyncEnd, File: file, ID: file, Result: result}
	}
	answer := powercut.Record{Kind: powercut.Answer}
	for name, tc := range map[string]struct {
		records []powercut.Record
		want    bool
	}{
		"Good":             {[]powercut.Record{write(wal), begin(wal), end(wal, 0), answer}, true},
		"NoSync":           {[]powercut.Record{write(wal), answer}, false},
		"NoWrite":          {[]powercut.Record{begin(wal), end(wal, 0), answer}, false},
		"SyncOfAnother":    {[]powercut.Record{write(wal), begin(db), end(db, 0), answer}, false},
		"SyncUnderWay":     {[]powercut.Record{write(wal), begin(wal), answer, end(wal, 0)}, false},
		"SyncFailed":       {[]powercut.Record{write(wal), begin(wal), end(wal, -5), answer}, false},
		"WriteAfter":       {[]powercut.Record{write(wal), begin(wal), end(wal, 0), write(wal), answer}, false},
		"WriteDuring":      {[]powercut.Record{write(wal), begin(wal), write(wal), end(wal, 0), answer}, false},
		"AnotherCallsSync": {[]powercut.Record{write(wal), answer, begin(wal), end(wal, 0)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records := append([]powercut.Record{
				{Kind: powercut.Create, File: wal, Path: "queues.db-wal"}, {Kind: powercut.Create, File: db, Path: "queues.db"},
			}, tc.records...)
			for i := range records {
				records[i].End = int64(i)
			}
			if got := syncedFirst(records, 1, 100); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}
