//go:build linux

package main

import (
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "github.com/mattn/go-sqlite3"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
)

// TestTally holds that what an upgrade has lost, doubled, put into another group
// or made up shows, and that a message which a move task has moved does not.
func TestTally(t *testing.T) {
	t.Parallel()
	in := func(messages map[string][]history.Stored) map[string]int {
		return tally(contents.Found{Messages: messages})
	}
	a, b := history.Stored{Key: "a", Group: "g"}, history.Stored{Key: "b"}
	want := in(map[string][]history.Stored{"q": {a}, "letters": {b}, "target": nil})
	for name, tc := range map[string]struct {
		got  map[string][]history.Stored
		says string
	}{
		"Same":    {map[string][]history.Stored{"q": {a}, "letters": {b}}, ""},
		"Moved":   {map[string][]history.Stored{"q": {a}, "target": {b}}, ""},
		"Lost":    {map[string][]history.Stored{"q": {a}}, `b of "" in letters: 0, want 1`},
		"Doubled": {map[string][]history.Stored{"q": {a}, "letters": {b}, "target": {b}}, `b of "" in letters: 2, want 1`},
		"Regrouped": {
			map[string][]history.Stored{"q": {{Key: "a"}}, "letters": {b}},
			`a of "g" in q: 0, want 1; a of "" in q: 1, want none`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tc.says, difference(want, in(tc.got))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestUpgradeCanFail lets a program that forgets the data take the server's
// place: the part must see it.
func TestUpgradeCanFail(t *testing.T) {
	t.Parallel()
	files, err := schemas(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	tor := &torture{settings: settings{Short: true}, dir: t.TempDir(), out: io.Discard}
	u := &upgrader{torture: tor, dir: tor.dir}
	want, err := u.whole(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := u.place("whole", old)
	if err != nil {
		t.Fatal(err)
	}
	u.judge(t.Context(), "as it is", dir, want)
	if tor.broken() {
		t.Fatalf("data that nobody touched: %v", tor.violations)
	}
	for name, spoil := range map[string]string{
		"forgotten": "DELETE FROM messages WHERE id = (SELECT max(id) FROM messages)",
		"half":      "DROP TABLE deliveries",
	} {
		if dir, err = u.place(name, old); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite3", filepath.Join(dir, "queues.db"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.ExecContext(t.Context(), spoil)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		before := len(tor.violations)
		u.judge(t.Context(), name, dir, want)
		if len(tor.violations) == before || !strings.Contains(tor.violations[before], name) {
			t.Errorf("%s data is taken for whole", name)
		}
	}
}
