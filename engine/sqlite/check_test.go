package sqlite

import (
	"strings"
	"testing"

	"queues/engine"
)

// TestCheckFinds breaks each rule and wants it found.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ breakIt, want string }{
		"Counters":       {"UPDATE queue_state SET fresh = fresh + 1 WHERE number = 1", "counters that differ"},
		"LostMessage":    {"UPDATE queue_state SET cursor = cursor + 1 WHERE number = 1", "no receive finds"},
		"TwiceReceived":  {"UPDATE queue_state SET cursor = 0 WHERE number = 1", "received twice"},
		"NoMessage":      {"DELETE FROM messages WHERE id IN (SELECT id FROM deliveries)", "without its message"},
		"NoDelivery":     {"DELETE FROM deliveries WHERE state = 1", "held message without"},
		"NoState":        {"DELETE FROM queue_state WHERE number = 1", "queue without a state"},
		"NoQueue":        {"DELETE FROM queues WHERE number = 1", "state without a queue"},
		"UnknownEpoch":   {"UPDATE messages SET queue = 77", "message of no queue"},
		"DeadAndAlive":   {"INSERT INTO garbage VALUES (1)", "epoch used twice"},
		"FutureMessage":  {"UPDATE messages SET id = 1000 WHERE id = 1", "from the future"},
		"FutureNumber":   {"UPDATE queue_state SET epoch = 1 WHERE number = 0", "number from the future"},
		"BackwardsTime":  {"UPDATE messages SET arrived = 1 WHERE id = 2", "before its time"},
		"CutPastCursor":  {"UPDATE queue_state SET cut = cursor + 1 WHERE number = 1", "cut past the cursor"},
		"VisibleWithDue": {"UPDATE deliveries SET state = 3 WHERE state = 2", "state that cannot be"},
		"PastAlone":      {"UPDATE moved SET id = 99", "past without its message"},
		"PastElsewhere":  {"UPDATE moved SET queue = 77", "past without its message"},
		"PastSentLater":  {"UPDATE moved SET sent = 9999999999999", "past that cannot be"},
		"PastNotSent":    {"UPDATE moved SET sent = NULL", "past that cannot be"},
		"PastUnreceived": {"UPDATE moved SET prior = 0", "past that cannot be"},
		"PastCounted":    {"UPDATE queue_state SET moved = 0", "counted wrong"},
		"MoveOfNoQueue":  {"UPDATE moves SET source = 77", "move task without its source"},
		"TwoMoves": {
			"INSERT INTO moves SELECT number + 1, randomblob(16), source, NULL, NULL, NULL, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 FROM moves",
			"too many move tasks",
		},
		"NotSettings":     {"UPDATE queues SET settings = '[]' WHERE number = 1", "settings"},
		"NotTags":         {"UPDATE queues SET tags = 'x' WHERE number = 1", "tags"},
		"NoID":            {"UPDATE queues SET id = x'01' WHERE number = 1", "has no id"},
		"NoKind":          {"UPDATE queues SET kind = 7 WHERE number = 1", "queue of no kind"},
		"NoName":          {"UPDATE queues SET name = '' WHERE number = 1", "queue without a name"},
		"Unreadable":      {"UPDATE messages SET meta = x'01' WHERE id = 2", "message 2: the stored message cannot be read"},
		"MoveOfNoID":      {"UPDATE moves SET id = x'01'", "move task 1 has no id"},
		"FarFuture":       {"UPDATE queue_state SET cut = 9223372036854775807 WHERE number = 0", "cannot be"},
		"FarNumber":       {"UPDATE queue_state SET cursor = 9223372036854775807 WHERE number = 0", "cannot be"},
		"MoveFailedWell":  {"UPDATE moves SET failure = 1", "move task that cannot be"},
		"MoveFromFuture":  {"UPDATE moves SET boundary = 1000", "move task that cannot be"},
		"DelayedReceived": {"UPDATE deliveries SET state = 1 WHERE state = 2", "state that cannot be"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{t: t, clock: newTestClock()}
			f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
			f.open()
			q := f.create("q", func(s *engine.Settings) { s.Delay = 1 })
			f.send(q, 1)
			zero := f.clock.Now().Sub(f.clock.Now())
			p := engine.SendParams{Queue: q.ID, Messages: messages(4, "")}
			for i := range p.Messages {
				p.Messages[i].Delay = &zero
			}
			if _, err := f.Send(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			f.receive(q, 1)
			source := f.create("source", redriveTo("q", 1))
			f.send(source, 1)
			f.touch(source, 1)
			f.touch(source, 1)
			f.startMove(q, "source", 0)
			f.finish()
			execOn(t, f.o.Dir, tc.breakIt)
			err := Check(t.Context(), f.o.Dir)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Check found %v, want %q", err, tc.want)
			}
		})
	}
}
