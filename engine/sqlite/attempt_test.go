package sqlite

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

// TestRepeatedReceive repeats a receive by its attempt id: it gives the same
// deliveries as long as nothing happened to them.
func TestRepeatedReceive(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		between func(*fixture, *engine.Queue, []engine.Delivery)
		want    string // empty for the same deliveries
	}{
		"AtOnce":   {func(*fixture, *engine.Queue, []engine.Delivery) {}, ""},
		"Restart":  {func(f *fixture, _ *engine.Queue, _ []engine.Delivery) { f.reopen() }, ""},
		"Later":    {func(f *fixture, _ *engine.Queue, _ []engine.Delivery) { f.clock.advance(5*time.Minute - 1e6) }, ""},
		"TooLate":  {func(f *fixture, _ *engine.Queue, _ []engine.Delivery) { f.clock.advance(5 * time.Minute) }, "b-1"},
		"OneGone":  {func(f *fixture, q *engine.Queue, ds []engine.Delivery) { f.ack(q, ds[1]) }, "b-1"},
		"Extended": {func(f *fixture, q *engine.Queue, ds []engine.Delivery) { f.change(q, time.Hour, ds[1]) }, "b-1"},
		"Freed":    {func(f *fixture, q *engine.Queue, ds []engine.Delivery) { f.change(q, 0, ds[0]) }, "b-1 a-1"},
		"Expired":  {func(f *fixture, q *engine.Queue, ds []engine.Delivery) { f.clock.advance(time.Hour) }, "b-1 a-1"},
		"Released": {func(f *fixture, q *engine.Queue, ds []engine.Delivery) {
			if err := f.Release(f.t.Context(), q.ID, refs(ds)); err != nil {
				f.t.Fatal(err)
			}
		}, "b-1 a-1"},
		"Repeated": {func(f *fixture, q *engine.Queue, ds []engine.Delivery) {
			f.clock.advance(2 * time.Minute)
			f.receiveAttempt(q, "id", 2)
		}, ""},
		"OtherID": {func(f *fixture, q *engine.Queue, _ []engine.Delivery) {
			f.expect(q, 1, 0, "b-1")
			f.receiveAttempt(q, "other", 1)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			q := f.createFIFO("q")
			f.sendGrouped(q, "a-1 a-2 b-1")
			first := f.receiveAttempt(q, "id", 2)
			if got := bodies(first); !cmp.Equal(got, []string{"a-1", "a-2"}) {
				t.Fatalf("received %v", got)
			}
			tc.between(f, q, first)
			again := f.receiveAttempt(q, "id", 2)
			if tc.want != "" {
				if got := join(bodies(again)); got != tc.want {
					t.Errorf("received %q, want %q", got, tc.want)
				}
				return
			}
			for i := range first {
				first[i].Deadline = f.clock.Now().Add(time.Hour)
			}
			if d := cmp.Diff(first, again); d != "" {
				t.Errorf("the deliveries differ (-first +again):\n%s", d)
			}
			f.clock.advance(time.Hour - time.Millisecond)
			f.expect(q, 10, 0, map[bool]string{true: "", false: "b-1"}[name == "OtherID"])
		})
	}
}

// TestRepeatedForZero frees what a receive took.
func TestRepeatedForZero(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.createFIFO("q")
	f.sendGrouped(q, "a-1 a-2")
	first := f.receiveAttempt(q, "id", 2)
	r, err := f.Receive(t.Context(), engine.ReceiveParams{Queue: q.ID, Max: 2, AttemptID: "id", Visibility: new(time.Duration)})
	if err != nil || !cmp.Equal(refs(r.Messages), refs(first)) {
		t.Fatalf("received %v (%v)", bodies(r.Messages), err)
	}
	if c := f.counts(q); c.Visible != 2 || c.InFlight != 0 {
		t.Errorf("counts are %+v, want 2 visible", c)
	}
	got := f.receiveAttempt(q, "id", 2)
	if len(got) != 2 || got[0].Receives != 2 {
		t.Errorf("then received %+v, want a second receive", got)
	}
}

// TestEmptyAttempt stores nothing for a receive that found nothing.
func TestEmptyAttempt(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.createFIFO("q")
	f.receiveAttempt(q, "id", 1)
	if n := f.rows("attempts"); n != 0 {
		t.Errorf("%d attempts are stored", n)
	}
	f.sendGrouped(q, "a-1")
	if got := f.receiveAttempt(q, "id", 1); len(got) != 1 {
		t.Error("the second try found nothing")
	}
}
