package integration

import (
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// The scope of a queue says where an id is unique: the one it was made with,
// also after a change.
func TestDeduplicationScope(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		for scope, other := range map[string]string{"queue": "messageGroup", "messageGroup": "queue"} {
			url := e.createFIFO(t, attrs{"DeduplicationScope": scope})
			want := counts{"1", "0", "0"}
			if scope == "messageGroup" {
				want.Visible = "2"
			}
			for range 2 {
				e.send(t, url, "A", inGroup("g1"), as("d"))
				e.send(t, url, "B", inGroup("g2"), as("d"))
				e.wantCounts(t, url, want)
				e.setAttributes(t, url, attrs{"DeduplicationScope": other})
			}
			e.send(t, url, "C", inGroup("g1"), as("new"))
			e.send(t, url, "D", inGroup("g2"), as("new"))
			if scope == "queue" {
				want.Visible = "2"
			} else {
				want.Visible = "4"
			}
			e.wantCounts(t, url, want)
		}
	})
}

// Of many sends of one id at the same time one is stored, and all get its id.
func TestConcurrentDuplicates(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		const rounds, senders = 20, 4
		for round := range rounds {
			var ids [senders]string
			var wg sync.WaitGroup
			for i := range senders {
				wg.Go(func() {
					r := e.sendQuietly(t, url, fmt.Sprint(i), fmt.Sprint("d", round))
					ids[i] = aws.ToString(r)
				})
			}
			wg.Wait()
			for _, id := range ids {
				if id == "" || id != ids[0] {
					t.Fatalf("round %d: ids %v", round, ids)
				}
			}
		}
		e.wantCounts(t, url, counts{fmt.Sprint(rounds), "0", "0"})
	})
}
