package sqlite

import (
	"strings"
	"testing"

	"queues/engine"
)

// TestCheckFindsFIFO breaks each rule of FIFO queues and wants it found.
func TestCheckFindsFIFO(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ breakIt, want string }{
		"NoGroup":         {"DELETE FROM groups WHERE name = 'a'", "member of no group"},
		"OtherEpoch":      {"UPDATE groups SET queue = 77 WHERE name = 'a'", "member of no group"},
		"GroupOfNoQueue":  {"UPDATE groups SET queue = 77 WHERE name = 'a'", "group of no queue"},
		"HeadIsGone":      {"UPDATE groups SET head = 99 WHERE name = 'b'", "group without its head"},
		"HeadIsLater":     {"UPDATE groups SET head = head + 1 WHERE name = 'a'", "group without its head"},
		"EmptyGroup":      {"INSERT INTO groups VALUES (99, 1, 'x', 1, 99, 99)", "group without its head"},
		"LockedInLine":    {"UPDATE groups SET state = 1, turn = 99 WHERE state = 2", "state that is not its head's"},
		"LockedForNobody": {"UPDATE groups SET state = 2 WHERE name = 'b'", "state that is not its head's"},
		"WaitingForNone":  {"UPDATE groups SET state = 0 WHERE name = 'b'", "state that is not its head's"},
		"InLineTooEarly":  {"UPDATE groups SET state = 1 WHERE name = 'slow'", "state that is not its head's"},
		"NoState":         {"UPDATE groups SET state = 7 WHERE name = 'b'", "state that is not its head's"},
		"OnePlace":        {"UPDATE groups SET turn = 1 WHERE state = 1", "two groups in one place"},
		"DedupOfFuture":   {"UPDATE dedup SET queue = 77", "deduplication id that cannot be"},
		"DedupTooLate":    {"UPDATE dedup SET generation = generation + 1", "deduplication id that cannot be"},
		"DedupElsewhere":  {"UPDATE dedup SET queue = 3", "deduplication id of no FIFO queue"},
		"AttemptOfFuture": {"UPDATE attempts SET number = 77", "attempt that cannot be"},
		"AttemptOfNobody": {"UPDATE attempts SET members = x''", "attempt that cannot be"},
		"AttemptWhere":    {"UPDATE attempts SET queue = 3", "attempt of no FIFO queue"},
		"Counters":        {"UPDATE queue_state SET delayed = delayed + 1, fresh = fresh - 1 WHERE number = 2", "counters that differ"},
		"Horizon":         {"UPDATE queue_state SET cursor = 0 WHERE number = 1", "counters that differ"},
		"Late":            {"UPDATE deliveries SET state = 4, due = NULL, receives = 3", "state that cannot be"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{t: t, clock: newTestClock()}
			f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
			f.open()
			q, slow := f.createFIFO("q"), f.createFIFO("slow", delayed10)
			ms := grouped("a-1 a-2 b-1 c-1")
			for i := range ms {
				ms[i].Dedup = ms[i].Body
			}
			if _, err := f.Send(t.Context(), engine.SendParams{Queue: q.ID, Messages: ms}); err != nil {
				t.Fatal(err)
			}
			f.sendGrouped(slow, "slow-1")
			f.receiveAttempt(q, "id", 1)
			f.create("standard")
			f.finish()
			execOn(t, f.o.Dir, tc.breakIt)
			err := Check(t.Context(), f.o.Dir)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Check found %v, want %q", err, tc.want)
			}
		})
	}
}
