package sqlite

import (
	"slices"
	"testing"

	"queues/engine"
)

func TestSources(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.create("dlq")
	for _, n := range []string{"c", "a", "b"} {
		f.create(n, redriveTo("dlq", 3))
	}
	f.create("other", redriveTo("else", 3))
	elsewhere := name("x")
	elsewhere.Account = "111111111111"
	_, err := f.CreateQueue(t.Context(), engine.CreateQueueParams{
		Name: elsewhere, Settings: engine.Settings{Redrive: &engine.Redrive{Target: name("dlq"), MaxReceives: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	page := func(after string, limit int) ([]string, bool) {
		r, err := f.ListSources(t.Context(), engine.ListSourcesParams{Target: name("dlq"), After: after, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, q := range r.Queues {
			names = append(names, q.Name.Name)
		}
		return names, r.More
	}
	if got, more := page("", 2); !slices.Equal(got, []string{"a", "b"}) || !more {
		t.Errorf("the first page is %v, more %v", got, more)
	}
	f.reopen()
	if got, more := page("b", 2); !slices.Equal(got, []string{"c"}) || more {
		t.Errorf("the second page is %v, more %v", got, more)
	}
	b, err := f.FindQueue(t.Context(), name("b"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.UpdateQueue(t.Context(), engine.UpdateQueueParams{Queue: b.ID, Change: func(q *engine.Queue) error {
		q.Redrive = nil
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if got, more := page("", 2); !slices.Equal(got, []string{"a", "c"}) || more {
		t.Errorf("after a change the page is %v, more %v", got, more)
	}
}

// TestSourcesOfOldData finds the sources in data of the first schema, where
// nobody could ask for them.
func TestSourcesOfOldData(t *testing.T) {
	t.Parallel()
	f := makeOld(t, 1)
	execOn(t, f.o.Dir, `
		INSERT INTO queues VALUES (1, randomblob(16), 'que_a', '000000000000', 'us-east-1', 'old', 0, 1, 1, NULL,
			'{"delay":0,"max_message_bytes":0,"retention":86400000000000,"receive_wait":0,"visibility_timeout":0,"extra":null,
			"redrive":{"account":"000000000000","region":"us-east-1","name":"dlq","max_receives":1}}', 'null');
		INSERT INTO queue_state VALUES (1, 1, 0, 0, 1, 0, 0, 0, 0);
		INSERT INTO messages VALUES (1, 1, 1, 1, NULL, x'01000000000000000000000000000000000000000000', 'b');
		UPDATE queue_state SET epoch = 2, cursor = 2, cut = 1 WHERE number = 0`)
	f.clock.set(fromMS(2))
	f.open()
	t.Cleanup(f.finish)
	dlq := f.create("dlq")
	r, err := f.ListSources(t.Context(), engine.ListSourcesParams{Target: name("dlq"), Limit: 10})
	if err != nil || len(r.Queues) != 1 || r.Queues[0].Name != name("old") {
		t.Fatalf("the sources are %v, %v", r.Queues, err)
	}
	f.touch(r.Queues[0], 1)
	f.touch(r.Queues[0], 1)
	if got := bodies(f.receive(dlq, 1)); !slices.Equal(got, []string{"b"}) {
		t.Errorf("the target has %v, want the old message", got)
	}
}
