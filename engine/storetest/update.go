package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

func updateTests() []test {
	return []test{
		{"SettingsAndTags", testUpdate},
		{"Touch", testTouch},
		{"FailureChangesNothing", testUpdateFails},
		{"PanicChangesNothing", testUpdatePanics},
		{"OnlySettingsAndTagsCount", testUpdateIdentity},
		{"ChangeEditsACopy", testUpdateCopies},
		{"OldSnapshotsStay", testUpdateSnapshots},
		{"EveryChangeCounts", testUpdateConcurrent},
		{"DelayIsForNewMessages", testUpdateDelay},
		{"TimeoutIsForNewReceives", testUpdateTimeout},
	}
}

func testUpdate(t testing.TB, e *env) {
	before := e.create("q")
	e.create("other")
	e.send(before, "a")
	want := *before
	want.Settings, want.Tags = fullSettings(), map[string]string{"k": "v", "": ""}
	want.Delay = 0

	got := e.update(before, func(q *engine.Queue) {
		q.Settings, q.Tags = fullSettings(), map[string]string{"k": "v", "": ""}
		q.Delay = 0
	})
	if d := diffQueues(&want, got); d != "" {
		t.Errorf("result (-want +got):\n%s", d)
	}
	if d := diffQueues(&want, e.find(named("q"))); d != "" {
		t.Errorf("found (-want +got):\n%s", d)
	}

	want.Tags, want.Redrive, want.Extra = nil, nil, nil
	e.update(before, func(q *engine.Queue) {
		clear(q.Tags)
		q.Redrive, q.Extra = nil, nil
	})
	if d := diffQueues(&want, e.find(named("q"))); d != "" {
		t.Errorf("found after taking things away (-want +got):\n%s", d)
	}
	if other := e.find(named("other")); len(other.Tags) != 0 || other.Retention != defaults().Retention {
		t.Errorf("another queue changed: %+v", other)
	}
	e.expect(before, "a")
}

