package sqlite

import (
	"strings"
	"testing"
	"time"
)

// TestCheckFindsFair breaks each rule of the groups of standard queues and
// wants it found.
func TestCheckFindsFair(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ breakIt, want string }{
		"NoGroup":        {"DELETE FROM fair_groups WHERE name = 'a'", "delivery of no group"},
		"OtherEpoch":     {"UPDATE fair_groups SET queue = 77 WHERE name = 'a'", "delivery of no group"},
		"Fresh":          {"UPDATE messages SET fresh = 1", "message of a group that the cursor meets"},
		"TwoGroups":      {"UPDATE messages SET grp = 1", "message of a group that the cursor meets"},
		"GroupOfNoQueue": {"UPDATE fair_groups SET queue = 77 WHERE name = 'a'", "fair group of no queue"},
		"GroupOfFIFO":    {"UPDATE queues SET kind = 1", "fair group of no queue"},
		"EmptyGroup":     {"INSERT INTO fair_groups VALUES (99, 1, 'x', 0, NULL, NULL)", "fair group without messages"},
		"InFlight":       {"UPDATE fair_groups SET in_flight = 2 WHERE name = 'a'", "differs from its messages"},
		"HeadIsLater":    {"UPDATE fair_groups SET head = head + 1 WHERE name = 'b'", "differs from its messages"},
		"NoHead":         {"UPDATE fair_groups SET head = NULL WHERE name = 'b'", "differs from its messages"},
		"NoLateHead":     {"UPDATE fair_groups SET late_head = NULL WHERE name = 'late'", "differs from its messages"},
		"Counted":        {"UPDATE queue_state SET fair_groups = 7 WHERE number = 1", "fair groups that are counted wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{t: t, clock: newTestClock()}
			f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
			f.open()
			q := f.create("q")
			f.sendGrouped(q, "late-1")
			for range 3 {
				f.expect(q, 1, 0, "late-1")
			}
			f.sendGrouped(q, "a-1 b-1 b-2")
			f.expect(q, 1, time.Hour, "a-1")
			f.finish()
			execOn(t, f.o.Dir, tc.breakIt)
			err := Check(t.Context(), f.o.Dir)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Check found %v, want %q", err, tc.want)
			}
		})
	}
}
