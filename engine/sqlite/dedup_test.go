package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

func (f *fixture) rows(table string) int64 {
	f.t.Helper()
	return f.number("SELECT count(*) FROM " + table)
}

// TestDuplicates sends a message again: it is stored once within the window,
// whatever becomes of it.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		between   func(*fixture, *engine.Queue)
		duplicate bool
	}{
		"AtOnce":  {func(*fixture, *engine.Queue) {}, true},
		"Deleted": {func(f *fixture, q *engine.Queue) { f.ack(q, f.expect(q, 1, time.Minute, "a-1")...) }, true},
		"JustYet": {func(f *fixture, _ *engine.Queue) { f.clock.advance(engine.DedupWindow - time.Millisecond) }, true},
		"Over":    {func(f *fixture, _ *engine.Queue) { f.clock.advance(engine.DedupWindow) }, false},
		"Restart": {func(f *fixture, _ *engine.Queue) { f.reopen() }, true},
		"Sweep":   {func(f *fixture, _ *engine.Queue) { f.clock.advance(engine.DedupWindow - 1e6); f.sweep() }, true},
		"NotLater": {func(f *fixture, q *engine.Queue) {
			f.clock.advance(4 * time.Minute)
			f.sendOnce(q, "a-1", "id")
			f.clock.advance(time.Minute)
		}, false},
		"Purge": {func(f *fixture, q *engine.Queue) {
			if err := f.PurgeQueue(f.t.Context(), engine.PurgeQueueParams{Queue: q.ID}); err != nil {
				f.t.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			q := f.createFIFO("q")
			first := f.sendOnce(q, "a-1", "id")
			tc.between(f, q)
			again := f.sendOnce(q, "b-2", "id")
			want := engine.Sent{ID: first.ID, Sequence: first.Sequence, Duplicate: true}
			if tc.duplicate && again != want {
				t.Errorf("the second send gave %v, want %v", again, want)
			}
			if !tc.duplicate && (again.Duplicate || again.Sequence <= first.Sequence || again.ID == first.ID) {
				t.Errorf("the second send gave %v, want a new message", again)
			}
		})
	}
}

// TestDuplicatesInABatch keeps the first of each id, in a queue or in a group.
func TestDuplicatesInABatch(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		perGroup bool
		want     string
	}{
		"Queue": {false, "a-1 a-4"},
		"Group": {true, "a-1 a-4 b-2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			q := f.createFIFO("q", func(p *engine.CreateQueueParams) { p.DedupPerGroup = tc.perGroup })
			f.reopen()
			ms := grouped("a-1 b-2 a-3 a-4")
			for i := range ms {
				ms[i].Dedup = "same"
			}
			ms[3].Dedup = "other"
			sent, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: ms})
			if err != nil {
				t.Fatal(err)
			}
			var duplicates []bool
			for _, s := range sent {
				duplicates = append(duplicates, s.Duplicate)
			}
			if want := []bool{false, !tc.perGroup, true, false}; !cmp.Equal(duplicates, want) {
				t.Errorf("duplicates are %v, want %v", duplicates, want)
			}
			f.expect(q, 10, time.Minute, tc.want)
		})
	}
}

// TestForget removes what is remembered for too long, a generation's worth in
// bounded steps, and asks for a sweep when the next one is over.
func TestForget(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.createFIFO("q")
	begin := f.clock.Now().Truncate(engine.DedupWindow)
	for round := range 3 {
		ms := messages(900, "")
		for i := range ms {
			ms[i].Group, ms[i].Dedup = "g", fmt.Sprint(round, i)
		}
		if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: ms}); err != nil {
			t.Fatal(err)
		}
		f.ack(q, f.receiveAttempt(q, fmt.Sprint(round), 1)...)
		f.clock.advance(engine.DedupWindow)
	}
	f.reopen()
	r, err := f.Sweep(t.Context())
	if err != nil || !r.More || f.rows("dedup") != 2700-sweepRows {
		t.Errorf("after one step %d rows are left, more is %v (%v)", f.rows("dedup"), r.More, err)
	}
	r = f.sweep()
	if n, m := f.rows("dedup"), f.rows("attempts"); n != 900 || m != 1 {
		t.Errorf("%d ids and %d attempts are left, want 900 and 1", n, m)
	}
	if want := begin.Add(4 * engine.DedupWindow); !r.Next.Equal(want) {
		t.Errorf("the next sweep is due at %v, want %v", r.Next, want)
	}
	f.clock.set(r.Next)
	if f.sweep(); f.rows("dedup")+f.rows("attempts") > 0 {
		t.Error("not all is forgotten")
	}
	if err := f.DeleteQueue(t.Context(), engine.DeleteQueueParams{Queue: q.ID}); err != nil {
		t.Fatal(err)
	}
	f.sweep()
	for _, table := range []string{"groups", "messages", "deliveries", "garbage"} {
		if n := f.rows(table); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}
