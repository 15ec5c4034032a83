package sqlite

import (
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"queues/engine"
)

// TestRoom refuses memory for what a receive has claimed: nothing may be read,
// and the messages must be as if nobody had received them.
func TestRoom(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	const n, size = 13, 100_000
	for range n {
		if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, strings.Repeat("x", size))}); err != nil {
			t.Fatal(err)
		}
	}
	var asked int64
	room := func(free bool) func(int64) bool {
		return func(bytes int64) bool { asked = bytes; return free }
	}
	for range 3 {
		_, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: n, Room: room(false)})
		if err == nil || engine.ErrorCode(err) != engine.Overloaded {
			t.Fatalf("without room: %v, want Overloaded", err)
		}
	}
	if asked < n*size || asked > n*(size+1000) {
		t.Errorf("asked for %d bytes for %d bodies of %d", asked, n, size)
	}
	r, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: n, Room: room(true)})
	if err != nil || len(r.Messages) != n {
		t.Fatalf("with room: %d messages, %v; want %d", len(r.Messages), err, n)
	}
	for _, m := range r.Messages {
		if m.Receives != 1 {
			t.Errorf("receive count %d, want 1", m.Receives)
		}
	}
	asked = -1
	if _, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 1, Room: room(false)}); err != nil || asked != -1 {
		t.Errorf("an empty receive asked for %d bytes, %v", asked, err)
	}
}

// TestNoWayBack lets a store fail to give back what a receive has claimed and
// had no memory for: it must not say that nothing happened.
func TestNoWayBack(t *testing.T) {
	t.Parallel()
	f := &faults{}
	s := open(t, withFaults(f))
	q := s.create("q")
	s.send(q, 3)
	const held = time.Minute
	receive := func(room func(int64) bool) (engine.ReceiveResult, error) {
		return s.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 10, Visibility: new(held), Room: room})
	}
	_, err := receive(func(int64) bool {
		f.arm("commit", sqlite3.Error{Code: sqlite3.ErrIoErr}) // the claim itself is in
		return false
	})
	if engine.ErrorCode(err) != engine.OutcomeUnknown {
		t.Errorf("a receive whose messages stay hidden gave %v, want OutcomeUnknown", err)
	}
	f.arm("", nil)
	if r, err := receive(nil); err != nil || len(r.Messages) > 0 {
		t.Fatalf("before the deadline: %d messages, %v; want none", len(r.Messages), err)
	}
	s.clock.advance(held)
	r, err := receive(nil)
	if err != nil || len(r.Messages) != 3 || r.Messages[0].Receives != 2 {
		t.Errorf("after the deadline: %+v, %v; want 3 messages, received twice", r.Messages, err)
	}
}
