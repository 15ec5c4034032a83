package integration

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// The same wakes through real sockets, as far as they need no knowledge of who
// is waiting already.
func TestAPollGetsWhatComes(t *testing.T) {
	t.Parallel()
	for name, prepare := range wakes {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				url := e.create(t, nil)
				act := prepare(t, e, url)
				start := time.Now()
				poll := e.poll(t, url, waitFor(20))
				if act != nil {
					act()
				}
				got := <-poll
				if got.err != nil {
					t.Fatal(got.err)
				}
				wantBodies(t, got.messages, "b")
				if d := time.Since(start); d > 15*time.Second {
					t.Errorf("it took %v", d)
				}
			})
		})
	}
}

// A poll parked before a delayed send is woken when the delay ends.
func TestAPollWaitsForALaterDelay(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		for _, url := range []string{e.create(t, nil), e.create(t, attrs{"DelaySeconds": "2"})} {
			start := time.Now()
			poll := e.poll(t, url, waitFor(10))
			time.Sleep(500 * time.Millisecond)
			e.send(t, url, "b", delayed(2))
			got := <-poll
			e.took(t, start, 2500*time.Millisecond)
			wantBodies(t, got.messages, "b")
		}
	})
}

// What is there comes at once, and only what is returned is claimed.
func TestAPollWithABacklogReturnsAtOnce(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.sendBatch(t, url, "1", "2", "3", "4")
		start := time.Now()
		for _, want := range []string{"1", "2", "3", "4"} {
			m := e.receiveOne(t, url, waitFor(20), upTo(1))
			wantBodies(t, []types.Message{m}, want)
			e.delete(t, url, m)
		}
		e.took(t, start, 0)
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}
