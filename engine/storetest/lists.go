package storetest

import (
	"slices"
	"strings"
	"testing"

	"queues/engine"
)

func listTests() []test {
	return []test{
		{"Empty", testListEmpty},
		{"OrderAndPrefix", testListPrefix},
		{"PrefixIsLiteral", testListLiteral},
		{"Pages", testListPages},
		{"Namespaces", testListNamespaces},
		{"SeesEveryChange", testListFresh},
	}
}

// list gives the names of one page, separated by blanks.
func (e *env) list(p engine.ListQueuesParams) (names string, more bool) {
	e.t.Helper()
	if p.Namespace == (engine.Namespace{}) {
		p.Namespace = home
	}
	r, err := e.store.ListQueues(e.t.Context(), p)
	if err != nil {
		e.t.Fatalf("ListQueues: %v", err)
	}
	var all []string
	for _, q := range r.Queues {
		if q.Name.Namespace != p.Namespace {
			e.t.Fatalf("ListQueues of %v gave a queue of %v", p.Namespace, q.Name.Namespace)
		}
		all = append(all, q.Name.Name)
	}
	return strings.Join(all, " "), r.More
}

// wantList compares a whole list.
func (e *env) wantList(p engine.ListQueuesParams, want string) {
	e.t.Helper()
	p.Limit = 1000
	if got, more := e.list(p); got != want || more {
		e.t.Fatalf("prefix %q after %q: got %q (more: %v), want %q", p.Prefix, p.After, got, more, want)
	}
}

func testListEmpty(_ testing.TB, e *env) {
	e.wantList(engine.ListQueuesParams{}, "")
	e.wantList(engine.ListQueuesParams{Prefix: "a", After: "a"}, "")
}

func testListPrefix(_ testing.TB, e *env) {
	for name := range strings.FieldsSeq("b10 a B b b2 ab b1 a.fifo a-b a_b c A") {
		e.create(name)
	}
	e.wantList(engine.ListQueuesParams{}, "A B a a-b a.fifo a_b ab b b1 b10 b2 c")
	e.wantList(engine.ListQueuesParams{Prefix: "b"}, "b b1 b10 b2")
	e.wantList(engine.ListQueuesParams{Prefix: "B"}, "B")
	e.wantList(engine.ListQueuesParams{Prefix: "b1"}, "b1 b10")
	e.wantList(engine.ListQueuesParams{Prefix: "bb"}, "")
	e.wantList(engine.ListQueuesParams{Prefix: "d"}, "")
	e.wantList(engine.ListQueuesParams{Prefix: "b", After: "A"}, "b b1 b10 b2")
	e.wantList(engine.ListQueuesParams{Prefix: "b", After: "b1"}, "b10 b2")
	e.wantList(engine.ListQueuesParams{Prefix: "b", After: "b11"}, "b2")
	e.wantList(engine.ListQueuesParams{Prefix: "b", After: "b2"}, "")
	e.wantList(engine.ListQueuesParams{Prefix: "b", After: "z"}, "")
	e.wantList(engine.ListQueuesParams{After: "not there"}, "")
	e.wantList(engine.ListQueuesParams{After: "b"}, "b1 b10 b2 c")
}

func testListLiteral(_ testing.TB, e *env) {
	for name := range strings.FieldsSeq("a_c abc a%c a*c a[b]c a?c a\\c 'a é éa êa a\U0010ffffz") {
		e.create(name)
	}
	for prefix, want := range map[string]string{
		"a_": "a_c", "a%": "a%c", "a*": "a*c", "a[b]": "a[b]c", "a?": "a?c", "a\\": "a\\c", "'": "'a",
		"%": "", "_": "", "*": "", "é": "é éa", "ê": "êa", "a\U0010ffff": "a\U0010ffffz",
	} {
		e.wantList(engine.ListQueuesParams{Prefix: prefix}, want)
	}
}

func testListPages(t testing.TB, e *env) {
	var all []string
	for _, a := range "abcde" {
		for _, b := range "vwxyz" {
			all = append(all, "p-"+string(a)+string(b))
		}
	}
	for i := range all {
		e.create(all[(i*7)%len(all)])
	}
	e.create("a-before")
	e.create("z-behind")
	for _, limit := range []int{1, 2, 5, 24, 25, 26, 1000} {
		var got []string
		p := engine.ListQueuesParams{Prefix: "p-", Limit: limit}
		for {
			names, more := e.list(p)
			page := strings.Fields(names)
			got = append(got, page...)
			if len(page) > limit || len(got) > len(all) {
				t.Fatalf("limit %d: a page has %d names", limit, len(page))
			}
			if !more {
				break
			}
			if len(page) != limit {
				t.Fatalf("limit %d: a page with more to follow has %d names", limit, len(page))
			}
			p.After = page[len(page)-1]
		}
		if !slices.Equal(got, all) {
			t.Errorf("limit %d: got %v, want %v", limit, got, all)
		}
	}
}

func testListNamespaces(_ testing.TB, e *env) {
	other := engine.Namespace{Account: "000000000001", Region: "us-east-1"}
	region := engine.Namespace{Account: "000000000000", Region: "us-east-2"}
	e.create("a")
	e.create("c")
	e.create("b", func(p *engine.CreateQueueParams) { p.Name.Namespace = other })
	e.create("d", func(p *engine.CreateQueueParams) { p.Name.Namespace = region })
	e.wantList(engine.ListQueuesParams{}, "a c")
	e.wantList(engine.ListQueuesParams{Namespace: other}, "b")
	e.wantList(engine.ListQueuesParams{Namespace: region, Prefix: "d"}, "d")
	if names, more := e.list(engine.ListQueuesParams{After: "a", Limit: 1}); names != "c" || more {
		e.t.Errorf("the last page is %q, more: %v", names, more)
	}
}

func testListFresh(t testing.TB, e *env) {
	a := e.create("a")
	e.create("b")
	e.delete(a)
	e.wantList(engine.ListQueuesParams{}, "b")
	renewed := e.create("a")
	e.update(renewed, func(q *engine.Queue) { q.Tags = map[string]string{"k": "v"} })
	r, err := e.store.ListQueues(t.Context(), engine.ListQueuesParams{Namespace: home, Limit: 2})
	if err != nil || len(r.Queues) != 2 || r.More {
		t.Fatalf("ListQueues gave %d queues, more: %v, %v", len(r.Queues), r.More, err)
	}
	if d := diffQueues(e.find(named("a")), r.Queues[0]); d != "" {
		t.Errorf("the listed queue is not the found one (-find +list):\n%s", d)
	}
}
