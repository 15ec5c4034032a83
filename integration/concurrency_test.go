package integration

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// holders knows who holds which message right now, and which are done.
type holders struct {
	mu   sync.Mutex
	held map[string]bool
	done map[string]int
}

// take notes that a message was received.
func (h *holders) take(t *testing.T, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held[id] {
		t.Errorf("message %s is held twice at once", id)
	}
	h.held[id] = true
}

// give notes that a message was given back, or deleted.
func (h *holders) give(id string, deleted bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held[id] = false
	if deleted {
		h.done[id]++
	}
}

// Many producers and consumers in both protocols on one queue: every message
// that was acknowledged is deleted once, and never has two holders.
func TestEveryMessageHasOneHolderAtATime(t *testing.T) {
	const producers, consumers, perProducer = 4, 8, 60
	forServers(t, func(t *testing.T, s *server) {
		base := newEnv(t, s, wireJSON)
		url := base.create(t, attrs{"VisibilityTimeout": "600"})
		h := &holders{held: map[string]bool{}, done: map[string]int{}}
		var acknowledged, deleted atomic.Int64
		sent := sync.Map{}

		var work sync.WaitGroup
		for p := range producers {
			e := base.speaking(t, wires[p%2])
			work.Go(func() {
				for i := range perProducer / 10 {
					var bodies []string
					for j := range 10 {
						bodies = append(bodies, fmt.Sprintf("%d/%d/%d", p, i, j))
					}
					if i%2 == 0 {
						out := e.sendBatch(t, url, bodies...)
						for _, x := range out.Successful {
							sent.Store(*x.MessageId, true)
						}
						acknowledged.Add(int64(len(out.Successful)))
						continue
					}
					for _, b := range bodies {
						sent.Store(*e.send(t, url, b).MessageId, true)
						acknowledged.Add(1)
					}
				}
			})
		}
		total := int64(producers * perProducer)
		for c := range consumers {
			e := base.speaking(t, wires[c%2])
			work.Go(func() {
				for n := 0; deleted.Load() < total; n++ {
					wait := int32(1)
					out, err := e.sqs.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: int32(1 + n%10), WaitTimeSeconds: wait})
					if err != nil {
						t.Error(err)
						return
					}
					e.work(t, url, h, out.Messages, n+c, &deleted)
				}
			})
		}
		work.Wait()
		if acknowledged.Load() != total || int64(len(h.done)) != total {
			t.Errorf("%d messages were acknowledged and %d deleted, want %d", acknowledged.Load(), len(h.done), total)
		}
		for id, n := range h.done {
			if _, ok := sent.Load(id); !ok || n != 1 {
				t.Errorf("message %s was deleted %d times; sent by us: %v", id, n, ok)
			}
		}
		base.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

// work deletes what a consumer received, or gives it back now and then.
func (e *env) work(t *testing.T, url string, h *holders, ms []types.Message, turn int, deleted *atomic.Int64) {
	for _, m := range ms {
		h.take(t, *m.MessageId)
	}
	for i, m := range ms {
		if (turn+i)%5 == 0 {
			// Given back before the call: from its commit on another may hold it.
			h.give(*m.MessageId, false)
			e.changeVisibility(t, url, m, 0)
			continue
		}
		h.give(*m.MessageId, true)
		e.delete(t, url, m)
		deleted.Add(1)
	}
}

// Creating one name at once from everywhere gives one queue.
func TestConcurrentCreationGivesOneQueue(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		urls := make([]string, 16)
		var work sync.WaitGroup
		for i := range urls {
			work.Go(func() { urls[i] = e.createNamed(t, name, nil) })
		}
		work.Wait()
		for _, u := range urls {
			if u != urls[0] {
				t.Errorf("URLs %q and %q", u, urls[0])
			}
		}
		if got := e.listed(t, &sqs.ListQueuesInput{}); len(got) != 1 {
			t.Errorf("queues %q", got)
		}
	})
}

// Sends, receives and deletes of many clients at once never fail.
func TestMixedLoadNeverFails(t *testing.T) {
	forServers(t, func(t *testing.T, s *server) {
		base := newEnv(t, s, wireJSON)
		var urls []string
		for range 4 {
			urls = append(urls, base.create(t, attrs{"VisibilityTimeout": "600"})) // nobody is too slow
		}
		var work sync.WaitGroup
		for c := range 16 {
			e := base.speaking(t, wires[c%2])
			work.Go(func() {
				for i := range 25 {
					url := urls[(c+i)%len(urls)]
					e.send(t, url, fmt.Sprint(c, i), func(in *sqs.SendMessageInput) { in.DelaySeconds = int32(i % 2) })
					for _, m := range e.receive(t, url, upTo(2)) {
						if i%3 == 0 {
							e.changeVisibility(t, url, m, int32(i%2))
							continue
						}
						e.delete(t, url, m)
					}
					e.attributes(t, url, "All")
				}
			})
		}
		work.Wait()
		for _, url := range urls {
			base.empty(t, url)
		}
	})
}

// empty deletes what is in a queue until its counters are zero.
func (e *env) empty(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		for _, m := range e.receive(t, url, waitFor(2)) {
			e.delete(t, url, m)
		}
		a := e.attributes(t, url, "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed")
		if a["ApproximateNumberOfMessages"]+a["ApproximateNumberOfMessagesNotVisible"]+a["ApproximateNumberOfMessagesDelayed"] == "000" {
			return
		}
	}
	t.Errorf("the queue is not empty after %v", patience)
}

// Hundreds of polls wait at once; as many messages serve them all.
func TestManyPollsWaitAtOnce(t *testing.T) {
	t.Parallel()
	inBubble.run(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wireJSON)
		url := e.create(t, nil)
		start := time.Now()
		polls := make([]<-chan polled, 500)
		for i := range polls {
			polls[i] = e.poll(t, url, waitFor(20), upTo(1))
		}
		time.Sleep(time.Second)
		for i := range len(polls) / 10 {
			ten := make([]string, 10)
			for j := range ten {
				ten[j] = fmt.Sprint(i*10 + j)
			}
			e.sendBatch(t, url, ten...)
		}
		seen := map[string]bool{}
		for _, p := range polls {
			got := <-p
			for _, m := range got.messages {
				seen[aws.ToString(m.Body)] = true
			}
		}
		if len(seen) != len(polls) {
			t.Errorf("%d polls got %d messages", len(polls), len(seen))
		}
		e.took(t, start, time.Second)
	})
}
