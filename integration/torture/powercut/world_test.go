package powercut

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder and data are the inodes of the tests.
const (
	folder = 1
	data   = 2
)

func world(t *testing.T, records ...Record) *World {
	t.Helper()
	w := NewWorld()
	for i := range records {
		if err := w.Apply(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func write(at int64, text string) Record {
	return Record{Kind: Write, File: data, Offset: at, Data: []byte(text)}
}

// synced are the two records of a sync.
func synced(file, id uint64, result int64) []Record {
	return []Record{{Kind: SyncBegin, File: file, ID: id}, {Kind: SyncEnd, File: file, ID: id, Result: result}}
}

func join(parts ...any) []Record {
	var all []Record
	for _, p := range parts {
		switch p := p.(type) {
		case Record:
			all = append(all, p)
		case []Record:
			all = append(all, p...)
		}
	}
	return all
}

func survival(mode string) *Survival {
	return &Survival{Mode: mode, Random: rand.New(rand.NewPCG(1, 1))}
}

// TestImages builds the two ends of what a power cut may leave.
func TestImages(t *testing.T) {
	t.Parallel()
	create := join(Record{Kind: Open, File: folder}, Record{Kind: Create, File: data, Path: "f"})
	named := join(create, synced(folder, 1, 0))
	for name, tc := range map[string]struct {
		records   []Record
		none, all map[string]string
	}{
		"NameNotSynced":             {join(create, write(0, "ab"), synced(data, 2, 0)), map[string]string{}, map[string]string{"f": "ab"}},
		"NameSynced":                {join(named, write(0, "ab")), map[string]string{"f": ""}, map[string]string{"f": "ab"}},
		"ContentsSynced":            {join(named, write(0, "ab"), synced(data, 2, 0), write(1, "cd")), map[string]string{"f": "ab"}, map[string]string{"f": "acd"}},
		"SyncFailed":                {join(named, write(0, "ab"), synced(data, 2, -5)), map[string]string{"f": ""}, map[string]string{"f": "ab"}},
		"SyncedAfterAFailure":       {join(named, write(0, "ab"), synced(data, 2, -5), write(2, "cd"), synced(data, 3, 0)), map[string]string{"f": "\x00\x00cd"}, map[string]string{"f": "\x00\x00cd"}},
		"WrittenAgainAfterAFailure": {join(named, write(0, "ab"), synced(data, 2, -5), write(0, "ab"), synced(data, 3, 0)), map[string]string{"f": "ab"}, map[string]string{"f": "ab"}},
		"SyncUnderWay":              {join(named, write(0, "ab"), Record{Kind: SyncBegin, File: data, ID: 2}), map[string]string{"f": ""}, map[string]string{"f": "ab"}},
		"WrittenDuringTheSync": {
			join(named, write(0, "ab"), Record{Kind: SyncBegin, File: data, ID: 2}, write(2, "cd"), Record{Kind: SyncEnd, File: data, ID: 2}),
			map[string]string{"f": "ab"},
			map[string]string{"f": "abcd"},
		},
		"Hole":                 {join(named, write(2, "ab")), map[string]string{"f": ""}, map[string]string{"f": "\x00\x00ab"}},
		"Truncated":            {join(named, write(0, "abc"), synced(data, 2, 0), Record{Kind: Truncate, File: data, Offset: 1}), map[string]string{"f": "abc"}, map[string]string{"f": "a"}},
		"Unlinked":             {join(named, Record{Kind: Unlink, Path: "f"}), map[string]string{"f": ""}, map[string]string{}},
		"Renamed":              {join(named, Record{Kind: Rename, Path: "f", Target: "g"}), map[string]string{"f": ""}, map[string]string{"g": ""}},
		"Linked":               {join(named, Record{Kind: Link, Path: "f", Target: "g"}), map[string]string{"f": ""}, map[string]string{"f": "", "g": ""}},
		"LinkOfANameNotSynced": {join(create, Record{Kind: Link, Path: "f", Target: "g"}, Record{Kind: Unlink, Path: "f"}), map[string]string{}, map[string]string{"g": ""}},
		"UnlinkedAndSynced":    {join(named, Record{Kind: Unlink, Path: "f"}, synced(folder, 3, 0)), map[string]string{}, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, want := range map[string]map[string]string{"none": tc.none, "all": tc.all} {
				got := make(map[string]string)
				for name, b := range world(t, tc.records...).Image(survival(mode)) {
					got[name] = string(b)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s survives (-want +got):\n%s", mode, d)
				}
			}
		})
	}
}

// TestTear holds that a torn write is torn at sectors.
func TestTear(t *testing.T) {
	t.Parallel()
	text := make([]byte, 4*sector)
	for i := range text {
		text[i] = byte('a' + i/sector)
	}
	w := world(t, join(Record{Kind: Open, File: folder}, Record{Kind: Create, File: data, Path: "f"}, synced(folder, 1, 0), write(0, string(text)))...)
	kept, lost := 0, 0
	for seed := range uint64(50) {
		s := &Survival{Mode: "all", Tear: true, Random: rand.New(rand.NewPCG(seed, 0))}
		b := w.Image(s)["f"]
		for i, c := range b {
			if c != 0 && c != text[i] {
				t.Fatalf("byte %d is %q", i, c)
			}
			if c != b[i/sector*sector] {
				t.Fatalf("the write is torn at byte %d, within a sector", i)
			}
		}
		for at := 0; at < len(text); at += sector {
			if at < len(b) && b[at] != 0 {
				kept++
			} else {
				lost++
			}
		}
	}
	if kept == 0 || lost == 0 {
		t.Errorf("%d sectors kept, %d lost, want some of both", kept, lost)
	}
}

// TestUnknownFile holds that a log that makes no sense is not taken for one.
func TestUnknownFile(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]Record{"Open": {Kind: Open, Path: "f"}, "Write": write(0, "x")} {
		if err := NewWorld().Apply(&r); err == nil {
			t.Errorf("%s of a file that nobody created is taken", name)
		}
	}
}

// TestPlace holds that what was there before the recording survives a cut, and
// that changes of it are as any others.
func TestPlace(t *testing.T) {
	t.Parallel()
	w := NewWorld()
	w.Place("f", data, []byte("before"))
	for _, r := range join(Record{Kind: Open, File: data, Path: "f"}, write(0, "after!")) {
		if err := w.Apply(&r); err != nil {
			t.Fatal(err)
		}
	}
	for mode, want := range map[string]string{"none": "before", "all": "after!"} {
		if d := cmp.Diff(Image{"f": []byte(want)}, w.Image(survival(mode))); d != "" {
			t.Errorf("%s (-want +got):\n%s", mode, d)
		}
	}
}
