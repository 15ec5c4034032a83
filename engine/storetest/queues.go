package storetest

import (
	"maps"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"queues/engine"
)

func queueTests() []test {
	return []test{
		{"CreateAndFind", testCreateAndFind},
		{"CreateExisting", testCreateExisting},
		{"CreateCopiesItsInput", testCreateCopies},
		{"NamesAreExact", testNamesAreExact},
		{"Namespaces", testNamespaces},
		{"UnknownName", testUnknownName},
		{"Identity", testIdentity},
		{"Delete", testDelete},
		{"CallsOnADeletedQueue", testCallsOnDeleted},
		{"DeleteCooldown", testDeleteCooldown},
		{"CooldownDoesNotHideTheQueueOfToday", testCooldownExisting},
		{"RecreatedIsAnother", testRecreated},
		{"ManyQueues", testManyQueues},
		{"TooManyQueues", testTooManyQueues},
		{"SecretAndHealth", testSecretAndHealth},
		{"Close", testClose},
	}
}

// diffQueues compares queues; nil and empty maps are the same.
func diffQueues(want, got *engine.Queue) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// fullSettings has every setting set.
func fullSettings() engine.Settings {
	return engine.Settings{
		Delay:             7 * time.Second,
		MaxMessageBytes:   4096,
		Retention:         61 * time.Second,
		ReceiveWait:       20 * time.Second,
		VisibilityTimeout: 12 * time.Hour,
		Redrive: &engine.Redrive{
			Target:      engine.QueueName{Namespace: engine.Namespace{Account: "111111111111", Region: "eu-west-1"}, Name: "dead"},
			MaxReceives: 3,
		},
		Extra: map[string]string{"Policy": `{"a": "ü\u0000"}`, "": "no name", "empty": ""},
	}
}