func testTouch(t testing.TB, e *env) {
	q := e.create("q")
	e.clock.Advance(time.Hour)
	e.update(q, func(q *engine.Queue) { q.Tags = map[string]string{"k": "v"} })
	if got := e.find(named("q")).Modified; !got.Equal(q.Modified) {
		t.Errorf("Modified moved to %v without Touch", got)
	}
	got, err := e.store.UpdateQueue(t.Context(), engine.UpdateQueueParams{
		Queue: q.ID, Touch: true, Change: func(*engine.Queue) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := q.Modified.Add(time.Hour); !got.Modified.Equal(want) || !e.find(named("q")).Modified.Equal(want) {
		t.Errorf("Modified is %v, want %v", got.Modified, want)
	}
	if !got.Created.Equal(q.Created) {
		t.Errorf("Created moved to %v", got.Created)
	}
}

func testUpdateFails(t testing.TB, e *env) {
	before := e.create("q", func(p *engine.CreateQueueParams) {
		p.Settings.Redrive = fullSettings().Redrive
		p.Settings.Extra = map[string]string{"a": "1"}
		p.Tags = map[string]string{"k": "v"}
	})
	before = e.find(before.Name)
	sentinel := errors.New("no")
	e.clock.Advance(time.Hour)
	_, err := e.store.UpdateQueue(t.Context(), engine.UpdateQueueParams{
		Queue: before.ID, Touch: true, Change: func(q *engine.Queue) error { spoil(q); return sentinel },
	})
	if err != sentinel { //nolint:errorlint // The contract promises the very error.
		t.Errorf("the error is %v, want the one of Change itself", err)
	}
	wantUnspoilt(t, e)
}

// spoil changes everything it can reach of a queue made for it.
func spoil(q *engine.Queue) {
	q.Delay = time.Hour
	q.Retention = time.Millisecond
	q.Redrive.MaxReceives = 99
	q.Extra["a"] = "spoilt"
	q.Tags["k"] = "spoilt"
	q.Tags["more"] = "x"
}

// wantUnspoilt checks that a failed spoil left nothing behind.
func wantUnspoilt(t testing.TB, e *env) {
	t.Helper()
	q := e.find(named("q"))
	if q.Delay != 0 || q.Retention != defaults().Retention || q.Redrive.MaxReceives != 3 ||
		q.Extra["a"] != "1" || len(q.Tags) != 1 || q.Tags["k"] != "v" || !q.Modified.Equal(q.Created) {
		t.Errorf("the queue changed: %+v", q)
	}
	e.send(q, "a")
	e.one(q, "a")
}

func testUpdatePanics(t testing.TB, e *env) {
	q := e.create("q", func(p *engine.CreateQueueParams) {
		p.Settings.Redrive = fullSettings().Redrive
		p.Settings.Extra = map[string]string{"a": "1"}
		p.Tags = map[string]string{"k": "v"}
	})
	err := func() (err error) {
		defer func() {
			if recover() != nil {
				err = errors.New("panicked")
			}
		}()
		_, err = e.store.UpdateQueue(t.Context(), engine.UpdateQueueParams{
			Queue: q.ID, Touch: true, Change: func(q *engine.Queue) error { spoil(q); panic("in Change") },
		})
		return err
	}()
	if err == nil {
		t.Error("UpdateQueue succeeded though Change panicked")
	}
	wantUnspoilt(t, e)
}

func testUpdateIdentity(t testing.TB, e *env) {
	before := e.create("q")
	e.update(before, func(q *engine.Queue) {
		q.ID, q.Slug, q.Name, q.Kind = engine.QueueID(uuid.New()), "que_000000000000", named("stolen"), engine.FIFO
		q.Created, q.Modified = q.Created.Add(time.Hour), q.Modified.Add(time.Hour)
		q.Delay = time.Second
	})
	want := *before
	want.Delay = time.Second
	if d := diffQueues(&want, e.find(named("q"))); d != "" {
		t.Errorf("found (-want +got):\n%s", d)
	}
	_, err := e.store.FindQueue(t.Context(), named("stolen"))
	e.wantCode("FindQueue of a name set in Change", err, engine.QueueNotFound)
}

func testUpdateCopies(t testing.TB, e *env) {
	q := e.create("q")
	settings, tags := fullSettings(), map[string]string{"k": "v"}
	var escaped *engine.Queue
	e.update(q, func(q *engine.Queue) { q.Settings, q.Tags, escaped = settings, tags, q })
	settings.Redrive.MaxReceives = 99
	settings.Extra["Policy"] = "changed"
	tags["k"] = "changed"
	escaped.Tags["more"] = "x"
	escaped.Delay = time.Hour

	got := e.find(named("q"))
	if got.Redrive.MaxReceives != 3 || got.Extra["Policy"] != fullSettings().Extra["Policy"] ||
		len(got.Tags) != 1 || got.Tags["k"] != "v" || got.Delay != fullSettings().Delay {
		t.Errorf("the queue follows what Change was given: %+v", got)
	}
}

func testUpdateSnapshots(t testing.TB, e *env) {
	e.create("q", func(p *engine.CreateQueueParams) {
		p.Settings = fullSettings()
		p.Tags = map[string]string{"k": "v"}
	})
	old := e.find(named("q"))
	keep := copyQueue(old)
	e.update(old, func(q *engine.Queue) {
		q.Redrive.MaxReceives, q.Extra["Policy"], q.Tags["k"], q.Delay = 99, "new", "new", time.Hour
	})
	if d := diffQueues(keep, old); d != "" {
		t.Errorf("a snapshot changed (-want +got):\n%s", d)
	}
}

func testUpdateConcurrent(t testing.TB, e *env) {
	const workers, rounds = 8, 25
	q := e.create("q")
	e.parallel(workers, func(w int) error {
		for range rounds {
			_, err := e.store.UpdateQueue(t.Context(), engine.UpdateQueueParams{Queue: q.ID, Change: func(q *engine.Queue) error {
				q.MaxMessageBytes++
				return nil
			}})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if got, want := e.find(named("q")).MaxMessageBytes, defaults().MaxMessageBytes+workers*rounds; got != want {
		t.Errorf("the counter is at %d, want %d", got, want)
	}
}

func testUpdateDelay(_ testing.TB, e *env) {
	q := e.create("q", withDelay(time.Minute))
	e.send(q, "a")
	e.update(q, func(q *engine.Queue) { q.Delay = 0 })
	e.send(q, "b")
	e.expect(q, "b")
	e.clock.Advance(time.Minute)
	e.expect(q, "a b")
}

func testUpdateTimeout(_ testing.TB, e *env) {
	q := e.create("q", withTimeout(time.Minute))
	e.send(q, "a b")
	e.expectOne(q, "a")
	e.update(q, func(q *engine.Queue) { q.VisibilityTimeout = time.Second })
	e.expectOne(q, "b")
	e.clock.Advance(time.Second)
	e.expect(q, "b")
	e.clock.Advance(time.Minute)
	e.expect(q, "a b")
}
