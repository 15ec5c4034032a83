package sqlite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"queues/engine"
)

// TestNoiseOverRestart finds a group as noisy after a restart as before.
func TestNoiseOverRestart(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	f.fill(q, "noisy", 32)
	held := f.hold(q, 30, time.Hour)
	f.sendGrouped(q, "b-1")
	f.reopen()
	f.expect(q, 10, 0, "b-1 m30 m31")
	f.ack(q, held[0])
	f.reopen()
	f.expect(q, 10, 0, "m30 m31 b-1")
}

// TestDeadLettersKeepTheirGroup has a group that is noisy in the target: its
// dead letters wait there for those of others.
func TestDeadLettersKeepTheirGroup(t *testing.T) {
	t.Parallel()
	f := open(t)
	q, dlq := f.create("q", redriveTo("dlq", 1)), f.create("dlq")
	f.fill(dlq, "a", 30)
	f.hold(dlq, 30, 20*time.Hour)
	f.sendGrouped(q, "a-1 b-1 a-2")
	f.expect(q, 10, 0, "a-1 b-1 a-2")
	f.expect(q, 10, 0, "")
	f.wantSizes(q, 0, 0, 0)
	f.expect(dlq, 10, 0, "b-1 a-1 a-2")
	if n := f.rows("fair_groups"); n != 2 {
		t.Errorf("%d groups have rows, want those of the target", n)
	}
	// What moves back has its group there too.
	f.fill(q, "a", 30)
	f.hold(q, 30, 20*time.Hour)
	f.startMove(dlq, "q", 0)
	for f.moves(dlq)[0].Status == engine.MoveRunning {
		f.step()
	}
	f.expect(q, 10, time.Minute, "b-1 a-1 a-2")
	// Dead letters expire by the send time that they kept.
	f.wantSizes(dlq, 0, 30, 0)
	f.clock.advance(time.Minute)
	f.expect(q, 10, 0, "")
	f.wantSizes(dlq, 3, 30, 0)
	f.clock.advance(4*24*time.Hour - time.Minute)
	f.expect(dlq, 10, 0, "")
	f.wantSizes(dlq, 0, 0, 0)
	if n := f.rows("fair_groups"); n != 0 {
		t.Errorf("%d groups have rows, want none", n)
	}
}

// TestManyExpireWithGroups lets more expire than one turn of a receive removes: the
// answer is what is left, and what was in flight makes no noise.
func TestManyExpireWithGroups(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q", func(s *engine.Settings) { s.Retention = time.Hour })
	f.fill(q, "a", 7_000)
	f.hold(q, 1000, 50*time.Hour)
	f.clock.advance(time.Hour - 1)
	f.sendGrouped(q, "a-1 b-1")
	f.clock.advance(time.Millisecond)
	f.expect(q, 1, time.Minute, "a-1")
	f.expect(q, 1, time.Minute, "b-1")
	f.wantSizes(q, 0, 2, 0)
}

// TestManyDueWithGroups lets more deadlines pass than one turn of a receive looks at.
func TestManyDueWithGroups(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	f.spread(q, 6_000, func(i int) string { return fmt.Sprint("g", i/100) })
	for range 6 {
		f.hold(q, 1000, time.Minute)
	}
	f.clock.advance(time.Minute)
	var got []engine.Delivery
	for len(got) < 6_000 {
		got = append(got, f.hold(q, 1_000, time.Minute)...)
	}
	for i := range got[1:] {
		if got[i].Sequence > got[i+1].Sequence {
			t.Fatalf("message %d was received before message %d", got[i].Sequence, got[i+1].Sequence)
		}
	}
}

// TestGroupsLeave holds that a queue whose messages with groups are gone knows
// no groups any more.
func TestGroupsLeave(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	f.sendGrouped(q, "a-1 b-1 c-1")
	f.ack(q, f.hold(q, 3, time.Minute)...)
	f.sendGrouped(q, "a-2 d-1")
	if err := f.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: q.ID}); err != nil {
		t.Fatal(err)
	}
	f.sweep()
	if n := f.rows("fair_groups"); n != 0 {
		t.Errorf("%d groups have rows, want none", n)
	}
	f.send(q, 1)
	f.expect(q, 10, 0, "m0")
}

// TestOldDataWithGroups brings data from before groups had rows to this
// version.
func TestOldDataWithGroups(t *testing.T) {
	t.Parallel()
	f := makeOld(t, 3)
	execOn(t, f.o.Dir, `
		INSERT INTO queues VALUES (1, randomblob(16), 'que_a', '000000000000', 'us-east-1', 'old', 0, 1, 1, NULL,
			'{"delay":0,"max_message_bytes":0,"retention":86400000000000,"receive_wait":0,"visibility_timeout":0,"extra":null}', 'null', 0);
		INSERT INTO queue_state VALUES (1, 1, 1, 0, 1, 0, 0, 1, 0, 0);
		INSERT INTO messages VALUES (1, 1, 1, 1, NULL, x'01000000000000000000000000000000000000000000', 'again'),
			(2, 1, 1, 1, NULL, x'01000000000000000000000000000000000000000000', 'fresh');
		INSERT INTO deliveries VALUES (1, 1, 3, NULL, 5, 1, 1, 1, NULL);
		UPDATE queue_state SET epoch = 2, cursor = 3, cut = 1 WHERE number = 0`)
	f.clock.set(fromMS(2))
	f.open()
	t.Cleanup(f.finish)
	old := f.create("old")
	f.sendGrouped(old, "a-1")
	if got := bodies(f.receive(old, 10)); !slices.Equal(got, []string{"again", "fresh", "a-1"}) {
		t.Errorf("received %v", got)
	}
}
