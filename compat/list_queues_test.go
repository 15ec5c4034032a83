package compat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

func (e *env) list(in *protocol.ListQueuesInput) *protocol.ListQueuesOutput {
	e.t.Helper()
	return do[*protocol.ListQueuesOutput](e, protocol.ListQueues, in)
}

// names are the queue names of URLs, parted by blanks.
func names(urls []string) string {
	var list []string
	for _, url := range urls {
		list = append(list, strings.TrimPrefix(url, "http://localhost:9324/000000000000/"))
	}
	return strings.Join(list, " ")
}

func TestListQueues(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	if got := e.list(&protocol.ListQueuesInput{}); got.QueueURLs != nil || got.NextToken != nil {
		t.Errorf("no queues list as %+v", got)
	}
	for _, name := range []string{"pre_b", "b", "a", "Pre_c", "prefix", "pre_a"} {
		e.create(name)
	}
	e.caller.Region = "eu-west-1"
	e.create("elsewhere")
	e.caller = home
	e.caller.Account = "111111111111"
	e.create("other")
	e.caller = home
	for prefix, want := range map[string]string{
		"": "Pre_c a b pre_a pre_b prefix", "pre": "pre_a pre_b prefix", "pre_": "pre_a pre_b", "Pre": "Pre_c", "prefix": "prefix", "prefixx": "",
		"pre_.fifo": "", "b.fi": "", "%": "", "*": "", "\x00": "", ".": "", "é": "", strings.Repeat("a", 81): "", strings.Repeat("a", 1<<20): "",
	} {
		got := e.list(&protocol.ListQueuesInput{QueueNamePrefix: &prefix})
		if names(got.QueueURLs) != want || got.NextToken != nil || (want == "") != (got.QueueURLs == nil) {
			t.Errorf("prefix %.20q lists %q and token %v, want %q and none", prefix, names(got.QueueURLs), got.NextToken, want)
		}
	}
	url := "http://localhost:9324/000000000000/b"
	e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: &url})
	if got := names(e.list(&protocol.ListQueuesInput{}).QueueURLs); got != "Pre_c a pre_a pre_b prefix" {
		t.Errorf("after a deletion: %q", got)
	}
}

func TestListQueuesPages(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	for i := range 10 {
		e.create(fmt.Sprintf("q-%d", i))
	}
	e.create("z")
	prefix := new("q-")
	var got []string
	var sizes []int
	in := &protocol.ListQueuesInput{QueueNamePrefix: prefix, MaxResults: new(int32(4))}
	for {
		out := e.list(in)
		got, sizes = append(got, out.QueueURLs...), append(sizes, len(out.QueueURLs))
		if out.NextToken == nil {
			break
		}
		in.NextToken = out.NextToken
	}
	if want := "q-0 q-1 q-2 q-3 q-4 q-5 q-6 q-7 q-8 q-9"; names(got) != want {
		t.Errorf("the pages have %q, want %q", names(got), want)
	}
	if diff := cmp.Diff([]int{4, 4, 2}, sizes); diff != "" {
		t.Errorf("sizes of the pages (-want +got):\n%s", diff)
	}
	if out := e.list(&protocol.ListQueuesInput{QueueNamePrefix: prefix, MaxResults: new(int32(10))}); len(out.QueueURLs) != 10 || out.NextToken != nil {
		t.Errorf("a page that fits exactly has %d queues and token %v", len(out.QueueURLs), out.NextToken)
	}
	// The size of the page may change on the way, and a token works after its
	// queue is gone.
	first := e.list(&protocol.ListQueuesInput{QueueNamePrefix: prefix, MaxResults: new(int32(2))})
	e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: new("q-1")})
	rest := e.list(&protocol.ListQueuesInput{QueueNamePrefix: prefix, NextToken: first.NextToken, MaxResults: new(int32(10))})
	if got := names(rest.QueueURLs); got != "q-2 q-3 q-4 q-5 q-6 q-7 q-8 q-9" || rest.NextToken != nil {
		t.Errorf("the rest is %q with token %v", got, rest.NextToken)
	}

	const moved = "Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters."
	const bad = "Invalid or expired next token."
	e.refused(protocol.ListQueues, &protocol.ListQueuesInput{QueueNamePrefix: new("q"), NextToken: first.NextToken}, badValue, moved)
	e.refused(protocol.ListQueues, &protocol.ListQueuesInput{NextToken: first.NextToken}, badValue, moved)
	other := []byte(*first.NextToken)
	other[3] ^= 1
	for _, token := range []string{"x", "garbage token", string(other), *first.NextToken + "A", *first.NextToken + "\n", strings.Repeat("A", 1<<20)} {
		e.refused(protocol.ListQueues, &protocol.ListQueuesInput{QueueNamePrefix: prefix, NextToken: &token}, badValue, bad)
	}
	e.caller.Region = "eu-west-1"
	e.refused(protocol.ListQueues, &protocol.ListQueuesInput{QueueNamePrefix: prefix, NextToken: first.NextToken}, badValue, bad)
}

func TestListQueuesLimits(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	for i := range 1001 {
		e.create(fmt.Sprintf("q%04d", i))
	}
	for name, max := range map[string]*int32{"Absent": nil, "Zero": new(int32(0))} {
		if out := e.list(&protocol.ListQueuesInput{MaxResults: max}); len(out.QueueURLs) != 1000 || out.NextToken != nil {
			t.Errorf("%s: %d queues and token %v, want 1000 and none", name, len(out.QueueURLs), out.NextToken)
		}
	}
	out := e.list(&protocol.ListQueuesInput{MaxResults: new(int32(1000))})
	if len(out.QueueURLs) != 1000 || out.NextToken == nil {
		t.Fatalf("the longest page has %d queues and token %v", len(out.QueueURLs), out.NextToken)
	}
	if last := e.list(&protocol.ListQueuesInput{NextToken: out.NextToken}); names(last.QueueURLs) != "q1000" || last.NextToken != nil {
		t.Errorf("the last page is %q with token %v", names(last.QueueURLs), last.NextToken)
	}
	const text = "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000."
	for _, n := range []int32{-1, 1001, 2147483647, -2147483648} {
		e.refused(protocol.ListQueues, &protocol.ListQueuesInput{MaxResults: &n}, badValue, text)
	}
}
