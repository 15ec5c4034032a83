//go:build linux

package main

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"queues/integration/torture/powercut"
)

// TestCutClientCanFail cuts the power of clients that sync too little, or too
// late: the part must see each.
func TestCutClientCanFail(t *testing.T) {
	t.Parallel()
	const temporary = ".queues-backup-1.tmp"
	made := []byte(strings.Repeat("whole ", 1000))
	folder, file := uint64(1), uint64(2)
	create := []powercut.Record{{Kind: powercut.Create, File: file, Path: temporary}, {Kind: powercut.Write, File: file, Data: made}}
	sync := []powercut.Record{{Kind: powercut.SyncBegin, File: file, ID: 1}, {Kind: powercut.SyncEnd, File: file, ID: 1}}
	link := []powercut.Record{{Kind: powercut.Link, Path: temporary, Target: copyName}}
	syncFolder := []powercut.Record{
		{Kind: powercut.Open, File: folder}, {Kind: powercut.SyncBegin, File: folder, ID: 2}, {Kind: powercut.SyncEnd, File: folder, ID: 2},
	}
	remove := []powercut.Record{{Kind: powercut.Unlink, Path: temporary}}
	for name, tc := range map[string]struct {
		records []powercut.Record
		data    []byte
		says    string
	}{
		"Good":             {slices.Concat(create, sync, link, syncFolder, remove), made, ""},
		"NoSync":           {slices.Concat(create, link, syncFolder, remove), made, "not whole"},
		"NoSyncOfFolder":   {slices.Concat(create, sync, link, remove), made, "gone"},
		"SyncedTooLate":    {slices.Concat(create, link, sync, syncFolder, remove), made, "not whole"},
		"FolderTooEarly":   {slices.Concat(create, sync, syncFolder, link, remove), made, "gone"},
		"NamedAndFailed":   {slices.Concat(create, sync, link), nil, "though the backup failed"},
		"UnnamedAndFailed": {slices.Concat(create, sync), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Anything not finished is refused by a program that fails.
			tor := &torture{settings: settings{Short: true}, server: "false", out: io.Discard, dir: t.TempDir()}
			c := &copyCutter{recording: &recording{torture: tor, name: name, dir: tor.dir}, images: make(map[string]int)}
			for seed := range uint64(12) { // each cut survives in one way of many
				random := rand.New(rand.NewPCG(seed, 1))
				if err := c.cutClient(t.Context(), random, &recordedCopy{data: tc.data}, tc.records); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.Join(tor.violations, "\n"); !strings.Contains(got, tc.says) || tc.says == "" && got != "" {
				t.Errorf("got %q, want %q in it", got, tc.says)
			}
		})
	}
	// One that takes what was never finished for a copy is seen too.
	tor := &torture{server: "true", out: io.Discard, dir: t.TempDir()}
	c := &copyCutter{recording: &recording{torture: tor, dir: tor.dir}, images: make(map[string]int)}
	if err := c.cutClient(t.Context(), rand.New(rand.NewPCG(1, 1)), &recordedCopy{data: made}, slices.Concat(create, sync, link, syncFolder, remove)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(tor.violations, "\n"); !strings.Contains(got, "is not finished") {
		t.Errorf("a program that takes anything: %q", got)
	}
}
