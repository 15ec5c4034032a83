package storetest

import (
	"fmt"
	"strings"
	"testing"

	"queues/engine"
)

func sourceTests() []test {
	return []test{
		{"Found", testSources},
		{"Pages", testSourcesPages},
		{"FollowChanges", testSourcesChanges},
		{"OfItself", testSourcesSelf},
		{"OwnNamespaceOnly", testSourcesNamespace},
	}
}

// wantSources compares the sources of a target, page by page.
func (e *env) wantSources(target string, limit int, want string) {
	e.t.Helper()
	p := engine.ListSourcesParams{Target: named(target), Limit: limit}
	var names []string
	more := false
	for {
		r, err := e.store.ListSources(e.t.Context(), p)
		if err != nil {
			e.t.Fatalf("ListSources: %v", err)
		}
		if len(r.Queues) > limit || (more || r.More) && len(r.Queues) == 0 {
			e.t.Fatalf("ListSources gave %d queues of at most %d, more: %v", len(r.Queues), limit, r.More)
		}
		for _, q := range r.Queues {
			if q.Redrive == nil || q.Redrive.Target != p.Target {
				e.t.Errorf("queue %s is no source of %s: %+v", q.Name.Name, target, q.Redrive)
			}
			names = append(names, q.Name.Name)
		}
		if more = r.More; !more {
			break
		}
		p.After = names[len(names)-1]
	}
	if got := strings.Join(names, " "); got != want {
		e.t.Fatalf("the sources of %s are %q, want %q", target, got, want)
	}
}

func testSources(t testing.TB, e *env) {
	e.wantSources("dead", 10, "")
	e.create("dead")
	e.create("c", withRedrive("dead", 1))
	e.create("a", withRedrive("dead", 2))
	e.create("other", withRedrive("Dead", 1))
	e.create("b.fifo", asFIFO, withRedrive("dead", 3))
	e.create("plain")
	e.wantSources("dead", 10, "a b.fifo c")
	e.wantSources("Dead", 10, "other")
	e.wantSources("dea", 10, "")
	r, err := e.store.ListSources(t.Context(), engine.ListSourcesParams{Target: named("dead"), Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if d := diffQueues(e.find(named("a")), r.Queues[0]); d != "" {
		t.Errorf("a source differs from the queue (-want +got):\n%s", d)
	}
}

func testSourcesPages(_ testing.TB, e *env) {
	var names []string
	for i := range 12 {
		name := fmt.Sprintf("q%02d", i)
		names = append(names, name)
		e.create(name, withRedrive("dead", 1))
		e.create(fmt.Sprintf("q%02d-not", i))
	}
	for _, limit := range []int{1, 3, 5, 11, 12, 100} {
		e.wantSources("dead", limit, strings.Join(names, " "))
	}
}

func testSourcesChanges(_ testing.TB, e *env) {
	a := e.create("a", withRedrive("dead", 1))
	b := e.create("b")
	e.wantSources("dead", 10, "a")
	e.setRedrive(b, "dead", 5)
	e.wantSources("dead", 10, "a b")
	e.setRedrive(a, "other", 1)
	e.wantSources("dead", 10, "b")
	e.wantSources("other", 10, "a")
	dead := e.create("dead")
	e.delete(dead)
	e.wantSources("dead", 10, "b")
	e.setRedrive(a, "", 0)
	e.wantSources("other", 10, "")
	e.delete(b)
	e.wantSources("dead", 10, "")
	e.create("b")
	e.wantSources("dead", 10, "")
}

func testSourcesSelf(_ testing.TB, e *env) {
	e.create("q", withRedrive("q", 1))
	e.wantSources("q", 10, "q")
}

func testSourcesNamespace(t testing.TB, e *env) {
	away := engine.Namespace{Account: home.Account, Region: "eu-west-1"}
	e.create("a", withRedrive("dead", 1))
	e.create("b", withRedrive("dead", 1), func(p *engine.CreateQueueParams) {
		p.Name.Namespace, p.Settings.Redrive.Target.Namespace = away, away
	})
	e.create("c", withRedrive("dead", 1), func(p *engine.CreateQueueParams) { p.Name.Namespace = away })
	e.wantSources("dead", 10, "a")
	r, err := e.store.ListSources(t.Context(), engine.ListSourcesParams{
		Target: engine.QueueName{Namespace: away, Name: "dead"}, Limit: 10,
	})
	if err != nil || len(r.Queues) != 1 || r.Queues[0].Name.Name != "b" {
		t.Errorf("ListSources elsewhere gave %v, %v", r.Queues, err)
	}
}