func testCreateAndFind(t testing.TB, e *env) {
	start := e.clock.Now()
	p := engine.CreateQueueParams{
		Name: named("q"), Settings: fullSettings(), Tags: map[string]string{"k": "v", "K": "", "": "é"},
	}
	r, err := e.store.CreateQueue(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := &engine.Queue{
		ID: r.Queue.ID, Slug: r.Queue.Slug, Name: p.Name, Kind: engine.Standard,
		Settings: fullSettings(), Tags: map[string]string{"k": "v", "K": "", "": "é"},
		Created: start, Modified: start,
	}
	if !r.Created {
		t.Error("Created is false for a new queue")
	}
	if d := diffQueues(want, r.Queue); d != "" {
		t.Errorf("created queue (-want +got):\n%s", d)
	}
	e.clock.Advance(time.Hour)
	if d := diffQueues(want, e.find(p.Name)); d != "" {
		t.Errorf("found queue (-want +got):\n%s", d)
	}
}

func testCreateExisting(t testing.TB, e *env) {
	first := e.create("q", withDelay(time.Second))
	e.clock.Advance(time.Minute)
	r, err := e.store.CreateQueue(t.Context(), engine.CreateQueueParams{
		Name: named("q"), Kind: engine.FIFO, Settings: fullSettings(), Tags: map[string]string{"k": "v"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Created {
		t.Error("Created is true for a queue that was there before")
	}
	if d := diffQueues(first, r.Queue); d != "" {
		t.Errorf("the queue changed (-want +got):\n%s", d)
	}
	if d := diffQueues(first, e.find(named("q"))); d != "" {
		t.Errorf("the queue changed (-want +got):\n%s", d)
	}
}

func testCreateCopies(t testing.TB, e *env) {
	settings, tags := fullSettings(), map[string]string{"k": "v"}
	q := e.create("q", func(p *engine.CreateQueueParams) { p.Settings, p.Tags = settings, tags })
	settings.Redrive.MaxReceives = 99
	settings.Extra["Policy"] = "changed"
	maps.Copy(tags, map[string]string{"k": "changed", "more": "x"})

	for _, got := range []*engine.Queue{q, e.find(named("q"))} {
		if d := cmp.Diff(fullSettings(), got.Settings); d != "" {
			t.Errorf("settings follow the caller's (-want +got):\n%s", d)
		}
		if d := cmp.Diff(map[string]string{"k": "v"}, got.Tags); d != "" {
			t.Errorf("tags follow the caller's (-want +got):\n%s", d)
		}
	}
}

func testNamesAreExact(t testing.TB, e *env) {
	names := []string{"orders", "Orders", "ORDERS", "orders-", "orders_", "orders.fifo", "ördérs", "o%", "o'; --"}
	ids := make(map[engine.QueueID]string)
	for _, name := range names {
		ids[e.create(name).ID] = name
	}
	if len(ids) != len(names) {
		t.Fatalf("%d names share %d ids", len(names), len(ids))
	}
	for _, name := range names {
		if q := e.find(named(name)); ids[q.ID] != name || q.Name.Name != name {
			t.Errorf("FindQueue(%q) gave %q", name, q.Name.Name)
		}
	}
}

func testNamespaces(t testing.TB, e *env) {
	spaces := []engine.Namespace{
		home,
		{Account: "000000000000", Region: "eu-west-1"},
		{Account: "000000000001", Region: "us-east-1"},
	}
	queues := make([]*engine.Queue, len(spaces))
	for i, space := range spaces {
		queues[i] = e.create("q", func(p *engine.CreateQueueParams) { p.Name.Namespace = space })
		e.send(queues[i], space.Account+space.Region)
	}
	e.delete(queues[0])
	for i, space := range spaces[1:] {
		q := e.find(engine.QueueName{Namespace: space, Name: "q"})
		if q.ID != queues[i+1].ID {
			t.Errorf("the queue of %v has another id", space)
		}
		e.expect(q, space.Account+space.Region)
	}
	_, err := e.store.FindQueue(t.Context(), named("q"))
	e.wantCode("FindQueue of the deleted queue", err, engine.QueueNotFound)
}

func testUnknownName(t testing.TB, e *env) {
	e.create("q")
	for _, name := range []engine.QueueName{
		{},
		named(""), named("Q"), named("q "), named("que"),
		{Namespace: engine.Namespace{Account: home.Account}, Name: "q"},
		{Namespace: engine.Namespace{Region: home.Region, Account: home.Region}, Name: "q"},
	} {
		_, err := e.store.FindQueue(t.Context(), name)
		e.wantCode("FindQueue", err, engine.QueueNotFound)
	}
}

func testIdentity(t testing.TB, e *env) {
	form := regexp.MustCompile(`^que_[a-z0-9]{12}$`)
	ids, slugs := map[engine.QueueID]bool{{}: true}, map[string]bool{}
	for range 20 {
		q := e.create("q")
		if ids[q.ID] {
			t.Errorf("id %v was given twice or is zero", q.ID)
		}
		if !form.MatchString(q.Slug) || slugs[q.Slug] {
			t.Errorf("slug %q has a bad form or was given twice", q.Slug)
		}
		ids[q.ID], slugs[q.Slug] = true, true
		e.delete(q)
	}
}

func testManyQueues(t testing.TB, e *env) {
	const n = 300
	name := func(i int) string { return "q" + string(rune('a'+i%26)) + string(rune('a'+i/26)) }
	queues := make([]*engine.Queue, n)
	for i := range n {
		queues[i] = e.create(name(i))
		e.send(queues[i], name(i))
	}
	for i, q := range queues {
		if i%3 == 0 {
			e.delete(q)
			continue
		}
		e.expect(q, name(i))
	}
	for i := range n {
		_, err := e.store.FindQueue(t.Context(), named(name(i)))
		if (err != nil) != (i%3 == 0) {
			t.Errorf("FindQueue(%s): %v", name(i), err)
		}
	}
}

func testTooManyQueues(t testing.TB, e *env) {
	create := func(name string, most int) (engine.CreateQueueResult, error) {
		return e.store.CreateQueue(t.Context(), engine.CreateQueueParams{Name: named(name), Settings: defaults(), MaxQueues: most})
	}
	a := e.create("a")
	elsewhere := func(p *engine.CreateQueueParams) { p.Name.Region = "eu-west-1" }
	e.create("a", elsewhere)
	_, err := create("b", 2)
	e.wantCode("CreateQueue at the bound", err, engine.TooManyQueues)
	_, err = e.store.FindQueue(t.Context(), named("b"))
	e.wantCode("FindQueue after a refused CreateQueue", err, engine.QueueNotFound)
	if r, err := create("a", 2); err != nil || r.Created || r.Queue.ID != a.ID {
		t.Fatalf("a queue that is there is not found at the bound: %+v, %v", r, err)
	}
	if _, err := create("b", 3); err != nil {
		t.Fatalf("CreateQueue below the bound: %v", err)
	}
	_, err = create("c", 3)
	e.wantCode("CreateQueue at a higher bound", err, engine.TooManyQueues)
	e.delete(a)
	if r, err := create("c", 3); err != nil || !r.Created {
		t.Fatalf("CreateQueue after a deletion: %v", err)
	}
	if _, err := create("d", 0); err != nil {
		t.Fatalf("CreateQueue without a bound: %v", err)
	}
}

func testSecretAndHealth(t testing.TB, e *env) {
	if e.store.Secret() == [32]byte{} {
		t.Error("the secret is zero")
	}
	if first, second := e.store.Secret(), e.store.Secret(); first != second {
		t.Error("the secret changes")
	}
	if err := e.store.Health(t.Context()); err != nil {
		t.Errorf("Health: %v", err)
	}
	other := newEnv(t, e.h)
	defer other.finish()
	if e.store.Secret() == other.store.Secret() {
		t.Error("two stores have the same secret")
	}
}
