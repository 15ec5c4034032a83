package load

import (
	"fmt"
	"strings"
	"testing"
)

// TestBody holds that a body tells its key, and that it was altered.
func TestBody(t *testing.T) {
	t.Parallel()
	longest := 0
	for i := range 2000 {
		key := fmt.Sprintf("plain-1-%d", i)
		body := Body(key)
		longest = max(longest, len(body))
		if got, altered := Key(body); got != key || altered {
			t.Fatalf("the body of %q is of %q, altered %v", key, got, altered)
		}
		if got, altered := Key(body[:len(body)-1] + "A"); !altered {
			t.Fatalf("an altered body of %q is taken for the one of %q", key, got)
		}
	}
	if longest < 50_000 {
		t.Errorf("the longest body has %d bytes, want some that take many pages", longest)
	}
}

// TestQueues holds that each queue can be created: a dead-letter queue is of its
// source's kind, and is one of them.
func TestQueues(t *testing.T) {
	t.Parallel()
	all := queues()
	for name, rule := range all {
		if rule.FIFO != strings.HasSuffix(name, ".fifo") {
			t.Errorf("%s is FIFO: %v", name, rule.FIFO)
		}
		for _, other := range []string{rule.DeadLetters, rule.MovesTo} {
			if target, ok := all[other]; other != "" && (!ok || target.FIFO != rule.FIFO) {
				t.Errorf("%s has the target %s, which is missing or of another kind", name, other)
			}
		}
	}
}
