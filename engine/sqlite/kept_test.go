package sqlite

import (
	"slices"
	"testing"
	"time"

	"queues/engine"
)

// keptStage is a target with retention of an hour in which n dead letters are
// over after an hour, and m0 of its own half an hour later.
func keptStage(t *testing.T, n int, change ...func(*Options)) (f *fixture, dlq, source *engine.Queue) {
	t.Helper()
	f = open(t, change...)
	dlq = f.create("dlq", func(s *engine.Settings) { s.Retention = time.Hour })
	source = f.create("source", redriveTo("dlq", 1))
	f.send(source, n)
	f.touch(source, n)
	f.clock.advance(30 * time.Minute)
	if got := f.touch(source, n); len(got) > 0 {
		t.Fatal("the messages did not move")
	}
	f.send(dlq, 1)
	return f, dlq, source
}

// TestKeptSendTime ends dead letters by their first send, whoever looks first.
func TestKeptSendTime(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(*fixture, *engine.Queue){
		"Nobody": func(*fixture, *engine.Queue) {},
		"Sweep": func(f *fixture, dlq *engine.Queue) {
			f.sweep()
			if n := f.rows("messages") + f.rows("moved"); n != 1 {
				f.t.Errorf("%d rows are left, want 1", n)
			}
		},
		"Count": func(f *fixture, dlq *engine.Queue) {
			if c := f.counts(dlq); c.Visible != 1 || !c.Oldest.Equal(f.clock.Now().Add(-30*time.Minute)) {
				f.t.Errorf("counts are %+v, want m0 alone", c)
			}
		},
		"Restart": func(f *fixture, dlq *engine.Queue) { f.reopen() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, dlq, _ := keptStage(t, 5)
			held := f.receive(dlq, 1)
			if c := f.counts(dlq); c.Visible != 5 || !c.Oldest.Equal(f.clock.Now().Add(-30*time.Minute)) {
				t.Errorf("counts are %+v, want 5 visible", c)
			}
			f.clock.advance(30*time.Minute - time.Millisecond)
			if got := f.touch(dlq, 10); len(got) != 6 {
				t.Fatalf("just before its time %d messages are there, want 6", len(got))
			}
			f.clock.advance(time.Millisecond)
			look(f, dlq)
			outcomes, err := f.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: dlq.ID, Refs: refs(held), Stale: engine.StaleActs})
			if err != nil {
				t.Fatal(err)
			}
			wantCode(t, "an acknowledgement", outcomes[0], engine.MessageGone)
			if got := bodies(f.receive(dlq, 10)); !slices.Equal(got, []string{"m0"}) {
				t.Errorf("received %v, want m0 alone", got)
			}
			f.remembered()
		})
	}
}

// TestManyKept hides more dead letters that are over than one step removes.
func TestManyKept(t *testing.T) {
	t.Parallel()
	f, dlq, _ := keptStage(t, 2500)
	held := f.receive(dlq, 2)
	f.clock.advance(30 * time.Minute)
	outcomes, err := f.Acknowledge(t.Context(), engine.AcknowledgeParams{Queue: dlq.ID, Refs: refs(held[:1]), Stale: engine.StaleActs})
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, "an acknowledgement", outcomes[0], engine.MessageGone)
	outcomes, err = f.ChangeVisibility(t.Context(), engine.ChangeVisibilityParams{
		Queue: dlq.ID, Changes: []engine.Change{{Ref: held[1].Ref}}, Stale: engine.StaleActs,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, "a change", outcomes[0], engine.MessageGone)
	if got := bodies(f.receive(dlq, 10)); !slices.Equal(got, []string{"m0"}) {
		t.Errorf("received %v, want m0 alone", got)
	}
	f.sweep()
	if c := f.counts(dlq); c.Visible != 0 || c.InFlight != 1 {
		t.Errorf("counts are %+v", c)
	}
	f.remembered()
}

// TestKeptStaysOver raises the retention after dead letters were over by the
// old one, and lets others in that are not over by the new one.
func TestKeptStaysOver(t *testing.T) {
	t.Parallel()
	f, dlq, source := keptStage(t, 5)
	f.send(source, 1)
	f.touch(source, 1)
	f.clock.advance(30 * time.Minute)
	if _, err := f.UpdateQueue(t.Context(), engine.UpdateQueueParams{Queue: dlq.ID, Change: func(q *engine.Queue) error {
		q.Retention = 2 * time.Hour
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	f.clock.advance(45 * time.Minute)
	f.touch(source, 1)
	if got := f.receive(dlq, 10); len(got) != 2 {
		t.Errorf("received %v, want m0 and the last dead letter", bodies(got))
	}
	f.sweep()
	f.remembered()
}

// TestKeptUnderDistrust lets nothing be over while the clock is doubted.
func TestKeptUnderDistrust(t *testing.T) {
	t.Parallel()
	f, dlq, _ := keptStage(t, 5)
	f.clock.untrusted = true
	f.clock.advance(time.Hour)
	if got := f.touch(dlq, 10); len(got) != 6 {
		t.Errorf("received %d under doubt, want 6", len(got))
	}
	f.sweep()
	if c := f.counts(dlq); c.Visible != 6 {
		t.Errorf("counts are %+v under doubt", c)
	}
	f.clock.untrusted = false
	if got := f.touch(dlq, 10); len(got) != 0 {
		t.Errorf("received %d, want none", len(got))
	}
}

// TestPurgeOfDeadLetters reclaims what they brought along.
func TestPurgeOfDeadLetters(t *testing.T) {
	t.Parallel()
	f, dlq, _ := keptStage(t, 5)
	if err := f.PurgeQueue(t.Context(), engine.PurgeQueueParams{Queue: dlq.ID}); err != nil {
		t.Fatal(err)
	}
	if c := f.counts(dlq); c != (engine.Counts{}) {
		t.Errorf("counts are %+v after the purge", c)
	}
	f.sweep()
	if n := f.rows("messages") + f.rows("moved"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
