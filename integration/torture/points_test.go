//go:build linux

package main

import (
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

// TestStates holds what may be stored after so many answers.
func TestStates(t *testing.T) {
	t.Parallel()
	s := script{steps: []step{
		{does: func(m map[string][]string) { m["q"] = nil }},
		{},
		{does: func(m map[string][]string) { delete(m, "q") }},
	}}
	full := map[string]int{"the queue q": 1, "a in q": 1}
	empty, none := map[string]int{"the queue q": 1}, map[string]int{}
	for answered, want := range [][]map[string]int{{full, empty}, {empty, empty}, {empty, none}, {none}} {
		if d := cmp.Diff(want, s.states(map[string][]string{"q": {"a"}}, answered)); d != "" {
			t.Errorf("after %d answers (-want +got):\n%s", answered, d)
		}
	}
}

// TestDiffers holds that what a kill has lost, doubled, brought back or put out
// of order shows, and that a message which has moved within its family does not.
func TestDiffers(t *testing.T) {
	t.Parallel()
	s := script{family: map[string]string{"dead": "source"}}
	states := []map[string]int{
		s.tally(map[string][]string{"source": {"a", "b"}, "dead": nil, "l.fifo": {"1", "2"}}),
		s.tally(map[string][]string{"source": {"a", "b"}, "dead": nil}),
	}
	stored := func(keys ...string) (all []history.Stored) {
		for _, key := range keys {
			all = append(all, history.Stored{Key: key, Group: "g"})
		}
		return all
	}
	for name, tc := range map[string]struct {
		change map[string][]history.Stored
		says   string
	}{
		"Same":    {nil, ""},
		"Moved":   {map[string][]history.Stored{"source": stored("b"), "dead": stored("a")}, ""},
		"Lost":    {map[string][]history.Stored{"source": stored("b")}, "a in source: 0, want 1"},
		"Doubled": {map[string][]history.Stored{"dead": stored("a")}, "a in source: 2, want 1"},
		"Back":    {map[string][]history.Stored{"dead": stored("c")}, "c in source: 1, want none"},
		"Half":    {map[string][]history.Stored{"l.fifo": stored("2")}, "1 in l.fifo: 0, want 1"},
		"Order":   {map[string][]history.Stored{"l.fifo": stored("2", "1")}, "2 comes before 1"},
		"Queue":   {map[string][]history.Stored{"more": nil}, "the queue more: 1, want none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := contents.Found{Messages: map[string][]history.Stored{"source": stored("a", "b"), "dead": nil, "l.fifo": stored("1", "2")}}
			maps.Copy(found.Messages, tc.change)
			if got := s.differs(found, states); !strings.Contains(got, tc.says) || tc.says == "" && got != "" {
				t.Errorf("got %q, want %q in it", got, tc.says)
			}
		})
	}
	found := contents.Found{Messages: map[string][]history.Stored{"source": stored("a"), "dead": stored("b")}}
	if got := s.miscounted(map[string]int{"source": 2}, found); got != "" {
		t.Errorf("the right counts: %q", got)
	}
	if got := s.miscounted(map[string]int{"source": 1}, found); got != "source has 2 messages and counts 1" {
		t.Errorf("the wrong counts: %q", got)
	}
}

// TestPointsCanFail kills a server in the middle of a script, and lets something
// else than the kill take a message away: the part must see it.
func TestPointsCanFail(t *testing.T) {
	t.Parallel()
	tor := &torture{settings: settings{Short: true}, server: binary(t), dir: t.TempDir(), out: io.Discard, begun: time.Now(), random: rand.New(rand.NewPCG(1, 1))}
	p, err := newPointer(t.Context(), tor)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.faults.Close() }()
	s := scripts()[0]
	b, err := p.prepare(t.Context(), &s)
	if err != nil {
		t.Fatal(err)
	}
	if _, reached, err := p.killOnce(t.Context(), &s, b, 10); err != nil || !reached || tor.broken() {
		t.Fatalf("a kill that harms nothing: reached %v, %v, %v", reached, err, tor.violations)
	}
	server, client, err := p.serve(b.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.kill()
	a := client.Call(t.Context(), "ReceiveMessage", wire.Args{"QueueUrl": wire.QueueURL("source")})
	if len(a.Messages) != 1 {
		t.Fatalf("%+v", a)
	}
	a = client.Call(t.Context(), "DeleteMessage", wire.Args{"QueueUrl": wire.QueueURL("source"), "ReceiptHandle": a.Messages[0].ReceiptHandle})
	if err := server.stop(); err != nil || a.Outcome != history.Done {
		t.Fatalf("%v, %+v", err, a)
	}
	if _, _, err := p.killOnce(t.Context(), &s, b, 10); err != nil {
		t.Fatal(err)
	}
	if len(tor.violations) != 1 || !strings.Contains(tor.violations[0], "source-0000 in source: 0, want 1") {
		t.Errorf("a message is gone, and the part says %q", tor.violations)
	}
	// A server that does not start is seen too.
	if err := errors.Join(os.RemoveAll(b.dir), powercut.Image{"queues.db": []byte("no database")}.Write(b.dir)); err != nil {
		t.Fatal(err)
	}
	tor.violations = nil
	if _, _, err := p.killOnce(t.Context(), &s, b, 10); err != nil || !tor.broken() {
		t.Errorf("%s is broken, and the part says %v, %q", filepath.Join(b.dir, "queues.db"), err, tor.violations)
	}
}
